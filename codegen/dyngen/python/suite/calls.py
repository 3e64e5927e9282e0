"""How the suite calls a read: parameters around a sample item, and others that find less or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dyngen.design.expiry import unexpired
from dyngen.design.model import (
    AllOf,
    AnyOf,
    Attribute,
    Condition,
    Entity,
    Not,
    Param,
    Test,
    tests_in,
)
from dyngen.design.plans import Parameter, ReadPlan, Route, TextValue
from dyngen.keys.model import Encoded, Part
from dyngen.python.suite import samples
from dyngen.python.suite.nested import Values, leaf, steps_of, value_at
from dyngen.python.suite.oracle import holds, parameters
from dyngen.python.suite.specimens import pool, stem
from dyngen.spec.model import Operator
from dyngen.types.model import String

_LOW = (Operator.GTE, Operator.GT, Operator.BETWEEN)


@dataclass(frozen=True, slots=True)
class CallPlan:
    """One way to call a read."""

    parameters: Values
    route: Route


def conditions_of(plan: ReadPlan, entity: Entity) -> tuple[Condition, ...]:
    """What an item of this entity must meet to be returned."""
    keyed = next(tests for name, tests in plan.where if name == entity.name)
    filtered = plan.filter.conditions if plan.filter else ()
    if plan.expires is None:
        return (*keyed, *filtered)
    return (*keyed, *filtered, unexpired(entity.attribute(plan.expires)))


def meets(conditions: Sequence[Condition], values: Values, call: Values) -> bool:
    """Whether an item meets the conditions that a call asks: those of which it gives all parameters."""
    return all(
        holds(each, values, call)
        for each in conditions
        if all({*parameters(test)} <= {*call} for test in tests_in((each,)))
    )


def most_read(plan: ReadPlan) -> int | None:
    """How many items one call may read, those that a filter drops among them."""
    if plan.filter is not None and plan.filter.at_most is not None:
        return plan.filter.at_most
    return plan.at_most


def optional_parameters(plan: ReadPlan) -> frozenset[str]:
    """The parameters that need not be given."""
    return frozenset(name for each in plan.alternatives for name in each.given)


def chosen(plan: ReadPlan, entity: Entity, values: Values, call: Values) -> Values:
    """`call`, with a value for every other parameter that concerns this entity.

    The values are those of a sample item, or around them, so that there is something to find.
    """
    found = dict(call)
    conditions = conditions_of(plan, entity)
    for test in tests_in(conditions):
        attribute = _as_taken(plan, leaf(entity.attribute(test.attribute), test))
        held = value_at(values, steps_of(test, found))
        apart = stands_apart(test, conditions)
        for position, operand in enumerate(test.operands):
            if isinstance(operand, Param) and operand.name not in found:
                found[operand.name] = operand_for(
                    attribute,
                    test,
                    position,
                    {**values, attribute.name: held},
                    apart=apart,
                )
    return found


def _as_taken(plan: ReadPlan, attribute: Attribute) -> Attribute:
    """The attribute with the values that a range over a key takes: of a computed text, not any text."""
    ranges = [a.route.range for a in plan.alternatives if a.route.range is not None]
    bounds = [bound for each in ranges for bound in (each.low, each.high)]
    for bound in bounds:
        for piece in bound.text if isinstance(bound, TextValue) else ():
            match piece:
                case Encoded(part=Part(attribute=attribute.name, type=String() as of)):
                    return replace(attribute, type=of)
    return attribute


def stands_apart(test: Test, conditions: Sequence[Condition]) -> bool:
    """Whether the test excludes a value, while others ask something of the same attribute."""
    tests = list(signed(conditions))
    mine = [positive for each, positive in tests if each == test]
    beside = any(t.attribute == test.attribute and t != test for t, _ in tests)
    return beside and any(
        test.operator is (Operator.NE if positive else Operator.EQ) for positive in mine
    )


def signed(
    conditions: Sequence[Condition], *, positive: bool = True
) -> Iterator[tuple[Test, bool]]:
    """The tests inside conditions, and whether they are to hold."""
    for condition in conditions:
        match condition:
            case Not(of=inner):
                yield from signed((inner,), positive=not positive)
            case AnyOf(of=parts) | AllOf(of=parts):
                yield from signed(parts, positive=positive)
            case Test():
                yield condition, positive


def operand_for(
    attribute: Attribute,
    test: Test,
    position: int,
    values: Values,
    *,
    apart: bool,
) -> object:
    """A value for the parameter that is the operand of a condition at `position`.

    `apart`: the condition must leave the sample item as it is.
    """
    plain = values.get(attribute.name)
    if plain is None:
        plain = samples.plain(attribute.type, stem(attribute))
    if apart:
        return next((each for each in pool(attribute) if each != plain), plain)
    match test.operator:
        case Operator.IN:
            other = next((each for each in pool(attribute) if each != plain), plain)
            return (plain, other, other)
        case Operator.SIZE:
            return 1
        case Operator.CONTAINS:
            elements = (
                sorted(plain, key=repr) if isinstance(plain, frozenset) else plain
            )
            return elements[0] if isinstance(elements, str | tuple | list) else plain
        case Operator.LTE | Operator.LT:
            return _greater(attribute, plain)
        case Operator.GT:
            return _with_greater(attribute, plain)
        case Operator.GTE:
            return _with_lesser(attribute, plain)
        case Operator.BETWEEN if position == 1:
            return _greater(attribute, plain)
        case _:
            return plain


def _greater(attribute: Attribute, value: object) -> object:
    """A sample value above this one, with others between and beyond if possible."""
    above = sorted(each for each in pool(attribute) if each > value)  # type: ignore[type-var, operator]
    return above[len(above) // 2] if above else value


def _with_lesser(attribute: Attribute, value: Any) -> object:
    """This sample value; the next greater one, if there is no lesser one that would not match."""
    known: set[Any] = {*pool(attribute), *samples.near(attribute.type, value)}
    if any(each < value for each in known):
        return value
    return min((each for each in known if each > value), default=value)


def _with_greater(attribute: Attribute, value: Any) -> object:
    """This sample value; the next lesser one, if there is no greater one."""
    known: set[Any] = {*pool(attribute), *samples.ends(attribute.type)}
    if any(each > value for each in known):
        return value
    return max((each for each in known if each < value), default=value)


def calls(plan: ReadPlan, call: Values) -> Iterator[CallPlan]:
    """The call with all parameters, then those with fewer; None where a value may be missing."""
    optional = optional_parameters(plan)
    for each in plan.alternatives:
        absent = optional - each.given
        yield CallPlan({n: v for n, v in call.items() if n not in absent}, each.route)
    for parameter in plan.parameters:
        if parameter.optional and parameter.name not in optional:
            yield CallPlan({**call, parameter.name: None}, plan.alternatives[0].route)


def others(
    plan: ReadPlan, call: Values, computed: Mapping[str, Sequence[object]]
) -> Iterator[Values]:
    """Calls that differ in one parameter each, and whose ranges hold something.

    `computed` has the values that sample items have of computed attributes: others may not exist.
    """
    for parameter in plan.parameters:
        value = call[parameter.name]
        known = None if parameter.many else computed.get(parameter.attribute or "")
        for other in _other_values(parameter, value) if known is None else known:
            changed = {**call, parameter.name: other}
            if other != value and not _is_empty(plan, changed):
                yield changed
                break


def _other_values(parameter: Parameter, value: object) -> Sequence[object]:
    if parameter.many:
        return [value[:1]] if isinstance(value, tuple) else []
    assert parameter.type is not None
    return (*samples.near(parameter.type, value), *samples.pool(parameter.type, "x"))


def empty(plan: ReadPlan, call: Values) -> Iterator[Values]:
    """Calls that can find nothing: no values to choose from, or bounds the wrong way round."""
    keyed = {
        operand.name
        for _, tests in plan.where
        for test in tests
        for operand in test.operands
        if isinstance(operand, Param)
    }
    for parameter in plan.parameters:
        if parameter.many and parameter.name in keyed:
            yield {**call, parameter.name: ()}
    for low, high in _bounds(plan):
        if call[low] != call[high]:
            yield {**call, low: call[high], high: call[low]}


def _is_empty(plan: ReadPlan, call: Values) -> bool:
    return any(call[low] > call[high] for low, high in _bounds(plan))  # type: ignore[operator]


def _bounds(plan: ReadPlan) -> Iterator[tuple[str, str]]:
    """The pairs of parameters that bound one attribute from below and from above."""
    for _, tests in plan.where:
        for attribute in dict.fromkeys(test.attribute for test in tests):
            mine = [test for test in tests if test.attribute == attribute]
            mine.sort(key=lambda test: test.operator not in _LOW)
            ends = [
                o.name for test in mine for o in test.operands if isinstance(o, Param)
            ]
            if len(ends) == 2 and mine[0].operator in _LOW:
                yield ends[0], ends[1]
