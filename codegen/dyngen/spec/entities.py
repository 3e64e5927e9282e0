"""Entities as written."""

from __future__ import annotations

from dyngen.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from dyngen.spec.conditions import read_where
from dyngen.spec.model import Entity, KeyCase, KeyDecl, Name, Shards, Unique
from dyngen.spec.nodes import Reading, name_of
from dyngen.spec.types import read_attributes


def read_entity(reading: Reading, entry: Entry) -> Entity:
    """One entity."""
    fields = reading.fields(entry.value, "a mapping with `attributes` and `keys`")
    name = name_of(entry)
    operations = fields.get("operations")
    return Entity(
        name=name,
        span=name.span,
        attributes=read_attributes(reading, fields.get("attributes")),
        keys=tuple(
            _key(reading, key)
            for key in reading.entries(
                fields.get("keys"), "a mapping from key attribute to template"
            )
        ),
        table=reading.name(fields.get("table")),
        id=reading.names(fields.get("id")),
        version=_version(reading, fields.get("version")),
        unique=tuple(_unique(reading, fields.get("unique"))),
        operations=None if operations is None else reading.names(operations),
        plural=reading.name(fields.get("plural")),
        description=reading.text(fields.get("description")),
        ignores=reading.ignores(fields.get("lint")),
    )


def _key(reading: Reading, entry: Entry) -> KeyDecl:
    name, node = name_of(entry), entry.value
    written = node.items if isinstance(node, Sequence) else (node,)
    cases = (_case(reading, case) for case in written)
    return KeyDecl(name, tuple(c for c in cases if c is not None), name.span)


def _case(reading: Reading, node: Node) -> KeyCase | None:
    """A template alone, or `{value:, when:, shards:}`."""
    if isinstance(node, Scalar):
        value = reading.name(node, "a key template; quote it")
        return None if value is None else KeyCase(value, node.span)
    fields = reading.fields(node, "a key template; quote it")
    if "value" not in fields:
        reading.expected(node, "a key template in quotes, or a mapping with `value`")
        return None
    value = reading.name(fields["value"], "a key template; quote it")
    if value is None:
        return None
    return KeyCase(
        value=value,
        span=value.span,
        when=read_where(reading, fields.get("when")),
        shards=_shards(reading, fields.get("shards")),
    )


def _shards(reading: Reading, node: Node | None) -> Shards | None:
    if node is None:
        return None
    fields = reading.fields(node, "a mapping with `count` and `by`")
    count = reading.count(fields.get("count"))
    if count is None:
        return None
    return Shards(count, reading.name_or_names(fields.get("by")), node.span)


def _version(reading: Reading, node: Node | None) -> Name | None:
    match node:
        case None | Scalar(value=False):
            return None
        case Scalar(value=True):
            return Name("version", node.span)
        case _:
            fields = reading.fields(node, "true, or a mapping with `name`")
            return reading.name(fields.get("name"))


def _unique(reading: Reading, node: Node | None) -> list[Unique]:
    found = []
    for item in reading.items(node, "a list of lists of attributes"):
        if isinstance(item, Mapping):
            for entry in item.entries:
                marker = reading.name(entry.value, "the name of an entity")
                found.append(Unique((name_of(entry),), item.span, marker))
        else:
            found.append(Unique(reading.name_or_names(item), item.span))
    return found
