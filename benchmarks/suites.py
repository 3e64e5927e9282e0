"""How long the generated suites of the project's specs take on moto, two at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.processes import ROOT, dyngen


def seconds() -> dict[str, float]:
    """Wall seconds of each suite, by its spec, and under `all` from the first start to the last end."""
    specs = sorted(ROOT.glob("specs/**/*.yaml"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for spec in specs:
            out = str(folder / spec.stem)
            dyngen(["build", str(spec), "--out", out], folder / "cache")
        started = time.perf_counter()
        with ThreadPoolExecutor(max_workers=2) as pool:
            took = list(pool.map(lambda spec: _one(folder / spec.stem), specs))
        whole = time.perf_counter() - started
    names = (spec.relative_to(ROOT / "specs").as_posix() for spec in specs)
    return {"all": whole, **dict(zip(names, took, strict=True))}


def _one(folder: Path) -> float:
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
        cwd=folder,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - started
