"""Reads that return many items: queries, pages of them, and what completes their items."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from . import cursors
from .batches import identity, read_items
from .client import Client, run, run_async
from .clock import DEFAULT_ENVIRONMENT, Environment
from .errors import KeyValueError, MultipleItems
from .merging import Reader
from .steps import Steps
from .streams import Read
from .wire import Item

R = TypeVar("R")
T = TypeVar("T")


# Generic and frozen, so not slotted: `Page[Order](...)` would fail (python/cpython#116669).
@dataclass(frozen=True)
class Page(Generic[T]):
    """Some items of a query; `cursor` leads to the next ones, and is None on the last page.

    DynamoDB does not look ahead, so the last page may be empty.
    """

    items: list[T]
    cursor: str | None


@dataclass(frozen=True)
class Hydration(Generic[T]):
    """How items of an index that does not hold all of them are completed from a table.

    Items that have vanished since they were indexed, and those that no longer match, are dropped; so
    are entries that lead nowhere, as they lack what would be the key, or no key can hold it.

    Attributes:
        table: the deployed name of the table that holds the whole items.
        key: the key there of the item that an index entry stands for; None if it lacks it.
        matches: whether a whole item is what the pattern asks for.
    """

    table: str
    key: Callable[[Item], Item | None]
    matches: Callable[[T], bool]

    def keys(self, entries: Iterable[Item]) -> Iterator[Item]:
        """The keys of the items that the entries lead to."""
        for entry in entries:
            try:
                key = self.key(entry)
            except KeyValueError:
                continue
            if key is not None:
                yield key


class Reading(Generic[T]):
    """An access pattern with its parameters, free of input and output.

    Args:
        client: sends the requests.
        read: what is read.
        decode: makes an item of its stored form.
        page_size: the number of items on a page, unless `page` is told otherwise.
        max_page_size: the most that `page` may be told.
        max_items: iterating stops after so many items.
        at_most: the most items that one call may read; more raise TooManyItems.
        hydrate: completes the items that are read.
        cursor_secret: signs the cursors.
        environment: waits between attempts to complete items.
    """

    _side_by_side: ClassVar[bool]

    def __init__(
        self,
        client: Client,
        read: Read,
        *,
        decode: Callable[[Item], T],
        page_size: int | None = None,
        max_page_size: int | None = None,
        max_items: int | None = None,
        at_most: int | None = None,
        hydrate: Hydration[T] | None = None,
        cursor_secret: bytes | None = None,
        environment: Environment = DEFAULT_ENVIRONMENT,
    ) -> None:
        self._client = client
        self._read = read
        self._streams = cursors.distinct(read.streams)
        self._decode = decode
        self._page_size = page_size
        self._max_page_size = max_page_size
        self._max_items = max_items
        self._at_most = at_most
        self._hydrate = hydrate
        self._cursor_secret = cursor_secret
        self._environment = environment

    def _reader(self, cursor: str | None = None) -> Reader:
        positions: cursors.Positions = {}
        if cursor is not None:
            positions = cursors.decode(
                self._read, self._streams, cursor, self._cursor_secret
            )
        return Reader(self._read, self._streams, positions, self._at_most)

    def _more(self, reader: Reader, limit: int | None) -> Steps[list[T]]:
        """The next items: at least one unless there are none, and at most `limit`."""
        while entries := (yield from reader.more(limit)):
            if items := (yield from self._items(entries)):
                return items
        return []

    def _up_to(self, reader: Reader, count: int) -> Steps[list[T]]:
        """The next `count` items, fewer only at the end."""
        items: list[T] = []
        while left := count - len(items):
            more = yield from self._more(reader, left)
            if not more:
                break
            items += more
        return items

    def _items(self, entries: list[Item]) -> Steps[list[T]]:
        """What the items that were read stand for."""
        hydrate = self._hydrate
        if hydrate is None:
            return [*map(self._decode, entries)]
        keys = [*hydrate.keys(entries)]
        identities = [identity(key) for key in keys]
        by_identity = dict(zip(identities, keys, strict=True))
        stored = yield from read_items(
            hydrate.table,
            by_identity,
            named=by_identity,
            consistent=self._read.consistent,
            random=self._environment.random,
            parallel=self._environment.concurrency if self._side_by_side else 1,
        )
        found = [self._decode(stored[key]) for key in identities if key in stored]
        return [item for item in found if hydrate.matches(item)]

    def _page(self, limit: int | None, cursor: str | None) -> Steps[Page[T]]:
        limit = self._page_size if limit is None else limit
        greatest = self._max_page_size
        if limit is not None and (limit < 1 or (greatest and limit > greatest)):
            allowed = f"1 to {greatest}" if greatest else "at least 1"
            raise ValueError(f"a page of {limit} items; allowed: {allowed}")
        reader = self._reader(cursor)
        if limit is None:
            items = yield from self._more(reader, None)
        else:
            items = yield from self._up_to(reader, limit)
        if reader.finished:
            return Page(items, None)
        token = cursors.encode(
            self._read, self._streams, reader.positions, self._cursor_secret
        )
        return Page(items, token)

    def _first(self) -> Steps[T | None]:
        items = yield from self._up_to(self._reader(), 1)
        return items[0] if items else None

    def _one(self) -> Steps[T | None]:
        items = yield from self._up_to(self._reader(), 2)
        if len(items) > 1:
            raise MultipleItems(self._read.pattern)
        return items[0] if items else None

    def _count(self) -> Steps[int]:
        return self._reader().count(self._max_items)


class Query(Reading[T]):
    """An access pattern with its parameters: nothing is read until it is asked for.

    Iterating follows all pages, and reads in DynamoDB's own (up to 1 MB), which takes the fewest
    requests and read units; `page` reads a given number of items.
    """

    _side_by_side = False

    def __iter__(self) -> Iterator[T]:
        """Every matching item, in the query's order.

        Raises:
            TooManyItems: more items were read than the pattern allows.
        """
        reader = self._reader()
        left = self._max_items
        while left is None or left > 0:
            items = self._run(self._more(reader, left))
            if not items:
                return
            yield from items
            left = None if left is None else left - len(items)

    def page(self, *, limit: int | None = None, cursor: str | None = None) -> Page[T]:
        """The next `limit` items after `cursor`, fewer only at the end.

        Without a limit, here or in the pattern, as many as one request brings.

        Raises:
            InvalidCursor: this query, with these parameters, did not give out the cursor.
            TooManyItems: more items were read than the pattern allows.
            ValueError: the limit is less than 1, or more than the pattern allows.
        """
        return self._run(self._page(limit, cursor))

    def first(self) -> T | None:
        """The first item, in the query's order; None if nothing matches."""
        return self._run(self._first())

    def one(self) -> T | None:
        """The only item; None if nothing matches.

        Raises:
            MultipleItems: a second item matches.
        """
        return self._run(self._one())

    def all(self) -> list[T]:
        """Every matching item, in the query's order."""
        return list(self)

    def count(self) -> int:
        """The number of items, which costs as many read units as reading them.

        Where items are completed from a table, the number of index entries.

        Raises:
            TooManyItems: more items were read than the pattern allows.
        """
        return self._run(self._count())

    def _run(self, steps: Steps[R]) -> R:
        return run(self._client, steps, self._environment)


class AsyncQuery(Reading[T]):
    """As `Query`, for an asynchronous client: iterated by `async for`, its methods awaited.

    Nothing is read ahead. Requests that one step takes (of several streams, or to complete items)
    are sent side by side.
    """

    _side_by_side = True

    async def __aiter__(self) -> AsyncIterator[T]:
        """Every matching item, in the query's order.

        Raises:
            TooManyItems: more items were read than the pattern allows.
        """
        reader = self._reader()
        left = self._max_items
        while left is None or left > 0:
            items = await self._run(self._more(reader, left))
            if not items:
                return
            for item in items:
                yield item
            left = None if left is None else left - len(items)

    async def page(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[T]:
        """The next `limit` items after `cursor`, fewer only at the end.

        Without a limit, here or in the pattern, as many as one request brings.

        Raises:
            InvalidCursor: this query, with these parameters, did not give out the cursor.
            TooManyItems: more items were read than the pattern allows.
            ValueError: the limit is less than 1, or more than the pattern allows.
        """
        return await self._run(self._page(limit, cursor))

    async def first(self) -> T | None:
        """The first item, in the query's order; None if nothing matches."""
        return await self._run(self._first())

    async def one(self) -> T | None:
        """The only item; None if nothing matches.

        Raises:
            MultipleItems: a second item matches.
        """
        return await self._run(self._one())

    async def all(self) -> list[T]:
        """Every matching item, in the query's order."""
        return [item async for item in self]

    async def count(self) -> int:
        """The number of items, which costs as many read units as reading them.

        Where items are completed from a table, the number of index entries.

        Raises:
            TooManyItems: more items were read than the pattern allows.
        """
        return await self._run(self._count())

    async def _run(self, steps: Steps[R]) -> R:
        return await run_async(self._client, steps, self._environment)
