"""Batches: many items by key in few requests, with what DynamoDB leaves unprocessed tried again."""

from __future__ import annotations

from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
    Set,
)
from itertools import islice
from typing import Any, TypeVar

from botocore.exceptions import (  # type: ignore[import-untyped,unused-ignore]
    ClientError,
)

from . import limits
from .backoff import Backoff
from .client import Client, error_code, run, run_async
from .clock import DEFAULT_ENVIRONMENT, Environment
from .errors import BatchIncomplete, InvalidRequest
from .steps import Request, Steps
from .wire import Item, comparable

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

Identity = frozenset[tuple[str, Hashable]]
"""A key as something to look up by, whatever the spelling of its numbers."""

_READ_CHUNK = 100  # keys of one BatchGetItem (AWS: API_BatchGetItem)
_WRITE_CHUNK = 25  # puts and deletes of one BatchWriteItem (AWS: API_BatchWriteItem)
_THROTTLED = frozenset(  # not repeated: the SDK has done so
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
    steps = _reading(
        table,
        keys,
        encode_key=encode_key,
        decode=decode,
        consistent=consistent,
        random=environment.random,
    )
    return run(client, steps, environment)


async def batch_get_async(
    client: Client,
    table: str,
    keys: Iterable[K],
    *,
    encode_key: Callable[[K], Item],
    decode: Callable[[Item], T],
    consistent: bool = False,
    environment: Environment = DEFAULT_ENVIRONMENT,
) -> list[T | None]:
    """As `batch_get`, several requests side by side."""
    steps = _reading(
        table,
        keys,
        encode_key=encode_key,
        decode=decode,
        consistent=consistent,
        random=environment.random,
        parallel=environment.concurrency,
    )
    return await run_async(client, steps, environment)


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
        InvalidRequest: an item with the same key is to be both put and deleted; nothing was sent.
        InvalidValue: an item is larger than 400 KB; nothing was sent.
    """
    names = tuple(key_names)
    requests, named = _writes(names, put, encode, delete, encode_key)
    steps = write_items(
        table, requests, key_names=names, named=named, random=environment.random
    )
    run(client, steps, environment)


async def batch_write_async(
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
    """As `batch_write`, several requests side by side."""
    names = tuple(key_names)
    requests, named = _writes(names, put, encode, delete, encode_key)
    steps = write_items(
        table,
        requests,
        key_names=names,
        named=named,
        random=environment.random,
        parallel=environment.concurrency,
    )
    await run_async(client, steps, environment)


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
    parallel: int = 1,
) -> Steps[dict[Identity, Item]]:
    """Read whole items, by up to `parallel` requests at a time; those that do not exist are left out.

    Raises:
        BatchIncomplete: not everything was read; `not_read` holds what `named` calls it.
    """
    waiting = dict(keys)
    found: dict[Identity, Item] = {}
    backoff = Backoff(random)
    while waiting:
        chunks = _chunks(waiting, _READ_CHUNK, parallel)
        asked = [
            {table: {"Keys": list(chunk.values()), "ConsistentRead": consistent}}
            for chunk in chunks
        ]
        try:
            responses = yield _requests("batch_get_item", asked, backoff.delay)
        except ClientError as error:
            if error_code(error) not in _THROTTLED:
                raise
            raise BatchIncomplete(not_read=[named[key] for key in waiting]) from error
        unprocessed = {
            identity(key)
            for response in responses
            for key in response.get("UnprocessedKeys", {})
            .get(table, {})
            .get("Keys", ())
        }
        key_names = [name for name, _ in next(iter(waiting))]
        for response in responses:
            for item in response["Responses"].get(table, ()):
                found[identity({name: item[name] for name in key_names})] = item
        if _settle(waiting, chunks, unprocessed, backoff):
            raise BatchIncomplete(not_read=[named[key] for key in waiting])
    return found


def write_items(
    table: str,
    requests: Mapping[Identity, Mapping[str, Any]],
    *,
    key_names: Iterable[str],
    named: Mapping[Identity, object],
    random: Callable[[], float],
    parallel: int = 1,
) -> Steps[None]:
    """Carry out put and delete requests, by up to `parallel` requests at a time.

    Raises:
        BatchIncomplete: not everything was written; `not_written` holds what `named` calls it.
    """
    names = tuple(key_names)
    waiting = dict(requests)
    backoff = Backoff(random)
    while waiting:
        chunks = _chunks(waiting, _WRITE_CHUNK, parallel)
        asked = [{table: list(chunk.values())} for chunk in chunks]
        try:
            responses = yield _requests("batch_write_item", asked, backoff.delay)
        except ClientError as error:
            if error_code(error) not in _THROTTLED:
                raise
            raise BatchIncomplete([named[key] for key in waiting]) from error
        unprocessed = {
            _key_of(request, names)
            for response in responses
            for request in response.get("UnprocessedItems", {}).get(table, ())
        }
        if _settle(waiting, chunks, unprocessed, backoff):
            raise BatchIncomplete([named[key] for key in waiting])


# --- parts ----------------------------------------------------------------------------------------


def _reading(
    table: str,
    keys: Iterable[K],
    *,
    encode_key: Callable[[K], Item],
    decode: Callable[[Item], T],
    consistent: bool,
    random: Callable[[], float],
    parallel: int = 1,
) -> Steps[list[T | None]]:
    asked = list(keys)
    encoded = [encode_key(key) for key in asked]
    identities = [identity(key) for key in encoded]
    items = yield from read_items(
        table,
        dict(zip(identities, encoded, strict=True)),
        named=dict(zip(identities, asked, strict=True)),
        consistent=consistent,
        random=random,
        parallel=parallel,
    )
    return [decode(items[key]) if key in items else None for key in identities]


def _writes(
    key_names: tuple[str, ...],
    put: Iterable[T],
    encode: Callable[[T], Item],
    delete: Iterable[K],
    encode_key: Callable[[K], Item],
) -> tuple[dict[Identity, dict[str, Any]], dict[Identity, object]]:
    """The put and delete requests, and what the caller calls their items, by key."""
    requests: dict[Identity, dict[str, Any]] = {}
    named: dict[Identity, object] = {}
    for item in put:
        encoded = limits.stored(encode(item))
        key = identity({name: encoded[name] for name in key_names})
        requests[key] = {"PutRequest": {"Item": encoded}}
        named[key] = item
    for deleted in delete:
        encoded = encode_key(deleted)
        key = identity(encoded)
        if "PutRequest" in requests.get(key, ()):
            raise InvalidRequest(f"both put and deleted in one batch: {dict(encoded)}")
        requests[key] = {"DeleteRequest": {"Key": encoded}}
        named[key] = deleted
    return requests, named


def _key_of(request: Mapping[str, Any], names: tuple[str, ...]) -> Identity:
    """The key that a put or delete request is about."""
    if "PutRequest" in request:
        item = request["PutRequest"]["Item"]
        return identity({name: item[name] for name in names})
    return identity(request["DeleteRequest"]["Key"])


def _chunks(
    waiting: Mapping[Identity, V], size: int, most: int
) -> list[dict[Identity, V]]:
    """What to ask for next: up to `most` requests of up to `size` entries."""
    entries = islice(waiting.items(), size * most)
    chunks = (dict(islice(entries, size)) for _ in range(most))
    return [chunk for chunk in chunks if chunk]


def _requests(
    operation: str, asked: Iterable[Mapping[str, Any]], delay: float
) -> list[Request]:
    return [Request(operation, {"RequestItems": each}, delay) for each in asked]


def _settle(
    waiting: dict[Identity, V],
    chunks: Sequence[Mapping[Identity, V]],
    unprocessed: Set[Identity],
    backoff: Backoff,
) -> bool:
    """Take what was processed from what is waiting; whether to give up."""
    sent = [key for chunk in chunks for key in chunk]
    for key in sent:
        if key not in unprocessed:
            del waiting[key]
    if len(unprocessed) == len(sent):
        backoff.fail()
    else:
        backoff.advance(completed=not unprocessed)
    return backoff.exhausted
