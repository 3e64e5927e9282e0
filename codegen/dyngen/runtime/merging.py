"""One ordered reading of several request streams, which can stop and be taken up again anywhere.

What is kept of each stream is the key of the last item that was *returned*, and nothing for a stream
that returned none: items that were read but not returned are read again, and a stream that came to
its end is asked again, since others may have written to it meanwhile.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from .errors import TooManyItems
from .steps import Request, Response, Steps
from .streams import Read, Stream
from .wire import Item, comparable


class _Source:
    """How far one stream was read."""

    __slots__ = (
        "_head",
        "_merge_by",
        "buffer",
        "ended",
        "returned",
        "start",
        "stream",
        "widening",
    )

    def __init__(
        self, stream: Stream, merge_by: Sequence[str], position: Item | None
    ) -> None:
        self.stream = stream
        self.returned = position  # the last item returned, or its position
        self.start = position  # the position of the last item read
        self.buffer: deque[Item] = deque()  # read, but not returned
        self.ended = False
        self.widening = 1
        self._merge_by = merge_by
        self._head: tuple[Any, ...] | None = None

    @property
    def hungry(self) -> bool:
        """Whether it takes a request to know the next item."""
        return not self.buffer and not self.ended

    @property
    def finished(self) -> bool:
        """Whether there is no next item."""
        return not self.buffer and self.ended

    def accept(self, response: Response) -> None:
        """Take in the response to this stream's request."""
        self.buffer.extend(response.get("Items", ()))
        self.start = response.get("LastEvaluatedKey")
        self.ended = self.start is None

    def head(self) -> tuple[Any, ...]:
        """What the next item's place among those of other streams depends on."""
        if self._head is None:
            first, *others = (
                comparable(self.buffer[0][name]) for name in self._merge_by
            )
            if self.stream.prefix:
                first = first.removeprefix(self.stream.prefix)
            self._head = (first, *others)
        return self._head

    def take(self, limit: int) -> list[Item]:
        """Return the next items, at most `limit`."""
        buffer, self._head = self.buffer, None
        if limit >= len(buffer):
            items = list(buffer)
            buffer.clear()
        else:
            items = [buffer.popleft() for _ in range(limit)]
        if items:
            self.returned = items[-1]
        return items


class Reader:
    """Reads the streams of a read in order, from `positions` on.

    Args:
        read: what is read.
        streams: its streams that hold anything, each once.
        positions: the position of the last item returned, by the number of its stream.
        at_most: the most items that may be read.
    """

    def __init__(
        self,
        read: Read,
        streams: Sequence[Stream],
        positions: Mapping[int, Item],
        at_most: int | None,
    ) -> None:
        self._read = read
        self._merges = bool(read.merge_by) and len(streams) > 1
        self._at_most = at_most
        self._evaluated = 0
        self._sources = [
            _Source(stream, read.merge_by, positions.get(number))
            for number, stream in enumerate(streams)
        ]
        if not self._merges and positions:
            # One stream after another: those before the last one that was begun are done.
            for source in self._sources[: max(positions)]:
                source.ended = True
        for number, position in positions.items():
            self._settle(self._sources[number], position)

    def _settle(self, source: _Source, position: Item) -> None:
        """Follow a range whose bound, given by the clock, has moved past the position."""
        side = source.stream.side(position)
        if side:
            source.start = None
            source.ended = source.ended or (side > 0) == self._read.forward

    @property
    def finished(self) -> bool:
        """Whether all items were returned."""
        return all(source.finished for source in self._sources)

    @property
    def positions(self) -> dict[int, Item]:
        """The position of the last item returned, by the number of its stream."""
        begun = {
            number: self._read.position(source.returned)
            for number, source in enumerate(self._sources)
            if source.returned is not None
        }
        if self._merges or not begun:
            return begun
        last = max(begun)
        return {last: begun[last]}

    def more(self, limit: int | None) -> Steps[list[Item]]:
        """The next items: at least one, unless there are none, and at most `limit`.

        Without a limit, as many as one round of requests brings.

        Raises:
            TooManyItems: more items were read than the pattern allows.
        """
        while hungry := self._hungry():
            responses = yield [self._request(source, limit) for source in hungry]
            for source, response in zip(hungry, responses, strict=True):
                self._account(response)
                source.accept(response)
        return self._taken(sys.maxsize if limit is None else limit)

    def count(self, limit: int | None) -> Steps[int]:
        """The number of items, or `limit` if there are more.

        Raises:
            TooManyItems: more items were read than the pattern allows.
        """
        total = 0
        left = limit
        while unread := [source for source in self._sources if not source.ended]:
            if limit is not None:
                left = limit - total
                if left <= 0:
                    return limit
            responses = yield [
                self._request(source, left, count=True) for source in unread
            ]
            for source, response in zip(unread, responses, strict=True):
                self._account(response)
                source.accept(response)
                total += response["Count"]
        return total if limit is None else min(total, limit)

    def _hungry(self) -> list[_Source]:
        """The sources that must be asked before the next item is known."""
        sources = self._sources if self._merges else self._current()
        return [source for source in sources if source.hungry]

    def _current(self) -> list[_Source]:
        """Of sources that are read one after another, the one that has its turn."""
        return list(islice((s for s in self._sources if not s.finished), 1))

    def _taken(self, limit: int) -> list[Item]:
        """The next items, as far as they are known."""
        if not self._merges:
            current = self._current()
            return current[0].take(limit) if current else []
        items: list[Item] = []
        while len(items) < limit and not self._hungry():
            first = self._first()
            if first is None:
                break
            items += first.take(1)
        return items

    def _first(self) -> _Source | None:
        """The source of the next item; None if there is none."""
        best: _Source | None = None
        for source in self._sources:
            if source.buffer and (best is None or self._precedes(source, best)):
                best = source
        return best

    def _precedes(self, source: _Source, other: _Source) -> bool:
        """Whether its next item comes first; of equal ones, that of the first stream does."""
        if self._read.forward:
            return source.head() < other.head()
        return source.head() > other.head()

    def _request(
        self, source: _Source, limit: int | None, *, count: bool = False
    ) -> Request:
        if limit is not None and self._read.filter is not None:
            # DynamoDB counts items before the filter. A limit that doubles with every request
            # soon finds what is rare, and never reads much more than it must.
            limit *= source.widening
            source.widening *= 2
        if self._at_most is not None:
            allowed = self._at_most + 1 - self._evaluated
            limit = allowed if limit is None else min(limit, allowed)
        return self._read.request(
            source.stream, start=source.start, limit=limit, count=count
        )

    def _account(self, response: Response) -> None:
        self._evaluated += response["ScannedCount"]
        if self._at_most is not None and self._evaluated > self._at_most:
            raise TooManyItems(self._read.pattern, self._at_most)
