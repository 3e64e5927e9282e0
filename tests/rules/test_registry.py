"""Rules are found, ordered, run, silenced, and may crash."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from dyngen.diagnostics.model import Severity
from dyngen.rules.support.registry import all_rules, find_rule, rule_name
from dyngen.rules.support.run import run_rules
from linting import lint, places, subject

UNUSED = """\
dyngen: 1
service: shop
tables:
  Orders:
    partition_key: customer
    sort_key: number
    indexes:
      ByTotal: {partition_key: customer, sort_key: total}
entities:
  Order:
    attributes: {customer: uuid, number: integer, total: integer}
"""


def silenced(on: str, code: str = "DG341") -> str:
    """The spec with an ignore on one of its objects."""
    said = f'lint: {{ignore: {{{code}: "read by reports"}}}}'
    match on:
        case "spec":
            return f"{UNUSED}{said}\n"
        case "table":
            return UNUSED.replace("    indexes:", f"    {said}\n    indexes:")
        case "entity":
            return f"{UNUSED}    {said}\n"
        case _:
            return UNUSED.replace("sort_key: total}", f"sort_key: total, {said}}}")


def crash(_: object) -> None:
    raise KeyError("x")


def test_rules_have_codes_and_names_of_their_own_in_order() -> None:
    codes = [rule.CODE for rule in all_rules()]
    assert codes == sorted(set(codes))
    assert all(re.fullmatch(r"DG3\d\d", code) for code in codes)
    assert "DG300" not in codes
    assert len(codes) >= 40


def test_a_rule_by_its_code() -> None:
    rule = find_rule("DG341")
    assert rule is not None
    assert rule_name(rule) == "unused-index"
    assert find_rule("DG398") is None


def test_findings_have_the_code_and_severity_of_their_rule() -> None:
    [found] = lint(UNUSED)
    assert (found.code, found.severity) == ("DG341", Severity.WARNING)
    assert found.primary.span.line == 8


@pytest.mark.parametrize("on", ["index", "table", "spec"])
def test_an_ignore_counts_on_the_object_and_on_what_contains_it(on: str) -> None:
    assert lint(silenced(on)) == ()


def test_an_ignore_elsewhere_silences_nothing_and_is_reported() -> None:
    assert places(lint(silenced("entity"))) == [(8, "DG341"), (12, "DG399")]


def test_a_rule_that_crashes_is_a_finding() -> None:
    rule = SimpleNamespace(CODE="DG398", SEVERITY=Severity.ADVICE, check=crash)
    [found] = run_rules(subject(UNUSED), [rule])
    assert found.code == "DG300"
    assert found.message == "rule DG398 failed: KeyError: 'x'"


def test_an_ignore_of_a_rule_that_crashed_is_not_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(find_rule("DG341"), "check", crash)
    assert [d.code for d in lint(silenced("index"))] == ["DG300"]


def test_what_is_missing_is_no_reason_to_speak() -> None:
    whole = subject(UNUSED)
    broken = type(whole)(whole.spec, whole.design, whole=False)
    assert run_rules(broken) == ()
