"""Broken specs, each with all that dyngen says about it: places, marked lines and remedies.

After a deliberate change of wording, `DYNGEN_UPDATE_EXPECTED=1 pytest tests/broken_specs` writes
the expected texts anew; read the diff before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from dyngen.compile import compile_spec
from dyngen.diagnostics.text import render

SPECS = sorted(Path(__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
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
    assert len(SPECS) >= 15
