"""Builds a spec, breaks the package, and runs its suite."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue

from dyngen.compile import compile_spec
from dyngen.render.project import render

from .edits import Mutant, Package, applied
from .kinds import REPOSITORY_KINDS, Kind
from .runtime_kinds import RUNTIME_KINDS

KINDS = (*REPOSITORY_KINDS, *RUNTIME_KINDS)

_FAILED = 1  # pytest's exit code for tests that failed
_TIMEOUT = 180.0


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "SURVIVED"
    BROKEN = "BROKEN"  # it does not even run, and so proves nothing


@dataclass(frozen=True)
class Verdict:
    """One mutant, what became of it, and the test that killed it."""

    kind: str
    place: str
    fate: Fate
    by: str = ""


class Unbuildable(Exception):
    """The spec has errors, so there is nothing to break."""


def build(spec: Path) -> Package:
    """The package that a spec makes. Raises Unbuildable."""
    design, found = compile_spec(spec.read_text(encoding="utf-8"), spec.name)
    if design is None:
        raise Unbuildable("; ".join(f"{each.code}: {each.message}" for each in found))
    return Package(design, render(design, spec.name))


def judge(
    package: Package,
    kinds: Iterable[Kind] = KINDS,
    most: int | None = None,
    jobs: int = 2,
) -> Iterator[Verdict]:
    """The fate of the package's mutants, at most `most` of each kind."""
    chosen = [
        (kind.name, mutant)
        for kind in kinds
        for mutant in list(kind.mutants(package))[:most]
    ]
    with _folders(package, jobs) as folders, ThreadPoolExecutor(jobs) as pool:

        def judged(case: tuple[str, Mutant]) -> Verdict:
            folder = folders.get()
            try:
                return _judge(package, folder, *case)
            finally:
                folders.put(folder)

        yield from pool.map(judged, chosen)


def passes(package: Package) -> bool:
    """Whether the suite passes on the package as it is."""
    with _folders(package, 1) as folders:
        return _suite(folders.get()).returncode == 0


@contextmanager
def _folders(package: Package, count: int) -> Iterator[SimpleQueue[Path]]:
    """Copies of the output, each for one mutant at a time."""
    with tempfile.TemporaryDirectory(prefix="dyngen-mutants-") as root:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(count):
            folder = Path(root) / str(number)
            _write(folder, package.files)
            free.put(folder)
        yield free


def _write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def _judge(package: Package, folder: Path, kind: str, mutant: Mutant) -> Verdict:
    place = ", ".join(f"{Path(edit.path).name}:{edit.line}" for edit in mutant)
    changed = applied(mutant, package.files)
    try:
        for source in changed.values():
            ast.parse(source)
    except SyntaxError as error:
        return Verdict(kind, place, Fate.BROKEN, str(error))
    _write(folder, changed)
    try:
        result = _suite(folder)
    except subprocess.TimeoutExpired:
        return Verdict(kind, place, Fate.KILLED, "it does not end")
    finally:
        _write(folder, {path: package.files[path] for path in changed})
    if result.returncode == 0:
        return Verdict(kind, place, Fate.SURVIVED)
    if result.returncode != _FAILED:
        return Verdict(kind, place, Fate.BROKEN, result.stdout[-500:])
    return Verdict(kind, place, Fate.KILLED, _first_failure(result.stdout))


def _suite(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the suite until its first failure."""
    command = [sys.executable, "-m", "pytest", "tests", "-x", "-q", "--tb=no"]
    return subprocess.run(
        [*command, "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", "."],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
    )


def _first_failure(output: str) -> str:
    for line in output.splitlines():
        if line.startswith(("FAILED ", "ERROR ")):
            return line.partition("::")[2].partition(" - ")[0]
    return "?"


def report(
    spec: Path, verdicts: Iterable[Verdict], write: Callable[[str], None]
) -> bool:
    """Print what became of each mutant; whether all were killed."""
    found = []
    for verdict in verdicts:
        found.append(verdict)
        write(f"{verdict.fate:9} {verdict.kind:34} {verdict.place:40} {verdict.by}")
    missing = sorted({kind.name for kind in KINDS} - {each.kind for each in found})
    counts = {fate: sum(each.fate is fate for each in found) for fate in Fate}
    write(
        f"{spec.name}: "
        + ", ".join(f"{count} {fate.lower()}" for fate, count in counts.items())
    )
    if missing:
        write(f"{spec.name}: not applicable: {', '.join(missing)}")
    return all(verdict.fate is Fate.KILLED for verdict in found)
