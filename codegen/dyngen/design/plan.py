"""Access patterns to plans: the planner's front door."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.collections import plan_collection
from dyngen.design.derived import entity_writes
from dyngen.design.isolation import shared_keys
from dyngen.design.model import Schema
from dyngen.design.plans import Design, ReadPlan, UpdatePlan
from dyngen.design.reads import plan_read
from dyngen.design.updates import plan_update
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.spec.model import AccessPattern, Action, Spec

_READS = {Action.GET, Action.QUERY, Action.SCAN}


def plan(spec: Spec, schema: Schema) -> tuple[Design | None, list[Diagnostic]]:
    """The design of a spec whose schema is resolved, or everything that is wrong with its patterns."""
    reads: list[ReadPlan] = []
    updates: list[UpdatePlan] = []
    problems = list(shared_keys(schema))
    for pattern in spec.access_patterns:
        refused = [*_unknown_entities(pattern, schema), *_not_planned(pattern)]
        if refused:
            problems += refused
        elif pattern.action in _READS:
            together = len(pattern.entities) > 1
            read, found = (plan_collection if together else plan_read)(pattern, schema)
            problems += found
            if read is not None:
                reads.append(read)
        else:
            update, found = plan_update(pattern, schema)
            problems += found
            if update is not None:
                updates.append(update)
    if problems:
        return None, problems
    return (
        Design(
            schema=schema,
            reads=tuple(reads),
            updates=tuple(updates),
            writes=tuple(entity_writes(e, schema) for e in schema.entities),
            client=spec.client,
        ),
        [],
    )


def _unknown_entities(pattern: AccessPattern, schema: Schema) -> Iterator[Diagnostic]:
    names = [entity.name for entity in schema.entities]
    for member in (pattern, *pattern.members):
        for entity in member.entities:
            if entity.text not in names:
                yield error(
                    "DG110",
                    f"there is no entity `{entity.text}`",
                    entity.span,
                    help=[
                        did_you_mean(entity.text, names)
                        or f"the entities are {listed(names, 'and')}"
                    ],
                )


def _not_planned(pattern: AccessPattern) -> Iterator[Diagnostic]:
    """What the language has and the planner does not build yet: said, never half-done."""
    features = {
        f"`{pattern.action}` as a pattern": pattern.action
        not in {*_READS, Action.UPDATE},
        "`hydrate`": pattern.hydrate is not None,
        "`select`": bool(pattern.select),
        "`expired: exclude`": pattern.expired == "exclude",
        "`upsert`": pattern.upsert,
        "`read_first`": pattern.read_first,
    }
    for feature, used in features.items():
        if used:
            yield error(
                "DG290",
                f"{feature} can't be generated yet",
                pattern.name.span,
                help=[
                    "leave the pattern out for now; the rest of the spec builds without it"
                ],
            )
