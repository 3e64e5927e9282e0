"""One module for each package that is measured: how someone who knows it would use it.

Each has a function `peers(url)` that returns what it measures, given the loopback server's URL.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import boto3
from botocore.config import Config

QUERY, GET, PUT, BATCH = "Query 100", "GetItem", "PutItem", "BatchWrite 25"
OPERATIONS = (QUERY, GET, PUT, BATCH)

CANNED, LOOPBACK = "canned", "loopback"
REGION = "eu-west-1"

Times = Callable[[int], object]
"""Makes a call so many times."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A way to use DynamoDB.

    Attributes:
        name: as the table of results has it.
        transport: where its responses come from, CANNED or LOOPBACK; ratios are to the raw client
            with the same transport.
        calls: by operation.
    """

    name: str
    transport: str
    calls: Mapping[str, Times]


def blocking(**calls: Callable[[], object]) -> dict[str, Times]:
    """The calls `query`, `get`, `put` and `batch` of a blocking client."""

    def times(call: Callable[[], object], count: int) -> None:
        for _ in range(count):
            call()

    return {name: partial(times, call) for name, call in _named(calls)}


def awaited(
    run: Callable[[Any], object], **calls: Callable[[], Awaitable[object]]
) -> dict[str, Times]:
    """As `blocking`, of an asynchronous client: `run` runs one coroutine of many calls."""

    async def times(call: Callable[[], Awaitable[object]], count: int) -> None:
        for _ in range(count):
            await call()

    def start(call: Callable[[], Awaitable[object]], count: int) -> None:
        run(times(call, count))

    return {name: partial(start, call) for name, call in _named(calls)}


def _named(calls: Mapping[str, Any]) -> list[tuple[str, Any]]:
    names = {"query": QUERY, "get": GET, "put": PUT, "batch": BATCH}
    return [(names[short], call) for short, call in calls.items()]


def session() -> boto3.Session:
    """A session with credentials that open nothing."""
    return boto3.Session("benchmark", "benchmark", region_name=REGION)


def quiet(**more: Any) -> Config:
    """Settings under which a mistake of a benchmark ends soon."""
    return Config(retries={"total_max_attempts": 1}, **more)
