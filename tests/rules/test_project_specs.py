"""The project's own specs: the rules have nothing to say of them, or a reason stands there."""

from __future__ import annotations

from pathlib import Path

import pytest
from dyngen.compile import compile_all
from dyngen.rules.support.run import run_rules
from dyngen.rules.support.subject import Subject

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs").rglob("*.yaml"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_no_rule_speaks(path: Path) -> None:
    found = compile_all(path.read_text(encoding="utf-8"), path.name)
    assert found.spec is not None
    assert found.design is not None
    said = run_rules(Subject(found.spec, found.design, found.whole))
    assert [(d.primary.span.line, d.code, d.message) for d in said] == []


def test_a_rule_asks_for_few_reasons() -> None:
    reasons = sum(path.read_text(encoding="utf-8").count("ignore:") for path in SPECS)
    assert len(SPECS) >= 30
    assert reasons <= len(SPECS) // 3
