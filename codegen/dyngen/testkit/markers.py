"""The markers that keep values unique: what must be stored beside an item that has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .tables import Item


@dataclass(frozen=True, slots=True)
class Marker:
    """A stored item that stands for values that are taken.

    Attributes:
        table: the name in the spec of the table that holds it.
        stored: its stored form.
        item: the item of a declared entity that it is; None if it is nothing but its key.
    """

    table: str
    stored: Item
    item: Any = None


@dataclass(frozen=True, slots=True)
class Unique:
    """Attributes of an entity whose values no two of its items share.

    Attributes:
        attributes: their names in the spec, as UniqueTaken has them.
        fields: those of an item that hold the values; a tenant's among them.
        marker: the marker of an item that has the values; said anew here, so that it is compared.
    """

    attributes: tuple[str, ...]
    fields: tuple[str, ...]
    marker: Callable[[Any], Marker]

    def values(self, item: Any) -> tuple[Any, ...] | None:
        """The values of an item; None if it has not all of them, and so needs no marker."""
        found = tuple(getattr(item, name) for name in self.fields)
        return None if any(value is None for value in found) else found


def bare_marker(table: str, keys: tuple[str, ...], *texts: str) -> Marker:
    """A marker that is nothing but its key: the same text in each of the key attributes."""
    return Marker(table, {key: {"S": "#".join(texts)} for key in keys})
