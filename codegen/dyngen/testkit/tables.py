"""What a table and its indexes hold, read from the arguments of CreateTable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Item = Mapping[str, Mapping[str, Any]]
"""An item in DynamoDB's form: attribute name to `{"S": ...}`, `{"N": ...}` and so on."""


@dataclass(frozen=True, slots=True)
class View:
    """The table itself (`name` is None) or an index: its key, and what it holds.

    `projected` names the attributes held beside the keys of the view and the table; None is all.
    """

    name: str | None
    partition: tuple[str, ...]
    sort: tuple[str, ...]
    local: bool = False
    projected: frozenset[str] | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """Partition attributes, then sort attributes."""
        return self.partition + self.sort

    @property
    def is_global(self) -> bool:
        """Whether this is a global secondary index, which knows no consistent read."""
        return self.name is not None and not self.local


@dataclass(frozen=True, slots=True)
class Definition:
    """One table: its name in the spec, the types of its key attributes, and its views."""

    name: str
    types: Mapping[str, str]
    table: View
    indexes: Mapping[str, View]

    def view(self, index: str | None) -> View:
        """The table, or the index with this name. Raises KeyError."""
        return self.table if index is None else self.indexes[index]

    def views(self) -> tuple[View, ...]:
        """The table, then its indexes."""
        return (self.table, *self.indexes.values())

    def holds(self, view: View, attribute: str) -> bool:
        """Whether entries of the view have this attribute, if the item has it."""
        if view.projected is None:
            return True
        return attribute in {*self.table.key, *view.key, *view.projected}

    def entry(self, view: View, item: Item) -> dict[str, Any] | None:
        """What the view holds of an item; None if the item is not in it (a sparse index).

        An item is in an index only if it has all of the index's key attributes (AWS: GSI.html).
        """
        if not all(name in item for name in view.key):
            return None
        return {name: value for name, value in item.items() if self.holds(view, name)}

    def key_of(self, item: Item) -> tuple[str, ...]:
        """The table key's values of an item, as text that can be compared and hashed."""
        return tuple(repr(dict(item[name])) for name in self.table.key)

    def table_key(self, item: Item) -> dict[str, Any]:
        """The item's `Key`, as GetItem and DeleteItem take it."""
        return {name: item[name] for name in self.table.key}


def canonical(item: Item) -> dict[str, Any]:
    """The item with its numbers in one spelling: `21.0` and `21` are one number to DynamoDB."""
    return {name: _canonical(value) for name, value in item.items()}


def _canonical(value: Mapping[str, Any]) -> dict[str, Any]:
    [(kind, content)] = value.items()
    match kind:
        case "N":
            return {"N": _number(content)}
        case "NS":
            return {"NS": sorted(map(_number, content))}
        case "SS" | "BS":
            return {kind: sorted(content)}
        case "L":
            return {"L": [_canonical(each) for each in content]}
        case "M":
            return {"M": canonical(content)}
        case _:
            return {kind: content}


def _number(text: str) -> str:
    number = Decimal(text).normalize()
    return format(number if number else Decimal(0), "f")


def definition_of(arguments: Mapping[str, Any]) -> Definition:
    """Read the arguments of a CreateTable call."""
    return Definition(
        name=arguments["TableName"],
        types={
            each["AttributeName"]: each["AttributeType"]
            for each in arguments["AttributeDefinitions"]
        },
        table=View(None, *_key(arguments["KeySchema"])),
        indexes={
            each["IndexName"]: View(
                each["IndexName"],
                *_key(each["KeySchema"]),
                local=group == "LocalSecondaryIndexes",
                projected=_projected(each["Projection"]),
            )
            for group in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes")
            for each in arguments.get(group, ())
        },
    )


def _key(
    schema: Iterable[Mapping[str, str]],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    partition = tuple(k["AttributeName"] for k in schema if k["KeyType"] == "HASH")
    sort = tuple(k["AttributeName"] for k in schema if k["KeyType"] == "RANGE")
    return partition, sort


def _projected(projection: Mapping[str, Any]) -> frozenset[str] | None:
    if projection["ProjectionType"] == "ALL":
        return None
    return frozenset(projection.get("NonKeyAttributes", ()))
