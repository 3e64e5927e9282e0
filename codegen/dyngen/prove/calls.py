"""A telling call of each read: parameters taken from an item that is stored, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dyngen.design.model import Entity, Param, Schema, Test
from dyngen.design.plans import ReadPlan, Route
from dyngen.prove.population import Item, Values
from dyngen.python.suite.calls import conditions_of, tests_of
from dyngen.python.suite.oracle import holds
from dyngen.python.suite.stored import with_computed
from dyngen.spec.model import Operator


@dataclass(frozen=True, slots=True)
class Call:
    """A call with all its parameters, and the item that it was made for."""

    parameters: Values
    route: Route
    item: Item


def telling_call(schema: Schema, plan: ReadPlan, items: Sequence[Item]) -> Call | None:
    """A call that finds one of the items, one from their middle if possible; None if none can."""
    name = plan.entities[-1]
    entity = schema.entity(name)
    mine = [each for each in items if each.entity == name]
    for item in (*mine[len(mine) // 2 :], *mine[: len(mine) // 2]):
        values = with_computed(entity, item.values)
        parameters = _parameters(plan, entity, values)
        if parameters is not None and _finds(plan, entity, values, parameters):
            return Call(parameters, plan.alternatives[0].route, item)
    return None


def _parameters(
    plan: ReadPlan, entity: Entity, values: Mapping[str, object]
) -> Values | None:
    """Parameters that the item meets; None if it cannot."""
    found: Values = {}
    for test in tests_of(conditions_of(plan, entity)):
        for operand in test.operands:
            if isinstance(operand, Param) and operand.name not in found:
                value = None if test.path else values.get(test.attribute)
                wanted = _wanted(test, value)
                if wanted is None:
                    return None
                found[operand.name] = wanted
    return found if len(found) == len(plan.parameters) else None


def _wanted(test: Test, value: object) -> object:
    if value is None:
        return None
    match test.operator:
        case Operator.IN:
            return (value,)
        case Operator.CONTAINS:
            if isinstance(value, tuple | frozenset):
                return next(iter(value), None)
            return value
        case Operator.SIZE | Operator.LT | Operator.GT | Operator.NE:
            return None
        case _:
            return value


def _finds(
    plan: ReadPlan, entity: Entity, values: Mapping[str, object], call: Values
) -> bool:
    conditions = conditions_of(plan, entity)
    return all(holds(condition, values, call) for condition in conditions)
