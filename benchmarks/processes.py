"""Runs whole processes, and says what they took."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
_ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
    "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "codegen")]),
}
"""An installed package has its bytecode."""


@dataclass(frozen=True, slots=True)
class Took:
    """Wall and CPU seconds of a process and its children, and the most memory it had at a time."""

    wall: float
    cpu: float
    megabytes: float


def dyngen(arguments: Sequence[str], cache: Path) -> Took:
    """One run of the command, with a cache folder of its own."""
    return _run(
        [sys.executable, "-m", "dyngen.cli", *arguments], {"XDG_CACHE_HOME": str(cache)}
    )


def median(run: Callable[[], Took], rounds: int) -> Took:
    """The medians of some runs."""
    runs = [run() for _ in range(rounds)]
    return Took(
        statistics.median(each.wall for each in runs),
        statistics.median(each.cpu for each in runs),
        statistics.median(each.megabytes for each in runs),
    )


def output(python: Path | str, module: str, *arguments: str, **variables: str) -> str:
    """What a module of the benchmarks prints, run by an interpreter."""
    environment = {**_ENVIRONMENT, "PYTHONPATH": str(ROOT), **variables}
    if str(python) == sys.executable:
        environment["PYTHONPATH"] = _ENVIRONMENT["PYTHONPATH"]
    return subprocess.run(
        [str(python), "-W", "ignore", "-m", f"benchmarks.{module}", *arguments],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    ).stdout


def _run(command: Sequence[str], variables: dict[str, str]) -> Took:
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={**_ENVIRONMENT, **variables},
        cwd=ROOT,
    )
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{' '.join(command)} has failed")
    # ru_maxrss is in KB, but in bytes on macOS.
    megabytes = used.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    return Took(wall, used.ru_utime + used.ru_stime, megabytes)
