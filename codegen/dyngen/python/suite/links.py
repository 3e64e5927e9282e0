"""Sample items of another entity that a read fetches: those that the entries which it reads lead to."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Entity, Schema
from dyngen.design.plans import ReadPlan
from dyngen.python.suite.nested import Values
from dyngen.python.suite.specimens import Specimen, base, changed, sources_of
from dyngen.python.suite.stored import with_computed


def hydrated(schema: Schema, plan: ReadPlan) -> Entity | None:
    """The entity that a read returns, if it is another than the one that it queries."""
    if plan.hydrate is None or plan.hydrate.entity in plan.entities:
        return None
    return schema.entity(plan.hydrate.entity)


def links(schema: Schema, plan: ReadPlan) -> tuple[tuple[str, str], ...]:
    """The attributes of the key of the entity that is returned, and those of entries that hold them."""
    if plan.hydrate is None or hydrated(schema, plan) is None:
        return ()
    return plan.hydrate.key


def linking(schema: Schema, plan: ReadPlan, entity: Entity) -> Iterator[str]:
    """The attributes that decide where an entry leads."""
    for _, ours in links(schema, plan):
        yield from sources_of(entity, ours)


def led(schema: Schema, plan: ReadPlan, values: Values) -> Values:
    """The values of a plain entry, so that it leads to the plain item where that computes its key."""
    target = hydrated(schema, plan)
    if target is None:
        return values
    plain = with_computed(target, base(target))
    return {
        **values,
        **{
            ours: plain[theirs]
            for theirs, ours in links(schema, plan)
            if ours in values and target.attribute(theirs).computed is not None
        },
    }


def led_to(schema: Schema, plan: ReadPlan, entry: Specimen) -> Specimen | None:
    """What an entry leads to; None if no item has such a key."""
    target = hydrated(schema, plan)
    if target is None:
        return None
    held = with_computed(entry.entity, entry.values)
    key = {theirs: held.get(ours) for theirs, ours in links(schema, plan)}
    values = base(target)
    for name, value in key.items():
        attribute = target.attribute(name)
        if value is None and not attribute.optional:
            return None
        if attribute.computed is None:
            values = changed(values, name, value)
    complete = with_computed(target, values)
    if any(complete.get(name) != value for name, value in key.items()):
        return None
    return Specimen(target, values, "what a match leads to")
