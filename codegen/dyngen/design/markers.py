"""What marks the values of unique attributes: where markers are, and who may write them.

Plain markers have keys of their own in the entity's table. Declared ones are items of another
entity (DG219): their key must follow from the unique attributes, and they are written together with
the items that they mark, and never alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.changes import Changes
from dyngen.design.contents import form_inputs
from dyngen.design.model import Attribute, Entity, Index, Schema, Table, UniqueKey
from dyngen.design.tables import ttl_name
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import listed
from dyngen.spec.model import AccessPattern, Action

_WRITES = (Action.CREATE, Action.PUT, Action.UPDATE, Action.DELETE, Action.MOVE)


def holds_markers(table: Table, index: Index | None) -> bool:
    """Whether a place holds the plain markers of its table, which have the table's key and no more."""
    keys = {key.name for key in table.key.all}
    return index is None or keys >= {key.name for key in index.key.all}


def marked_by(schema: Schema, table: Table, index: Index | None) -> Entity | None:
    """An entity whose plain markers a table or index holds."""
    if not holds_markers(table, index):
        return None
    return next(
        (
            entity
            for entity in schema.entities
            if entity.table == table.name
            and any(unique.marker is None for unique in entity.unique)
        ),
        None,
    )


def marker_scope(schema: Schema, entity: Entity, unique: UniqueKey) -> tuple[str, ...]:
    """The attributes whose values a marker's key holds: the tenant's first, where there is one."""
    tenant = (each.name for each in entity.attributes if each.name == schema.tenant)
    return tuple(dict.fromkeys((*tenant, *unique.attributes)))


def unknown_values(
    pattern: AccessPattern, entity: Entity, schema: Schema, changes: Changes
) -> Iterator[Diagnostic]:
    """Updates after which markers would be wrong, since the values before are not known (DG211)."""
    if pattern.read_first:
        return
    for unique in entity.unique:
        written = [
            name
            for name in marker_attributes(schema, unique)
            if name in changes.after or _supplied(pattern, entity, name)
        ]
        if not written:
            continue
        name = written[0]
        yield error(
            "DG211",
            (
                f"`{name}` is unique, and its old value is not known here"
                if name in unique.attributes
                else f"`{name}` is kept in `{unique.marker}` too, whose key is not known here"
            ),
            changes.places.get(name, pattern.name.span),
            secondary=[Label(unique.span, "declared unique here")],
            help=[
                "read the item first (`read_first: true`), or use `update(item, **changes)`"
            ],
        )


def _supplied(pattern: AccessPattern, entity: Entity, name: str) -> bool:
    """Whether an upsert stores the default of an attribute."""
    own = (each for each in entity.attributes if each.name == name)
    return pattern.upsert and any(each.default is not None for each in own)


def marker_attributes(schema: Schema, unique: UniqueKey) -> tuple[str, ...]:
    """The attributes that a marker is made of: those that are unique first."""
    if unique.marker is None:
        return unique.attributes
    others = (each.name for each in schema.entity(unique.marker).attributes)
    return tuple(dict.fromkeys((*unique.attributes, *others)))


# --- declared markers -----------------------------------------------------------------------------


def marker_problems(schema: Schema) -> Iterator[Diagnostic]:
    """Declared markers that can't keep values unique."""
    marking: dict[str, UniqueKey] = {}
    for entity in schema.entities:
        for unique in entity.unique:
            if unique.marker is None:
                continue
            marker = schema.entity(unique.marker)
            first = marking.setdefault(marker.name, unique)
            if first is not unique:
                yield _refused(
                    f"`{marker.name}` marks other values already",
                    unique,
                    Label(first.span, "these"),
                    "declare an entity for each list of unique attributes",
                )
            yield from _wrong_key(unique, marker, schema)
            yield from _wrong_types(unique, entity, marker)
            yield from _own_life(unique, marker, schema)


def _refused(message: str, unique: UniqueKey, label: Label, remedy: str) -> Diagnostic:
    return error("DG219", message, unique.span, secondary=[label], help=[remedy])


def _wrong_key(
    unique: UniqueKey, marker: Entity, schema: Schema
) -> Iterator[Diagnostic]:
    table = schema.table(marker.table)
    key = {
        name for each in table.key.all for name in form_inputs(marker.keys[each.name])
    }
    allowed = {*unique.attributes, *([schema.tenant] if schema.tenant else [])}
    wrong = sorted(key - allowed) or sorted({*unique.attributes} - key)
    if wrong:
        does = "holds" if wrong[0] in key else "does not hold"
        yield _refused(
            f"the key of `{marker.name}` {does} `{wrong[0]}`, so it can't keep"
            f" {listed(unique.attributes, 'and')} unique",
            unique,
            Label(marker.span, "the marker's entity"),
            "its key must be made of what is unique, and of nothing else",
        )


def _wrong_types(
    unique: UniqueKey, entity: Entity, marker: Entity
) -> Iterator[Diagnostic]:
    own = {attribute.name: attribute for attribute in entity.attributes}
    for theirs in marker.attributes:
        ours = own.get(theirs.name)
        if ours is None or theirs.computed is not None:
            continue
        if ours.type != theirs.type:
            yield _refused(
                f"`{ours.name}` of `{entity.name}` and of `{marker.name}` differ in type or options",
                unique,
                Label(theirs.span, "the marker's"),
                "declare the type under `types`, and name it in both",
            )
        elif _may_lack(ours, unique) and not theirs.optional:
            yield _refused(
                f"`{ours.name}` may be absent from `{entity.name}`, but not from `{marker.name}`",
                unique,
                Label(theirs.span, "not optional here"),
                f"make it optional in `{marker.name}`",
            )


def _may_lack(attribute: Attribute, unique: UniqueKey) -> bool:
    """Whether an item that has the unique values may lack an attribute."""
    return attribute.optional and attribute.name not in unique.attributes


def _own_life(
    unique: UniqueKey, marker: Entity, schema: Schema
) -> Iterator[Diagnostic]:
    expires = ttl_name(schema.table(marker.table))
    problem = None
    if marker.unique:
        problem = "has unique attributes itself"
    elif marker.version is not None:
        problem = "has a version"
    elif any(attribute.stored == expires for attribute in marker.attributes):
        problem = "expires"
    if problem is not None:
        yield _refused(
            f"`{marker.name}` {problem}, and so can't mark what is unique",
            unique,
            Label(marker.span, "the marker's entity"),
            "markers are written and deleted together with the items that they mark",
        )


def lone_writes(pattern: AccessPattern, schema: Schema) -> Iterator[Diagnostic]:
    """Writes of markers alone, after which values would be free that are taken, or the reverse."""
    marking = {
        unique.marker: unique
        for entity in schema.entities
        for unique in entity.unique
        if unique.marker is not None
    }
    for each in (pattern, *pattern.members):
        for name in each.entities if each.action in _WRITES else ():
            if name.text in marking:
                yield error(
                    "DG219",
                    f"`{name.text}` marks values as taken, and is not written by itself",
                    name.span,
                    secondary=[Label(marking[name.text].span, "it is a marker here")],
                    help=["it is written together with the items that have the values"],
                )
