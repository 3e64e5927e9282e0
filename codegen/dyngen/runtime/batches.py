"""Batches: many items by key in few requests, with what DynamoDB leaves unprocessed tried again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import islice
from typing import Any, TypeVar

from botocore.exceptions import (  # type: ignore[import-untyped,unused-ignore]
    ClientError,
)

from .client import Client, Request, Steps, error_code, run
from .clock import DEFAULT_ENVIRONMENT, Environment
from .errors import BatchIncomplete
from .wire import Item, comparable

T = TypeVar("T")
K = TypeVar("K")

Identity = frozenset[tuple[str, Hashable]]
"""A key as something to look up by, whatever the spelling of its numbers."""

_READ_CHUNK = 100  # keys of one BatchGetItem (AWS: API_BatchGetItem)
_WRITE_CHUNK = 25  # puts and deletes of one BatchWriteItem (AWS: API_BatchWriteItem)
_FIRST_DELAY = 0.05  # seconds
_LONGEST_DELAY = 5.0
_MOST_FAILURES = 10  # requests in a row of which nothing is processed
_THROTTLED = frozenset(
    (
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
    )
)


def batch_get(
    client: Client,
    table: str,
    keys: Iterable[K],
    *,
    encode_key: Callable[[K], Item],
    decode: Callable[[Item], T],
    consistent: bool = False,
    environment: Environment = DEFAULT_ENVIRONMENT,
) -> list[T | None]:
    """The items with these keys, in the order asked; None where there is none.

    Raises:
        BatchIncomplete: not everything was read, after all attempts; `not_read` holds the keys left.
    """
    asked = list(keys)
    encoded = [encode_key(key) for key in asked]
    identities = [identity(key) for key in encoded]
    steps = read_items(
        table,
        dict(zip(identities, encoded, strict=True)),
        named=dict(zip(identities, asked, strict=True)),
        consistent=consistent,
        random=environment.random,
    )
    items = run(client, steps, environment.sleep)
    return [decode(items[key]) if key in items else None for key in identities]


def batch_write(
    client: Client,
    table: str,
    key_names: Iterable[str],
    *,
    put: Iterable[T] = (),
    encode: Callable[[T], Item],
    delete: Iterable[K] = (),
    encode_key: Callable[[K], Item],
    environment: Environment = DEFAULT_ENVIRONMENT,
) -> None:
    """Put and delete items, without conditions. Of two puts with one key, the later one counts.

    Raises:
        BatchIncomplete: not everything was written, after all attempts; `not_written` holds the
            items and keys left, of which some may have been written all the same.
        ValueError: an item with the same key is to be both put and deleted; nothing was sent.
    """
    names = tuple(key_names)
    requests: dict[Identity, dict[str, Any]] = {}
    named: dict[Identity, object] = {}
    for item in put:
        encoded = encode(item)
        key = identity({name: encoded[name] for name in names})
        requests[key] = {"PutRequest": {"Item": encoded}}
        named[key] = item
    for deleted in delete:
        encoded = encode_key(deleted)
        key = identity(encoded)
        if "PutRequest" in requests.get(key, ()):
            raise ValueError(f"both put and deleted in one batch: {dict(encoded)}")
        requests[key] = {"DeleteRequest": {"Key": encoded}}
        named[key] = deleted
    steps = write_items(
        table, requests, key_names=names, named=named, random=environment.random
    )
    run(client, steps, environment.sleep)


def identity(key: Item) -> Identity:
    """What makes a key that key."""
    return frozenset((name, comparable(value)) for name, value in key.items())


def read_items(
    table: str,
    keys: Mapping[Identity, Item],
    *,
    named: Mapping[Identity, object],
    consistent: bool,
    random: Callable[[], float],
) -> Steps[dict[Identity, Item]]:
    """Read whole items; those that do not exist are left out.

    Raises:
        BatchIncomplete: not everything was read; `not_read` holds what `named` calls it.
    """
    waiting = dict(keys)
    found: dict[Identity, Item] = {}
    backoff = _Backoff(random)
    while waiting:
        chunk = dict(islice(waiting.items(), _READ_CHUNK))
        asked = {"Keys": list(chunk.values()), "ConsistentRead": consistent}
        try:
            (response,) = yield [
                Request(
                    "batch_get_item", {"RequestItems": {table: asked}}, backoff.delay
                )
            ]
        except ClientError as error:
            if error_code(error) not in _THROTTLED:
                raise
            raise BatchIncomplete(not_read=[named[key] for key in waiting]) from error
        left = response.get("UnprocessedKeys", {}).get(table, {}).get("Keys", ())
        unprocessed = {identity(key) for key in left}
        for key in chunk.keys() - unprocessed:
            del waiting[key]
        for item in response["Responses"].get(table, ()):
            key_names = (name for name, _ in next(iter(chunk)))
            found[identity({name: item[name] for name in key_names})] = item
        if not backoff.goes_on(len(chunk), len(unprocessed)):
            raise BatchIncomplete(not_read=[named[key] for key in waiting])
    return found


def write_items(
    table: str,
    requests: Mapping[Identity, Mapping[str, Any]],
    *,
    key_names: Iterable[str],
    named: Mapping[Identity, object],
    random: Callable[[], float],
) -> Steps[None]:
    """Carry out put and delete requests.

    Raises:
        BatchIncomplete: not everything was written; `not_written` holds what `named` calls it.
    """
    names = tuple(key_names)
    waiting = dict(requests)
    backoff = _Backoff(random)
    while waiting:
        chunk = dict(islice(waiting.items(), _WRITE_CHUNK))
        asked = {"RequestItems": {table: list(chunk.values())}}
        try:
            (response,) = yield [Request("batch_write_item", asked, backoff.delay)]
        except ClientError as error:
            if error_code(error) not in _THROTTLED:
                raise
            raise BatchIncomplete([named[key] for key in waiting]) from error
        left = response.get("UnprocessedItems", {}).get(table, ())
        unprocessed = {_key_of(request, names) for request in left}
        for key in chunk.keys() - unprocessed:
            del waiting[key]
        if not backoff.goes_on(len(chunk), len(unprocessed)):
            raise BatchIncomplete([named[key] for key in waiting])


def _key_of(request: Mapping[str, Any], names: tuple[str, ...]) -> Identity:
    """The key that a put or delete request is about."""
    if "PutRequest" in request:
        item = request["PutRequest"]["Item"]
        return identity({name: item[name] for name in names})
    return identity(request["DeleteRequest"]["Key"])


class _Backoff:
    """How long to wait before the next request: longer and longer while nothing is processed.

    The wait is a random part of its ceiling, so that clients that failed together do not try again
    together. A request that was refused whole, by an error, is not repeated: the SDK has done so.
    """

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._failures = 0
        self.delay = 0.0

    def goes_on(self, sent: int, unprocessed: int) -> bool:
        """Take in how much of a request was left over; whether to send another."""
        self._failures = self._failures + 1 if unprocessed == sent else 0
        ceiling = min(_LONGEST_DELAY, _FIRST_DELAY * 2**self._failures)
        self.delay = self._random() * ceiling if unprocessed else 0.0
        return self._failures < _MOST_FAILURES
