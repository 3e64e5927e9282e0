"""Every row of docs/faults.md names a test that is there, and no test of faults is left out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
ROWS: list[tuple[str, str, str, str]] = re.findall(
    r"^\| (.+?) \| (.+?) \| `(tests/[\w/]+\.py)::(\w+)` \|$", PAGE, re.MULTILINE
)


@pytest.mark.parametrize("row", ROWS, ids=[name for *_, name in ROWS])
def test_the_test_is_there(row: tuple[str, str, str, str]) -> None:
    _, answer, path, name = row
    module = (ROOT / path).read_text(encoding="utf-8")
    assert name in functions_of(module)
    for code in re.findall(r"DG\d{3}", answer):
        assert code in module, f"{path} does not show {code}"


def test_each_row_has_its_own_test() -> None:
    named = [(path, name) for *_, path, name in ROWS]
    assert len(named) == len(set(named)) == PAGE.count("`tests/") - 1


def test_every_module_of_faults_has_a_row() -> None:
    modules = {p.name for p in (ROOT / "tests" / "faults").glob("test_*.py")}
    assert {Path(path).name for *_, path, _ in ROWS} >= modules


def functions_of(module: str) -> set[str]:
    """The names of a module's functions."""
    return {e.name for e in ast.parse(module).body if isinstance(e, ast.FunctionDef)}
