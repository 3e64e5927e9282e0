"""The engine that a suite runs on, and fresh tables on it.

By default that is moto, inside this process. `DYNGEN_ENDPOINT_URL` names another one (an open
engine, DynamoDB Local, or AWS): its tables are then created under a prefix of their own, and
only those are removed. With `DYNGEN_FAST_DECODING=off` botocore decodes all responses.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config

from . import known
from .faults import Faults
from .guard import Guard
from .policy import Policy, statements_of
from .reads import Recorder
from .seen import Seen
from .tables import Definition, Item, View, canonical, definition_of

ENDPOINT = "DYNGEN_ENDPOINT_URL"
FAST_DECODING = "DYNGEN_FAST_DECODING"
_REGION = "eu-west-1"
_BATCH = 25


@dataclass(slots=True)
class Engine:
    """A running engine.

    `client` is the one that repositories get: each of its requests passes the guard and is
    recorded. `raw` is neither checked nor recorded; suites look at the tables through it.
    `counts_units`: it reports capacity units as DynamoDB does, and is asked for them.
    """

    name: str
    client: Any
    raw: Any
    guard: Guard
    faults: Faults
    counts_units: bool = False
    recorder: Recorder = field(default_factory=Recorder)
    seen: Seen = field(default_factory=Seen)

    @contextmanager
    def tables(self, arguments: Sequence[Mapping[str, Any]]) -> Iterator[Tables]:
        """Fresh tables, from arguments of CreateTable; removed at the end.

        Their names get a prefix that no other run has.
        """
        prefix = f"dyngen-{uuid.uuid4().hex[:12]}-"
        tables = Tables(self, prefix, {})
        try:
            for each in arguments:
                tables.create(each)
            yield tables
        finally:
            tables.drop()


@contextmanager
def engine(
    scans: Iterable[tuple[str, str | None]] = (), policy: Path | None = None
) -> Iterator[Engine]:
    """Start the engine, or connect to it.

    `scans` are the declared ones (table, index); `policy` is the template of the service's policies.
    """
    url = os.environ.get(ENDPOINT)
    guard = Guard(frozenset(scans))
    allowed = () if policy is None else statements_of(policy, "Policy")
    if url:
        yield _watched(url, guard, Policy(allowed, guard.definitions))
        return
    from moto import mock_aws

    with mock_aws():
        yield _watched(None, guard, Policy(allowed, guard.definitions))


def _watched(url: str | None, guard: Guard, policy: Policy) -> Engine:
    raw = _client(url)
    dynoxide = url is not None and known.is_dynoxide(raw)
    counts = dynoxide or (url is not None and known.is_aws(url))
    found = Engine(url or "moto", _client(url), raw, guard, Faults(raw), counts)
    raw.meta.events.register("provide-client-params.dynamodb.*", found.seen.on_request)
    events = found.client.meta.events
    events.register("provide-client-params.dynamodb.*", found.seen.on_request)
    events.register("provide-client-params.dynamodb.*", found.recorder.on_request)
    events.register("provide-client-params.dynamodb.*", guard.on_request)
    events.register("provide-client-params.dynamodb.*", policy.on_request)
    events.register("provide-client-params.dynamodb.*", found.faults.on_request)
    if counts:
        events.register("provide-client-params.dynamodb.*", known.ask_for_units)
    if dynoxide:
        events.register("before-call.dynamodb.Query", known.correct_prefix)
    events.register("before-call.dynamodb.*", found.faults.before_call)
    events.register_first("before-send.dynamodb.*", found.faults.before_send)
    events.register_first("needs-retry.dynamodb.*", found.faults.needs_retry)
    events.register("after-call.dynamodb.*", found.faults.after_call)
    events.register("after-call.dynamodb.*", found.recorder.on_response)
    if os.environ.get(FAST_DECODING) == "off":
        found.client = _Operations(found.client)
    return found


class _Operations:
    """A client without what botocore keeps of it, so that no repository changes how it decodes."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        if name == "meta":
            raise AttributeError(name)
        return getattr(self._client, name)


def _client(url: str | None) -> Any:
    session = boto3.Session(region_name=os.environ.get("AWS_REGION", _REGION))
    if url and session.get_credentials() is None:
        # An engine on this machine takes any credentials, but botocore must have some to sign.
        session = boto3.Session("dyngen", "dyngen", region_name=session.region_name)
    # Left to itself, botocore makes up this text twice for each request.
    named = Config(user_agent="dyngen")
    return session.client("dynamodb", endpoint_url=url, config=named)


@dataclass(slots=True)
class Tables:
    """The tables of one test. Methods take the names of the spec, without the prefix."""

    engine: Engine
    prefix: str
    definitions: dict[str, Definition]

    def create(self, arguments: Mapping[str, Any]) -> None:
        """Create a table and wait until it is active."""
        name = f"{self.prefix}{arguments['TableName']}"
        self.engine.raw.create_table(**{**arguments, "TableName": name})
        self.definitions[arguments["TableName"]] = definition_of(arguments)
        self.engine.guard.definitions[name] = definition_of(arguments)
        self.engine.raw.get_waiter("table_exists").wait(
            TableName=name, WaiterConfig={"Delay": 1}
        )

    def drop(self) -> None:
        """Remove the tables."""
        for name in self.definitions:
            self.engine.raw.delete_table(TableName=f"{self.prefix}{name}")
            del self.engine.guard.definitions[f"{self.prefix}{name}"]

    def empty(self) -> None:
        """Remove all items, and forget what was recorded."""
        for name, definition in self.definitions.items():
            requests = [
                {"DeleteRequest": {"Key": definition.table_key(item)}}
                for item in self.items(name)
            ]
            for start in range(0, len(requests), _BATCH):
                self._write(f"{self.prefix}{name}", requests[start : start + _BATCH])
        self.engine.recorder.clear()

    def put(self, table: str, item: Item) -> None:
        """Store an item as it is, past the repositories."""
        self.engine.raw.put_item(TableName=f"{self.prefix}{table}", Item=item)

    def items(self, table: str) -> list[dict[str, Any]]:
        """Everything in a table, ordered by its key."""
        definition = self.definitions[table]

        def scan() -> list[dict[str, Any]]:
            found = map(canonical, self._scan(table, {}))
            return sorted(found, key=definition.key_of)

        return self.engine.seen.read((f"{self.prefix}{table}", None), scan)

    def keys(self, table: str, index: str) -> list[tuple[str, ...]]:
        """The table keys of everything in an index, in order."""
        definition = self.definitions[table]
        names = {f"#k{n}": name for n, name in enumerate(definition.table.key)}
        asked = {
            "IndexName": index,
            "ProjectionExpression": ", ".join(names),
            "ExpressionAttributeNames": names,
        }

        def scan() -> list[tuple[str, ...]]:
            found = self._scan(table, asked)
            return sorted(definition.key_of(canonical(item)) for item in found)

        return self.engine.seen.read((f"{self.prefix}{table}", index), scan)

    def _scan(self, table: str, asked: Mapping[str, Any]) -> Iterator[Item]:
        pages = self.engine.raw.get_paginator("scan").paginate(
            TableName=f"{self.prefix}{table}", **asked
        )
        for page in pages:
            yield from page["Items"]

    def item(self, table: str, item: Item) -> dict[str, Any] | None:
        """The stored item that has this item's table key."""
        response = self.engine.raw.get_item(
            TableName=f"{self.prefix}{table}",
            Key=self.definitions[table].table_key(item),
            ConsistentRead=True,
        )
        stored = response.get("Item")
        return None if stored is None else canonical(stored)

    def indexes_of(self, table: str, item: Item) -> frozenset[str]:
        """The names of the indexes that hold the item with this item's table key."""
        definition = self.definitions[table]
        wanted = definition.key_of(canonical(item))
        return frozenset(
            name for name in definition.indexes if wanted in self.keys(table, name)
        )

    def view(self, table: str, index: str | None) -> View:
        """The table or one of its indexes. Raises KeyError."""
        return self.definitions[table].view(index)

    def _write(self, name: str, requests: list[Any]) -> None:
        unprocessed: Any = {name: requests}
        while unprocessed:
            response = self.engine.raw.batch_write_item(RequestItems=unprocessed)
            unprocessed = response["UnprocessedItems"]
