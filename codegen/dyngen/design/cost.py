"""What each call of a read costs, in read units; `writecost` has the writes.

Exact against the rules that `runtime.capacity` counts by (AWS: read-write-operations.html, GSI.html,
LSI.html): where sizes are known there is one number, else the least and the greatest. Sizes come from `sizes` in the spec, and where it is silent from the types.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from math import ceil, floor

from dyngen.design.itemsize import (
    NOTHING,
    Bounds,
    entry_size,
    item_size,
    rounded,
    span,
)
from dyngen.design.model import Entity
from dyngen.design.plans import (
    Design,
    ReadPlan,
    Route,
    TransactMember,
    TransactPlan,
)
from dyngen.runtime.capacity import READ_UNIT
from dyngen.spec.model import Action

PAGE = 1024 * 1024
"""Bytes that one Query or Scan reads at most (I-9; AWS: API_Query)."""

TRANSACTIONAL = 2
"""A transaction reads and writes each item twice (AWS: read-write-operations.html), though not the
entries of indexes."""

_EVENTUALLY = 0.5


@dataclass(frozen=True, slots=True)
class ReadCost:
    """One call of a read: what it reads, in how many requests, for how many read units."""

    items: int
    requests: int
    units: Bounds


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
            units += rounded(size * chunk, READ_UNIT) * factor
    if plan.hydrate is not None:
        whole = _whole_size(design, plan.hydrate.entity)
        requests += ceil(items / 100)
        units += rounded(whole, READ_UNIT) * (factor * items)
    return ReadCost(items, requests, units)


def get_cost(design: Design, entity: Entity, *, consistent: bool = False) -> Bounds:
    """The read units of one `get`."""
    size = _whole_size(design, entity.name)
    return rounded(size, READ_UNIT) * (1.0 if consistent else _EVENTUALLY)


def transaction_reads(
    design: Design, plan: TransactPlan
) -> tuple[tuple[TransactMember, Bounds], ...]:
    """The read units of each item that a transaction reads: twice those of a consistent read."""
    return tuple(
        (
            member,
            get_cost(design, design.schema.entity(member.entity), consistent=True)
            * TRANSACTIONAL,
        )
        for member in plan.members
        if member.action is Action.GET
    )


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
    return span(sizes)


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
