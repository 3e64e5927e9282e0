"""Markers: items that keep values unique.

A unique value is the key of an item of its own, its marker, which is written in the same transaction
as the item that has the value: that the marker must be new is what makes the value unique.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .batches import identity
from .conditions import missing
from .errors import UniqueTaken
from .transactions import Action, delete, put
from .wire import Item


@dataclass(frozen=True, slots=True)
class Marker:
    """What marks the values of attributes that are unique together as taken.

    Attributes:
        attributes: their names.
        table: the deployed name of the table that holds the marker.
        key: the marker's key.
        item: the whole marker.
    """

    attributes: tuple[str, ...]
    table: str
    key: Item
    item: Item


def marker(table: str, attributes: tuple[str, ...], key: Item) -> Marker:
    """A marker that is nothing but its key."""
    return Marker(attributes, table, key, key)


def repoint(old: Iterable[Marker] = (), new: Iterable[Marker] = ()) -> list[Action]:
    """What makes the `new` markers of an item of its `old` ones.

    An item that is created has no old ones, one that is deleted no new ones. Markers of values that
    stay are left alone: to delete and put one would be two actions on one item. Refused with
    UniqueTaken where another item has a value.
    """
    return list(_repoint({_place(each): each for each in old}, new))


def _repoint(old: dict[object, Marker], new: Iterable[Marker]) -> Iterator[Action]:
    for each in new:
        before = old.pop(_place(each), None)
        if before is None:
            yield _take(each)
        elif before.item != each.item:
            yield put(each.table, each.key, each.item)
    for each in old.values():
        yield delete(each.table, each.key)


def _take(of: Marker) -> Action:
    return put(
        of.table,
        of.key,
        of.item,
        missing(next(iter(of.key))),
        lambda _: UniqueTaken(*of.attributes),
    )


def _place(of: Marker) -> object:
    return of.table, identity(of.key)
