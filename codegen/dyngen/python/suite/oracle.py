"""Conditions in plain Python: decided here for sample items, and written out for the suite.

The suite's oracles know nothing of keys or expressions; they say of an item whether it matches.
"""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dyngen.design.bindings import source_of
from dyngen.design.model import (
    AllOf,
    AnyOf,
    ClockNow,
    Condition,
    Const,
    Entity,
    ItemAttribute,
    Not,
    Operand,
    Param,
    Room,
    Test,
)
from dyngen.keys.model import Clock, Fixed, FromItem, Given, Source
from dyngen.python import names
from dyngen.python.literals import text
from dyngen.python.suite.nested import Values, leaf, steps_of, value_at
from dyngen.python.suite.sources import source
from dyngen.spec.model import Operator
from dyngen.types.model import Date, Integer, Object, ValueType, inside

NOW = dt.datetime(2026, 7, 1, 12, tzinfo=dt.UTC)
"""What the clock says in every suite."""

_COMPARE: Mapping[Operator, Callable[[Any, Any], Any]] = {
    Operator.EQ: operator.eq,
    Operator.LT: operator.lt,
    Operator.LTE: operator.le,
    Operator.GT: operator.gt,
    Operator.GTE: operator.ge,
    Operator.BEGINS_WITH: lambda value, prefix: value.startswith(prefix),
    Operator.CONTAINS: lambda value, part: part in value,
}

_SYMBOLS = {
    Operator.EQ: "==",
    Operator.NE: "!=",
    Operator.LT: "<",
    Operator.LTE: "<=",
    Operator.GT: ">",
    Operator.GTE: ">=",
}


# --- deciding ------------------------------------------------------------------------------------


def holds(condition: Condition, item: Values, call: Values) -> bool:
    """Whether a condition holds for an item, with these parameters."""
    match condition:
        case Not(of=inner):
            return not holds(inner, item, call)
        case AnyOf(of=parts):
            return any(holds(part, item, call) for part in parts)
        case AllOf(of=parts):
            return all(holds(part, item, call) for part in parts)
        case Test():
            return _test(condition, value_at(item, steps_of(condition, call)), call)
        case Room():
            return _has_room(condition, value_at(item, steps_of(condition, call)), call)


def _has_room(room: Room, value: Any, call: Values) -> bool:
    sum_ = (value or 0) + value_of(room.amount, call)
    return within(sum_, room.minimum, room.maximum)


def within(number: Any, low: Any, high: Any) -> bool:
    """Whether a number lies within bounds; None is no bound."""
    return (low is None or low <= number) and (high is None or number <= high)


def _test(test: Test, value: Any, call: Values) -> bool:
    match test.operator:
        case Operator.PRESENT:
            return value is not None
        case Operator.ABSENT:
            return value is None
    wanted = [operand_value(operand, call) for operand in test.operands]
    if test.operator is Operator.EQ and wanted == [None]:
        return value is None  # the placeholder of a missing value
    if test.operator is Operator.NE:
        return bool(value != wanted[0])
    if value is None:
        return False
    match test.operator:
        case Operator.BETWEEN:
            low, high = wanted
            return bool(low <= value <= high)
        case Operator.IN:
            return value in _choices(test, wanted)
        case Operator.SIZE if test.size_operator is not None:
            return bool(_COMPARE[test.size_operator](len(value), wanted[0]))
        case _:
            return bool(_COMPARE[test.operator](value, wanted[0]))


def _choices(test: Test, wanted: Sequence[object]) -> Collection[object]:
    if is_many(test) and isinstance(wanted[0], Collection):
        return wanted[0]
    return wanted


def is_many(test: Test) -> bool:
    """Whether one parameter gives all values of `in`."""
    return any(isinstance(operand, Param) and operand.many for operand in test.operands)


def operand_value(operand: Operand, call: Values) -> Any:
    """The value that an operand stands for."""
    match operand:
        case Param(name=name):
            return call[name]
        case Const(value=value):
            return value
        case ClockNow(type=of):
            return now_as(of)
        case ItemAttribute():
            return value_of(source_of(operand), call)


def now_as(of: ValueType) -> Any:
    """The clock's time as a value of the type; an integer counts seconds since 1970."""
    match of:
        case Date():
            return NOW.date()
        case Integer():
            return int(NOW.timestamp())
        case _:
            return NOW


def value_of(origin: Source, call: Values) -> Any:
    """The value that a source stands for."""
    match origin:
        case Given(parameter=name):
            return call[name]
        case FromItem(item=item, attribute=attribute):
            values = call[item]
            return values.get(attribute) if isinstance(values, Mapping) else None
        case Fixed(value=value):
            return value
        case Clock():
            return NOW
        case _:
            return None


# --- writing -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes conditions on an entity's items as Python expressions.

    Attributes:
        entity: whose items are meant.
        item: the name of the variable that holds one.
        optional: parameters that need not be given; their conditions then do not count.
    """

    entity: Entity
    item: str
    optional: frozenset[str] = frozenset()

    def all_of(self, conditions: Sequence[Condition]) -> str:
        """The conjunction, fit to stand between parentheses."""
        return " and ".join(self.part(each) for each in conditions) or "True"

    def part(self, condition: Condition) -> str:
        """A condition, fit to stand beside `and`."""
        match condition:
            case Not(of=inner):
                return f"not ({self.part(inner)})"
            case AnyOf(of=parts):
                return f"({' or '.join(self.part(part) for part in parts)})"
            case AllOf(of=parts):
                return f"({self.all_of(parts)})"
            case Test():
                return self._given_or(condition, self._test(condition))
            case Room():
                return self.room(condition)

    def _given_or(self, test: Test, expression: str) -> str:
        skipped = [name for name in parameters(test) if name in self.optional]
        if not skipped:
            return expression
        absent = " or ".join(f"{names.parameter(name)} is None" for name in skipped)
        return f"({absent} or {expression})"

    def _test(self, test: Test) -> str:
        value, of = self._value(test)
        around = self._around(test)
        match test.operator:
            case Operator.PRESENT:
                return " and ".join(f"{each} is not None" for each in (*around, value))
            case Operator.ABSENT:
                absent = " or ".join(f"{each} is None" for each in (*around, value))
                return f"({absent})" if around else absent
        wanted = [value_source(source_of(operand), of) for operand in test.operands]
        match test.operator:
            case Operator.NE if around:
                absent = " or ".join(f"{each} is None" for each in around)
                return f"({absent} or {value} != {wanted[0]})"
            case Operator.EQ | Operator.NE if not around:
                return f"{value} {_SYMBOLS[test.operator]} {wanted[0]}"
            case Operator.BETWEEN:
                expression = f"{wanted[0]} <= {value} <= {wanted[1]}"
            case Operator.IN:
                choices = wanted[0] if is_many(test) else f"({', '.join(wanted)},)"
                expression = f"{value} in {choices}"
            case Operator.BEGINS_WITH:
                expression = f"{value}.startswith({wanted[0]})"
            case Operator.CONTAINS:
                expression = f"{wanted[0]} in {value}"
            case Operator.SIZE if test.size_operator is not None:
                expression = f"len({value}) {_SYMBOLS[test.size_operator]} {wanted[0]}"
            case _:
                expression = f"{value} {_SYMBOLS[test.operator]} {wanted[0]}"
        there = (*around, value) if self._is_optional(test) else around
        return " and ".join([*(f"{each} is not None" for each in there), expression])

    def room(self, room: Room, instead: str = "") -> str:
        """That a number, or what is there `instead`, has room for what is added to it."""
        value, of = self._value(room)
        if around := self._around(room):
            there = " and ".join(f"{each} is not None" for each in around)
            value = f"(({value} if {there} else 0) or 0)"
        elif self._is_optional(room):
            value = f"({value} or 0)"
        value = instead or value
        return _between(room, f"{value} + {value_source(room.amount, of)}", of)

    def _around(self, test: Test | Room) -> tuple[str, ...]:
        """What the value is inside of and what may be absent, from the outside in."""
        found = []
        for depth in range(len(test.path)):
            outer = replace(test, path=test.path[:depth])
            if self._is_optional(outer):
                found.append(self._value(outer)[0])
        return tuple(found)

    def _is_optional(self, test: Test | Room) -> bool:
        """Whether an item may lack the value, though it has all that this is inside of."""
        return leaf(self.entity.attribute(test.attribute), test).optional

    def _value(self, test: Test | Room) -> tuple[str, ValueType]:
        attribute = self.entity.attribute(test.attribute)
        found = f"{self.item}.{names.attribute(attribute.name)}"
        of = attribute.type
        for step in test.path:
            if isinstance(of, Object):
                found += f".{names.attribute(of.field(step).name)}"
            else:
                found += f".get({_source_of_step(step)})"
            of = inside(of, step)
        return found, of


def _between(room: Room, sum_: str, of: ValueType) -> str:
    low = "" if room.minimum is None else f"{source(of, room.minimum)} <= "
    high = "" if room.maximum is None else f" <= {source(of, room.maximum)}"
    return f"{low}{sum_}{high}"


def value_source(origin: Source, of: ValueType) -> str:
    """The expression of the value that a source stands for, in a suite.

    Raises TypeError for a source that no call gives.
    """
    match origin:
        case Given(parameter=name):
            return names.parameter(name)
        case FromItem(item=item, attribute=attribute):
            return f"{names.parameter(item)}.{names.attribute(attribute)}"
        case Fixed(value=value):
            return source(of, value)
        case Clock():
            return _now_source(of)
        case _:
            raise TypeError(f"{origin} has no source here")


def _now_source(of: ValueType) -> str:
    match of:
        case Date():
            return "NOW.date()"
        case Integer():
            return "int(NOW.timestamp())"
        case _:
            return "NOW"


def _source_of_step(step: str) -> str:
    """A step into a map: a fixed key, or a parameter's value (`{emoji}`)."""
    if step.startswith("{") and step.endswith("}"):
        return names.parameter(step[1:-1])
    return text(step)


def parameters(condition: Condition) -> tuple[str, ...]:
    """The names of the parameters that a condition uses."""
    match condition:
        case Not(of=inner):
            return parameters(inner)
        case AnyOf(of=parts) | AllOf(of=parts):
            return tuple(name for part in parts for name in parameters(part))
        case Test(operands=operands):
            return tuple(o.name for o in operands if isinstance(o, Param))
        case Room(amount=amount):
            return (amount.parameter,) if isinstance(amount, Given) else ()
