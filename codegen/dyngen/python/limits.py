"""Designs that the Python back end cannot write, refused rather than written wrong.

DG183: repositories' modules would have to import one another. DG184: a unique value that no key can
hold. DG185: a marker's entity needs what the items that it marks do not have. DG290: an update
whose keys hold what is computed from what it writes, or a read of several requests whose items
the keys cannot put in order. DG291: a request that is too large for DynamoDB (`dyngen.python.requests`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dyngen.design.contents import template_inputs
from dyngen.design.model import Entity, KeySchema, Schema
from dyngen.design.plans import (
    Design,
    EntityWrites,
    OrderKey,
    ReadPlan,
    Route,
    UpdatePlan,
)
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import listed
from dyngen.keys.encoding import encoder
from dyngen.keys.model import SHARD, Encoding, Part
from dyngen.python import requests
from dyngen.python.routes import merge


def check(design: Design) -> list[Diagnostic]:
    """What the Python back end refuses of a design, in no particular order."""
    found: list[Diagnostic] = []
    for entity in design.schema.entities:
        found += _unique_values(entity)
        found += _markers(entity, design.schema)
    found += _imports(design)
    found += requests.check(design)
    for read in design.reads:
        found += _orders(read, design.schema)
    for plan in design.updates:
        writes = next(w for w in design.writes if w.entity == plan.entity)
        found += _stale_keys(plan, design.schema.entity(plan.entity), writes)
    return found


def _unique_values(entity: Entity) -> Iterator[Diagnostic]:
    for unique in entity.unique:
        if unique.marker is not None:
            continue
        for name in unique.attributes:
            attribute = entity.attribute(name)
            try:
                encoder(Part(name, attribute.type), Encoding())
            except ValueError:
                yield error(
                    "DG184",
                    f"`{name}` cannot be unique: a marker's key holds it, and it has no width",
                    unique.span,
                    secondary=[Label(attribute.span, "declared here")],
                    help=["give it `min` and `max`, or `digits` and `places`"],
                )


def _markers(entity: Entity, schema: Schema) -> Iterator[Diagnostic]:
    """A declared marker is made of attributes that the marked entity has too."""
    own = {attribute.name for attribute in entity.attributes}
    for unique in entity.unique:
        if unique.marker is None:
            continue
        marker = schema.entity(unique.marker)
        lacking = [
            attribute.name
            for attribute in marker.attributes
            if attribute.name not in own
            and attribute.computed is None
            and not attribute.optional
            and (attribute.default is None or attribute.filled)
        ]
        if lacking:
            yield error(
                "DG185",
                f"`{marker.name}` cannot mark items of `{entity.name}`, which have no"
                f" {listed(lacking)}",
                unique.span,
                secondary=[Label(marker.span, "the marker's entity")],
                help=["a marker is made of attributes of the same names"],
            )


def _imports(design: Design) -> Iterator[Diagnostic]:
    """Repositories that complete or mark items of others import their modules."""
    needs: dict[str, dict[str, None]] = {e.name: {} for e in design.schema.entities}
    for plan in design.reads:
        if plan.hydrate is not None and plan.entities[0] != plan.hydrate.entity:
            needs[plan.entities[0]][plan.hydrate.entity] = None
    for entity in design.schema.entities:
        for unique in entity.unique:
            if unique.marker not in (None, entity.name):
                needs[entity.name][unique.marker or ""] = None
    for entity in design.schema.entities:
        circle = _circle(entity.name, needs, ())
        if circle and min(circle) == entity.name:
            yield error(
                "DG183",
                f"the repositories of {listed(circle, 'and')} would need one another",
                entity.span,
                secondary=[
                    Label(design.schema.entity(name).span) for name in circle[1:]
                ],
                help=[
                    "complete or mark items in one direction only; read the others by their"
                    " own repository"
                ],
            )


def _circle(
    name: str, needs: dict[str, dict[str, None]], path: tuple[str, ...]
) -> tuple[str, ...]:
    if name in path:
        return path if path[0] == name else ()
    for other in needs[name]:
        if found := _circle(other, needs, (*path, name)):
            return found
    return ()


def _orders(plan: ReadPlan, schema: Schema) -> Iterator[Diagnostic]:
    """Several requests whose items the keys alone cannot put into one order."""
    table = schema.table(plan.table)
    for alternative in plan.alternatives:
        route = alternative.route
        key = table.key if route.index is None else table.index(route.index).key
        if merge(route, key) is None:
            loops = [fan_out.variable for fan_out in route.fan_outs]
            yield error(
                "DG290",
                f"`{plan.name}` makes a request for each {listed(loops, 'and')}, whose items"
                " the keys do not give in the order asked for",
                plan.span or table.span,
                help=[_other_order(route, key)],
            )
            return


def _other_order(route: Route, key: KeySchema) -> str:
    """The order nearest to the one asked for in which the requests of a read can be merged."""
    loops = [f.variable for f in route.fan_outs if f.variable != SHARD]
    asked = [order for order in route.merge_by if order.attribute not in loops]
    for descending in (False, True) if loops else ():
        first = tuple(OrderKey(name, descending) for name in loops)
        for order in ((*first, *asked), first):
            if merge(replace(route, merge_by=order), key) is not None:
                return (
                    f"order by {listed(loops, 'and')} first, as in the key and in one direction"
                    " with the rest, or not at all"
                )
    return "leave `order_by` out: requests are then made one after another"


def _stale_keys(
    plan: UpdatePlan, entity: Entity, writes: EntityWrites
) -> Iterator[Diagnostic]:
    """Keys that hold a `computed` attribute change with what that is computed from."""
    if plan.read_first:
        return
    written = {write.attribute for write in plan.writes}
    follow = {key.attribute for key in plan.keys}
    for derived in writes.derived:
        sources = {
            source
            for name in derived.inputs
            if (computed := entity.attribute(name).computed) is not None
            for source in template_inputs(computed)
        }
        if sources & written and derived.attribute not in follow:
            yield error(
                "DG290",
                f"`{plan.name}` would leave the key `{derived.attribute}` as it is, which holds what"
                f" is computed from {listed(sorted(sources & written), 'and')}",
                plan.span or entity.span,
                help=["read the item first (`read_first: true`)"],
            )
