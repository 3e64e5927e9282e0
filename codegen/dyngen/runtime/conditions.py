"""Conditions on items, and the expressions that they become.

A condition is built from attribute paths and wire values and knows nothing of placeholders; a
`Placeholders` turns everything that one request says about an item into expressions. Every attribute
name is aliased, so that no name can be a reserved word (AWS: ReservedWords.html).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from . import limits
from .wire import AttributeValue

Path = str | tuple[str, ...]
"""The name of an attribute, or the names that lead to one inside objects and maps."""

_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_MOST_OPERANDS = 100  # of IN (AWS: Constraints.html)


@dataclass(frozen=True, slots=True)
class Name:
    """A place in a condition where the name of an attribute stands."""

    path: Path


@dataclass(frozen=True, slots=True)
class Value:
    """A place in a condition where a value stands."""

    value: AttributeValue


Pieces = tuple[str | Name | Value, ...]
"""Plain text, names and values, in the order in which they make up an expression."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on an item."""

    pieces: Pieces


def eq(path: Path, value: AttributeValue) -> Condition:
    """The attribute equals `value`."""
    return _compare(path, "=", value)


def ne(path: Path, value: AttributeValue) -> Condition:
    """The attribute differs from `value`, or is absent."""
    return _compare(path, "<>", value)


def lt(path: Path, value: AttributeValue) -> Condition:
    """The attribute is less than `value`."""
    return _compare(path, "<", value)


def lte(path: Path, value: AttributeValue) -> Condition:
    """The attribute is at most `value`."""
    return _compare(path, "<=", value)


def gt(path: Path, value: AttributeValue) -> Condition:
    """The attribute is greater than `value`."""
    return _compare(path, ">", value)


def gte(path: Path, value: AttributeValue) -> Condition:
    """The attribute is at least `value`."""
    return _compare(path, ">=", value)


def between(path: Path, low: AttributeValue, high: AttributeValue) -> Condition:
    """The attribute lies between `low` and `high`, both included.

    Never holds where `low` is above `high`; DynamoDB's own BETWEEN refuses such bounds.
    """
    return all_of(gte(path, low), lte(path, high))


def begins_with(path: Path, prefix: AttributeValue) -> Condition:
    """The attribute, text or binary, begins with `prefix`."""
    return Condition(("begins_with(", Name(path), ", ", Value(prefix), ")"))


def contains(path: Path, element: AttributeValue) -> Condition:
    """The attribute is a set or list that holds `element`, or text that has it as a part."""
    return Condition(("contains(", Name(path), ", ", Value(element), ")"))


def in_(path: Path, values: Iterable[AttributeValue]) -> Condition:
    """The attribute equals one of `values`; of no values, a condition that never holds."""
    operands = [Value(value) for value in values]
    if not operands:
        return all_of(exists(path), missing(path))
    chunks = (
        operands[start : start + _MOST_OPERANDS]
        for start in range(0, len(operands), _MOST_OPERANDS)
    )
    return any_of(*(_in(path, chunk) for chunk in chunks))


def exists(path: Path) -> Condition:
    """The attribute is present."""
    return Condition(("attribute_exists(", Name(path), ")"))


def missing(path: Path) -> Condition:
    """The attribute is absent."""
    return Condition(("attribute_not_exists(", Name(path), ")"))


def size(
    path: Path, relation: str, value: AttributeValue, *, empty: bool = False
) -> Condition:
    """The size of the attribute compares so (`=`, `<>`, `<`, `<=`, `>`, `>=`) to the number `value`.

    Elements of a set, list or map, characters of text, bytes of binary. `empty`: what is absent is
    empty, as a set that is not stored; else it must be there.
    """
    compared = Condition(("size(", Name(path), f") {relation} ", Value(value)))
    if not empty:
        return compared
    if _COMPARISONS[relation](0, Decimal(value["N"])):
        return any_of(missing(path), compared)
    return all_of(exists(path), compared)


def all_of(first: Condition, *others: Condition) -> Condition:
    """All conditions hold."""
    return _join(" AND ", first, *others)


def any_of(first: Condition, *others: Condition) -> Condition:
    """One of the conditions holds."""
    return _join(" OR ", first, *others)


def not_(condition: Condition) -> Condition:
    """The condition does not hold."""
    return Condition(("NOT (", *condition.pieces, ")"))


def _compare(path: Path, operator: str, value: AttributeValue) -> Condition:
    return Condition((Name(path), f" {operator} ", Value(value)))


def _join(word: str, *conditions: Condition) -> Condition:
    if len(conditions) == 1:
        return conditions[0]
    pieces: list[str | Name | Value] = []
    for condition in conditions:
        pieces += (word if pieces else "", "(", *condition.pieces, ")")
    return Condition(tuple(pieces))


def _in(path: Path, operands: Sequence[Value]) -> Condition:
    others = (piece for operand in operands[1:] for piece in (", ", operand))
    return Condition((Name(path), " IN (", operands[0], *others, ")"))


class Placeholders:
    """The placeholders of one request: an alias for every name and for every value."""

    __slots__ = ("_names", "_values")

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: dict[str, AttributeValue] = {}

    def name(self, path: Path) -> str:
        """What stands for the attribute in an expression: `#n0`, or `#n0.#n1` for a nested one.

        Raises InvalidValue for a step that no attribute or entry of a map can be called.
        """
        steps = (path,) if isinstance(path, str) else map(limits.name, path)
        return ".".join(
            self._names.setdefault(step, f"#n{len(self._names)}") for step in steps
        )

    def value(self, value: AttributeValue) -> str:
        """What stands for the value in an expression: `:v0`; equal values share one."""
        for placeholder, known in self._values.items():
            if known == value:
                return placeholder
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = value
        return placeholder

    def expression(self, pieces: Pieces) -> str:
        """The expression that the pieces make up."""
        return "".join(map(self._piece, pieces))

    def _piece(self, piece: str | Name | Value) -> str:
        if isinstance(piece, str):
            return piece
        if isinstance(piece, Name):
            return self.name(piece.path)
        return self.value(piece.value)

    def arguments(self) -> dict[str, Any]:
        """The arguments of a request that say what its placeholders stand for.

        Raises InvalidRequest if that is more than one request holds.
        """
        limits.substituted(self._names, self._values.values())
        arguments: dict[str, Any] = {}
        if self._names:
            arguments["ExpressionAttributeNames"] = {
                alias: name for name, alias in self._names.items()
            }
        if self._values:
            arguments["ExpressionAttributeValues"] = self._values
        return arguments
