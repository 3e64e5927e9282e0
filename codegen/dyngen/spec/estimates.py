"""`sizes` and `rates` as written."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dyngen.source.nodes import Entry, Mapping, Node, Scalar
from dyngen.spec.model import Name, Rate, Size
from dyngen.spec.nodes import Reading, name_of

_OF_A_READ = frozenset({"calls", "items"})


def read_sizes(reading: Reading, node: Node | None) -> Iterator[Size]:
    """What is said of each entity's items, in the table and in indexes."""
    for entry in reading.entries(node):
        entity = name_of(entry)
        if not isinstance(entry.value, Mapping):
            yield Size(entity, entry.value.span, bytes=reading.count(entry.value))
            continue
        yield _size(reading, entity, None, entry.value)
        for index in reading.entries(entry.value.get("indexes")):
            yield _size(reading, entity, name_of(index), index.value)


def read_rates(reading: Reading, node: Node | None) -> Iterator[Rate]:
    """How often patterns and the methods of repositories are called."""
    for entry in reading.entries(node):
        name, value = name_of(entry), entry.value
        if not isinstance(value, Mapping):
            yield Rate(name, value.span, calls=_number(reading, value))
        elif _OF_A_READ & {str(each.key.value) for each in value.entries}:
            fields = reading.fields(value)
            yield Rate(
                name,
                value.span,
                calls=_number(reading, fields.get("calls")),
                items=reading.count(fields.get("items")),
            )
        else:
            yield from (_operation(reading, name, each) for each in value.entries)


def _size(reading: Reading, entity: Name, index: Name | None, node: Node) -> Size:
    fields = reading.fields(node)
    return Size(
        entity,
        node.span,
        index,
        bytes=reading.count(fields.get("bytes")),
        items=reading.count(fields.get("items")),
        per_partition=reading.count(fields.get("per_partition")),
    )


def _operation(reading: Reading, entity: Name, entry: Entry) -> Rate:
    return Rate(
        entity,
        entry.value.span,
        calls=_number(reading, entry.value),
        operation=name_of(entry),
    )


def _number(reading: Reading, node: Node | None) -> float | None:
    """A number that is not negative."""
    match node:
        case None:
            return None
        case Scalar(value=bool()):
            pass
        case Scalar(value=int() | Decimal() as value) if value >= 0:
            return float(value)
    reading.expected(node, "a number that is not negative")
    return None
