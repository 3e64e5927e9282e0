"""A suite passes whoever decodes the responses: botocore, the standard library or orjson."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from dyngen.cli import main
from dyngen.testkit.engine import FAST_DECODING, engine

SPEC = """\
dyngen: 1
service: readings
tables:
  Readings: {partition_key: device, sort_key: taken_at}
entities:
  Reading:
    attributes:
      device: string
      taken_at: timestamp
      value: {type: decimal, places: 2}
      counts: {type: list, of: integer}
      labels: {type: set, of: string}
      raw: {type: binary, optional: true}
      details: {type: json, optional: true}
access_patterns:
  reading: {get: Reading, where: {device: eq, taken_at: eq}}
  readings_since: {query: Reading, where: {device: eq, taken_at: gte}}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readings")
    (folder / "readings.yaml").write_text(SPEC)
    arguments = ["build", str(folder / "readings.yaml"), "--out", str(folder)]
    assert main(arguments) == 0
    return folder / "readings"


def run(built: Path, **variables: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    result = subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", ".", "tests"],
        cwd=built,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-5000:]


@pytest.mark.slow
def test_orjson_decodes(built: Path) -> None:
    run(built)


@pytest.mark.slow
def test_the_standard_library_decodes(built: Path, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    (tmp_path / "orjson.py").write_text(
        f"open({str(asked)!r}, 'w').close()\nraise ImportError('not here')\n"
    )
    run(built, PYTHONPATH=str(tmp_path))
    assert asked.exists()


@pytest.mark.slow
def test_botocore_decodes(built: Path) -> None:
    run(built, **{FAST_DECODING: "off"})


def test_the_switch_hides_what_a_hook_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DYNGEN_ENDPOINT_URL", raising=False)
    with engine() as fast:
        assert fast.client.meta.events is not None
    monkeypatch.setenv(FAST_DECODING, "off")
    with engine() as plain:
        assert not hasattr(plain.client, "meta")
        assert callable(plain.client.get_item)
