"""Tables and indexes as written."""

from __future__ import annotations

from dyngen.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from dyngen.spec.model import Index, KeyName, Name, Table
from dyngen.spec.nodes import Reading, name_of

_TABLE_FIELDS = (
    "partition_key",
    "sort_key",
    "indexes",
    "type_attribute",
    "key_encoding",
    "delimiter",
    "description",
    "lint",
)
_INDEX_FIELDS = (
    "type",
    "partition_key",
    "sort_key",
    "strategy",
    "projection",
    "lint",
)


def read_table(reading: Reading, entry: Entry) -> Table:
    """One table; what is not about keys stays as it is in `settings`."""
    fields = reading.fields(entry.value, "a mapping with the table's keys")
    name = name_of(entry)
    return Table(
        name=name,
        span=name.span,
        partition_key=_key(reading, fields.get("partition_key")),
        sort_key=_key(reading, fields.get("sort_key")),
        indexes=tuple(
            _index(reading, index)
            for index in reading.entries(
                fields.get("indexes"), "a mapping from an index's name to its keys"
            )
        ),
        type_attribute=reading.name(fields.get("type_attribute")),
        raw=reading.text(fields.get("key_encoding")) == "raw",
        delimiter=reading.name(fields.get("delimiter")),
        settings={k: v for k, v in fields.items() if k not in _TABLE_FIELDS},
        description=reading.text(fields.get("description")),
        ignores=reading.ignores(fields.get("lint")),
    )


def _index(reading: Reading, entry: Entry) -> Index:
    fields = reading.fields(entry.value, "a mapping with the index's keys")
    name = name_of(entry)
    return Index(
        name=name,
        span=name.span,
        partition_key=_key(reading, fields.get("partition_key")),
        sort_key=_key(reading, fields.get("sort_key")),
        local=reading.text(fields.get("type")) == "local",
        strategy=reading.name(fields.get("strategy")),
        projection=_projection(reading, fields.get("projection")),
        settings={k: v for k, v in fields.items() if k not in _INDEX_FIELDS},
        ignores=reading.ignores(fields.get("lint")),
    )


def _key(reading: Reading, node: Node | None) -> tuple[KeyName, ...]:
    """One key attribute, or a list of them."""
    match node:
        case None:
            return ()
        case Sequence(items=items):
            names = (_key_name(reading, item) for item in items)
        case _:
            names = (_key_name(reading, n) for n in (node,))
    return tuple(name for name in names if name is not None)


def _key_name(reading: Reading, node: Node) -> KeyName | None:
    if isinstance(node, Scalar):
        name = reading.name(node)
        return None if name is None else KeyName(name)
    fields = reading.fields(node, "a name, or a mapping with `name` and `type`")
    if isinstance(node, Mapping) and "name" not in fields:
        reading.expected(node, "a mapping with `name` and `type`")
    name = reading.name(fields.get("name"))
    return None if name is None else KeyName(name, reading.name(fields.get("type")))


def _projection(reading: Reading, node: Node | None) -> tuple[Name, ...] | Name | None:
    if isinstance(node, Sequence):
        return reading.names(node)
    return reading.name(node, "`all`, `keys_only`, or a list of attributes")
