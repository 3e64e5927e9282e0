"""What was written, and whether what is stored follows from it."""

from __future__ import annotations

import random
import threading
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

CONTENDED = 30  # items that are written at a time: few, so that writers meet

Key = tuple[str, str]


@dataclass(slots=True)
class History:
    """What was written, item by item.

    `writes` leads from a version to the item that was made of it, None once it was deleted. `unknown`
    holds versions from which there may have been another write, and whether that may be a delete.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    created: dict[Key, Any] = field(default_factory=dict)
    recent: deque[Key] = field(default_factory=lambda: deque(maxlen=CONTENDED))
    writes: dict[Key, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))
    unknown: dict[Key, dict[str, bool]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def create(self, order: Any) -> None:
        """A new item."""
        with self.lock:
            self.created[key_of(order)] = order
            self.recent.append(key_of(order))

    def write(self, before: Any, after: Any) -> None:
        """One write that succeeded. Raises AssertionError if that version was written before."""
        with self.lock:
            writes = self.writes[key_of(before)]
            assert before.version not in writes, f"a lost update of {key_of(before)}"
            writes[before.version] = after

    def perhaps(self, before: Any, *, deleted: bool) -> None:
        """A write that may have been made although it was refused, or was another's."""
        with self.lock:
            known = self.unknown[key_of(before)]
            known[before.version] = deleted or known.get(before.version, False)

    def some_key(self, chance: random.Random) -> Key | None:
        """The key of an item that was created lately."""
        with self.lock:
            return chance.choice(self.recent) if self.recent else None

    def check(self, stored: dict[Key, Any]) -> int:
        """Compare with everything that is stored; the number of items. Raises AssertionError."""
        for key, order in self.created.items():
            ends = list(self._ends(key, order, frozenset()))
            assert ends, f"writes of {key} that form no chain"
            found = stored.pop(key, None)
            assert found in ends, f"{key} is {found}, not {ends}"
        assert not stored, f"{len(stored)} items that nobody created"
        return len(self.created)

    def _ends(self, key: Key, order: Any, visited: frozenset[str]) -> Iterator[Any]:
        """What may be there at the end, going on from this item: every write must have been made.

        A write may have been made although it was refused: its response got lost, somebody else
        wrote the item, and then it was repeated. It leads to a version that only others know.
        """
        writes = self.writes[key]
        current = order
        while current is not None and current.version in writes:
            visited |= {current.version}
            current = writes[current.version]
        if current is None or current.version not in self.unknown[key]:
            if len(visited) == len(writes):
                yield current
            return
        if len(visited) == len(writes):
            yield current
            if self.unknown[key][current.version]:
                yield None
        reached = {each.version for each in writes.values() if each is not None}
        for version in writes.keys() - visited - reached:
            yield from self._ends(key, writes[version], visited | {version})


def key_of(order: Any) -> Key:
    """The key of an order."""
    return order.customer_id, order.order_id
