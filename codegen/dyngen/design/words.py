"""Values, conditions and key conditions in words; `dyngen.design.describe` makes sentences of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable

from dyngen.design.model import (
    AllOf,
    AnyOf,
    ClockNow,
    Condition,
    Const,
    ItemAttribute,
    Not,
    Operand,
    Param,
    Room,
    Test,
)
from dyngen.design.plans import KeyEquals, KeyRange, KeyValue, NativeValue
from dyngen.keys.model import (
    After,
    Bound,
    Clock,
    Each,
    Encoded,
    Fixed,
    FromItem,
    Given,
    Hashed,
    KeyText,
    Literal,
    Missing,
    Part,
    RangeForm,
    Source,
    Through,
)
from dyngen.spec.model import Operator

ShowParameter = Callable[[str], str]
"""Renders the name of a parameter."""

_EXCLUDING = frozenset({Bound.NEXT, Bound.PREVIOUS, Bound.BELOW})

_RELATIONS = {
    Operator.EQ: "=",
    Operator.NE: "≠",
    Operator.LT: "<",
    Operator.LTE: "≤",
    Operator.GT: ">",
    Operator.GTE: "≥",
    Operator.BEGINS_WITH: "begins with",
    Operator.CONTAINS: "contains",
}

_RANGE_WORDS = {
    RangeForm.EQUALS: "=",
    RangeForm.BEGINS_WITH: "begins with",
    RangeForm.AT_LEAST: "≥",
    RangeForm.AT_MOST: "≤",
    RangeForm.ABOVE: ">",
    RangeForm.BELOW: "<",
}


def key_value(value: KeyValue, parameter: ShowParameter) -> str:
    """The value of a key attribute."""
    if isinstance(value, NativeValue):
        return source_words(value.source, parameter)
    return key_text(value.text, parameter)


def key_text(text: KeyText, parameter: ShowParameter) -> str:
    """A key's text with its values named; the marks that only close a bound are left out."""
    shown = "".join(_piece(piece, parameter) for piece in text)
    return shown or '""'


def conjunction(conditions: Iterable[Condition], parameter: ShowParameter) -> str:
    """Conditions that all hold."""
    return " and ".join(condition_words(each, parameter) for each in conditions)


def condition_words(condition: Condition, parameter: ShowParameter) -> str:
    """One condition of a guard or a filter."""
    match condition:
        case Test():
            return _test(condition, parameter)
        case Not(of=of):
            return f"not ({condition_words(of, parameter)})"
        case AnyOf(of=of):
            return f"({' or '.join(condition_words(each, parameter) for each in of)})"
        case AllOf(of=of):
            return f"({conjunction(of, parameter)})"
        case Room():
            return _room(condition, parameter)


def constant(value: object) -> str:
    """A constant as people write it; characters that would not show are named."""
    match value:
        case bool():
            return "true" if value else "false"
        case dt.datetime():
            return value.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")
        case dt.date():
            return value.isoformat()
        case bytes():
            return f"0x{value.hex()}"
        case _:
            return visible(str(value))


def equalities(key: Iterable[KeyEquals], parameter: ShowParameter) -> str:
    """Key attributes that are fixed."""
    return ", ".join(_equality(equals, parameter) for equals in key)


def range_words(key_range: KeyRange, parameter: ShowParameter) -> str:
    """The range of a key attribute."""
    name = visible(key_range.attribute)
    low = _bound(key_range.low, key_range.low_exclusive, parameter)
    high = _bound(key_range.high, key_range.high_exclusive, parameter)
    if key_range.form is RangeForm.BETWEEN:
        return f"{name} between {low} and {high}"
    return f"{name} {_RANGE_WORDS[key_range.form]} {low or high}"


def source_words(
    source: Source, parameter: ShowParameter, absent: str = "value"
) -> str:
    """Where a value comes from; `absent` names the attribute that may be missing."""
    match source:
        case Given(parameter=name) | Each(variable=name):
            return parameter(name)
        case Fixed(value=value):
            return constant(value)
        case Missing():
            return f"(no {absent})"
        case Clock():
            return "now"
        case FromItem(item=item, attribute=attribute):
            return parameter(f"{item}.{attribute}")
        case Hashed(by=by):
            hashed = ", ".join(source_words(each, parameter) for each in by)
            return f"(the shard of {hashed})"


def comparison(subject: str, test: Test, parameter: ShowParameter) -> str:
    """What a test asks of `subject`."""
    operands = [_operand(operand, parameter) for operand in test.operands]
    match test.operator:
        case Operator.PRESENT | Operator.ABSENT:
            return f"{subject} {test.operator}"
        case Operator.BETWEEN:
            return f"{subject} between {operands[0]} and {operands[1]}"
        case Operator.IN:
            return f"{subject} in {', '.join(operands)}"
        case Operator.SIZE:
            relation = _RELATIONS[test.size_operator or Operator.EQ]
            return f"the size of {subject} {relation} {operands[0]}"
        case operator:
            return f"{subject} {_RELATIONS[operator]} {operands[0]}"


def visible(text: str) -> str:
    """The text with every character that would not show (or would break a line) named."""
    return "".join(
        char if char.isprintable() else f"<U+{ord(char):04X}>" for char in text
    )


def _equality(equals: KeyEquals, parameter: ShowParameter) -> str:
    return f"{visible(equals.attribute)} = {key_value(equals.value, parameter)}"


def _bound(
    value: KeyValue | None, exclusive: bool, parameter: ShowParameter
) -> str | None:
    if value is None:
        return None
    excluded = exclusive or _excludes(value)
    return key_value(value, parameter) + (" (excluded)" if excluded else "")


def _excludes(value: KeyValue) -> bool:
    """Whether a bound stands beside the value it names, not on it."""
    if isinstance(value, NativeValue):
        return False
    return any(
        isinstance(piece, After)
        or (isinstance(piece, Encoded) and piece.bound in _EXCLUDING)
        for piece in value.text
    )


def _piece(piece: Literal | Encoded | Through | After, parameter: ShowParameter) -> str:
    match piece:
        case Literal(text=text):
            return visible(text)
        case Encoded(part=part, source=source):
            name = part.attribute if isinstance(part, Part) else "shard"
            return source_words(source, parameter, absent=name)
        case Through() | After():
            return ""


def _test(test: Test, parameter: ShowParameter) -> str:
    name = visible(".".join((test.attribute, *test.path)))
    return comparison(name, test, parameter)


def _room(room: Room, parameter: ShowParameter) -> str:
    name = visible(".".join((room.attribute, *room.path)))
    sum_ = f"{name} + {source_words(room.amount, parameter)}"
    if room.minimum is None:
        return f"{sum_} ≤ {room.maximum}"
    if room.maximum is None:
        return f"{sum_} ≥ {room.minimum}"
    return f"{room.minimum} ≤ {sum_} ≤ {room.maximum}"


def _operand(operand: Operand, parameter: ShowParameter) -> str:
    match operand:
        case Param(name=name):
            return parameter(name)
        case Const(value=value):
            return constant(value)
        case ClockNow():
            return "now"
        case ItemAttribute(item=item, attribute=attribute):
            return parameter(f"{item}.{attribute}")
