"""Histories pass on a package as it is, and fail on one that corrupts data."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from dyngen.compile import compile_spec
from dyngen.render.project import render

SPEC = Path(__file__).with_name("tickets.yaml")
REPOSITORY = "tickets/ticket_repository.py"
FAILED = 1  # pytest's exit code for tests that failed


@dataclass(frozen=True)
class Fault:
    """What a module says, and what it says instead."""

    name: str
    module: str
    before: str
    after: str


FAULTS = (
    Fault(
        "a stale key",
        REPOSITORY,
        '"urgency": ("urgency", "WaitingSK")',
        '"urgency": ("urgency",)',
    ),
    Fault("a key that stays", REPOSITORY, 'writing.remove("WaitingSK"),', ""),
    Fault(
        "a guard forgotten", REPOSITORY, ', conditions.eq("state", {"S": "OPEN"})', ""
    ),
    Fault(
        "attributes that were not named",
        REPOSITORY,
        "names = [name for change in changes for name in _WRITTEN_WITH[change]]",
        "names = [name for each in _WRITTEN_WITH.values() for name in each]",
    ),
    Fault(
        "a lost update",
        "tickets/_runtime/revising.py",
        "condition = kind.unchanged(item, *guard)",
        "condition = all_of(exists(kind.key_names[0]), *guard)",
    ),
    Fault(
        "a transaction carried out twice",
        "tickets/_runtime/transactions.py",
        "attempt = Request(request.operation, request.arguments, backoff.delay)",
        'again = {**request.arguments, "ClientRequestToken": environment.new_token()}\n'
        "        attempt = Request(request.operation, again, backoff.delay)",
    ),
    Fault(
        "unprocessed items dropped",
        "tickets/_runtime/batches.py",
        'in response.get("UnprocessedItems", {}).get(table, ())',
        "in ()",
    ),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of the spec."""
    design, problems = compile_spec(SPEC.read_text(encoding="utf-8"), SPEC.name)
    assert design is not None, problems
    folder = tmp_path_factory.mktemp("tickets")
    for path, text in render(design, SPEC.name).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def outcome(folder: Path) -> int:
    """The exit code of the histories."""
    tests = ["tests/test_tickets_histories.py", "-x", "-q", "-p", "no:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *tests, "-c", os.devnull, "--rootdir", "."],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    ).returncode


@pytest.mark.slow
def test_they_pass_on_a_package_as_it_is(folder: Path) -> None:
    assert outcome(folder) == 0


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_they_fail_on_a_package_with_a_fault(folder: Path, fault: Fault) -> None:
    module = folder / fault.module
    text = module.read_text(encoding="utf-8")
    assert fault.before in text, "the module has changed, and the fault must follow"
    module.write_text(text.replace(fault.before, fault.after), encoding="utf-8")
    try:
        assert outcome(folder) == FAILED
    finally:
        module.write_text(text, encoding="utf-8")
