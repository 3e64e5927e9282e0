"""What each write of a pattern or of a repository's method costs, in write units.

As `cost` for reads: one number where sizes and the outcome are known, else the least and the greatest
(AWS: read-write-operations.html, GSI.html, LSI.html).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from dyngen.design.cost import TRANSACTIONAL
from dyngen.design.derived import entity_writes
from dyngen.design.itemsize import (
    NOTHING,
    Bounds,
    always_in,
    can_be_in,
    entry_size,
    exactly,
    rounded,
    span,
    total,
    value_size,
)
from dyngen.design.keywrites import touched
from dyngen.design.markers import holds_markers, marker_attributes
from dyngen.design.model import Entity, Index, Projection, Table, UniqueKey
from dyngen.design.plans import (
    DeletePlan,
    Design,
    KeyWrite,
    MovePlan,
    TransactMember,
    TransactPlan,
    UpdatePlan,
    ValueWrite,
)
from dyngen.runtime.capacity import WRITE_UNIT
from dyngen.spec.model import Action

_ESCAPE = 3  # the bytes that an escaped character takes in a key


@dataclass(frozen=True, slots=True)
class WriteCost:
    """One write of an item: the write units of the table, and of each index by name.

    Every index that the entity can be in is there, even if nothing is written to it. What its
    markers take is added, wherever they are.
    """

    table: Bounds
    indexes: Mapping[str, Bounds]

    def __add__(self, other: WriteCost) -> WriteCost:
        """Both together."""
        names = dict.fromkeys((*self.indexes, *other.indexes))
        return WriteCost(
            self.table + other.table,
            {
                name: self.indexes.get(name, NOTHING) + other.indexes.get(name, NOTHING)
                for name in names
            },
        )

    def each(self, change: Callable[[Bounds], Bounds]) -> WriteCost:
        """The units of every place, changed alike."""
        return WriteCost(
            change(self.table),
            {name: change(units) for name, units in self.indexes.items()},
        )

    @property
    def total(self) -> Bounds:
        """Table and indexes together."""
        return self.table + total(self.indexes.values())


def create_cost(design: Design, entity: Entity) -> WriteCost:
    """A new item: one entry in each index that it is in, and the markers of its unique values."""
    written = _created(design, entity)
    if not entity.unique:
        return written
    whole = _in_transaction(written)
    if all(_may_lack(entity, unique) for unique in entity.unique):
        return WriteCost(Bounds(written.table.least, whole.table.most), whole.indexes)
    return whole


def delete_cost(design: Design, entity: Entity) -> WriteCost:
    """An item deleted: so are its entries and markers."""
    return create_cost(design, entity)


def put_cost(design: Design, entity: Entity) -> WriteCost:
    """An item put over another: an entry stays as it is, changes, or moves."""
    return _each_place(design, entity, lambda entry, _: (entry * 2).or_none())


def update_cost(design: Design, entity: Entity) -> WriteCost:
    """`update` with any changes: as a put; a changed unique value has a marker deleted and one put."""
    return _marked(put_cost(design, entity), _repointed(design, entity))


def pattern_cost(design: Design, plan: UpdatePlan | DeletePlan | MovePlan) -> WriteCost:
    """One call of a write pattern of one item."""
    entity = design.schema.entity(plan.entity)
    match plan:
        case UpdatePlan(read_first=True):
            return _read_first(design, entity, plan)
        case UpdatePlan():
            return _update(design, entity, plan)
        case DeletePlan():
            return delete_cost(design, entity)
        case MovePlan():
            return _in_transaction(_moved(design, entity, plan))


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
        case Action.CREATE | Action.DELETE:
            return _created(design, entity)
        case Action.PUT:
            return put_cost(design, entity)
        case Action.UPDATE:
            return _update(design, entity, member)
        case _:
            checked = _each_place(design, entity, lambda *_: NOTHING)
            return WriteCost(_units(design, entity, None), checked.indexes)


def _created(design: Design, entity: Entity) -> WriteCost:
    """A new item with its markers, whatever they are written by."""
    written = _each_place(
        design, entity, lambda entry, certain: entry if certain else entry.or_none()
    )
    return _sum(written, (_marker(design, entity, each) for each in entity.unique))


def _moved(design: Design, entity: Entity, plan: MovePlan) -> WriteCost:
    """Another key of the table is in every entry too: item and entries are deleted and put."""
    written = _each_place(
        design,
        entity,
        lambda entry, certain: entry * 2 if certain else (entry * 2).or_none(),
    )
    item = WriteCost(written.table * 2, written.indexes)
    changed = {write.attribute for write in plan.writes}
    return _sum(item, _repointed(design, entity, changed))


def _sum(item: WriteCost, markers: Iterable[WriteCost]) -> WriteCost:
    """A write of an item together with its markers."""
    return reduce(WriteCost.__add__, markers, item)


def _repointed(
    design: Design, entity: Entity, changed: Container[str] | None = None
) -> list[WriteCost]:
    """The markers of an item of which some attributes change, or any: what is written of them.

    That of another value is deleted and one put; a declared one that has a copy of what changes is put
    again. Both only if the item has another value than before.
    """
    found = []
    for unique in entity.unique:
        marker = _marker(design, entity, unique)
        if changed is None or any(name in changed for name in unique.attributes):
            found.append(marker.each(lambda units: (units * 2).or_none()))
        elif any(n in changed for n in marker_attributes(design.schema, unique)):
            found.append(marker.each(Bounds.or_none))
    return found


def _marker(design: Design, entity: Entity, unique: UniqueKey) -> WriteCost:
    """The write units of one marker. An item that lacks a value has none."""
    if unique.marker is not None:
        marker = create_cost(design, design.schema.entity(unique.marker))
    else:
        units = _bare(entity, unique)
        table = design.schema.table(entity.table)
        entries = {e.name: units for e in table.indexes if holds_markers(table, e)}
        marker = WriteCost(units, entries)
    return marker.each(Bounds.or_none) if _may_lack(entity, unique) else marker


def _may_lack(entity: Entity, unique: UniqueKey) -> bool:
    """Whether an item may have no such value, and then no marker."""
    return any(entity.attribute(name).optional for name in unique.attributes)


def _bare(entity: Entity, unique: UniqueKey) -> Bounds:
    """The write units of a marker that is nothing but its key, which holds the values twice."""
    prefix = exactly(len("".join((entity.name, *unique.attributes))))
    values = total(value_size(entity.attribute(n).type) for n in unique.attributes)
    most = rounded((prefix + values) * (2 * _ESCAPE), WRITE_UNIT).most
    return Bounds(1, most)


def _marked(item: WriteCost, markers: Sequence[WriteCost]) -> WriteCost:
    """A write of an item that takes a transaction if markers are written, too."""
    if not markers:
        return item
    whole = _in_transaction(_sum(item, markers))
    return WriteCost(Bounds(item.table.least, whole.table.most), whole.indexes)


def _update(
    design: Design, entity: Entity, plan: UpdatePlan | TransactMember
) -> WriteCost:
    """An update; one that may make the item costs what a new item does, or what the update does."""
    outcome = _Outcome.of(entity, plan.writes, plan.keys)
    written = _outcome_cost(design, entity, outcome)
    if not plan.upsert:
        return written
    made = create_cost(design, entity)
    return WriteCost(
        span([written.table, made.table]),
        {
            name: span([written.indexes[name], made.indexes[name]])
            for name in made.indexes
        },
    )


def _read_first(design: Design, entity: Entity, plan: UpdatePlan) -> WriteCost:
    """An update whose keys, and whose markers of unique values, follow from the item read."""
    changed = {write.attribute for write in plan.writes}
    derived = entity_writes(entity, design.schema).derived
    keys = [key.attribute for key in derived if touched(key, changed)]
    outcome = _Outcome.of(entity, plan.writes, (), may_change=keys)
    written = _outcome_cost(design, entity, outcome)
    return _marked(written, _repointed(design, entity, changed))


def _outcome_cost(design: Design, entity: Entity, outcome: _Outcome) -> WriteCost:
    table = design.schema.table(entity.table)
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
        entity: Entity,
        writes: Iterable[ValueWrite],
        keys: Iterable[KeyWrite],
        may_change: Iterable[str] = (),
    ) -> _Outcome:
        stored = {a.name: a.stored for a in entity.attributes}
        changed = {stored[w.attribute] for w in writes} | set(may_change)
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
    return rounded(entry_size(entity, table, index, design.estimates), WRITE_UNIT)


def _in_transaction(cost: WriteCost) -> WriteCost:
    return WriteCost(cost.table * TRANSACTIONAL, cost.indexes)
