"""A generated suite, with the oldest boto3 that generated packages run with, and with a new one.

botocore does not list the event by which responses are decoded in one go, so nothing but this shows
that it is still, and already, as it is taken to be.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from dyngen.cli import main

ROOT = Path(__file__).parents[2]
HOOKED = """\
import boto3
from moto import mock_aws
from pet_documents._runtime import connecting, fast

taken = []
fast.loads = lambda body: taken.append(body) or {}
client = connecting.connect(boto3.Session("a", "b", region_name="eu-west-1"))
fast.decode_fast(client)
with mock_aws():
    client.create_table(
        TableName="t",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
    )
    client.get_item(TableName="t", Key={"id": {"S": "a"}})
assert taken == [b"{}"], taken
"""
"""Responses come past the hook."""


@pytest.mark.slow
def test_a_suite_passes(python_with_boto3: Path, tmp_path: Path) -> None:
    spec = ROOT / "specs" / "pet_documents.yaml"
    assert main(["build", str(spec), "--out", str(tmp_path)]) == 0
    built = tmp_path / "pet_documents"
    assert_runs([str(python_with_boto3), "-c", HOOKED], built)
    pytest_ = [str(python_with_boto3), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    assert_runs([*pytest_, "-c", os.devnull, "--rootdir", ".", "tests"], built)


def assert_runs(command: list[str], folder: Path) -> None:
    variables = {k: v for k, v in os.environ.items() if k != "DYNGEN_ENDPOINT_URL"}
    result = subprocess.run(
        command,
        cwd=folder,
        env={**variables, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-5000:] + result.stderr[-2000:]
