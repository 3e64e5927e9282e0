"""What a pattern's conditions say of each attribute, in the form that keys are built from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dyngen.design.model import (
    Attribute,
    ClockNow,
    Const,
    Entity,
    ItemAttribute,
    Operand,
    Param,
    Test,
)
from dyngen.design.operators import ORDERING
from dyngen.design.plans import FanOut
from dyngen.keys.model import Clock, Each, Fixed, FromItem, Given, Missing, Source
from dyngen.spec.model import Operator
from dyngen.types.model import Boolean, Enum

RANGES = frozenset({*ORDERING, Operator.BEGINS_WITH})
"""The operators that bound an attribute instead of fixing it."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One attribute under a pattern's conditions.

    `source` fixes it to one value; `fan_out` to a few, one request each; `free_fan_out` says that
    every value it can have may be asked for in turn. `ranges` are the tests that bound it.
    """

    source: Source | None = None
    fan_out: FanOut | None = None
    free_fan_out: FanOut | None = None
    ranges: tuple[Test, ...] = ()
    served: tuple[Test, ...] = ()  # tests that fixing the attribute satisfies
    present: Test | None = (
        None  # asked to be present: a range above a key's placeholder
    )


def bind(
    entity: Entity, tests: Sequence[Test], *, not_given: frozenset[str]
) -> dict[str, Binding]:
    """Bindings by attribute. `not_given`: attributes whose optional condition is left out."""
    bound = {}
    for attribute in entity.attributes:
        mine = [t for t in tests if t.attribute == attribute.name and not t.path]
        bound[attribute.name] = _binding(
            attribute, mine, free=attribute.name in not_given
        )
    return bound


def source_of(operand: Operand) -> Source:
    """The operand as a source of key texts."""
    match operand:
        case Param(name=name):
            return Given(name)
        case Const(value=value):
            return Fixed(value)
        case ItemAttribute(item=item, attribute=attribute):
            return FromItem(item, attribute)
        case ClockNow():
            return Clock()


def _binding(attribute: Attribute, tests: list[Test], *, free: bool) -> Binding:
    ranges = tuple(t for t in tests if t.operator in RANGES)
    for test in tests:
        if test.operator is Operator.EQ:
            return Binding(
                source=source_of(test.operands[0]), ranges=ranges, served=(test,)
            )
        if test.operator is Operator.ABSENT:
            return Binding(source=Missing(), ranges=ranges, served=(test,))
    for test in tests:
        if test.operator is Operator.IN:
            return Binding(
                fan_out=_in_values(attribute, test), ranges=ranges, served=(test,)
            )
    return Binding(
        ranges=ranges,
        free_fan_out=_every_value(attribute) if free else None,
        present=next((t for t in tests if t.operator is Operator.PRESENT), None),
    )


def _in_values(attribute: Attribute, test: Test) -> FanOut:
    first = test.operands[0] if test.operands else None
    if isinstance(first, Param):
        return FanOut(attribute.name, attribute.type, parameter=first.name)
    values = (o.value for o in test.operands if isinstance(o, Const))
    return FanOut(attribute.name, attribute.type, values=tuple(dict.fromkeys(values)))


def _every_value(attribute: Attribute) -> FanOut | None:
    values: tuple[object, ...]
    match attribute.type:
        case Enum(members=members):
            values = tuple(m.stored for m in members)
        case Boolean():
            values = (False, True)
        case _:
            return None
    missing: tuple[object, ...] = (None,) if attribute.optional else ()
    return FanOut(attribute.name, attribute.type, values=values + missing)


def fan_out_source(fan_out: FanOut) -> Source:
    """The loop variable of a fan-out."""
    return Each(fan_out.variable)
