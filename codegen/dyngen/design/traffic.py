"""What the stated rates put on tables and indexes, in capacity units a second.

Only what the spec states is counted: a pattern without a rate, a read of an unknown number of items,
and a write into a sparse index of unknown size add nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dyngen.design import cost, writecost
from dyngen.design.itemsize import Bounds, always_in
from dyngen.design.model import Entity
from dyngen.design.plans import DeletePlan, Design, MovePlan, ReadPlan, UpdatePlan
from dyngen.design.writecost import WriteCost


@dataclass(frozen=True, slots=True)
class Traffic:
    """The units a second that one method puts on one place.

    Attributes:
        table, index: the place; without an index, the table itself.
        entity: whose items are read or written there.
        source: the pattern, or `Order.create`.
        reads, writes: units a second.
    """

    table: str
    index: str | None
    entity: str
    source: str
    reads: float = 0
    writes: float = 0

    def units(self, kind: str) -> float:
        """The units of one kind, "read" or "write"."""
        return self.reads if kind == "read" else self.writes


def traffic(design: Design) -> tuple[Traffic, ...]:
    """Everything that the rates say, method by method."""
    return (*_reads(design), *_patterns(design), *_operations(design))


def _reads(design: Design) -> Iterator[Traffic]:
    for plan in (*design.reads, *(each.read for each in design.delete_eaches)):
        calls = design.estimates.calls(plan.name).per_second
        if calls:
            yield from _read(design, plan, calls)


def _read(design: Design, plan: ReadPlan, calls: float) -> Iterator[Traffic]:
    route = plan.alternatives[0].route
    found = cost.read_cost(design, plan, route)
    if found is None or found.units.most is None:
        return
    yield Traffic(
        plan.table,
        route.index,
        plan.entities[0],
        plan.name,
        reads=calls * found.units.most,
    )


def _patterns(design: Design) -> Iterator[Traffic]:
    plans: tuple[UpdatePlan | DeletePlan | MovePlan, ...] = (
        *design.updates,
        *design.deletes,
        *design.moves,
    )
    for plan in plans:
        calls = design.estimates.calls(plan.name).per_second
        if calls:
            written = writecost.pattern_cost(design, plan)
            yield from _written(design, plan.entity, plan.name, written, calls)
    for transaction in design.transactions:
        calls = design.estimates.calls(transaction.name).per_second
        if calls:
            for member, units in cost.transaction_reads(design, transaction):
                entity = design.schema.entity(member.entity)
                reads = calls * (units.most or 0)
                yield Traffic(
                    entity.table, None, entity.name, transaction.name, reads=reads
                )
            for member, written in writecost.transaction_cost(design, transaction):
                yield from _written(
                    design, member.entity, transaction.name, written, calls
                )


def _operations(design: Design) -> Iterator[Traffic]:
    for name, operations in design.estimates.operations.items():
        for operation, calls in operations.items():
            entity = next((e for e in design.schema.entities if e.name == name), None)
            if entity is None:
                continue
            source = f"{name}.{operation}"
            if operation == "get":
                units = cost.get_cost(design, entity).most
                yield Traffic(
                    entity.table, None, name, source, reads=calls * (units or 0)
                )
            else:
                written = _operation_cost(design, entity, operation)
                yield from _written(design, name, source, written, calls)


def _operation_cost(design: Design, entity: Entity, operation: str) -> WriteCost:
    """The usual cost: a put is mostly of a new item, an update leaves most keys as they are."""
    match operation:
        case "delete":
            return writecost.delete_cost(design, entity)
        case "update":
            changed = writecost.update_cost(design, entity)
            least = {n: Bounds(u.least, u.least) for n, u in changed.indexes.items()}
            return WriteCost(changed.table, least)
        case _:
            return writecost.create_cost(design, entity)


def _written(
    design: Design, name: str, source: str, written: WriteCost, calls: float
) -> Iterator[Traffic]:
    entity = design.schema.entity(name)
    units = written.table.most or written.table.least
    yield Traffic(entity.table, None, name, source, writes=calls * units)
    own = {index.name for index in design.schema.table(entity.table).indexes}
    for index, bounds in written.indexes.items():
        share = share_in(design, entity, index) if index in own else None
        if share and bounds.most:
            yield Traffic(
                entity.table, index, name, source, writes=calls * share * bounds.most
            )


def share_in(design: Design, entity: Entity, index: str) -> float | None:
    """The share of an entity's items that are in an index; None where nothing says it."""
    table = design.schema.table(entity.table)
    if always_in(entity, table, table.index(index)):
        return 1
    size = design.estimates.size(entity.name)
    inside, all_items = size.held(index).items, size.held(None).items
    if inside is None or all_items is None:
        return None
    return min(1.0, inside / all_items)
