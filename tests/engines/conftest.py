"""The engines as fixtures: one of each for a session, if they are installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import installed, servers


@pytest.fixture(scope="session")
def dynoxide() -> Iterator[str]:
    """The URL of a running dynoxide."""
    _need("dynoxide", installed.dynoxide())
    with servers.dynoxide() as url:
        yield url


@pytest.fixture(scope="session")
def ministack() -> Iterator[str]:
    """The URL of a running ministack."""
    _need("ministack", installed.ministack())
    with servers.ministack() as url:
        yield url


@pytest.fixture(params=[installed.OLDEST_BOTO3, installed.NEWEST_BOTO3])
def python_with_boto3(request: pytest.FixtureRequest) -> Path:
    """The interpreter of an environment with one version of boto3."""
    python = installed.python_with_boto3(request.param)
    _need(f"boto3 {request.param}", python)
    return python


def _need(name: str, command: Path) -> None:
    """Skip where something is not installed; fail if it has to be (`.ci/run` says so)."""
    if command.is_file():
        return
    said = f"{name} is not installed: `make engines` installs it"
    if os.environ.get("DYNGEN_ENGINES") == "required":
        pytest.fail(said)
    pytest.skip(said)
