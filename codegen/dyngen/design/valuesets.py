"""Sets of values that an attribute can have, with *absent* as a value of its own.

The planner compares two of them: what can match a condition, and what an index holds (semantics 4).
A set is a union of intervals of the attribute's own order; text orders by code point.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import reduce
from typing import Any

from dyngen.design.model import Const, Test
from dyngen.spec.model import Operator
from dyngen.types.model import Boolean, Date, Enum, Integer, ValueType


@dataclass(frozen=True, slots=True)
class Interval:
    """Values from `low` to `high`; None is unbounded."""

    low: Any = None
    high: Any = None
    low_open: bool = False
    high_open: bool = False

    @property
    def empty(self) -> bool:
        """Whether no value lies inside."""
        if self.low is None or self.high is None:
            return False
        if self.low == self.high:
            return self.low_open or self.high_open
        return bool(self.low > self.high)

    def intersect(self, other: Interval) -> Interval:
        """The values in both."""
        low, low_open = _higher_low(self, other)
        high, high_open = _lower_high(self, other)
        return Interval(low, high, low_open, high_open)

    def within(self, other: Interval) -> bool:
        """Whether every value of this interval lies in `other`."""
        return self.empty or self.intersect(other) == self


def _higher_low(a: Interval, b: Interval) -> tuple[Any, bool]:
    if a.low is None:
        return b.low, b.low_open
    if b.low is None or a.low > b.low:
        return a.low, a.low_open
    if a.low == b.low:
        return a.low, a.low_open or b.low_open
    return b.low, b.low_open


def _lower_high(a: Interval, b: Interval) -> tuple[Any, bool]:
    if a.high is None:
        return b.high, b.high_open
    if b.high is None or a.high < b.high:
        return a.high, a.high_open
    if a.high == b.high:
        return a.high, a.high_open or b.high_open
    return b.high, b.high_open


@dataclass(frozen=True, slots=True)
class ValueSet:
    """Present values as intervals, and whether the attribute may be absent."""

    present: tuple[Interval, ...]
    absent: bool = False

    @property
    def empty(self) -> bool:
        """Whether neither a value nor absence is left."""
        return not self.absent and not self.present

    def intersect(self, other: ValueSet) -> ValueSet:
        """What is in both."""
        pairs = (a.intersect(b) for a in self.present for b in other.present)
        return ValueSet(
            tuple(i for i in pairs if not i.empty), self.absent and other.absent
        )

    def union(self, other: ValueSet) -> ValueSet:
        """What is in one of them."""
        return ValueSet(self.present + other.present, self.absent or other.absent)

    def within(self, other: ValueSet) -> bool:
        """Whether everything here is in `other` (whose intervals must not touch one another)."""
        return (other.absent or not self.absent) and all(
            any(mine.within(theirs) for theirs in other.present)
            for mine in self.present
        )


ABSENT = ValueSet((), absent=True)
ANYTHING = ValueSet((Interval(),), absent=True)


def _point(value: Any) -> Interval:
    return Interval(value, value)


def universe(of: ValueType, *, optional: bool) -> ValueSet:
    """Every value an attribute of this type can have."""
    match of:
        case Enum(members=members):
            texts = sorted(m.stored for m in members)
            return ValueSet(tuple(_point(t) for t in texts), optional)
        case Boolean():
            return ValueSet((_point(False), _point(True)), optional)
        case Integer(minimum=low, maximum=high):
            return ValueSet((Interval(low, high),), optional)
        case _:
            return ValueSet((Interval(),), optional)


def matching(test: Test, of: ValueType, *, for_all: bool) -> ValueSet:
    """The values that satisfy `test`: for some parameter, or (`for_all`) for every parameter.

    `for_all` gives the empty set as soon as a parameter takes part: a parameter never counts as
    discharged.
    """
    everything = ValueSet(universe(of, optional=False).present)
    if test.operator is Operator.PRESENT:
        return everything
    if test.operator is Operator.ABSENT:
        return ABSENT
    constants = [o.value if isinstance(o, Const) else None for o in test.operands]
    if for_all and (None in constants or test.path):
        return ValueSet(())
    if test.path:
        return ANYTHING
    return everything.intersect(ValueSet(_intervals(test.operator, constants, of)))


def _intervals(
    operator: Operator, operands: list[Any], of: ValueType
) -> tuple[Interval, ...]:
    match operator:
        case Operator.EQ:
            return (_exactly(operands[0]),)
        case Operator.IN:
            if None in operands:
                return (Interval(),)
            return tuple(_point(v) for v in sorted(set(operands)))
        case Operator.BETWEEN:
            return (Interval(operands[0], operands[1]),)
        case Operator.GTE:
            return (Interval(low=operands[0]),)
        case Operator.LTE:
            return (Interval(high=operands[0]),)
        case Operator.GT:
            return (_closed(Interval(low=operands[0], low_open=True), of),)
        case Operator.LT:
            return (_closed(Interval(high=operands[0], high_open=True), of),)
        case Operator.BEGINS_WITH if isinstance(operands[0], str):
            return (Interval(operands[0], text_after(operands[0]), high_open=True),)
        case Operator.NE if operands[0] is not None:
            value = operands[0]
            return (
                Interval(high=value, high_open=True),
                Interval(low=value, low_open=True),
            )
        case _:
            return (Interval(),)


def _exactly(value: Any) -> Interval:
    return Interval() if value is None else _point(value)


def _closed(interval: Interval, of: ValueType) -> Interval:
    """Discrete types have neighbours: n > 3 is n >= 4, so that sets compare exactly.

    An end that a parameter gives is unbounded, and then it is not open either.
    """
    if interval.low is None and interval.high is None:
        return Interval()
    step: Any
    match of:
        case Integer():
            step = 1
        case Date():
            step = dt.timedelta(days=1)
        case _:
            return interval
    low, high = interval.low, interval.high
    try:
        if low is not None and interval.low_open:
            low += step
        if high is not None and interval.high_open:
            high -= step
    except OverflowError:
        end = interval.high if low is None else low
        return Interval(end, end, low_open=True, high_open=True)
    return Interval(low, high)


def text_after(prefix: str) -> str | None:
    """The least text above every text that begins with `prefix`; None if there is none."""
    while prefix:
        last = ord(prefix[-1])
        if last < 0x10FFFF:
            after = 0xE000 if last == 0xD7FF else last + 1
            return prefix[:-1] + chr(after)
        prefix = prefix[:-1]
    return None


def conjunction(tests: list[Test], of: ValueType, *, optional: bool) -> ValueSet:
    """The values of one attribute that satisfy all tests on it, for some parameters."""
    return reduce(
        ValueSet.intersect,
        (matching(t, of, for_all=False) for t in tests),
        universe(of, optional=optional),
    )
