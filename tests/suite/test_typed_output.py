"""What mypy says of whole outputs: packages, suites, and the harness."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from dyngen.cli import main

HERE = Path(__file__).parent
# Every type and kind of pattern; words that meet others; what only an index of keys finds.
SPECS = ("kitchen_sink", "odd/our_words", "odd/swept_by_keys")


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_mypy_has_nothing_to_say(spec: str, tmp_path: Path) -> None:
    source = HERE / f"{spec}.yaml"
    assert main(["build", str(source), "--out", str(tmp_path)]) == 0
    [folder] = tmp_path.iterdir()
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", folder.name, "tests"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
