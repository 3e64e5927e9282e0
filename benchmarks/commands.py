"""Times of the command line on one of the project's specs, as medians of whole processes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.processes import ROOT, Took, dyngen, median

SPEC = ROOT / "specs" / "customer_orders.yaml"
ROUNDS = 5


def times() -> dict[str, Took]:
    """What each command took."""
    with tempfile.TemporaryDirectory() as folder:
        out, cache = Path(folder) / "out", Path(folder) / "cache"
        build = ["build", str(SPEC), "--out", str(out)]

        def took(
            arguments: list[str], before: Callable[[], object] = lambda: None
        ) -> Took:
            def run() -> Took:
                before()
                return dyngen(arguments, cache)

            run()  # so that templates and bytecode are there
            return median(run, ROUNDS)

        return {
            "`dyngen --version`": took(["--version"]),
            "`dyngen --help`": took(["--help"]),
            "`dyngen build`, nothing there": took(
                build, lambda: shutil.rmtree(out, ignore_errors=True)
            ),
            "`dyngen build`, unchanged": took(build),
            "`dyngen build --check`, unchanged": took([*build, "--check"]),
            "`dyngen lint`": took(["lint", str(SPEC)]),
        }
