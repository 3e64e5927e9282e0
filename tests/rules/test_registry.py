"""Rules are found, ordered, run, and may crash."""

from __future__ import annotations

import re
from types import SimpleNamespace

from dyngen.design.model import Index, KeyAttribute, KeySchema, Schema, Table
from dyngen.design.plans import (
    Alternative,
    Design,
    FilterPlan,
    ReadPlan,
    Route,
)
from dyngen.diagnostics.model import Severity, Span
from dyngen.rules import all_rules, run_rules
from dyngen.spec.model import Action


def span(line: int) -> Span:
    return Span("specs/shop.yaml", line, 1, line, 2)


def design(**of_read) -> Design:
    key = KeySchema((KeyAttribute("pk", "S"),), ())
    indexes = (Index("Used", key, span(3)), Index("Unused", key, span(4)))
    table = Table("Things", key, indexes, span(2))
    route = Route("Used", (), None)
    read = ReadPlan(
        "things",
        Action.QUERY,
        ("Thing",),
        "Things",
        (),
        (Alternative(frozenset(), route),),
        (),
        span=span(9),
        **of_read,
    )
    return Design(Schema("shop", (table,), ()), (read,), (), ())


def found(of: Design) -> list[tuple[str, int]]:
    return [(d.code, d.primary.span.line) for d in run_rules(of)]


def test_rules_have_codes_of_their_own_in_order():
    codes = [rule.CODE for rule in all_rules()]
    assert codes == sorted(set(codes))
    assert all(re.fullmatch(r"DG3\d\d", code) for code in codes)
    assert "DG300" not in codes


def test_findings_have_the_code_and_severity_of_their_rule():
    of = design(filter=FilterPlan(()), page_size=5)
    for rule in all_rules():
        for finding in rule.check(of):
            assert finding.code == rule.CODE
            assert finding.severity is rule.SEVERITY


def test_an_unused_index():
    assert found(design()) == [("DG341", 4)]


def test_a_page_size_with_a_filter():
    assert found(design(filter=FilterPlan(()))) == [("DG341", 4)]
    both = design(filter=FilterPlan(()), page_size=5)
    assert found(both) == [("DG331", 9), ("DG341", 4)]


def test_a_rule_that_crashes_is_a_finding():
    def check(_):
        raise KeyError("x")

    rule = SimpleNamespace(CODE="DG399", SEVERITY=Severity.ADVICE, check=check)
    (finding,) = run_rules(design(), [rule])
    assert finding.code == "DG300"
    assert finding.message == "rule DG399 failed: KeyError: 'x'"
