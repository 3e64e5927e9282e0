"""`sizes` and `rates` as written."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dyngen.source.nodes import Mapping, Node, Scalar
from dyngen.spec.model import Name, Rate, Size
from dyngen.spec.nodes import Reading, name_of


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
    """How often patterns and the methods of repositories (`Order.create`) are called."""
    for entry in reading.entries(node):
        name, value = name_of(entry), entry.value
        if isinstance(value, Mapping):
            calls = _number(reading, value.get("calls"))
            items = reading.count(value.get("items"))
        else:
            calls, items = _number(reading, value), None
        entity, _, operation = name.text.partition(".")
        yield Rate(name, calls, items, entity, operation)


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
