"""How long the generated suites of the project's specs take on moto, one after another."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.processes import ROOT, dyngen


def seconds() -> dict[str, float]:
    """Wall seconds of each suite, by its spec."""
    specs = sorted(ROOT.glob("specs/**/*.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        return {
            spec.relative_to(ROOT / "specs").as_posix(): _one(spec, Path(folder))
            for spec in specs
        }


def _one(spec: Path, folder: Path) -> float:
    dyngen(["build", str(spec), "--out", str(folder / spec.stem)], folder / "cache")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
    ]
    started = time.perf_counter()
    subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", ".", "."],
        cwd=folder / spec.stem,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - started
