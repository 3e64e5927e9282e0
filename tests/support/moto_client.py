"""Fixtures that give a test an empty DynamoDB on moto. A folder's conftest imports them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

REGION = "eu-west-1"


@pytest.fixture(scope="session", autouse=True)
def _credentials() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    patch.setenv("AWS_ACCESS_KEY_ID", "testing")
    patch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    patch.setenv("AWS_DEFAULT_REGION", REGION)
    yield
    patch.undo()


@pytest.fixture
def client() -> Iterator[Any]:
    """A client of an empty DynamoDB."""
    with mock_aws():
        yield boto3.client("dynamodb", region_name=REGION)
