"""Terrible specs, as relational habit writes them, with all that `dyngen lint` says; and what they become.

After a deliberate change of wording, `DYNGEN_UPDATE_EXPECTED=1 pytest tests/terrible_specs` writes
the expected texts anew; read the diff before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from dyngen.compile import compile_all
from dyngen.diagnostics.model import Diagnostic
from dyngen.diagnostics.text import render
from dyngen.rules.support.run import run_rules
from dyngen.rules.support.subject import Subject

HERE = Path(__file__).parent
SPECS = sorted(HERE.glob("*.yaml"))


def lint(path: Path) -> tuple[str, tuple[Diagnostic, ...]]:
    text = path.read_text(encoding="utf-8")
    found = compile_all(text, path.name)
    assert found.spec is not None
    assert found.design is not None
    subject = Subject(found.spec, found.design, found.whole)
    return text, (*found.diagnostics, *run_rules(subject))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_what_is_said(path: Path) -> None:
    text, found = lint(path)
    said = render(found, {path.name: text})
    expected = path.with_suffix(".txt")
    if os.environ.get("DYNGEN_UPDATE_EXPECTED"):
        expected.write_text(said, encoding="utf-8")
    assert said == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_whoever_follows_the_advice_ends_with_a_spec_that_has_none(path: Path) -> None:
    _, found = lint(path.parent / "followed" / path.name)
    assert [(d.primary.span.line, d.code, d.message) for d in found] == []


def test_there_are_ten_and_each_is_terrible_in_several_ways() -> None:
    codes = [{d.code for d in lint(path)[1]} for path in SPECS]
    assert len(SPECS) >= 10
    assert all(len(each) >= 3 for each in codes)
    assert len({code for each in codes for code in each if code >= "DG300"}) >= 25
