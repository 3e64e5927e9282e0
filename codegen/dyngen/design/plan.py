"""Access patterns to plans: the planner's front door."""

from __future__ import annotations

from dataclasses import dataclass, field

from dyngen.design.collections import plan_collection
from dyngen.design.derived import entity_writes
from dyngen.design.estimates import read_estimates
from dyngen.design.idle import idle_operations, idle_unique
from dyngen.design.isolation import shared_keys
from dyngen.design.itemsize import too_large
from dyngen.design.itemwrites import plan_delete, plan_delete_each, plan_move
from dyngen.design.markers import lone_writes, marker_problems
from dyngen.design.model import Schema
from dyngen.design.plans import (
    DeleteEachPlan,
    DeletePlan,
    Design,
    MovePlan,
    ReadPlan,
    TransactPlan,
    UpdatePlan,
)
from dyngen.design.reads import plan_read
from dyngen.design.transactions import plan_transaction
from dyngen.design.updates import plan_update
from dyngen.diagnostics.model import Diagnostic
from dyngen.spec.model import AccessPattern, Action, Spec

Plan = ReadPlan | UpdatePlan | DeletePlan | DeleteEachPlan | MovePlan | TransactPlan


@dataclass(slots=True)
class _Plans:
    """The plans found, by kind, each in the order of the spec."""

    reads: list[ReadPlan] = field(default_factory=list)
    updates: list[UpdatePlan] = field(default_factory=list)
    deletes: list[DeletePlan] = field(default_factory=list)
    delete_eaches: list[DeleteEachPlan] = field(default_factory=list)
    moves: list[MovePlan] = field(default_factory=list)
    transactions: list[TransactPlan] = field(default_factory=list)

    def add(self, plan: Plan) -> None:
        match plan:
            case ReadPlan():
                self.reads.append(plan)
            case UpdatePlan():
                self.updates.append(plan)
            case DeletePlan():
                self.deletes.append(plan)
            case DeleteEachPlan():
                self.delete_eaches.append(plan)
            case MovePlan():
                self.moves.append(plan)
            case TransactPlan():
                self.transactions.append(plan)


def plan(spec: Spec, schema: Schema) -> tuple[Design | None, list[Diagnostic]]:
    """The design of a spec whose schema is resolved, or everything that is wrong with its patterns."""
    design, problems = plan_all(spec, schema)
    return (None if problems else design), problems


def plan_all(spec: Spec, schema: Schema) -> tuple[Design, list[Diagnostic]]:
    """As `plan`, with the design of what could be planned in spite of problems elsewhere.

    All entities that the patterns name must be in the schema. Those that can have the same key as
    another are reported once, and patterns of theirs are left out.
    """
    plans = _Plans()
    problems, confused = shared_keys(schema)
    problems += marker_problems(schema)
    problems += idle_operations(spec, schema)
    problems += idle_unique(schema)
    for entity in schema.entities:
        problems += too_large(entity, schema.table(entity.table))
    for pattern in spec.access_patterns:
        if any(entity.text in confused for entity in pattern.all_entities):
            continue
        if alone := [*lone_writes(pattern, schema)]:
            problems += alone
            continue
        found, refused = _plan(pattern, schema)
        problems += refused
        if found is not None:
            plans.add(found)
    design = Design(
        schema=schema,
        reads=tuple(plans.reads),
        updates=tuple(plans.updates),
        writes=tuple(entity_writes(e, schema) for e in schema.entities),
        deletes=tuple(plans.deletes),
        delete_eaches=tuple(plans.delete_eaches),
        moves=tuple(plans.moves),
        transactions=tuple(plans.transactions),
        client=spec.client,
        estimates=read_estimates(spec),
    )
    return design, problems


def _plan(
    pattern: AccessPattern, schema: Schema
) -> tuple[Plan | None, list[Diagnostic]]:
    match pattern.action:
        case Action.TRANSACT:
            return plan_transaction(pattern, schema)
        case Action.UPDATE:
            return plan_update(pattern, schema)
        case Action.MOVE:
            return plan_move(pattern, schema)
        case Action.DELETE if pattern.each:
            return plan_delete_each(pattern, schema)
        case Action.DELETE:
            return plan_delete(pattern, schema)
        case Action.QUERY if len(pattern.entities) > 1:
            return plan_collection(pattern, schema)
        case Action.GET | Action.QUERY | Action.SCAN:
            return plan_read(pattern, schema)
        case Action.CREATE | Action.PUT | Action.CHECK:
            raise ValueError(f"`{pattern.action}` stands in transactions only")
