"""Item sizes and capacity units, as DynamoDB counts them.

AWS: CapacityUnitCalculations.html and read-write-operations.html. Sizes are in bytes; the size of a
number is documented as approximate, so a figure at the very edge of a unit can be off by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from .wire import AttributeValue, Item

READ_UNIT = 4096
"""Bytes that a strongly consistent read unit reads."""

WRITE_UNIT = 1024
"""Bytes that a write unit writes."""

_CONTAINER = 3
_ELEMENT = 1


def item_size(item: Item) -> int:
    """The size of an item, names included."""
    return sum(_text(name) + value_size(value) for name, value in item.items())


def value_size(value: AttributeValue) -> int:
    """The size of one attribute value, without the attribute's name."""
    [(kind, content)] = value.items()
    match kind:
        case "S":
            return _text(content)
        case "N":
            return _number(content)
        case "B":
            return len(content)
        case "SS":
            return sum(map(_text, content))
        case "NS":
            return sum(map(_number, content))
        case "BS":
            return sum(map(len, content))
        case "L":
            return _CONTAINER + sum(_ELEMENT + value_size(one) for one in content)
        case "M":
            return _CONTAINER + sum(
                _ELEMENT + _text(name) + value_size(one)
                for name, one in content.items()
            )
        case _:  # NULL, BOOL
            return 1


def _text(text: str) -> int:
    return len(text.encode())


def _number(text: str) -> int:
    """One byte for each two significant decimal digits, one more, and one for a minus sign.

    The digits are paired from the decimal point outwards.
    """
    sign, digits, exponent = Decimal(text).as_tuple()
    significant = "".join(map(str, digits)).lstrip("0")
    if not significant or not isinstance(exponent, int):
        return 1
    first = exponent + len(significant) - 1  # powers of ten
    last = exponent + len(significant) - len(significant.rstrip("0"))
    pairs = first // 2 - last // 2 + 1
    return 1 + pairs + sign


# --- reads ----------------------------------------------------------------------------------------


def read_units(
    sizes: Iterable[int], *, consistent: bool = False, transactional: bool = False
) -> float:
    """The read units of one page of a Query or Scan that evaluated items of these sizes.

    The sizes are added up before they are rounded. An index is charged for its own entries
    (`IndexShape.view`); a page without items is charged like one with a small item.
    """
    units = max(1, -(-sum(sizes) // READ_UNIT))
    return units * (2.0 if transactional else 1.0 if consistent else 0.5)


def get_units(
    sizes: Iterable[int], *, consistent: bool = False, transactional: bool = False
) -> float:
    """The read units of items that are read by key, each rounded by itself; 0 for a missing one."""
    return sum(
        read_units((size,), consistent=consistent, transactional=transactional)
        for size in sizes
    )


# --- writes ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IndexShape:
    """What an index holds of an item.

    Attributes:
        key: the key attributes of the index.
        table_key: the key attributes of the table, which every index holds too.
        included: the other attributes that it holds; None for all.
    """

    key: tuple[str, ...]
    table_key: tuple[str, ...]
    included: frozenset[str] | None = frozenset()

    def view(self, item: Item | None) -> Item | None:
        """The index entry of an item; None if the item is not in the index."""
        if item is None or any(name not in item for name in self.key):
            return None
        if self.included is None:
            return item
        held = {*self.key, *self.table_key, *self.included}
        return {name: value for name, value in item.items() if name in held}

    def moved(self, old: Item, new: Item) -> bool:
        """Whether the entry has another place in the index."""
        return any(old[name] != new[name] for name in self.key)


def write_units(
    old: Item | None,
    new: Item | None,
    indexes: Iterable[IndexShape] = (),
    *,
    transactional: bool = False,
) -> int:
    """The write units of making `old` into `new`, those of the indexes included.

    None stands for no item: before a create, after a delete. A write that is refused by its
    condition is charged as if `new` were `old`. (Each table and global index bears its own part.)
    A transaction writes the item twice, but not the entries of indexes.
    """
    units = _written(old, new) * (2 if transactional else 1)
    for index in indexes:
        before, after = index.view(old), index.view(new)
        if before is not None and after is not None and index.moved(before, after):
            units += _written(before, None) + _written(None, after)
        elif before != after:
            units += _written(before, after)
    return units


def _written(old: Item | None, new: Item | None) -> int:
    """The units of one item or entry: by its larger form."""
    size = max(0 if item is None else item_size(item) for item in (old, new))
    return max(1, -(-size // WRITE_UNIT))
