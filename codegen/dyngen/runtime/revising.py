"""Writes that need the item as it was: those of items with unique values, moves, and updates that
read first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .backoff import Backoff
from .batches import identity
from .clock import Environment
from .conditions import Condition, all_of, exists, missing
from .errors import GuardFailed, ItemExists, ItemNotFound, StaleItem
from .refusals import conditional
from .steps import Request, Steps
from .transactions import Action, stale, write_one
from .transactions import create as create_action
from .transactions import delete as delete_action
from .transactions import update as update_action
from .unique import Marker, repoint
from .wire import Item
from .writing import (
    as_read,
    changes_to,
    delete_request,
    get_request,
    put_request,
    update_request,
)

T = TypeVar("T")


# Generic and frozen, so not slotted: `Kind[User](...)` would fail (python/cpython#116669).
@dataclass(frozen=True)
class Kind(Generic[T]):
    """How the items of one entity are stored.

    Attributes:
        table: the deployed name of their table.
        key_names: the attributes of its key, the partition key first.
        attributes: the stored names of all attributes that an item can have.
        encode: an item's stored form.
        decode: the item of a stored form.
        version: the stored name of the version token, where there is one.
        markers: what keeps an item's values unique.
        marked: the stored names of the attributes that markers are made of, but for the key's.
    """

    table: str
    key_names: tuple[str, ...]
    attributes: tuple[str, ...]
    encode: Callable[[T], Item]
    decode: Callable[[Item], T]
    version: str | None = None
    markers: Callable[[T], Iterable[Marker]] = lambda _: ()
    marked: tuple[str, ...] = ()

    def key(self, item: Item) -> Item:
        """The key of a stored item."""
        return {name: item[name] for name in self.key_names}

    def unchanged(self, item: Item, *others: Condition) -> Condition:
        """That the item is still stored as it was read: with its version, else in every attribute."""
        names = (
            (name for name in self.attributes if name not in self.key_names)
            if self.version is None
            else (self.version,)
        )
        return all_of(exists(self.key_names[0]), *as_read(item, names), *others)

    def token(self, item: Item) -> Item | None:
        """What tells this write of the item from others."""
        return None if self.version is None else {self.version: item[self.version]}


# --- items with unique values ---------------------------------------------------------------------


def create(kind: Kind[T], item: T, environment: Environment) -> Steps[T]:
    """Store a new item, and return it as stored.

    Raises:
        ItemExists: an item with this key is already stored.
        UniqueTaken: another item has a value that must be unique.
    """
    stored = kind.encode(item)
    markers = repoint(new=kind.markers(item))
    if markers:
        action = create_action(kind.table, kind.key(stored), stored, kind.decode)
        yield from write_one([action, *markers], environment)
        return kind.decode(stored)
    with conditional(ItemExists, kind.decode, token=kind.token(stored)) as outcome:
        request = put_request(kind.table, stored, missing(kind.key_names[0]))
        (outcome.response,) = yield [Request("put_item", request)]
    return kind.decode(stored)


def update(
    kind: Kind[T],
    copy: T,
    changed: T,
    *,
    names: Sequence[str],
    condition: Condition,
    environment: Environment,
) -> Steps[T]:
    """Write the attributes `names` of an item as `changed` has them; return the item as it then is.

    Refused unless `condition` holds; where a unique value changes, unless the item is still as it
    was read, since the marker to delete follows from it. One that is written without a change may
    have changed since the copy was read, and so is asked for, too.

    Raises:
        StaleItem: the item has changed since it was read, or is gone.
        UniqueTaken: another item has a value that must be unique.
    """
    markers = repoint(kind.markers(copy), kind.markers(changed))
    if markers:
        condition = kind.unchanged(kind.encode(copy))
    elif kind.version is None and not set(names).isdisjoint(kind.marked):
        condition = all_of(condition, *as_read(kind.encode(copy), kind.marked))
    changes = _Changes(kind.encode(changed), names, condition, markers)
    return (yield from _update(kind, changes, environment))


def delete(kind: Kind[T], copy: T, environment: Environment) -> Steps[T | None]:
    """Delete an item if it is still as it was read; return it.

    None if the response was lost and the item was gone when the request was repeated.

    Raises:
        StaleItem: the item has changed since it was read, or is gone.
    """
    stored = kind.encode(copy)
    condition = kind.unchanged(stored)
    markers = repoint(old=kind.markers(copy))
    if markers:
        action = delete_action(
            kind.table, kind.key(stored), condition, stale(kind.decode)
        )
        yield from write_one([action, *markers], environment)
        return kind.decode(stored)
    with conditional(StaleItem, kind.decode, deletes=True) as outcome:
        request = delete_request(kind.table, kind.key(stored), condition)
        (outcome.response,) = yield [Request("delete_item", request)]
    found = outcome.response.get("Attributes")
    return None if found is None else kind.decode(found)


# --- reading first --------------------------------------------------------------------------------


def revise(
    kind: Kind[T],
    key: Item,
    change: Callable[[T], T],
    guard: Sequence[Condition],
    environment: Environment,
) -> Steps[T]:
    """Read an item, change it, and write it if it is still the one that was read, else try again.

    A changed key moves the item: attributes that `kind` does not know come along.

    Raises:
        ItemNotFound: there is no item with this key.
        GuardFailed: the guard does not hold for the stored item.
        ItemExists: there is an item where this one would be moved.
        UniqueTaken: another item has a value that must be unique.
        StaleItem: others changed the item again and again, through all attempts; or, with
            `outcome_unknown`, a request was repeated that may have succeeded.
    """
    backoff = Backoff(environment.random)
    while True:
        item = yield from _stored(kind, key, backoff.delay)
        if item is None:
            raise ItemNotFound
        copy = kind.decode(item)
        try:
            return (yield from _write(kind, item, change(copy), guard, environment))
        except StaleItem as refused:
            # With a token of its own, an item that is as it was has not been written.
            certain = not refused.outcome_unknown or kind.version is not None
            if refused.current == copy and certain:
                raise GuardFailed(copy) from refused
            if refused.outcome_unknown:
                raise
            if refused.current is None:
                raise ItemNotFound from refused
            backoff.fail()
            if backoff.exhausted:
                raise


def _stored(kind: Kind[T], key: Item, delay: float = 0.0) -> Steps[Item | None]:
    arguments = get_request(kind.table, key, consistent=True)
    (response,) = yield [Request("get_item", arguments, delay)]
    found: Item | None = response.get("Item")
    return found


def _write(
    kind: Kind[T],
    item: Item,
    changed: T,
    guard: Sequence[Condition],
    environment: Environment,
) -> Steps[T]:
    """Make `changed` of the stored item, if it is still so. Raises StaleItem, also if it is and the
    guard does not hold."""
    stored = kind.encode(changed)
    key, new_key = kind.key(item), kind.key(stored)
    condition = kind.unchanged(item, *guard)
    markers = repoint(kind.markers(kind.decode(item)), kind.markers(changed))
    if identity(key) == identity(new_key):
        others = [name for name in kind.attributes if name not in key]
        names = [name for name in others if item.get(name) != stored.get(name)]
        # Without a change, all is written as it is: the guard has yet to be asked.
        names = names or others
        changes = _Changes(stored, names, condition, markers)
        return (yield from _update(kind, changes, environment))
    unknown = {
        name: value for name, value in item.items() if name not in kind.attributes
    }
    moved = {**unknown, **stored}
    yield from write_one(
        [
            delete_action(kind.table, key, condition, stale(kind.decode)),
            create_action(kind.table, new_key, moved, kind.decode),
            *markers,
        ],
        environment,
    )
    return kind.decode(moved)


@dataclass(frozen=True, slots=True)
class _Changes:
    """Attributes to write as `stored` has them, with markers, under a condition."""

    stored: Item
    names: Sequence[str]
    condition: Condition
    markers: Sequence[Action]


def _update(kind: Kind[T], changes: _Changes, environment: Environment) -> Steps[T]:
    """Write the changes, by a transaction if there are markers; return the item as it then is.

    Raises StaleItem if the condition, which with markers is that the item is as read, fails.
    """
    stored, condition = changes.stored, changes.condition
    key, written = kind.key(stored), changes_to(stored, changes.names)
    if changes.markers:
        refusal = stale(kind.decode)
        action = update_action(kind.table, key, written, condition, refusal)
        yield from write_one([action, *changes.markers], environment)
        return kind.decode(stored)
    with conditional(StaleItem, kind.decode, token=kind.token(stored)) as outcome:
        request = update_request(kind.table, key, written, condition)
        (outcome.response,) = yield [Request("update_item", request)]
    return kind.decode(outcome.response["Attributes"])
