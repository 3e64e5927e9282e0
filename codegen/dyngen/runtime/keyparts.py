"""Keys taken apart: what entity an item is of, and the values that its keys hold.

An index that projects keys alone holds nothing else to read values from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from . import limits
from .errors import KeyValueError, StoredValueError
from .wire import AttributeValue, Item

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class IndexKey:
    """The attributes of the key of an index, of which the sizes count together."""

    partition: tuple[str, ...]
    sort: tuple[str, ...] = ()

    def check(self, item: Item) -> None:
        """Refuse an item whose key in the index is too long. Raises KeyValueError.

        One that lacks any of the attributes is not in the index.
        """
        if all(name in item for name in (*self.partition, *self.sort)):
            limits.partition_key(item[name] for name in self.partition)
            limits.sort_key(item[name] for name in self.sort)


def indexed(item: Item, *keys: IndexKey) -> Item:
    """The item, if all its keys in indexes fit. Raises KeyValueError."""
    for key in keys:
        key.check(item)
    return item


def parts(
    value: AttributeValue, name: str, pattern: re.Pattern[str]
) -> Mapping[str, str]:
    """The texts of a key's parts, by the groups of `pattern`. Raises StoredValueError."""
    match = pattern.fullmatch(value.get("S", ""))
    if match is None:
        raise StoredValueError(name, "a key of this entity")
    return match.groupdict()


def parse(text: str, name: str, parse_text: Callable[[str], T]) -> T:
    """The value of one part of the key attribute `name`. Raises StoredValueError."""
    try:
        return parse_text(text)
    except ValueError:
        raise StoredValueError(name, "a key of this entity") from None


def fits(item: Item, patterns: Mapping[str, re.Pattern[str]]) -> bool:
    """Whether the item's key attributes are those that the patterns, by name, describe."""
    return all(
        pattern.fullmatch(item[name].get("S", "")) is not None
        for name, pattern in patterns.items()
    )


def only(item: Item, names: Iterable[str]) -> Item:
    """These attributes of an item, such as its key."""
    return {name: item[name] for name in names}


def given(value: T | None, name: str) -> T:
    """`value`, if it is not None. Raises KeyValueError."""
    if value is None:
        raise KeyValueError(f"{name} is needed here, and is None")
    return value


def unmarked(text: str) -> str:
    """`text`, if no marker of a unique value can have it as its key. Raises KeyValueError."""
    if text.startswith("$"):
        raise KeyValueError("a key of this table must not begin with `$`")
    return text
