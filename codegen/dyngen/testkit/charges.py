"""What a write costs, counted from its requests and from the items before and after it.

An engine charges a write for the item and for each entry of an index that changes (AWS:
read-write-operations.html, GSI.html). What a call had to write follows from what it changed; what it
did write, from its requests. The two must agree, and lie within the estimate that `dyngen explain`
prints; and an engine that counts units must report the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .known import reported_units
from .reads import Request
from .store import Store
from .tables import Definition, Item, canonical

Estimate = Mapping[str | None, tuple[int, int | None]]
"""The least and the most writes of one call, each of up to 1 KB: of items, markers included (under
None; twice in a transaction), and of entries by index."""

Place = tuple[str, tuple[str, ...]]
"""A table of the spec, and the key of an item in it."""

_SINGLE = ("PutItem", "UpdateItem", "DeleteItem")
_CHECK = "ConditionCheck"


@dataclass(frozen=True, slots=True)
class _Touch:
    """One item that a request writes or checks."""

    place: Place
    checks: bool = False
    transactional: bool = False


@dataclass(frozen=True, slots=True)
class _Change:
    """One item before and after the call, and the shapes of its table's indexes by name."""

    before: Item | None
    after: Item | None
    indexes: Mapping[str, Any]
    capacity: Any

    def units(self, *, transactional: bool) -> int:
        """The write units of making one of the other."""
        written: int = self.capacity.write_units(
            self.before,
            self.after,
            self.indexes.values(),
            transactional=transactional,
        )
        return written

    def entries(self) -> Iterator[tuple[str, int]]:
        """How many entries are written in each index: a new place is a delete and a put."""
        for name, shape in self.indexes.items():
            old, new = shape.view(self.before), shape.view(self.after)
            moved = old is not None and new is not None and shape.moved(old, new)
            yield name, 2 if moved else int(old != new)


@contextmanager
def charged(
    store: Store, estimate: Estimate | None = None, *, transactional: bool = False
) -> Iterator[None]:
    """What is called inside writes what it must, and no more.

    Each item that is another one afterwards is written once, and nothing else is, unless the call
    changes nothing; several are written in one transaction or in batches. A pattern that is a
    transaction by declaration is `transactional`, and may write what is so already.
    """
    before = _snapshot(store)
    recorder = store.watch()
    yield
    requests = [(r, list(_touches(store, r))) for r in recorder.requests]
    after = _snapshot(store)

    def change(place: Place) -> _Change:
        shapes = _shapes(store, store.tables.definitions[place[0]])
        found = before.get(place), after.get(place)
        return _Change(*found, shapes, store.suite.capacity)

    touches = [touch for _, each in requests for touch in each]
    written = [touch for touch in touches if not touch.checks]
    changed = {p for p in {**before, **after} if before.get(p) != after.get(p)}
    if transactional or not changed:
        changed |= {touch.place for touch in written}
    batch = any(request.operation == "BatchWriteItem" for request, _ in requests)
    together = transactional or (len(changed) > 1 and not batch)
    least = sum(change(p).units(transactional=together) for p in changed)
    spent = sum(change(t.place).units(transactional=t.transactional) for t in written)
    assert spent == least, f"{spent} write units for what {least} could have written"
    if estimate is not None:
        _assert_estimated(estimate, [(t, change(t.place)) for t in touches])
    if store.tables.engine.counts_units:
        for request, each in requests:
            computed = sum(
                change(t.place).units(transactional=t.transactional) for t in each
            )
            assert not each or reported_units(request.response) == computed


def _assert_estimated(
    estimate: Estimate, made: Sequence[tuple[_Touch, _Change]]
) -> None:
    writes: dict[str | None, int] = {None: 0}
    for touch, change in made:
        writes[None] += 2 if touch.transactional else 1
        for index, entries in change.entries():
            writes[index] = writes.get(index, 0) + entries
    for place, count in writes.items():
        least, most = estimate.get(place, (0, 0))
        fits = least <= count and (most is None or count <= most)
        assert fits, (
            f"{count} writes of {place or 'items'}, "
            f"which are estimated as {least} to {most}"
        )


def _snapshot(store: Store) -> dict[Place, Item]:
    return {
        (name, store.tables.definitions[name].key_of(item)): item
        for name, items in store.contents().items()
        for item in items
    }


def _shapes(store: Store, definition: Definition) -> dict[str, Any]:
    shape = store.suite.capacity.IndexShape
    return {
        name: shape(view.key, definition.table.key, view.projected)
        for name, view in definition.indexes.items()
    }


def _touches(store: Store, request: Request) -> Iterator[_Touch]:
    """The items that a request writes or checks; those that a batch leaves unprocessed are not."""
    params = request.params
    if request.operation in _SINGLE:
        yield _Touch(_place(store, params["TableName"], params))
    elif request.operation == "BatchWriteItem":
        left = request.response.get("UnprocessedItems", {})
        for name, requests in params["RequestItems"].items():
            for each in requests:
                if each not in left.get(name, ()):
                    yield _Touch(_place(store, name, *each.values()))
    elif request.operation == "TransactWriteItems":
        for ((action, member),) in map(dict.items, params["TransactItems"]):
            place = _place(store, member["TableName"], member)
            yield _Touch(place, checks=action == _CHECK, transactional=True)


def _place(store: Store, table: str, params: Mapping[str, Any]) -> Place:
    definition = store.tables.engine.guard.definitions[table]
    key = definition.table_key(params.get("Item") or params["Key"])
    return definition.name, definition.key_of(canonical(key))
