"""Times of builds by the size of the spec.

Run as a module it does one part in its own process, and prints CPU seconds as JSON:
`python -m benchmarks.building plan|render|black ENTITIES PATTERNS`.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.large import spec
from benchmarks.processes import Took, dyngen, median, output

if TYPE_CHECKING:
    from dyngen.design.plans import Design

ROUNDS = 3

Size = tuple[int, int]
"""Entities and patterns."""

PLANNED: tuple[Size, ...] = ((100, 200), (100, 800), (300, 600), (1000, 2000))
RENDERED: tuple[Size, ...] = ((100, 200), (100, 800), (300, 600))


def builds() -> dict[str, Took]:
    """Builds of 40 entities with 160 patterns; `edited` after an attribute was added to one entity."""
    text = spec(40, 160)
    changed = text.replace("name: string,", "name: string, note: string,", 1)
    with tempfile.TemporaryDirectory() as folder:
        site = _Site(Path(folder))
        return {
            "nothing there": site.first(text, ROUNDS),
            "unchanged": median(lambda: site.run(text), ROUNDS),
            "`--check`, unchanged": median(lambda: site.run(text, "--check"), ROUNDS),
            "one entity edited": median(lambda: site.edited(text, changed), ROUNDS),
        }


@dataclass(frozen=True, slots=True)
class Large:
    """Work on large specs.

    Attributes:
        build: of 100 entities with 800 patterns, nothing there.
        black: CPU seconds of black alone on the same text, its import included.
        planned, rendered: CPU seconds from the text to the plans, and from there to the files, by
            numbers of entities and patterns.
    """

    build: Took
    black: float
    planned: dict[str, float]
    rendered: dict[str, float]


def large() -> Large:
    """Measure every size."""
    with tempfile.TemporaryDirectory() as folder:
        full = _Site(Path(folder)).first(spec(100, 800), 1)
    return Large(
        build=full,
        black=_part("black", (100, 800)),
        planned={named(size): _part("plan", size) for size in PLANNED},
        rendered={named(size): _part("render", size) for size in RENDERED},
    )


def named(size: Size) -> str:
    """A size as tables have it."""
    return f"{size[0]:,} entities, {size[1]:,} patterns"


class _Site:
    """A folder to build in."""

    def __init__(self, folder: Path) -> None:
        self._spec = folder / "large.yaml"
        self._out = folder / "out"
        self._cache = folder / "cache"
        self._build = ["build", str(self._spec), "--out", str(self._out)]

    def first(self, text: str, rounds: int) -> Took:
        """A build where nothing is."""

        def once() -> Took:
            shutil.rmtree(self._out, ignore_errors=True)
            return self.run(text)

        return median(once, rounds)

    def edited(self, text: str, changed: str) -> Took:
        """A build of another text than the one before."""
        self.run(text)
        return self.run(changed)

    def run(self, text: str, *options: str) -> Took:
        """A build of whatever is there."""
        self._spec.write_text(text)
        return dyngen([*self._build, *options], self._cache)


def _part(part: str, size: Size) -> float:
    arguments = part, *map(str, size)
    found: float = json.loads(output(sys.executable, "building", *arguments))
    return found


def _plan(text: str) -> float:
    """CPU seconds from the text to the plans."""
    started = time.process_time()
    _design(text)
    return time.process_time() - started


def _render(text: str) -> float:
    """CPU seconds from the plans to the text of the files."""
    from dyngen.render.project import render

    design = _design(text)
    started = time.process_time()
    render(design, "large.yaml")
    return time.process_time() - started


def _black(text: str) -> float:
    """CPU seconds of black on the files that a build formats, as a build calls it."""
    from dyngen.render.formatting import finish
    from dyngen.render.project import render

    files = render(_design(text), "large.yaml")
    started = time.process_time()
    finish(files, None, {})
    return time.process_time() - started


def _design(text: str) -> Design:
    from dyngen.compile import compile_spec

    design, found = compile_spec(text, "large.yaml")
    if design is None:
        raise SystemExit("\n".join(each.message for each in found))
    return design


if __name__ == "__main__":
    part, entities, patterns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    measure = {"plan": _plan, "render": _render, "black": _black}[part]
    json.dump(measure(spec(entities, patterns)), sys.stdout)
