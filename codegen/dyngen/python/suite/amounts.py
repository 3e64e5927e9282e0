"""What sample calls add to numbers that must stay within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dyngen.design.model import Room
from dyngen.keys.model import Given
from dyngen.python.suite import samples
from dyngen.python.suite.oracle import within
from dyngen.types.model import Decimal, Integer, ValueType


def rooms_of(guard: Sequence[object], parameter: str) -> list[Room]:
    """What a guard asks of the sums that a parameter is added to."""
    return [
        each
        for each in guard
        if isinstance(each, Room) and each.amount == Given(parameter)
    ]


def fitting(wanted: Any, of: ValueType, rooms: Sequence[Room], *, upsert: bool) -> Any:
    """The amount that is wanted, or one near it that some number in each of the rooms can take.

    An upsert must be able to add it to nothing as well.
    """
    fit = (each for each in _amounts(wanted, of, rooms) if _fits(each, rooms, upsert))
    return next(fit, wanted)


def drawn(of: ValueType, rooms: Sequence[Room]) -> ValueType:
    """The type of random amounts: what no number in the rooms can take says little."""
    spans = [span for room in rooms if (span := _span(room)) is not None]
    if not spans or not isinstance(of, Integer | Decimal):
        return of
    return replace(of, minimum=-min(spans), maximum=min(spans))


def _amounts(wanted: Any, of: ValueType, rooms: Sequence[Room]) -> Iterator[Any]:
    if wanted:
        yield wanted
    known: list[Any] = [*samples.pool(of, "")]
    known += [each for room in rooms for each in (room.minimum, room.maximum)]
    known += map(_span, rooms)
    others = [abs(each) for each in known if each]
    yield from (-each if wanted < 0 else each for each in others)
    yield from (each if wanted < 0 else -each for each in others)


def _fits(amount: Any, rooms: Sequence[Room], upsert: bool) -> bool:
    for room in rooms:
        span = _span(room)
        if span is not None and abs(amount) > span:
            return False
        if upsert and not within(amount, room.minimum, room.maximum):
            return False
    return True


def _span(room: Room) -> Any:
    """The greatest difference of two numbers within the bounds; None if there is none."""
    low: Any = room.minimum
    high: Any = room.maximum
    return None if low is None or high is None else high - low
