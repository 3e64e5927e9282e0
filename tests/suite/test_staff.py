"""Unique values of every kind: the suite passes, and fails where markers are not kept true."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from dyngen.compile import compile_spec
from dyngen.render.project import render

SPEC = Path(__file__).with_name("staff.yaml")


@dataclass(frozen=True)
class Fault:
    """What is wrong: in which module, what stands there and what instead; and a test that sees it."""

    module: str
    before: str
    after: str
    seen_by: str


_UNIQUE = "_runtime/unique.py"
_REVISING = "_runtime/revising.py"
_PERSON = "person_repository.py"

FAULTS = {
    "marker not written": Fault(
        _UNIQUE,
        "            yield _take(each)\n",
        "            continue\n",
        "test_create_marks_the_values",
    ),
    "value taken from another": Fault(
        _UNIQUE,
        "        missing(next(iter(of.key))),\n",
        "        None,\n",
        "test_create_refuses_values_that_are_taken",
    ),
    "old marker left": Fault(
        _UNIQUE,
        "    for each in old.values():\n",
        "    for each in ():\n",
        "test_update_frees_the_old_values_and_takes_the_new",
    ),
    "copy in a marker left as it was": Fault(
        _UNIQUE,
        "elif before.item != each.item:",
        "elif False:",
        "TestReassign and test_writes_what_it_says",
    ),
    "unchanged marker written again": Fault(
        _UNIQUE,
        "elif before.item != each.item:",
        "else:",
        "test_update_to_the_same_values_leaves_the_marker_alone",
    ),
    "stale copy frees a value": Fault(
        _REVISING,
        "        condition = kind.unchanged(kind.encode(copy))\n",
        "        condition = exists(kind.key_names[0])\n",
        "test_update_of_a_stale_copy_frees_nothing",
    ),
    "stale copy writes its value back": Fault(
        _REVISING,
        "        condition = all_of(condition, *as_read(kind.encode(copy), kind.marked))\n",
        "        pass\n",
        "test_update_of_a_stale_copy_frees_nothing",
    ),
    "delete leaves the markers": Fault(
        _REVISING,
        "    markers = repoint(old=kind.markers(copy))\n",
        "    markers: list[Action] = []\n",
        "test_delete_frees_the_values",
    ),
    "move leaves the markers": Fault(
        _REVISING,
        "            create_action(kind.table, new_key, moved, kind.decode),\n"
        "            *markers,\n",
        "            create_action(kind.table, new_key, moved, kind.decode),\n",
        "TestChangeFirm and test_writes_what_it_says",
    ),
    "absent value marked": Fault(
        _PERSON,
        "    if person.nick is not None:\n        text =",
        "    person = replace(person, nick=person.nick or 'none')\n"
        "    if person.nick is not None:\n        text =",
        "test_items_without_values_are_no_rivals",
    ),
    "value not scoped": Fault(
        _PERSON,
        "$Person#firm,email#{_FIRM.text(person.firm)}#",
        "$Person#firm,email#",
        "test_some_of_the_values_may_be_alike",
    ),
    "value not folded": Fault(
        _PERSON,
        '_EMAIL = keytext.Text(fold="lower", max_length=80, name="email")',
        '_EMAIL = keytext.Text(max_length=80, name="email")',
        "test_create_refuses_values_that_are_taken",
    ),
    "transaction without markers": Fault(
        "service.py",
        "*unique.repoint(",
        "*(lambda **_: ())(",
        "TestHire and test_does_all_that_it_says",
    ),
}


@cache
def files() -> dict[str, str]:
    design, problems = compile_spec(SPEC.read_text(encoding="utf-8"), SPEC.name)
    assert design is not None, problems
    return render(design, SPEC.name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in files().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def run(folder: Path, *chosen: str) -> subprocess.CompletedProcess[str]:
    """Run the suite, or the tests chosen by `-k`."""
    options = ["-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "tests", *options, "-c", os.devnull, *chosen],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_the_suite_notices(folder: Path, fault: Fault) -> None:
    path = folder / "staff" / fault.module
    text = path.read_text(encoding="utf-8")
    assert fault.before in text
    path.write_text(text.replace(fault.before, fault.after), encoding="utf-8")

    result = run(folder, "-x", "-k", fault.seen_by)

    assert result.returncode == 1, result.stdout
    assert f"::{fault.seen_by.rpartition(' ')[2]}" in result.stdout
    assert "FAILED" in result.stdout
