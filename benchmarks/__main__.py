"""Measures everything and writes benchmarks/RESULTS.md: `make bench`, or `python -m benchmarks`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import building, commands, environment, suites
from benchmarks.processes import ROOT, dyngen, output
from benchmarks.report import Results, goals, report


def main() -> None:
    """Set up the environment, measure, write, and print what misses its goal."""
    options = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    options.add_argument(
        "--suites", action="store_true", help="time the generated suites, too"
    )
    options.add_argument(
        "--python",
        default=sys.executable,
        help="the interpreter for the packages compared",
    )
    given = options.parse_args()
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    python = environment.prepare(given.python)
    version, packages = environment.versions(python)
    with tempfile.TemporaryDirectory() as folder:
        package = _package(Path(folder))

        def measured(module: str, *arguments: str) -> Any:
            _say(f"{module} {' '.join(arguments)}")
            return json.loads(
                output(python, module, *arguments, DYNGEN_BENCH_PACKAGE=package)
            )

        canned, loopback = measured("ratios", "canned"), measured("ratios", "loopback")
        memory = measured("memory")
    _say("commands")
    times = commands.times()
    _say("builds")
    builds = building.builds()
    if given.suites:
        _say("suites")
    results = Results(
        python=version,
        packages=packages,
        canned=canned,
        loopback=loopback,
        memory=memory,
        commands=times,
        builds=builds,
        suites=suites.seconds() if given.suites else None,
        load=load,
    )
    (ROOT / "benchmarks" / "RESULTS.md").write_text(report(results), encoding="utf-8")
    for goal in goals(results):
        if goal.measured > goal.most:
            print(
                f"missed: {goal.what}: {goal.measured:.2f}, not {goal.most:g}{goal.unit}"
            )


def _package(folder: Path) -> str:
    """The package that is generated from benchmarks/documents.yaml."""
    spec = ROOT / "benchmarks" / "documents.yaml"
    dyngen(["build", str(spec), "--out", str(folder)], folder / "cache")
    return str(folder / "documents" / "documents")


def _say(what: str) -> None:
    print(f"measuring: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
