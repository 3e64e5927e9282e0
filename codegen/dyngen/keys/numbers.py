"""Sets of numbers, for natural number keys: intervals on a grid of decimal places."""

from __future__ import annotations

import decimal
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal as Number

from dyngen.runtime import scalars
from dyngen.runtime.errors import InvalidValue
from dyngen.types.model import Decimal, Integer, Stored, Timestamp, ValueType

_EXACT = decimal.Context(prec=200)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers from `low` to `high` (None: without end) with at most `places` decimal places."""

    low: Number | None = None
    high: Number | None = None
    low_open: bool = False  # `low` itself is not in it
    high_open: bool = False
    places: int | None = None


def numbers(of: ValueType, values: Iterable[object] | None = None) -> Numbers:
    """The numbers that a natural number key of this type can hold; of several values, their span."""
    places = _places(of)
    if values is not None:
        stored = [n for value in values if (n := stored_number(of, value)) is not None]
        if not stored:
            return Numbers(Number(1), Number(0))
        return Numbers(min(stored), max(stored), places=places)
    if isinstance(of, Integer | Decimal):
        low = None if of.minimum is None else Number(of.minimum)
        high = None if of.maximum is None else Number(of.maximum)
        return Numbers(low, high, places=places)
    return Numbers(places=places)


def stored_number(of: ValueType, value: object) -> Number | None:
    """The number stored for a value, or None if it cannot be stored."""
    try:
        if isinstance(of, Timestamp):
            moment = scalars.truncated(value, of.kept.value)
            unit = "seconds" if of.stored is Stored.EPOCH_SECONDS else "milliseconds"
            return Number((moment - scalars.EPOCH) // scalars.UNITS[unit])
        if isinstance(value, float):
            value = Number(repr(value))
        return scalars.plain_decimal(value)
    except InvalidValue:
        return None


def _places(of: ValueType) -> int | None:
    match of:
        case Integer() | Timestamp():
            return 0
        case Decimal(places=places):
            return places
        case _:
            return None


def common_number(first: Numbers, second: Numbers) -> Number | None:
    """The number of least digits in both sets, or None."""
    low, low_open = max(_lows(first, second), default=(None, False))
    highs = [
        (numbers.high, not numbers.high_open)
        for numbers in (first, second)
        if numbers.high is not None
    ]
    high, closed = min(highs, default=(None, True))
    places = [n.places for n in (first, second) if n.places is not None]
    if not places:
        return _between(low, high, low_open, not closed)
    return _on_grid(min(places), low, high, low_open, not closed)


def _lows(*sets: Numbers) -> list[tuple[Number, bool]]:
    return [
        (numbers.low, numbers.low_open) for numbers in sets if numbers.low is not None
    ]


def _on_grid(
    places: int,
    low: Number | None,
    high: Number | None,
    low_open: bool,
    high_open: bool,
) -> Number | None:
    step = Number((0, (1,), -places))
    if low is not None:
        found = low.quantize(step, decimal.ROUND_CEILING, _EXACT)
        if low_open and found == low:
            found = _EXACT.add(found, step)
        inside = high is None or found < high or (found == high and not high_open)
        return found if inside else None
    if high is None:
        return Number(0)
    found = high.quantize(step, decimal.ROUND_FLOOR, _EXACT)
    return _EXACT.subtract(found, step) if high_open and found == high else found


def _between(
    low: Number | None, high: Number | None, low_open: bool, high_open: bool
) -> Number | None:
    if low is None or high is None:
        end = low if low is not None else high
        if end is None:
            return Number(0)
        return _EXACT.add(end, Number(1 if low is not None else -1))
    if low > high or (low == high and (low_open or high_open)):
        return None
    return _EXACT.divide(_EXACT.add(low, high), Number(2))
