"""Generated suites, on engines that are stricter than moto, and truer in other ways.

dynoxide knows no keys of several attributes; ministack does. Nothing is left out of a suite.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from dyngen.cli import main

SPECS = Path(__file__).parents[2] / "specs"


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [
        "customer_orders",  # composite keys
        "pet_documents",  # computed keys, a declared filter
        "review_queue",  # a sparse index, completed by batch gets
        "device_log",
        "legacy_parcels",  # names and keys as they were found
        "saas_members",  # unique values, by transactions
    ],
)
def test_on_dynoxide(dynoxide: str, spec: str, tmp_path: Path) -> None:
    assert_passes(SPECS / f"{spec}.yaml", dynoxide, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["orders_native", "designs/tournament_matches"])
def test_keys_of_several_attributes_on_ministack(
    ministack: str, spec: str, tmp_path: Path
) -> None:
    assert_passes(SPECS / f"{spec}.yaml", ministack, tmp_path)


def assert_passes(spec: Path, url: str, folder: Path) -> None:
    assert main(["build", str(spec), "--out", str(folder)]) == 0
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    result = subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", ".", f"{spec.stem}/tests"],
        cwd=folder,
        env={
            **os.environ,
            "DYNGEN_ENDPOINT_URL": url,
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-5000:]
