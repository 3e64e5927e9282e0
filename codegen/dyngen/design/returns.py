"""What a read returns: whole items, what an index projects, a selection, or items completed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dyngen.design.derived import table_key_inputs
from dyngen.design.model import Entity, Schema
from dyngen.design.paths import unknown_attribute
from dyngen.design.plans import HydratePlan
from dyngen.design.tables import ttl_name
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.spec.model import AccessPattern


@dataclass(frozen=True, slots=True)
class Returned:
    """`projected`: the attributes that come back (None: whole items), named after `name`."""

    projected: tuple[str, ...] | None
    name: str | None
    select: bool
    hydrate: HydratePlan | None
    expires: str | None


def returned(
    pattern: AccessPattern,
    entity: Entity,
    schema: Schema,
    columns: frozenset[str] | None,
    index: str | None,
) -> Returned | list[Diagnostic]:
    """What the pattern returns from a place that holds `columns` (None: everything)."""
    problems = [
        *_selection_problems(pattern, entity, columns, index),
        *_hydration_problems(pattern, entity, schema, columns),
        *_expiry_problems(pattern, entity, schema, columns),
    ]
    if problems:
        return problems
    projected = None if columns is None else _in_order(entity, columns)
    name = None if columns is None else index
    if pattern.select:
        projected = _in_order(entity, frozenset(n.text for n in pattern.select))
        name = pattern.name.text
    if pattern.hydrate is not None:
        projected = name = None
    return Returned(
        projected,
        name,
        select=bool(pattern.select),
        hydrate=_hydration(pattern, entity),
        expires=_expires(entity, schema) if pattern.expired == "exclude" else None,
    )


def _in_order(entity: Entity, columns: frozenset[str]) -> tuple[str, ...]:
    return tuple(a.name for a in entity.attributes if a.name in columns)


def _hydration(pattern: AccessPattern, entity: Entity) -> HydratePlan | None:
    hydrate = pattern.hydrate
    if hydrate is None:
        return None
    if hydrate.entity is None:
        return HydratePlan(entity.name)
    key = tuple((theirs.text, ours.text) for theirs, ours in hydrate.key)
    return HydratePlan(hydrate.entity.text, key)


# --- select ---------------------------------------------------------------------------------------


def _selection_problems(
    pattern: AccessPattern,
    entity: Entity,
    columns: frozenset[str] | None,
    index: str | None,
) -> Iterator[Diagnostic]:
    names = [a.name for a in entity.attributes]
    for name in pattern.select:
        if name.text not in names:
            yield unknown_attribute(name, entity, name.text)
        elif columns is not None and name.text not in columns:
            yield error(
                "DG215",
                f"`{index}` does not project `{name.text}`",
                name.span,
                help=[
                    f"add `{name.text}` to the index's projection",
                    "or complete the items from the table (`hydrate: true`)",
                ],
            )
    if pattern.select and pattern.hydrate is not None:
        yield error(
            "DG215",
            "`select` and `hydrate` exclude one another",
            pattern.hydrate.span,
            help=["`hydrate` returns whole items; leave one of the two out"],
        )


# --- hydrate --------------------------------------------------------------------------------------


def _hydration_problems(
    pattern: AccessPattern,
    entity: Entity,
    schema: Schema,
    columns: frozenset[str] | None,
) -> Iterator[Diagnostic]:
    hydrate = pattern.hydrate
    if hydrate is None or hydrate.entity is None:
        return
    others = {other.name: other for other in schema.entities}
    other = others.get(hydrate.entity.text)
    if other is None:
        yield error(
            "DG110",
            f"there is no entity `{hydrate.entity.text}`",
            hydrate.entity.span,
            help=[did_you_mean(hydrate.entity.text, others)],
        )
        return
    for theirs, ours in hydrate.key:
        if all(a.name != theirs.text for a in other.attributes):
            yield unknown_attribute(theirs, other, theirs.text)
        if all(a.name != ours.text for a in entity.attributes):
            yield unknown_attribute(ours, entity, ours.text)
        elif columns is not None and ours.text not in columns:
            yield error(
                "DG215",
                f"the index read does not project `{ours.text}`",
                ours.span,
                help=[f"add `{ours.text}` to its projection"],
            )
    wanted = table_key_inputs(other, schema.table(other.table))
    given = {theirs.text for theirs, _ in hydrate.key}
    lacking = sorted(wanted - given)
    if lacking:
        yield error(
            "DG215",
            f"the key of `{other.name}` is not known without {listed(lacking, 'and')}",
            hydrate.span,
            secondary=[
                Label(other.span, f"its key is made of {listed(sorted(wanted), 'and')}")
            ],
            help=[f"say which attribute of `{entity.name}` holds it"],
        )


# --- expired items --------------------------------------------------------------------------------


def _expires(entity: Entity, schema: Schema) -> str | None:
    """The attribute whose time says when an item of the entity expires."""
    stored = ttl_name(schema.table(entity.table))
    return next((a.name for a in entity.attributes if a.stored == stored), None)


def _expiry_problems(
    pattern: AccessPattern,
    entity: Entity,
    schema: Schema,
    columns: frozenset[str] | None,
) -> Iterator[Diagnostic]:
    if pattern.expired != "exclude":
        return
    attribute = _expires(entity, schema)
    if attribute is None:
        yield error(
            "DG216",
            f"`{entity.name}` does not expire",
            pattern.name.span,
            help=["name its expiry as the table's `ttl`, or leave `expired` out"],
        )
    elif columns is not None and attribute not in columns:
        yield error(
            "DG216",
            f"the index read does not project `{attribute}`, by which items expire",
            pattern.name.span,
            help=[f"add `{attribute}` to its projection"],
        )
