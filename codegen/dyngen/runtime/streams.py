"""What a read asks for: key conditions on a table or index, as one request stream or several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from . import limits
from .capacity import value_size
from .conditions import Condition, Path, Placeholders
from .errors import KeyValueError
from .steps import Request
from .wire import (
    SORT_KEY_BYTES,
    AttributeValue,
    ClockValue,
    Item,
    comparable,
    greatest_within,
    is_blank,
    least_within,
    next_value,
    previous_value,
)

# --- key ranges -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KeyRange:
    """The one range condition of a key: an operator in DynamoDB's words and its values."""

    attribute: str
    operator: str
    values: tuple[AttributeValue, ...]

    @property
    def empty(self) -> bool:
        """Whether no key can lie in the range (DynamoDB refuses to be asked for such a one)."""
        match self.operator:
            case "BETWEEN":
                low, high = map(comparable, self.values)
                return bool(low > high) or is_blank(self.values[1])
            case "=" | "<=" | "<":
                return is_blank(self.values[0])
            case _:
                return False

    @property
    def everything(self) -> bool:
        """Whether every key lies in the range: what begins with nothing, or is above nothing."""
        return self.operator in ("begins_with", ">=", ">") and is_blank(self.values[0])

    def within(self, most: int) -> KeyRange:
        """The same keys of at most `most` bytes. Raises KeyValueError if none can be asked for so."""
        first, last = self.values[0], self.values[-1]
        if all(value_size(value) <= most for value in self.values):
            return self
        if "N" in first or self.operator in ("=", "begins_with"):
            raise KeyValueError(
                f"`{self.attribute}` leaves no room for the other attributes of a sort key of"
                f" {SORT_KEY_BYTES} bytes"
            )
        high = greatest_within(last, most)
        if self.operator in ("<=", "<"):
            return at_most(self.attribute, high)
        low = least_within(first, most)
        if low is None:  # no key is as high: what is not above nothing, is nothing
            return at_most(self.attribute, greatest_within(first, 0))
        if self.operator == "BETWEEN":
            return between(self.attribute, low, high)
        return at_least(self.attribute, low)

    def render(self, placeholders: Placeholders) -> str:
        """The range as a part of a KeyConditionExpression."""
        name = placeholders.name(self.attribute)
        values = [placeholders.value(value) for value in self.values]
        match self.operator:
            case "BETWEEN":
                return f"{name} BETWEEN {values[0]} AND {values[1]}"
            case "begins_with":
                return f"begins_with({name}, {values[0]})"
            case operator:
                return f"{name} {operator} {values[0]}"

    def side(self, value: AttributeValue) -> int:
        """Where a key lies: -1 below the range, 0 inside, 1 above."""
        key = comparable(value)
        low, high = comparable(self.values[0]), comparable(self.values[-1])
        match self.operator:
            case ">=":
                return -1 if key < low else 0
            case ">":
                return -1 if key <= low else 0
            case "<=":
                return 1 if key > high else 0
            case "<":
                return 1 if key >= high else 0
            case "begins_with" if key.startswith(low):
                return 0
            case _:
                return -1 if key < low else int(key > high)

    def clocked(self, side: int) -> bool:
        """Whether the bound on that side was taken from the clock."""
        return isinstance(self.values[0 if side < 0 else -1], ClockValue)


def equals(attribute: str, value: AttributeValue) -> KeyRange:
    """The key equals `value`."""
    return KeyRange(attribute, "=", (value,))


def begins_with(attribute: str, prefix: AttributeValue) -> KeyRange:
    """The key begins with `prefix`."""
    return KeyRange(attribute, "begins_with", (prefix,))


def between(
    attribute: str,
    low: AttributeValue,
    high: AttributeValue,
    *,
    low_exclusive: bool = False,
    high_exclusive: bool = False,
) -> KeyRange:
    """The key lies between `low` and `high`, both included unless said otherwise.

    DynamoDB takes one range condition alone, so an excluded bound is moved to the neighbouring key.
    """
    low = next_value(low) if low_exclusive else low
    high = previous_value(high) if high_exclusive else high
    if is_blank(low):
        return at_most(attribute, high)
    return KeyRange(attribute, "BETWEEN", (low, high))


def at_least(attribute: str, low: AttributeValue) -> KeyRange:
    """The key is `low` or above."""
    return KeyRange(attribute, ">=", (low,))


def at_most(attribute: str, high: AttributeValue) -> KeyRange:
    """The key is `high` or below."""
    return KeyRange(attribute, "<=", (high,))


def above(attribute: str, low: AttributeValue) -> KeyRange:
    """The key is above `low`."""
    return KeyRange(attribute, ">", (low,))


def below(attribute: str, high: AttributeValue) -> KeyRange:
    """The key is below `high`."""
    return KeyRange(attribute, "<", (high,))


# --- reads ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stream:
    """The items of one key condition, in the order of their keys.

    `equal` holds the fixed key attributes, partition before sort key and in the key's order; `range`
    is the condition on the next one. `prefix` is the text that all sort keys of the stream begin with
    and that streams of one read differ by: merging compares what follows it.
    """

    equal: Mapping[str, AttributeValue]
    range: KeyRange | None = None
    prefix: str = ""

    @property
    def empty(self) -> bool:
        """Whether the stream holds nothing, so that no request is made for it."""
        return any(map(is_blank, self.equal.values())) or (
            self.range is not None and self.range.empty
        )

    def fitting(self, partition: int) -> Stream:
        """The stream, if the attributes of its key are together not too long.

        The first `partition` ones are the partition key. A bound of the range that is longer than the
        others leave room for is moved to the next one that is not: no stored key lies between.

        Raises:
            KeyValueError: no stored key can be as long.
        """
        values = tuple(self.equal.values())
        limits.partition_key(values[:partition])
        room = limits.sort_key(values[partition:])
        if self.range is None:
            return self
        return replace(self, range=self.range.within(room))

    def side(self, position: Item) -> int:
        """Where a position in the stream's partition lies: -1 below the range, 0 inside, 1 above."""
        return (
            0 if self.range is None else self.range.side(position[self.range.attribute])
        )

    def clocked(self, side: int) -> bool:
        """Whether the bound on that side was taken from the clock."""
        return self.range is not None and self.range.clocked(side)

    def render(self, placeholders: Placeholders) -> str:
        """The stream as a KeyConditionExpression."""
        parts = [
            f"{placeholders.name(name)} = {placeholders.value(value)}"
            for name, value in self.equal.items()
        ]
        if self.range is not None and not self.range.everything:
            parts.append(self.range.render(placeholders))
        return " AND ".join(parts)


@dataclass(frozen=True, slots=True)
class Read:
    """A read of a table or index.

    Attributes:
        pattern: the access pattern's name; cursors of one pattern do not fit another.
        table: the deployed table's name.
        index: the index that is read, None for the table itself.
        key_types: the attributes of the position of an item in what is read (all key attributes of
            the index and of the table), each with its type: "S", "N" or "B".
        streams: the key conditions. No two streams have an item in common.
        merge_by: the sort key attributes whose order, behind each stream's `prefix`, the items of
            several streams are merged in. Without one the streams come one after another.
        forward: ascending sort keys.
        consistent: strongly consistent (not on a global index).
        filter: drops items after they are read and paid for.
        select: the attributes to return, None for all. Those of `key_types` always are.
        scan: a Scan, of one stream without conditions.
    """

    pattern: str
    table: str
    index: str | None
    key_types: Mapping[str, str]
    streams: tuple[Stream, ...]
    merge_by: tuple[str, ...] = ()
    forward: bool = True
    consistent: bool = False
    filter: Condition | None = None
    select: tuple[Path, ...] | None = None
    scan: bool = False

    def position(self, item: Item) -> Item:
        """Where the item stands in what is read: its key attributes."""
        return {name: item[name] for name in self.key_types}

    def request(
        self,
        stream: Stream,
        *,
        start: Item | None,
        limit: int | None,
        count: bool = False,
    ) -> Request:
        """The request for the stream's items after `start`, at most `limit`; or just their number.

        Raises InvalidRequest if the filter is more than an expression holds.
        """
        placeholders = Placeholders()
        arguments: dict[str, Any] = {"TableName": self.table}
        if self.index is not None:
            arguments["IndexName"] = self.index
        if not self.scan:
            arguments["KeyConditionExpression"] = stream.render(placeholders)
            arguments["ScanIndexForward"] = self.forward
        if self.consistent:
            arguments["ConsistentRead"] = True
        if self.filter is not None:
            text = placeholders.expression(self.filter.pieces)
            arguments["FilterExpression"] = limits.expression("FilterExpression", text)
        if count:
            arguments["Select"] = "COUNT"
        elif self.select is not None:
            paths = dict.fromkeys((*self.key_types, *self.select))
            text = ", ".join(map(placeholders.name, paths))
            arguments["ProjectionExpression"] = limits.expression(
                "ProjectionExpression", text
            )
        if start is not None:
            arguments["ExclusiveStartKey"] = start
        if limit is not None:
            arguments["Limit"] = limit
        arguments.update(placeholders.arguments())
        return Request("scan" if self.scan else "query", arguments)
