"""Refused specs, each with all that dyngen says about it: places, marked lines and remedies.

`broken_specs` are wrong in how they are written; `misuse` holds, feature by feature, what a feature
cannot do. After a deliberate change of wording,

    DYNGEN_UPDATE_EXPECTED=1 pytest tests/test_refused_specs.py

writes the expected texts anew; read the diff before it is committed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from dyngen.compile import compile_all, compile_spec
from dyngen.diagnostics.text import render

TESTS = Path(__file__).parent
BROKEN = sorted((TESTS / "broken_specs").glob("*.yaml"))
MISUSE = sorted((TESTS / "misuse").glob("*.yaml"))


def name(path: Path) -> str:
    """A spec as a test's id: its folder and name."""
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", [*BROKEN, *MISUSE], ids=name)
def test_what_is_said(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    design, found = compile_spec(text, path.name)
    said = render(found, {path.name: text})
    expected = path.with_suffix(".txt")
    if os.environ.get("DYNGEN_UPDATE_EXPECTED"):
        expected.write_text(said, encoding="utf-8")
    assert design is None
    assert said == expected.read_text(encoding="utf-8")


def test_there_are_enough() -> None:
    assert len(BROKEN) >= 15


@pytest.mark.parametrize("path", MISUSE, ids=name)
def test_what_works_is_marked(path: Path) -> None:
    """Beside misuses, a pattern that is planned bears `# works`."""
    text = path.read_text(encoding="utf-8")
    compiled = compile_all(text, path.name)
    design = compiled.design
    if design is None or not any(d.code > "DG200" for d in compiled.diagnostics):
        return
    plans = (
        *design.reads,
        *design.updates,
        *design.deletes,
        *design.delete_eaches,
        *design.moves,
        *design.transactions,
    )
    planned = {plan.name for plan in plans}
    marked = set(re.findall(r"^  (\w+):.*# works", text, re.MULTILINE))
    assert planned == marked
