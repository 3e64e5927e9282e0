"""Each rule's docstring: its sections, its examples as tests, and its page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from dyngen.rules.support.pages import SECTIONS, contents, markdown, marks, page
from dyngen.rules.support.registry import Rule, all_rules
from linting import lint, places

RULES = all_rules()
PAGES = Path(__file__).parents[2] / "docs" / "rules"


def by_code(rules: tuple[Rule, ...]) -> list[str]:
    return [rule.CODE for rule in rules]


@pytest.mark.parametrize("rule", RULES, ids=by_code(RULES))
def test_the_docstring_has_all_sections(rule: Rule) -> None:
    about = page(rule)
    assert tuple(name for name, _ in about.sections) == SECTIONS
    assert all(text for _, text in about.sections)
    assert about.title
    assert "\n" not in about.title


@pytest.mark.parametrize("rule", RULES, ids=by_code(RULES))
def test_the_reason_names_a_page_of_aws(rule: Rule) -> None:
    """But for rules about names in code, and about the spec itself."""
    reason = dict(page(rule).sections)["Why it matters"]
    if not ("DG360" <= rule.CODE < "DG362" or rule.CODE in ("DG363", "DG364", "DG399")):
        assert "AWS:" in reason


@pytest.mark.parametrize("rule", RULES, ids=by_code(RULES))
def test_the_bad_spec_gives_what_it_marks_and_nothing_else(rule: Rule) -> None:
    spec = page(rule).example("A bad spec")
    expected = marks(spec)
    assert rule.CODE in {code for _, code in expected}
    assert places(lint(spec)) == sorted(expected)


@pytest.mark.parametrize("rule", RULES, ids=by_code(RULES))
def test_the_good_spec_gives_nothing(rule: Rule) -> None:
    spec = page(rule).example("A good spec")
    assert places(lint(spec)) == []


def test_pages_are_up_to_date() -> None:
    """After a change of a docstring: DYNGEN_UPDATE_EXPECTED=1 pytest tests/rules."""
    expected = {f"{rule.CODE}.md": markdown(rule) for rule in RULES}
    expected["README.md"] = contents(RULES)
    if os.environ.get("DYNGEN_UPDATE_EXPECTED"):
        PAGES.mkdir(exist_ok=True)
        for name in {path.name for path in PAGES.iterdir()} - set(expected):
            (PAGES / name).unlink()
        for name, text in expected.items():
            (PAGES / name).write_text(text, encoding="utf-8")
    found = {p.name: p.read_text(encoding="utf-8") for p in PAGES.iterdir()}
    assert found == expected
