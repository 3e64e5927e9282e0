"""Measures, and writes benchmarks/RESULTS.md: `make bench`, or `python -m benchmarks [PART ...]`.

Parts that are not measured again stand there as they were measured last (`.bench/measured.json`).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from benchmarks import building, commands, environment, suites
from benchmarks.building import Large
from benchmarks.processes import ROOT, Took, dyngen, output
from benchmarks.report import BUSY, goals, report

_MEASURED = environment.FOLDER / "measured.json"


def main() -> None:
    """Set up the environment, measure, write, and print what misses its goal."""
    options = argparse.ArgumentParser(prog="python -m benchmarks")
    options.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    options.add_argument(
        "--python", default=sys.executable, help="for the packages that are compared"
    )
    given = options.parse_args()
    parts = given.parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        options.error(f"no such part: {', '.join(sorted(unknown))}")
    measured = json.loads(_MEASURED.read_text()) if _MEASURED.is_file() else {}
    for part in parts:
        print(f"measuring: {part}", file=sys.stderr, flush=True)
        machine = _machine()
        measured[part] = {"machine": machine, "found": PARTS[part](given.python)}
        _MEASURED.parent.mkdir(exist_ok=True)
        _MEASURED.write_text(json.dumps(measured, default=_plain, indent=1))
    measured = json.loads(_MEASURED.read_text())
    (ROOT / "benchmarks" / "RESULTS.md").write_text(report(measured), encoding="utf-8")
    for goal in goals(measured):
        if goal.measured > goal.most:
            print(
                f"missed: {goal.what}: {goal.measured:.2f}, not {goal.most:g}{goal.unit}"
            )


def _ratios(interpreter: str) -> object:
    python = environment.prepare(interpreter)
    version, packages = environment.versions(python)
    return {
        "python": version,
        "packages": packages,
        "canned": _with_package(python, "ratios", "canned"),
        "loopback": _with_package(python, "ratios", "loopback"),
    }


def _memory(interpreter: str) -> object:
    return _with_package(environment.prepare(interpreter), "memory")


PARTS: dict[str, Callable[[str], object]] = {
    "ratios": _ratios,
    "memory": _memory,
    "commands": lambda _: commands.times(),
    "builds": lambda _: building.builds(),
    "large": lambda _: building.large(),
    "suites": lambda _: suites.seconds(),
}
"""What can be measured, given the interpreter for the packages that are compared."""


def _with_package(python: Path, module: str, *arguments: str) -> Any:
    """What a module prints that measures the package generated from benchmarks/documents.yaml."""
    spec = ROOT / "benchmarks" / "documents.yaml"
    with tempfile.TemporaryDirectory() as folder:
        dyngen(["build", str(spec), "--out", folder], Path(folder) / "cache")
        package = str(Path(folder) / "documents" / "documents")
        return json.loads(
            output(python, module, *arguments, DYNGEN_BENCH_PACKAGE=package)
        )


def _machine() -> str:
    cores = os.cpu_count() or 1
    said = f"{cores} cores, {platform.system()} on {platform.machine()}, Python {platform.python_version()}"
    load = os.getloadavg()[0] / cores
    if load <= BUSY:
        return f"{said}, idle"
    return f"{said}, busy with other work (load {load:.1f} a core): seconds are upper bounds"


def _plain(value: object) -> object:
    match value:
        case Took():
            return [value.wall, value.cpu, value.megabytes]
        case Large():
            return {each.name: getattr(value, each.name) for each in fields(value)}
    raise TypeError(type(value).__name__)


if __name__ == "__main__":
    main()
