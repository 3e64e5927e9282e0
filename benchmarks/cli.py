"""Times the command line: medians of whole processes, on whatever machine this runs.

python benchmarks/cli.py [SPEC]
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROUNDS = 9
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
"""An installed package has its bytecode."""
SPEC = Path(__file__).parents[1] / "specs" / "customer_orders.yaml"


def seconds(arguments: list[str], before: Callable[[], object]) -> tuple[float, float]:
    """Wall and CPU seconds of one run."""
    before()
    times, start = os.times(), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "dyngen.cli", *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env=ENVIRONMENT,
    )
    wall, after = time.perf_counter() - start, os.times()
    children = (after.children_user - times.children_user) + (
        after.children_system - times.children_system
    )
    return wall, children


def measure(name: str, arguments: list[str], before: Callable[[], object]) -> None:
    """Print the medians of some runs, after one that warms the caches."""
    seconds(arguments, before)
    runs = [seconds(arguments, before) for _ in range(ROUNDS)]
    wall, cpu = (statistics.median(column) for column in zip(*runs, strict=True))
    print(f"| {name} | {wall:.3f} | {cpu:.3f} |")


def main() -> None:
    """Measure every command."""
    spec = Path(sys.argv[1]) if len(sys.argv) > 1 else SPEC
    print(
        f"{spec.name}, Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"median of {ROUNDS}\n"
    )
    print("| command | wall s | CPU s |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        build = ["build", str(spec), "--out", str(out)]

        def clean() -> None:
            shutil.rmtree(out, ignore_errors=True)

        def keep() -> None:
            """Leave the output of the run before."""

        measure("`dyngen --version`", ["--version"], keep)
        measure("`dyngen --help`", ["--help"], keep)
        measure("`dyngen build`, nothing there", build, clean)
        measure("`dyngen build`, unchanged", build, keep)
        measure("`dyngen build --check`, unchanged", [*build, "--check"], keep)
        measure("`dyngen lint`", ["lint", str(spec)], keep)


if __name__ == "__main__":
    main()
