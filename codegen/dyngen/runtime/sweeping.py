"""Deleting what a query finds."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from itertools import islice

from .batches import batch_write, batch_write_async
from .client import Client
from .clock import DEFAULT_ENVIRONMENT, Environment
from .wire import Item

_CHUNK = 25  # what one BatchWriteItem takes (AWS: API_BatchWriteItem)


def delete_each(
    client: Client,
    table: str,
    key_names: tuple[str, ...],
    keys: Iterable[Item],
    *,
    progress: Callable[[int], None] | None = None,
    environment: Environment = DEFAULT_ENVIRONMENT,
) -> int:
    """Delete the items with these keys as they come; return how many there were.

    `progress` is told the number so far after every request. What was deleted before an error
    stays deleted.

    Raises:
        BatchIncomplete: some were not deleted, after all attempts.
    """
    deleted = 0
    for chunk in _chunks(keys):
        batch_write(
            client,
            table,
            key_names,
            encode=_as_it_is,
            delete=chunk,
            encode_key=_as_it_is,
            environment=environment,
        )
        deleted += len(chunk)
        if progress is not None:
            progress(deleted)
    return deleted


async def delete_each_async(
    client: Client,
    table: str,
    key_names: tuple[str, ...],
    keys: AsyncIterable[Item],
    *,
    progress: Callable[[int], None] | None = None,
    environment: Environment = DEFAULT_ENVIRONMENT,
) -> int:
    """As `delete_each`, several requests side by side."""
    deleted = 0
    async for chunk in _chunks_async(keys, _CHUNK * environment.concurrency):
        await batch_write_async(
            client,
            table,
            key_names,
            encode=_as_it_is,
            delete=chunk,
            encode_key=_as_it_is,
            environment=environment,
        )
        deleted += len(chunk)
        if progress is not None:
            progress(deleted)
    return deleted


def _as_it_is(item: Item) -> Item:
    return item


def _chunks(keys: Iterable[Item]) -> Iterator[list[Item]]:
    following = iter(keys)
    while chunk := list(islice(following, _CHUNK)):
        yield chunk


async def _chunks_async(
    keys: AsyncIterable[Item], size: int
) -> AsyncIterator[list[Item]]:
    chunk: list[Item] = []
    async for key in keys:
        chunk.append(key)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
