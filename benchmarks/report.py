"""benchmarks/RESULTS.md: what was measured, next to the goals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

BUSY = 0.5
"""A load for each core above which a machine is said to be busy."""

_STDLIB, _ORJSON = "dyngen, stdlib json", "dyngen, orjson"

Measured = Mapping[str, Any]
"""What each part of the benchmarks has measured (`benchmarks.__main__.PARTS`), as JSON has it. A process
took wall seconds, CPU seconds and megabytes, in this order."""


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


def report(measured: Measured) -> str:
    """The document, of the parts that were ever measured."""
    sections = {
        "ratios": _ratios,
        "memory": _memory,
        "commands": _commands,
        "builds": _builds,
        "large": _large,
        "suites": _suites,
    }
    parts = [
        "# Results of `make bench`",
        "Written by the command itself; benchmarks/README.md says how.",
        "## Goals",
        _table(["what", "goal", "measured", "met"], (g.row() for g in goals(measured))),
    ]
    for name, section in sections.items():
        if name in measured:
            parts += section(measured[name]["found"])
            parts.append(f"*{measured[name]['machine']}*")
    return "\n\n".join(parts) + "\n"


def goals(measured: Measured) -> Iterator[Goal]:
    """The goals of the parts that were measured."""
    found = {name: part["found"] for name, part in measured.items()}
    if "ratios" in found:
        plain, fast = (found["ratios"]["canned"][name] for name in (_STDLIB, _ORJSON))
        yield Goal("Query of 100 items, stdlib json", 0.30, plain["Query 100"])
        yield Goal("Query of 100 items, orjson", 0.25, fast["Query 100"])
        yield Goal("GetItem, stdlib json", 1.0, plain["GetItem"])
        yield Goal("PutItem, stdlib json", 1.0, plain["PutItem"])
        yield Goal("BatchWrite of 25", 0.60, plain["BatchWrite 25"])
    if "memory" in found:
        item, of_dict = found["memory"]["item"], found["memory"]["dict"]
        yield Goal("memory of an item, ÷ that of its dict", 1.0, item / of_dict)
    if "commands" in found:
        for command in ("`dyngen --version`", "`dyngen --help`"):
            yield Goal(command, 0.1, found["commands"][command][1], " s CPU")
    if "builds" in found:
        builds = found["builds"]
        checked, edited = builds["`--check`, unchanged"], builds["one entity edited"]
        yield Goal("40 entities, `build --check`, unchanged", 0.5, checked[1], " s CPU")
        yield Goal("40 entities, one edited", 0.8, edited[1], " s CPU")
    if "large" in found:
        yield from _large_goals(found["large"])
    if "suites" in found:
        whole = found["suites"]["all"]
        yield Goal("all suites on moto, on two cores", 180, whole, " s")


def _large_goals(large: Measured) -> Iterator[Goal]:
    planned, rendered = large["planned"], large["rendered"]
    many, few = "100 entities, 800 patterns", "100 entities, 200 patterns"
    yield Goal("100 × 8, build ÷ black alone", 1.5, large["build"][1] / large["black"])
    yield Goal(
        "100 × 8, planning and rendering", 2.0, planned[many] + rendered[many], " s CPU"
    )
    yield Goal("100 × 8, memory of the build", 200, large["build"][2], " MB")
    grown = planned["1,000 entities, 2,000 patterns"] / planned[few]
    yield Goal("planning, 1,000 entities ÷ 100 (linear: 10)", 12, grown)
    grown = rendered["300 entities, 600 patterns"] / rendered[few]
    yield Goal("rendering, 300 entities ÷ 100 (linear: 3)", 3.6, grown)


# --- sections -------------------------------------------------------------------------------------


def _ratios(found: Measured) -> list[str]:
    packages = found["packages"]
    present = ", ".join(f"{name} {v}" for name, v in packages.items() if v)
    absent = [name for name, version in packages.items() if not version]
    said = f"Python {found['python']}; {present}."
    if absent:
        said += f" Not measured, as there is no release for this Python: {', '.join(absent)}."
    return [
        "## CPU time of one call, ÷ boto3's client",
        said,
        "Canned responses, given to botocore before anything is sent:",
        _operations(found["canned"]),
        "The same responses from a process on the loopback interface, for packages with an HTTP client"
        " of their own:",
        _operations(found["loopback"]),
    ]


def _operations(ratios: Mapping[str, Mapping[str, float]]) -> str:
    operations = list(next(iter(ratios.values())))
    rows = (
        [name, *(f"{found[operation]:.2f}" for operation in operations)]
        for name, found in ratios.items()
    )
    return _table(["", *operations], rows)


def _memory(found: Measured) -> list[str]:
    return [
        "## Memory",
        f"One item of 12 attributes takes {found['item']:,} bytes decoded, and {found['dict']:,} as the"
        " dict that it came from.",
    ]


def _commands(found: Measured) -> list[str]:
    return ["## The command, on `specs/customer_orders.yaml`", _processes(found)]


def _builds(found: Measured) -> list[str]:
    return ["## `dyngen build` of 40 entities with 160 patterns", _processes(found)]


def _large(found: Measured) -> list[str]:
    rows = (
        [size, f"{seconds:.2f}", _seconds(found["rendered"].get(size))]
        for size, seconds in found["planned"].items()
    )
    return [
        "## Large specs",
        _processes({"`dyngen build`, 100 entities, 800 patterns": found["build"]}),
        f"black alone needs {found['black']:.1f} s of CPU for that text.",
        _table(["", "planning, CPU s", "rendering, CPU s"], rows),
    ]


def _suites(found: Measured) -> list[str]:
    return [
        "## Generated suites on moto",
        "Two at a time, each in a process of its own.",
        _table(["spec", "s"], ([name, f"{each:.1f}"] for name, each in found.items())),
    ]


def _processes(found: Mapping[str, Sequence[float]]) -> str:
    rows = (
        [name, f"{wall:.2f}", f"{cpu:.2f}", f"{megabytes:.0f}"]
        for name, (wall, cpu, megabytes) in found.items()
    )
    return _table(["", "wall s", "CPU s", "MB"], rows)


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.2f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
