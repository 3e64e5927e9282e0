"""The planned writes on docs/keys.md are what `dyngen explain` says of the spec.

After a deliberate change of wording,

    DYNGEN_UPDATE_EXPECTED=1 pytest tests/docs/test_keys_page.py

writes the table anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from dyngen.cli import main
from dyngen.compile import compile_spec
from dyngen.design.describe import write_plans
from dyngen.design.plannedkeys import PlannedKey, pattern_keys, repository_keys
from dyngen.design.plans import Design

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "keys.md"
SPEC = ROOT / "specs" / "hotel.yaml"
START, END = "<!-- planned writes: dyngen explain -->\n", "<!-- end -->\n"


def design() -> Design:
    found, _ = compile_spec(SPEC.read_text(encoding="utf-8"), SPEC.name)
    assert found is not None
    return found


def rows() -> Iterator[PlannedKey]:
    found = design()
    yield from repository_keys(found)
    for plan in write_plans(found):
        yield from pattern_keys(found, plan)


def table() -> str:
    """The rows in Markdown; what is said of the row above is not said again."""
    lines = [
        "| write | the key becomes | known from | refused unless |",
        "|---|---|---|---|",
    ]
    last = ""
    for row in rows():
        write = "" if row.write == last else f"`{row.write}`"
        last = row.write
        lines.append(f"| {write} | {row.key} | {row.inputs} | {row.condition} |")
    return "".join(f"{line}\n" for line in lines)


def test_the_table_is_what_explain_says() -> None:
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    shown, _, after = rest.partition(END)
    if os.environ.get("DYNGEN_UPDATE_EXPECTED"):
        shown = f"\n{table()}\n"
        PAGE.write_text(f"{before}{START}{shown}{END}{after}", encoding="utf-8")
    assert shown == f"\n{table()}\n"


def test_explain_prints_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(SPEC)]) == 0
    printed = capsys.readouterr().out
    for row in rows():
        assert row.key in printed
        assert row.inputs in printed


def test_patterns_that_are_not_in_the_table_write_no_key() -> None:
    found = design()
    listed = {row.write for row in rows()}
    for plan in found.updates:
        assert (plan.name in listed) == bool(plan.keys)
