"""What a read returns: whole items, what an index projects, a selection, or items completed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dyngen.design.derived import table_key_inputs
from dyngen.design.expiry import expiry
from dyngen.design.model import Attribute, Entity, Schema
from dyngen.design.narrowing import holds_all
from dyngen.design.parameters import comparable
from dyngen.design.paths import unknown_attribute
from dyngen.design.plans import HydratePlan
from dyngen.design.values import describe
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import listed
from dyngen.spec.model import AccessPattern, Action, Name


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
    place = index or entity.table
    problems = [
        *_selection_problems(pattern, entity, columns, place),
        *_hydration_problems(pattern, entity, schema, columns, place),
        *_expiry_problems(pattern, entity, schema),
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
        expires=_excluded(pattern, entity, schema),
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
    place: str,
) -> Iterator[Diagnostic]:
    names = [a.name for a in entity.attributes]
    if pattern.action is Action.GET and (pattern.select or pattern.hydrate):
        yield error(
            "DG215",
            "a get returns the whole item, for which it pays in any case",
            pattern.name.span,
            help=[
                "leave `select` and `hydrate` out, or use `query` with `one: true`",
            ],
        )
    for name in pattern.select:
        if name.text not in names:
            yield unknown_attribute(name, entity, name.text)
        elif columns is not None and name.text not in columns:
            yield error(
                "DG215",
                f"`{place}` does not project `{name.text}`",
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
    place: str,
) -> Iterator[Diagnostic]:
    hydrate = pattern.hydrate
    if hydrate is None:
        return
    if hydrate.entity is None:
        if columns is None:
            yield error(
                "DG215",
                f"`hydrate` completes nothing: `{place}` holds whole items",
                hydrate.span,
                help=["leave it out"],
            )
        return
    other = schema.entity(hydrate.entity.text)
    wanted = table_key_inputs(other, schema.table(other.table))
    found = [
        problem
        for theirs, ours in hydrate.key
        for problem in (
            _key_problem(theirs, other, wanted),
            _source_problem(ours, entity, columns, place),
            _unlike(ours, entity, theirs, other),
        )
        if problem is not None
    ]
    yield from found
    lacking = sorted(wanted - {theirs.text for theirs, _ in hydrate.key})
    if lacking and not found:
        yield error(
            "DG215",
            f"the key of `{other.name}` is not known without {listed(lacking, 'and')}",
            hydrate.span,
            secondary=[
                Label(other.span, f"its key is made of {listed(sorted(wanted), 'and')}")
            ],
            help=[f"say which attribute of `{entity.name}` holds it"],
        )


def _key_problem(
    theirs: Name, other: Entity, wanted: frozenset[str]
) -> Diagnostic | None:
    """What is wrong with an attribute of the other entity's key."""
    if all(a.name != theirs.text for a in other.attributes):
        return unknown_attribute(theirs, other, theirs.text)
    if theirs.text in wanted:
        return None
    return error(
        "DG215",
        f"`{theirs.text}` is no part of the key of `{other.name}`",
        theirs.span,
        help=[f"its key is made of {listed(sorted(wanted), 'and')}; leave this out"],
    )


def _source_problem(
    ours: Name, entity: Entity, columns: frozenset[str] | None, place: str
) -> Diagnostic | None:
    """What is wrong with the attribute read that holds it."""
    if all(a.name != ours.text for a in entity.attributes):
        return unknown_attribute(ours, entity, ours.text)
    if columns is None or ours.text in columns:
        return None
    return error(
        "DG215",
        f"`{place}` does not project `{ours.text}`",
        ours.span,
        help=[f"add `{ours.text}` to its projection"],
    )


def _unlike(
    ours: Name, entity: Entity, theirs: Name, other: Entity
) -> Diagnostic | None:
    """What is wrong where both are declared, with types or options that differ."""
    mine = next((a for a in entity.attributes if a.name == ours.text), None)
    key = next((a for a in other.attributes if a.name == theirs.text), None)
    if mine is None or key is None:
        return None
    if not comparable(mine.type, key.type):
        message = (
            f"`{ours.text}` is {describe(mine.type)}, and `{theirs.text}` of"
            f" `{other.name}` {describe(key.type)}"
        )
        remedy = "name an attribute of the same type"
    elif not holds_all(key, mine):
        message = (
            f"`{ours.text}` may have values that `{theirs.text}` of `{other.name}`"
            " cannot have"
        )
        remedy = _alike(mine, key)
    else:
        return None
    return error(
        "DG215",
        message,
        ours.span,
        secondary=[Label(mine.span, "this"), Label(key.span, "and that")],
        help=[remedy],
    )


def _alike(mine: Attribute, key: Attribute) -> str:
    """How a reference is to be declared so that it has no other values than a key."""
    if key.computed is not None:
        return "name an attribute that is computed alike"
    if mine.computed is not None:
        return f"let the options of `{key.name}` allow what is computed"
    return "declare the type under `types`, and name it in both"


# --- expired items --------------------------------------------------------------------------------


def _excluded(pattern: AccessPattern, entity: Entity, schema: Schema) -> str | None:
    """The attribute by which expired items are left out."""
    attribute = expiry(entity, schema.table(entity.table))
    return attribute.name if attribute and pattern.expired == "exclude" else None


def _expiry_problems(
    pattern: AccessPattern, entity: Entity, schema: Schema
) -> Iterator[Diagnostic]:
    if pattern.expired and expiry(entity, schema.table(entity.table)) is None:
        yield error(
            "DG216",
            f"`{entity.name}` does not expire",
            pattern.name.span,
            help=["name its expiry as the table's `ttl`, or leave `expired` out"],
        )
