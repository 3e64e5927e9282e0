"""Rules look at what could be planned of broken specs, too, and never fail at it."""

from __future__ import annotations

from pathlib import Path

import pytest
from dyngen.compile import compile_all
from dyngen.rules.support.run import run_rules
from dyngen.rules.support.subject import Subject

TESTS = Path(__file__).parents[1]
SPECS = sorted(
    path
    for folder in ("broken_specs", "misuse")
    for path in (TESTS / folder).glob("*.yaml")
)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_no_rule_crashes(path: Path) -> None:
    found = compile_all(path.read_bytes().decode("utf-8"), path.name)
    if found.spec is None or found.design is None:
        return
    said = run_rules(Subject(found.spec, found.design, found.whole))
    assert [d.message for d in said if d.code == "DG300"] == []
