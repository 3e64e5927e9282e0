"""What an `add` needs room for: a sum that stays within the bounds of the number's type."""

from __future__ import annotations

import decimal
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dyngen.design.model import Condition, Entity, Room, Test
from dyngen.design.plans import ValueWrite
from dyngen.design.valuesets import Interval, ValueSet, conjunction
from dyngen.keys.model import Fixed
from dyngen.types.model import Decimal, Integer, ValueType

Bound = int | decimal.Decimal | None


def rooms(
    entity: Entity,
    writes: Iterable[ValueWrite],
    guard: Sequence[Condition],
    *,
    upsert: bool,
) -> Iterator[Room]:
    """The conditions that keep the numbers which are added to within their bounds.

    DynamoDB's ADD checks nothing, and an item with a number out of its bounds could not be written
    again. There is none where no sum can leave the bounds, or the guard says so already.
    """
    for write in writes:
        if write.verb != "add" or write.operand is None:
            continue
        if not isinstance(write.type, Integer | Decimal):
            continue
        low: Bound
        high: Bound
        low, high = write.type.bounds
        if isinstance(write.operand, Fixed):
            low, high = _within_reach(write.operand.value, low, high)
        if low is None and high is None:
            continue
        path = tuple(step.text for step in write.path)
        room = Room(write.attribute, write.operand, low, high, write.type, path)
        if not _said(entity, room, guard, upsert=upsert):
            yield room


def amount_type(of: ValueType) -> ValueType:
    """What may be added to a number: a difference may be negative, whatever the number's bounds."""
    match of:
        case Integer():
            return Integer()
        case Decimal(digits=digits, places=places):
            return Decimal(digits, places)
        case _:
            return of


def _within_reach(amount: Any, low: Bound, high: Bound) -> tuple[Bound, Bound]:
    """The bounds that a sum with this constant can leave."""
    if _at_most(low, amount) and _at_most(amount, high):  # absent counts as 0
        return (None if amount >= 0 else low), (None if amount <= 0 else high)
    return low, high


def _at_most(low: Bound, high: Bound) -> bool:
    return low is None or high is None or low <= high


def _said(
    entity: Entity, room: Room, guard: Sequence[Condition], *, upsert: bool
) -> bool:
    """Whether the guard alone leaves no value without room."""
    if room.path or upsert or not isinstance(room.amount, Fixed):
        return False
    attribute = entity.attribute(room.attribute)
    tests = [
        test
        for test in guard
        if isinstance(test, Test) and test.attribute == room.attribute and not test.path
    ]
    amount: Any = room.amount.value
    fitting = Interval(
        None if room.minimum is None else room.minimum - amount,
        None if room.maximum is None else room.maximum - amount,
    )
    possible = conjunction(tests, attribute.type, optional=attribute.optional)
    fits_absent = _at_most(room.minimum, amount) and _at_most(amount, room.maximum)
    return possible.within(ValueSet((fitting,), absent=fits_absent))
