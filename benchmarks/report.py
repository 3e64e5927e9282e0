"""benchmarks/RESULTS.md: what was measured, next to the goals."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.building import Builds
from benchmarks.processes import Took

BUSY = 0.5  # of the machine's cores, by others
_QUERY, _GET, _PUT, _BATCH = "Query 100", "GetItem", "PutItem", "BatchWrite 25"
_STDLIB, _ORJSON = "dyngen, stdlib json", "dyngen, orjson"

Ratios = Mapping[str, Mapping[str, float]]
"""By package and operation, to boto3's client."""


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that one run has measured.

    Attributes:
        python, packages: versions in the environment of the packages that are compared.
        canned, loopback: ratios by transport.
        memory: bytes of an item, as a dict and decoded.
        commands, builds: of the command line.
        suites: wall seconds by spec; None where they were not asked for.
        load: the machine's load average by core, when the run began.
    """

    python: str
    packages: Mapping[str, str]
    canned: Ratios
    loopback: Ratios
    memory: Mapping[str, int]
    commands: Mapping[str, Took]
    builds: Builds
    suites: Mapping[str, float] | None
    load: float


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to reach: `measured` must not be more than `most`."""

    what: str
    most: float
    measured: float
    unit: str = ""

    def row(self) -> list[str]:
        """A row of the table of goals."""
        met = "yes" if self.measured <= self.most else "**missed**"
        return [
            self.what,
            f"≤ {self.most:g}{self.unit}",
            f"{self.measured:.2f}{self.unit}",
            met,
        ]


def report(results: Results) -> str:
    """The document."""
    parts = [
        "# Results of `make bench`\n\nWritten by the command itself; benchmarks/README.md says how.",
        _machine(results),
        "## Goals",
        _table(
            ["what", "goal", "measured", "met"], (goal.row() for goal in goals(results))
        ),
        "## CPU time of one call, ÷ boto3's client",
        "Canned responses, given to botocore before anything is sent:",
        _ratios(results.canned),
        "The same responses from a process on the loopback interface, for packages with an HTTP client of"
        " their own:",
        _ratios(results.loopback),
        _missing(results.packages),
        "## Memory",
        f"One item of 12 attributes takes {results.memory['item']:,} bytes decoded, and"
        f" {results.memory['dict']:,} as the dict that it came from.",
        "## The command",
        _table(
            ["`specs/customer_orders.yaml`", "wall s", "CPU s", "MB"],
            ([name, *_took(took)] for name, took in results.commands.items()),
        ),
        _builds(results.builds),
        *_suites(results.suites),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def goals(results: Results) -> list[Goal]:
    """The goals, and what was measured."""
    plain, fast = results.canned[_STDLIB], results.canned[_ORJSON]
    builds, commands = results.builds, results.commands
    planned, rendered = builds.planned, builds.rendered
    found = [
        Goal("Query of 100 items, stdlib json", 0.30, plain[_QUERY]),
        Goal("Query of 100 items, orjson", 0.25, fast[_QUERY]),
        Goal("GetItem, stdlib json", 1.0, plain[_GET]),
        Goal("PutItem, stdlib json", 1.0, plain[_PUT]),
        Goal("BatchWrite of 25", 0.60, plain[_BATCH]),
        Goal(
            "memory of an item, ÷ that of its dict",
            1.0,
            results.memory["item"] / results.memory["dict"],
        ),
        Goal("`--version`", 0.1, commands["`dyngen --version`"].cpu, " s CPU"),
        Goal("`--help`", 0.1, commands["`dyngen --help`"].cpu, " s CPU"),
        Goal(
            "40 entities: `build --check`, unchanged", 0.5, builds.checked.cpu, " s CPU"
        ),
        Goal("40 entities: one edited", 0.8, builds.edited.cpu, " s CPU"),
        Goal("100 × 8: full build, ÷ black alone", 1.5, builds.full.cpu / builds.black),
        Goal(
            "100 × 8: planning and rendering",
            2.0,
            planned[100, 800] + rendered[100, 800],
            " s CPU",
        ),
        Goal("100 × 8: memory of the full build", 200, builds.full.megabytes, " MB"),
        Goal(
            "planning, 1,000 entities ÷ 100 (linear: 10)",
            12,
            planned[1000, 2000] / planned[100, 200],
        ),
        Goal(
            "rendering, 300 entities ÷ 100 (linear: 3)",
            3.6,
            rendered[300, 600] / rendered[100, 200],
        ),
    ]
    if results.suites is not None:
        found.append(
            Goal(
                "all suites on moto, on two cores",
                180,
                sum(results.suites.values()) / 2,
                " s",
            )
        )
    return found


def _machine(results: Results) -> str:
    packages = ", ".join(f"{name} {v}" for name, v in results.packages.items() if v)
    said = (
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}. The command: Python"
        f" {platform.python_version()}. The packages compared: Python {results.python}, {packages}."
    )
    if results.load > BUSY:
        said += (
            f"\n\nThe machine was busy with other work (load {results.load:.1f} a core): compare ratios, and"
            " take the seconds as upper bounds."
        )
    return said


def _ratios(ratios: Ratios) -> str:
    operations = (_QUERY, _GET, _PUT, _BATCH)
    rows = (
        [name, *(f"{found[each]:.2f}" for each in operations)]
        for name, found in ratios.items()
    )
    return _table(["", *operations], rows)


def _missing(packages: Mapping[str, str]) -> str:
    absent = [name for name, version in packages.items() if not version]
    if not absent:
        return ""
    return f"Not measured, as there is no release for this Python: {', '.join(absent)}."


def _builds(builds: Builds) -> str:
    rows = {
        "40 entities, 160 patterns: nothing there": builds.first,
        "unchanged": builds.unchanged,
        "`--check`, unchanged": builds.checked,
        "one entity edited": builds.edited,
        "100 entities, 800 patterns: nothing there": builds.full,
    }
    sizes = (
        [
            f"{entities:,} entities, {patterns:,} patterns",
            f"{seconds:.2f}",
            (
                f"{builds.rendered[entities, patterns]:.2f}"
                if (entities, patterns) in builds.rendered
                else ""
            ),
        ]
        for (entities, patterns), seconds in builds.planned.items()
    )
    return "\n\n".join(
        [
            _table(
                ["`dyngen build`", "wall s", "CPU s", "MB"],
                ([name, *_took(took)] for name, took in rows.items()),
            ),
            f"black alone needs {builds.black:.1f} s of CPU for the text of the last one.",
            _table(["", "planning, CPU s", "rendering, CPU s"], sizes),
        ]
    )


def _suites(suites: Mapping[str, float] | None) -> Iterable[str]:
    yield "## Generated suites on moto"
    if suites is None:
        yield "Not in this run: `python -m benchmarks --suites` takes them, too."
        return
    yield f"All of them one after another: {sum(suites.values()):.0f} s."
    yield _table(
        ["spec", "s"], ([name, f"{each:.1f}"] for name, each in suites.items())
    )


def _took(took: Took) -> list[str]:
    return [f"{took.wall:.2f}", f"{took.cpu:.2f}", f"{took.megabytes:.0f}"]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
