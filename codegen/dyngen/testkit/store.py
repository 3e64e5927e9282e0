"""A service under test: its entities, its tables, and what was stored in them."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis.strategies import SearchStrategy

from .engine import Engine, Tables
from .markers import Marker, Unique
from .reads import Recorder, Request
from .tables import Definition, Item, canonical


class Clock:
    """A clock that stands still."""

    def __init__(self, now: dt.datetime) -> None:
        self.now = now

    def __call__(self) -> dt.datetime:
        """The time."""
        return self.now

    @contextmanager
    def at(self, moment: Any) -> Iterator[None]:
        """Another time, for a while; none if `moment` is no time."""
        before = self.now
        if isinstance(moment, dt.date):
            midnight = dt.datetime.combine(moment, dt.time(), dt.UTC)
            self.now = moment if isinstance(moment, dt.datetime) else midnight
        try:
            yield
        finally:
            self.now = before


@dataclass(frozen=True, slots=True)
class Kind:
    """One entity of the service.

    Attributes:
        type: its class.
        table: its table's name in the spec.
        repository: finds its repository in the service object.
        encode: the stored form that a fresh write gives an item.
        key: finds the arguments that `get` and `delete` take for an item.
        random: makes items, often alike and sometimes not; some cannot be stored.
        indexes: per index, whether it holds an item; said anew here, so that it is compared.
        operations: the methods that the repository has.
        changeable: the attributes that `update` may change.
        version: the field that holds the version token, and the name it is stored under.
        clocked: the fields that every write sets to the time, and that time.
        unique: the attributes whose values no two items share.
    """

    type: type[Any]
    table: str
    repository: Callable[[Any], Any]
    encode: Callable[[Any], Mapping[str, Any]]
    key: Callable[[Any], dict[str, Any]]
    random: SearchStrategy[Any]
    indexes: Mapping[str, Callable[[Any], bool]]
    operations: frozenset[str]
    changeable: Sequence[str] = ()
    version: tuple[str, str] | None = None
    clocked: Mapping[str, Any] = field(default_factory=dict)
    unique: Sequence[Unique] = ()

    @property
    def drawn(self) -> SearchStrategy[Any]:
        """Random items that can be stored: a key may not take every text that an attribute takes."""
        return self.random.filter(self._can_be_stored)

    def _can_be_stored(self, item: Any) -> bool:
        try:
            self.encode(self.with_version(item, "a token"))
        except ValueError:  # what the package calls InvalidValue
            return False
        return True

    def holding(self, item: Any) -> frozenset[str]:
        """The names of the indexes that must hold this item."""
        return frozenset(name for name, holds in self.indexes.items() if holds(item))

    @property
    def deletes_items(self) -> bool:
        """Whether `delete` takes the item as it was read, and not just its key."""
        return self.version is not None or bool(self.unique)

    def version_of(self, item: Any) -> dict[str, Any]:
        """The item's version token by its field; nothing if the entity has none."""
        if self.version is None:
            return {}
        return {self.version[0]: getattr(item, self.version[0])}

    def with_version(self, item: Any, token: str) -> Any:
        """The item with this version token, if the entity has one."""
        if self.version is None:
            return item
        return dataclasses.replace(item, **{self.version[0]: token})

    @property
    def unique_fields(self) -> frozenset[str]:
        """The fields that hold unique values."""
        return frozenset(name for each in self.unique for name in each.fields)

    def markers(self, item: Any) -> list[Marker]:
        """What must be stored beside this item, so that its values stay unique."""
        return [
            each.marker(item) for each in self.unique if each.values(item) is not None
        ]

    def as_marker(self, item: Any) -> Marker:
        """An item of this entity that marks values of another's."""
        return Marker(self.table, self.encode(item), item)

    def taken(self, item: Any, others: Iterable[Any]) -> Unique | None:
        """The first of the unique attributes whose values one of the other items has.

        The others are of this entity, and `item` is none of them.
        """
        present = list(others)
        for each in self.unique:
            values = each.values(item)
            if values is not None and values in map(each.values, present):
                return each
        return None


@dataclass(frozen=True, slots=True)
class Suite:
    """What a service's suite consists of.

    Attributes:
        service: makes the service object from a client and a prefix of table names.
        clock: the time that the service object is given.
        tables: the arguments of CreateTable, per table.
        kinds: the entities.
        errors: the module of the service's errors.
        capacity: the module that computes item sizes and units.
        scans: the declared scans, as (table, index).
        policy: the template of the service's IAM policies.
    """

    service: Callable[[Any, str], Any]
    clock: Clock
    tables: Sequence[Mapping[str, Any]]
    kinds: Sequence[Kind]
    errors: Any
    capacity: Any
    scans: frozenset[tuple[str, str | None]] = frozenset()
    policy: Path | None = None

    def kind(self, item: Any) -> Kind:
        """The entity that an item belongs to. Raises KeyError."""
        for kind in self.kinds:
            if isinstance(item, kind.type):
                return kind
        raise KeyError(type(item).__name__)

    @contextmanager
    def store(self, engine: Engine) -> Iterator[Store]:
        """Fresh tables with nothing in them; removed at the end."""
        with engine.tables(self.tables) as tables:
            yield Store(self, tables, self.service(engine.client, tables.prefix))


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a table must hold of one item: its stored form, and the indexes that it is in."""

    table: str
    stored: Mapping[str, Any]
    indexes: frozenset[str]


@dataclass(slots=True)
class Store:
    """Fresh tables, the service object on them, and the items that were added.

    Among them are the items of declared entities that mark unique values.
    """

    suite: Suite
    tables: Tables
    db: Any
    items: list[Any] = field(default_factory=list)

    def add(self, *items: Any) -> list[Any]:
        """Create items, and return them as stored.

        One whose key is taken, or a value of which must be unique and is taken, is left out.
        """
        added = [stored for item in items if (stored := self._create(item)) is not None]
        self.items += added
        markers = self._markers(added)
        self.items += [each.item for each in markers if each.item is not None]
        return added

    def _markers(self, items: Iterable[Any]) -> list[Marker]:
        return [each for item in items for each in self.suite.kind(item).markers(item)]

    def _create(self, item: Any) -> Any:
        kind = self.suite.kind(item)
        if "create" not in kind.operations:
            return self._put(kind, item)
        written_at = next((getattr(item, name) for name in kind.clocked), None)
        try:
            with self.suite.clock.at(written_at):
                return kind.repository(self.db).create(item)
        except (self.suite.errors.ItemExists, self.suite.errors.UniqueTaken):
            return None

    def _put(self, kind: Kind, item: Any) -> Any:
        """Store an item of an entity that transactions alone write, past them."""
        entries = [Marker(kind.table, kind.encode(item)), *kind.markers(item)]
        if any(self.tables.item(each.table, each.stored) for each in entries):
            return None
        for each in entries:
            self.tables.put(each.table, each.stored)
        return item

    def clear(self) -> None:
        """Empty the tables."""
        self.tables.empty()
        self.items.clear()

    def watch(self) -> Recorder:
        """The record of requests, from now on."""
        recorder = self.tables.engine.recorder
        recorder.clear()
        return recorder

    def raw(self, item: Any) -> dict[str, Any] | None:
        """What is stored under the key of an item; None if nothing is."""
        kind = self.suite.kind(item)
        return self.tables.item(kind.table, kind.encode(item))

    def contents(self) -> dict[str, list[dict[str, Any]]]:
        """Everything in the tables, in a fixed order."""
        return {name: self.tables.items(name) for name in self.tables.definitions}

    def assert_holds(self, *items: Any) -> None:
        """The tables hold just these items, with fresh keys, each in just the right indexes.

        Beside them, they hold just the markers of their unique values.
        """
        entries = [self._entry(item) for item in items]
        entries += map(self._marker_entry, self._markers(items))
        for name, definition in self.tables.definitions.items():
            mine = [entry for entry in entries if entry.table == name]
            self._assert_table(definition, mine)

    def _entry(self, item: Any) -> _Entry:
        kind = self.suite.kind(item)
        return _Entry(kind.table, canonical(kind.encode(item)), kind.holding(item))

    def _marker_entry(self, marker: Marker) -> _Entry:
        if marker.item is not None:
            return self._entry(marker.item)
        definition = self.tables.definitions[marker.table]
        return _Entry(
            marker.table,
            marker.stored,
            frozenset(
                name
                for name, view in definition.indexes.items()
                if definition.entry(view, marker.stored) is not None
            ),
        )

    def _assert_table(self, definition: Definition, entries: Sequence[_Entry]) -> None:
        stored = [entry.stored for entry in entries]
        assert self.tables.items(definition.name) == sorted(
            stored, key=definition.key_of
        )
        for index in definition.indexes:
            expected = sorted(
                definition.key_of(entry.stored)
                for entry in entries
                if index in entry.indexes
            )
            found = self.tables.keys(definition.name, index)
            assert found == expected, f"{index} holds other items than it should"

    def read_units(self, recorder: Recorder) -> float:
        """The read units of everything recorded, as AWS counts them."""
        return float(sum(map(self._units, recorder.requests)))

    def _units(self, request: Request) -> Any:
        read_units, size = self.suite.capacity.read_units, self.suite.capacity.item_size
        match request.operation:
            case "Query" | "Scan":
                sizes = [size(item) for item in self._entries(request)]
                return read_units(sizes, consistent=request.consistent)
            case "GetItem":
                item = request.response.get("Item", {})
                return read_units([size(item)], consistent=request.consistent)
            case _:
                items = [
                    i for group in request.response["Responses"].values() for i in group
                ]
                return sum(read_units([size(item)]) for item in items)

    def _entries(self, request: Request) -> list[Item]:
        """What the engine read for a request, whole: it is paid for whatever is projected."""
        items: list[Item] = request.response["Items"]
        if "ProjectionExpression" not in request.params:
            return items
        name = request.params["TableName"].removeprefix(self.tables.prefix)
        definition = self.tables.definitions[name]
        view = definition.view(request.params.get("IndexName"))
        stored = [self.tables.item(name, item) for item in items]
        entries = [definition.entry(view, item) for item in stored if item is not None]
        return [entry for entry in entries if entry is not None]

    def get_units(self, item: Any) -> float:
        """The read units of fetching an item by its key."""
        size = self.suite.capacity.item_size(self.suite.kind(item).encode(item))
        return float(self.suite.capacity.read_units([size]))

    def least_read_units(
        self,
        items: Sequence[Any],
        table: str,
        index: str | None,
        *,
        consistent: bool = False,
    ) -> float:
        """The read units of one request that reads just these items in a table or index."""
        definition = self.tables.definitions[table]
        entries: list[Item] = []
        for item in items:
            entry = definition.entry(
                definition.view(index), self.suite.kind(item).encode(item)
            )
            assert entry is not None, f"an item that {index} should not hold"
            entries.append(entry)
        sizes = [self.suite.capacity.item_size(entry) for entry in entries]
        return float(self.suite.capacity.read_units(sizes, consistent=consistent))
