"""Builds a spec, breaks the package, and sees whether its suite notices."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from dyngen.compile import compile_spec
from dyngen.render.project import render

from .edits import Mutant, Package, applied
from .kind import Kind
from .near import classes_near

_ROOT = Path(__file__).resolve().parents[2]
_SECONDS = 900  # that a suite may take
_LONG_AGO = (
    1_000_000_000  # so that no cached module passes for one that was edited since
)


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
    by: str
    seconds: float


class Unbuildable(Exception):
    """The spec has errors, so there is nothing to break."""


def build(spec: Path) -> Package:
    """The package that a spec makes. Raises Unbuildable."""
    design, found = compile_spec(spec.read_text(encoding="utf-8"), spec.name)
    if design is None:
        raise Unbuildable("; ".join(f"{each.code}: {each.message}" for each in found))
    return Package(design, render(design, spec.name))


def mutants(
    package: Package, kinds: Iterable[Kind], most: int | None = None
) -> list[tuple[Kind, Mutant]]:
    """The package's mutants, at most `most` of each kind."""
    return [
        (kind, mutant)
        for kind in kinds
        for mutant in list(kind.mutants(package))[:most]
    ]


@dataclass(frozen=True)
class Bench:
    """A copy of the output for one mutant at a time, and the process that runs its suite."""

    folder: Path
    worker: subprocess.Popen[str]
    _times: Iterator[int] = field(default_factory=partial(count, _LONG_AGO + 1))

    def write(self, files: Mapping[str, str], *, whole: bool = False) -> None:
        """Write files, each time with another time of modification.

        Python takes a cached module for that of a file of the same size and second.
        """
        moment = _LONG_AGO if whole else next(self._times)
        for path, text in files.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(text, encoding="utf-8")
            os.utime(self.folder / path, (moment, moment))

    def run(
        self, classes: Sequence[str] = (), words: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Run the suite until its first failure, likely tests first; what came of it."""
        assert self.worker.stdin is not None
        assert self.worker.stdout is not None
        request = {
            "folder": str(self.folder),
            "classes": classes,
            "words": words,
            "seconds": _SECONDS,
        }
        print(json.dumps(request), file=self.worker.stdin, flush=True)
        reply: dict[str, Any] = json.loads(self.worker.stdout.readline())
        return reply


@contextmanager
def benches(package: Package, jobs: int) -> Iterator[list[Bench]]:
    """So many benches, with the package as it is."""
    with (
        tempfile.TemporaryDirectory(prefix="dyngen-mutants-") as root,
        ExitStack() as stack,
    ):
        found = [
            Bench(Path(root) / str(number), stack.enter_context(_worker()))
            for number in range(jobs)
        ]
        for bench in found:
            bench.write(package.files, whole=True)
        yield found


@contextmanager
def _worker() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.mutants.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
    ) as worker:
        yield worker  # on leaving, its input is closed, and it ends


def passes(package: Package) -> bool:
    """Whether the suite passes on the package as it is."""
    with benches(package, 1) as (bench,):
        return bool(bench.run().get("code") == 0)


def judge(
    package: Package, chosen: Sequence[tuple[Kind, Mutant]], jobs: int
) -> Iterator[Verdict]:
    """The fate of each mutant. The suite must pass on the package as it is."""
    with benches(package, jobs) as found, ThreadPoolExecutor(jobs) as pool:
        free: SimpleQueue[Bench] = SimpleQueue()
        for bench in found:
            free.put(bench)

        def judged(case: tuple[Kind, Mutant]) -> Verdict:
            bench = free.get()
            try:
                return _judge(package, bench, *case)
            finally:
                free.put(bench)

        yield from pool.map(judged, chosen)


def _judge(package: Package, bench: Bench, kind: Kind, mutant: Mutant) -> Verdict:
    began = time.monotonic()

    def verdict(fate: Fate, by: str) -> Verdict:
        place = ", ".join(f"{Path(edit.path).name}:{edit.line}" for edit in mutant)
        return Verdict(kind.name, place, fate, by, time.monotonic() - began)

    changed = applied(mutant, package.files)
    try:
        for path, source in changed.items():
            if path.endswith(".py"):
                ast.parse(source)
    except SyntaxError as error:
        return verdict(Fate.BROKEN, str(error))
    bench.write(changed)
    try:
        reply = bench.run(classes_near(package, mutant), kind.words)
    finally:
        bench.write({path: package.files[path] for path in changed}, whole=True)
    if not reply:
        return verdict(Fate.KILLED, "it does not end")
    match reply["code"]:
        case 0:
            return verdict(Fate.SURVIVED, "")
        case 1:  # pytest's exit code for tests that failed
            return verdict(Fate.KILLED, reply["failed"])
        case _:
            return verdict(Fate.BROKEN, reply["broken"])
