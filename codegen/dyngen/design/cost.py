"""What each call of a pattern or of a repository's method costs, in capacity units.

Exact against the rules that `runtime.capacity` counts by (AWS: read-write-operations.html, GSI.html,
LSI.html): where sizes and the outcome of a write are known there is one number, else the least and the
greatest. Sizes come from `sizes` in the spec, and where it is silent from the types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from math import ceil, floor

from dyngen.design.itemsize import (
    NOTHING,
    Bounds,
    always_in,
    can_be_in,
    entry_size,
    exactly,
    item_size,
    total,
    value_size,
)
from dyngen.design.model import Entity, Index, Projection, Table
from dyngen.design.plans import (
    DeletePlan,
    Design,
    KeyWrite,
    MovePlan,
    ReadPlan,
    Route,
    TransactMember,
    TransactPlan,
    UpdatePlan,
    ValueWrite,
)
from dyngen.runtime.capacity import READ_UNIT, WRITE_UNIT
from dyngen.spec.model import Action

PAGE = 1024 * 1024
"""Bytes that one Query or Scan reads at most (I-9; AWS: API_Query)."""

TRANSACTIONAL = 2
"""A transaction reads and writes each item twice (AWS: read-write-operations.html), though not the
entries of indexes."""

_EVENTUALLY = 0.5
_ESCAPE = 3  # the bytes that an escaped character takes in a key


@dataclass(frozen=True, slots=True)
class ReadCost:
    """One call of a read: what it reads, in how many requests, for how many read units."""

    items: int
    requests: int
    units: Bounds


@dataclass(frozen=True, slots=True)
class WriteCost:
    """One write of an item: the write units of the table, and of each index by name.

    Every index that the entity can be in is there, even if nothing is written to it.
    """

    table: Bounds
    indexes: Mapping[str, Bounds]

    @property
    def total(self) -> Bounds:
        """Table and indexes together."""
        return self.table + total(self.indexes.values())


# --- reads ----------------------------------------------------------------------------------------


def read_cost(design: Design, plan: ReadPlan, route: Route) -> ReadCost | None:
    """The cost of a call; None where nothing says how many items it reads."""
    items = items_read(design, plan, route)
    if items is None:
        return None
    size = _read_size(design, plan, route)
    factor = 1.0 if plan.consistent else _EVENTUALLY
    if plan.action is Action.GET:
        entity = design.schema.entity(plan.entities[0])
        return ReadCost(1, 1, get_cost(design, entity, consistent=plan.consistent))
    streams = stream_count(route)
    per_request = _per_request(plan, size)
    requests, units = 0, NOTHING
    for share in _shares(items, streams):
        for chunk in _shares(share, max(1, ceil(share / per_request))):
            requests += 1
            units += _rounded(size * chunk, READ_UNIT) * factor
    if plan.hydrate is not None:
        whole = _whole_size(design, plan.hydrate.entity)
        requests += ceil(items / 100)
        units += _rounded(whole, READ_UNIT) * (factor * items)
    return ReadCost(items, requests, units)


def get_cost(design: Design, entity: Entity, *, consistent: bool = False) -> Bounds:
    """The read units of one `get`."""
    size = _whole_size(design, entity.name)
    return _rounded(size, READ_UNIT) * (1.0 if consistent else _EVENTUALLY)


def items_read(design: Design, plan: ReadPlan, route: Route) -> int | None:
    """How many items a call reads, as far as the spec says; a filter reads more than it returns."""
    returned = _items_returned(design, plan, route)
    if returned is None or plan.filter is None:
        return returned
    if plan.filter.hit_rate is not None:
        return ceil(returned / float(plan.filter.hit_rate))
    return plan.filter.at_most


def stream_count(route: Route) -> int:
    """How many request streams a route has; of a collection given at run time, at least one."""
    return reduce(
        lambda count, fan_out: count * max(1, len(fan_out.values)), route.fan_outs, 1
    )


def _items_returned(design: Design, plan: ReadPlan, route: Route) -> int | None:
    if plan.action is Action.GET or plan.one == "first":
        return 1
    stated = design.estimates.calls(plan.name).items
    if stated is not None or plan.one is not None:
        return stated or 1
    limits = [n for n in (plan.page_size, plan.max_items) if n is not None]
    if limits:
        return min(limits)
    if plan.filter is not None and plan.filter.at_most is not None:
        return plan.filter.at_most
    held = [design.estimates.size(name).held(route.index) for name in plan.entities]
    counts = [h.items if route.scan else h.per_partition for h in held]
    known = [count for count in counts if count is not None]
    if route.range is not None or len(known) < len(counts):
        return plan.at_most
    return sum(known)


def _read_size(design: Design, plan: ReadPlan, route: Route) -> Bounds:
    """The bytes of one item read; of several entities, from the least to the greatest."""
    table = design.schema.table(plan.table)
    index = None if route.index is None else table.index(route.index)
    sizes = [
        entry_size(design.schema.entity(name), table, index, design.estimates)
        for name in plan.entities
    ]
    return _span(sizes)


def _whole_size(design: Design, name: str) -> Bounds:
    entity = design.schema.entity(name)
    return item_size(entity, design.schema.table(entity.table), design.estimates)


def _per_request(plan: ReadPlan, size: Bounds) -> int:
    """How many items fit into one request: a page, or the bytes that DynamoDB reads at once."""
    fitting = max(1, floor(PAGE / max(1, size.most or size.least)))
    return fitting if plan.page_size is None else min(fitting, plan.page_size)


def _shares(items: int, among: int) -> Iterator[int]:
    """A number of items in `among` shares as equal as can be."""
    for number in range(among):
        yield items // among + (number < items % among)


# --- writes ---------------------------------------------------------------------------------------


def create_cost(design: Design, entity: Entity) -> WriteCost:
    """A new item: one entry in each index that it is in, and the markers of its unique values."""
    written = _each_place(
        design, entity, lambda entry, certain: entry if certain else entry.or_none()
    )
    return _marked(written, _markers(entity)) if entity.unique else written


def delete_cost(design: Design, entity: Entity) -> WriteCost:
    """An item deleted: so are its entries and markers."""
    return create_cost(design, entity)


def put_cost(design: Design, entity: Entity) -> WriteCost:
    """An item put over another: an entry stays as it is, changes, or moves."""
    return _each_place(design, entity, lambda entry, _: (entry * 2).or_none())


def update_cost(design: Design, entity: Entity) -> WriteCost:
    """`update` with any changes: as a put; a changed unique value has a marker deleted and one put."""
    written = put_cost(design, entity)
    if not entity.unique:
        return written
    marked = _marked(written, _markers(entity) * 2)
    return WriteCost(
        Bounds(written.table.least, marked.table.most),
        {name: units.or_none() for name, units in marked.indexes.items()},
    )


def pattern_cost(design: Design, plan: UpdatePlan | DeletePlan | MovePlan) -> WriteCost:
    """One call of a write pattern of one item."""
    entity = design.schema.entity(plan.entity)
    match plan:
        case UpdatePlan():
            return _update(design, entity, plan.writes, plan.keys)
        case DeletePlan():
            return delete_cost(design, entity)
        case MovePlan():
            return _in_transaction(_moved(design, entity))


def transaction_cost(
    design: Design, plan: TransactPlan
) -> tuple[tuple[TransactMember, WriteCost], ...]:
    """What each member of a transaction writes; a check is charged as a write of the item."""
    return tuple(
        (member, _in_transaction(_member(design, member)))
        for member in plan.members
        if member.action is not Action.GET
    )


def _member(design: Design, member: TransactMember) -> WriteCost:
    entity = design.schema.entity(member.entity)
    match member.action:
        case Action.CREATE:
            return create_cost(design, entity)
        case Action.PUT:
            return put_cost(design, entity)
        case Action.UPDATE:
            return _update(design, entity, member.writes, member.keys)
        case Action.DELETE:
            return delete_cost(design, entity)
        case _:
            checked = _each_place(design, entity, lambda *_: NOTHING)
            return WriteCost(_units(design, entity, None), checked.indexes)


def _moved(design: Design, entity: Entity) -> WriteCost:
    """Another key of the table is in every entry too: item and entries are deleted and put."""
    written = _each_place(
        design,
        entity,
        lambda entry, certain: entry * 2 if certain else (entry * 2).or_none(),
    )
    markers = _markers(entity)  # they are repointed
    return WriteCost(written.table * 2 + markers, written.indexes)


def _markers(entity: Entity) -> Bounds:
    """The write units of the markers of an item's unique values; their key holds these twice."""
    found = NOTHING
    for unique in entity.unique:
        prefix = exactly(len("".join((entity.name, *unique.attributes))))
        values = total(value_size(entity.attribute(n).type) for n in unique.attributes)
        found += Bounds(1, _rounded((prefix + values) * (2 * _ESCAPE), WRITE_UNIT).most)
    return found


def _marked(written: WriteCost, markers: Bounds) -> WriteCost:
    """A write together with its markers: one transaction."""
    whole = WriteCost(written.table + markers, written.indexes)
    return _in_transaction(whole)


def _update(
    design: Design,
    entity: Entity,
    writes: Iterable[ValueWrite],
    keys: Iterable[KeyWrite],
) -> WriteCost:
    table = design.schema.table(entity.table)
    outcome = _Outcome.of(entity, writes, keys)
    return WriteCost(
        _units(design, entity, None),
        {
            index.name: outcome.units(
                table, index, entity, _units(design, entity, index)
            )
            for index in table.indexes
            if can_be_in(entity, index)
        },
    )


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Stored names of the attributes that an update changes, and of those that it removes for certain."""

    changed: frozenset[str]
    removed: frozenset[str]
    version: str | None  # changes at every write

    @staticmethod
    def of(
        entity: Entity, writes: Iterable[ValueWrite], keys: Iterable[KeyWrite]
    ) -> _Outcome:
        stored = {a.name: a.stored for a in entity.attributes}
        changed = {stored[w.attribute] for w in writes}
        removed = {
            stored[w.attribute] for w in writes if w.verb == "remove" and not w.path
        }
        for key in keys:
            (changed if key.cases else removed).add(key.attribute)
        changed |= {a.stored for a in entity.attributes if a.on_write}
        version = entity.version.stored if entity.version else None
        return _Outcome(
            frozenset(changed | removed | ({version} if version else set())),
            frozenset(removed),
            version,
        )

    def units(
        self, table: Table, index: Index, entity: Entity, entry: Bounds
    ) -> Bounds:
        """The write units of the index, whose entries take `entry` units each."""
        key = {attribute.name for attribute in index.key.all}
        certain = always_in(entity, table, index)
        if key & self.removed:
            return entry.or_none()
        surely = self.version is not None and _holds(index, self.version)
        if key & self.changed:
            written = Bounds(entry.least, (entry * 2).most)
            return written if certain and surely else written.or_none()
        if any(_holds(index, name) for name in self.changed):
            return entry if certain and surely else entry.or_none()
        return NOTHING


def _holds(index: Index, stored: str) -> bool:
    return index.projection is Projection.ALL or stored in index.included


def _each_place(
    design: Design, entity: Entity, units: Callable[[Bounds, bool], Bounds]
) -> WriteCost:
    """The item's own units, and `units` of an entry and of whether it is there for certain."""
    table = design.schema.table(entity.table)
    return WriteCost(
        _units(design, entity, None),
        {
            index.name: units(
                _units(design, entity, index), always_in(entity, table, index)
            )
            for index in table.indexes
            if can_be_in(entity, index)
        },
    )


def _units(design: Design, entity: Entity, index: Index | None) -> Bounds:
    """The write units of one entry of an index, or of the item itself."""
    table = design.schema.table(entity.table)
    return _rounded(entry_size(entity, table, index, design.estimates), WRITE_UNIT)


def _rounded(size: Bounds, unit: int) -> Bounds:
    """Bytes in units, at least one."""
    most = None if size.most is None else max(1, ceil(size.most / unit))
    return Bounds(max(1, ceil(size.least / unit)), most)


def _in_transaction(cost: WriteCost) -> WriteCost:
    return WriteCost(cost.table * TRANSACTIONAL, cost.indexes)


def _span(sizes: Iterable[Bounds]) -> Bounds:
    found = list(sizes)
    mosts = [size.most for size in found if size.most is not None]
    return Bounds(
        min(size.least for size in found),
        max(mosts) if len(mosts) == len(found) else None,
    )
