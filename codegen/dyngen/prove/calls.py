"""A telling call of each read: parameters taken from an item that is stored, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dyngen.design.model import Entity, Param, Schema, Test, tests_in
from dyngen.design.plans import ReadPlan, Route, TransactPlan
from dyngen.keys.model import Fixed, Given, Source
from dyngen.prove.population import Item, Values
from dyngen.python.suite.calls import conditions_of
from dyngen.python.suite.effects import key_sources
from dyngen.python.suite.oracle import holds
from dyngen.python.suite.stored import Form, with_computed
from dyngen.spec.model import Operator


@dataclass(frozen=True, slots=True)
class Call:
    """A call with all its parameters, and the item that it was made for."""

    parameters: Values
    route: Route
    item: Item


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A call of a transaction that reads; `partitions` holds each member's partition key, as stored."""

    parameters: Values
    partitions: tuple[Mapping[str, Form], ...]


def telling_snapshot(
    schema: Schema, plan: TransactPlan, items: Sequence[Item]
) -> Snapshot | None:
    """A call that finds an item for every member; None if none can."""
    parameters: Values = {}
    partitions = []
    for member in plan.members:
        entity = schema.entity(member.entity)
        sources = dict(key_sources(entity, member.key))
        found = next(
            (
                (item, asked)
                for item in items
                if item.entity == member.entity
                and (asked := _asked(sources, item.values, parameters)) is not None
            ),
            None,
        )
        if found is None:
            return None
        item, asked = found
        parameters |= asked
        partition = schema.table(member.table).key.partition
        partitions.append({key.name: item.stored[key.name] for key in partition})
    return Snapshot(parameters, tuple(partitions))


def _asked(
    sources: Mapping[str, Source], values: Values, settled: Values
) -> Values | None:
    """The parameters by which an item is found; None if what is settled already finds another."""
    asked: Values = {}
    for attribute, source in sources.items():
        value = values.get(attribute)
        match source:
            case Given(parameter=name):
                if value is None or settled.get(name, value) != value:
                    return None
                asked[name] = value
            case Fixed(value=fixed) if fixed == value:
                continue
            case _:
                return None
    return asked


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
    for test in tests_in(conditions_of(plan, entity)):
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
