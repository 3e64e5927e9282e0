"""Clients made for repositories."""

from __future__ import annotations

import platform
from contextlib import AbstractAsyncContextManager
from typing import Any

import boto3  # type: ignore[import-untyped,unused-ignore]
import botocore  # type: ignore[import-untyped,unused-ignore]
from botocore.config import Config  # type: ignore[import-untyped,unused-ignore]

from .client import Client

_SETTINGS: dict[str, Any] = {
    # Repositories send what is right by construction, and DynamoDB checks it again.
    "parameter_validation": False,
    "max_pool_connections": 50,
    # As many attempts as DynamoDB's own default, with the waits of all other services.
    "retries": {"mode": "standard", "total_max_attempts": 10},
    "tcp_keepalive": True,
    # Left to itself, botocore makes up this text twice for each request, in a quarter of its time.
    "user_agent": f"dyngen Botocore/{botocore.__version__} Python/{platform.python_version()}",
}


def connect(
    session: Any = None,
    *,
    region_name: str | None = None,
    endpoint_url: str | None = None,
    config: Config | None = None,
) -> Client:
    """A client that suits repositories: it does not check requests again, and keeps its connections.

    Args:
        session: the boto3 session that holds credentials and region; the default one otherwise.
        region_name: instead of the session's.
        endpoint_url: of an engine other than AWS's.
        config: settings that go before those made here.
    """
    made_from: Any = session or boto3
    settings = Config(**_SETTINGS)
    client: Client = made_from.client(
        "dynamodb",
        region_name=region_name,
        endpoint_url=endpoint_url,
        config=settings.merge(config) if config else settings,
    )
    return client


def connect_async(
    session: Any = None,
    *,
    region_name: str | None = None,
    endpoint_url: str | None = None,
    config: Any = None,
) -> AbstractAsyncContextManager[Client]:
    """As `connect`, an asynchronous client, to be entered by `async with`. Needs aiobotocore.

    Args:
        session: the aiobotocore session that holds credentials and region.
        region_name: instead of the session's.
        endpoint_url: of an engine other than AWS's.
        config: settings that go before those made here (an AioConfig).
    """
    from aiobotocore.config import AioConfig  # type: ignore[import-not-found,import-untyped,unused-ignore]
    from aiobotocore.session import get_session  # type: ignore[import-not-found,import-untyped,unused-ignore]

    settings: Any = AioConfig(**_SETTINGS)
    made_from: Any = session or get_session()
    context: AbstractAsyncContextManager[Client] = made_from.create_client(
        "dynamodb",
        region_name=region_name,
        endpoint_url=endpoint_url,
        config=settings.merge(config) if config else settings,
    )
    return context
