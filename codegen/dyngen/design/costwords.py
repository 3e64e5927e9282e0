"""The cost model as words and as JSON values, for `dyngen explain`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dyngen.design import cost, writecost
from dyngen.design.contents import places
from dyngen.design.describe import WritePlan
from dyngen.design.estimates import EntitySize
from dyngen.design.itemsize import Bounds, always_in, can_be_in, entry_size, total
from dyngen.design.model import Entity, Index, Table
from dyngen.design.plans import (
    DeleteEachPlan,
    Design,
    ReadPlan,
    Route,
    TransactPlan,
)
from dyngen.design.traffic import traffic
from dyngen.design.writecost import WriteCost
from dyngen.spec.model import Action

Estimate = dict[str, Any]

_BYTES = ("bytes", "KB", "MB", "GB", "TB")

_PER_ENTRY = 100
"""Bytes that storage adds to an item and to an index entry (C-1; AWS: CapacityUnitCalculations.html)."""


def read_estimate(design: Design, plan: ReadPlan, route: Route) -> Estimate | None:
    """The cost of a call, where `sizes` and `rates` say enough to know it."""
    found = cost.read_cost(design, plan, route)
    stated = [design.estimates.size(name).bytes for name in plan.entities]
    if found is None or None in stated:
        return None
    items = _count(found.items, "item")
    requests = _count(found.requests, "request")
    return {
        "words": f"{_units(found.units, 'read')} a call: {items}, {requests}",
        "items": found.items,
        "requests": found.requests,
        "read_units": _ends(found.units),
    }


def write_estimate(design: Design, plan: WritePlan) -> Estimate | None:
    """The cost of a call; per KB of the item, where `sizes` do not say how large it is."""
    match plan:
        case DeleteEachPlan():
            return None
        case TransactPlan() if all(m.action is Action.GET for m in plan.members):
            return _transaction_reads(design, plan)
        case TransactPlan():
            members = [
                (member.entity, written)
                for each in {member.entity for member in plan.members}
                for member, written in writecost.transaction_cost(
                    _sized(design, each), plan
                )
                if member.entity == each
            ]
        case _:
            sized = _sized(design, plan.entity)
            members = [(plan.entity, writecost.pattern_cost(sized, plan))]
    if not members:
        return None
    names = {name for name, _ in members}
    per_kb = any(design.estimates.size(name).bytes is None for name in names)
    return _written(design, members, per_kb=per_kb)


def _transaction_reads(design: Design, plan: TransactPlan) -> Estimate | None:
    """The cost of a call, where `sizes` say enough to know it."""
    if any(design.estimates.size(m.entity).bytes is None for m in plan.members):
        return None
    read = cost.transaction_reads(design, plan)
    units = total(each for _, each in read)
    items = _count(len(read), "item")
    return {
        "words": f"{_units(units, 'read')} a call: {items}, 1 request",
        "items": len(read),
        "requests": 1,
        "read_units": _ends(units),
    }


def entity_costs(design: Design) -> Iterator[tuple[str, Estimate]]:
    """What the repository's own writes cost, as `Order.create`."""
    for entity in design.schema.entities:
        sized = _sized(design, entity.name)
        per_kb = design.estimates.size(entity.name).bytes is None
        for operation, of in (
            ("create", writecost.create_cost),
            ("put", writecost.put_cost),
            ("update", writecost.update_cost),
            ("delete", writecost.delete_cost),
        ):
            if operation in entity.operations:
                written = [(entity.name, of(sized, entity))]
                yield f"{entity.name}.{operation}", _written(
                    design, written, per_kb=per_kb
                )


def loads(design: Design) -> Iterator[str]:
    """What stated rates and sizes put on each place: units a second, and bytes of storage."""
    found = traffic(design)
    for table in design.schema.tables:
        for index in places(table):
            name = None if index is None else index.name
            mine = [t for t in found if (t.table, t.index) == (table.name, name)]
            reads, writes = sum(t.reads for t in mine), sum(t.writes for t in mine)
            said = [
                f"{_rate(units)} {kind} units a second"
                for units, kind in ((reads, "read"), (writes, "write"))
                if units
            ]
            stored = _storage(design, table, index)
            if stored is not None:
                said.append(f"{_bytes(stored)} stored")
            if said:
                yield f"{name or table.name}: {', '.join(said)}"


def _storage(design: Design, table: Table, index: Index | None) -> Bounds | None:
    """Bytes of a place, where `sizes` count the items of all its entities."""
    sizes = []
    for entity in design.schema.entities:
        if entity.table != table.name or not can_be_in(entity, index):
            continue
        count = _items(design, entity, table, index)
        if count is None:
            return None
        entry = entry_size(entity, table, index, design.estimates)
        sizes.append((entry + Bounds(_PER_ENTRY, _PER_ENTRY)) * count)
    return total(sizes) if sizes else None


def _items(
    design: Design, entity: Entity, table: Table, index: Index | None
) -> int | None:
    size = design.estimates.size(entity.name)
    inside = size.held(None if index is None else index.name).items
    if inside is None and always_in(entity, table, index):
        return size.held(None).items
    return inside


def _sized(design: Design, entity: str) -> Design:
    """The design with every item and entry of one unit, where nothing says how large items are."""
    stated = design.estimates.size(entity)
    if stated.bytes is not None:
        return design
    sizes = {**design.estimates.sizes, entity: EntitySize(1, stated.places)}
    return replace(design, estimates=replace(design.estimates, sizes=sizes))


def _written(
    design: Design, members: list[tuple[str, WriteCost]], *, per_kb: bool
) -> Estimate:
    units: dict[str, Bounds] = {}
    for name, written in members:
        table = design.schema.entity(name).table
        for place, bounds in ((table, written.table), *written.indexes.items()):
            units[place] = units.get(place, Bounds(0, 0)) + bounds
    charged = {place: bounds for place, bounds in units.items() if bounds.most != 0}
    words = ", ".join(
        f"{_range(bounds)} for {place}" for place, bounds in charged.items()
    )
    return {
        "words": f"write units{' per KB' if per_kb else ''}: {words}",
        "write_units": {place: _ends(bounds) for place, bounds in units.items()},
        "per_kb": per_kb,
    }


def _units(bounds: Bounds, kind: str) -> str:
    return f"{_range(bounds)} {kind} unit{'' if bounds == Bounds(1, 1) else 's'}"


def _range(bounds: Bounds) -> str:
    if bounds.exact:
        return f"{bounds.least:g}"
    if bounds.most is None:
        return f"at least {bounds.least:g}"
    return f"{bounds.least:g} to {bounds.most:g}"


def _ends(bounds: Bounds) -> list[float | None]:
    return [bounds.least, bounds.most]


def _rate(units: float) -> str:
    return f"{units:,.1f}" if units >= 0.1 else f"{units:.1g}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _bytes(size: Bounds) -> str:
    number = size.most or size.least
    exponent = min(int(math.log(max(number, 1), 1024)), len(_BYTES) - 1)
    shown = f"{number / 1024**exponent:,.1f}".removesuffix(".0")
    return f"{'' if size.exact else 'at most '}{shown} {_BYTES[exponent]}"
