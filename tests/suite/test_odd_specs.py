"""Suites of specs with an odd combination of features: each is built, and passes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from dyngen.cli import main

ODD = sorted(Path(__file__).with_name("odd").glob("*.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("spec", ODD, ids=lambda path: path.stem)
def test_the_suite_passes(spec: Path, tmp_path: Path) -> None:
    assert main(["build", "--out", str(tmp_path), str(spec)]) == 0
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:]
