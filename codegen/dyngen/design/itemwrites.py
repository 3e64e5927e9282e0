"""Deletes and moves: write patterns of one item, and the deletion of a collection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dyngen.design.bindings import source_of
from dyngen.design.changes import Bounds, Changes, changes_of
from dyngen.design.derived import table_key_sources
from dyngen.design.idle import idle_changes
from dyngen.design.model import Entity, Schema
from dyngen.design.parameters import merge_params
from dyngen.design.plans import DeleteEachPlan, DeletePlan, MovePlan
from dyngen.design.reads import plan_read
from dyngen.design.updates import Target, parameters, target_of
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import listed
from dyngen.spec.model import AccessPattern, Action


def plan_delete(
    pattern: AccessPattern, schema: Schema
) -> tuple[DeletePlan | None, list[Diagnostic]]:
    """The plan of a delete of one item, or what is wrong with it."""
    entity = schema.entity(pattern.entities[0].text)
    target, problems = target_of(pattern, Bounds(entity, schema))
    problems += _keeps_markers(pattern, entity)
    if target is None or problems:
        return None, problems
    params, clashes = merge_params(target.params)
    if clashes:
        return None, clashes
    return (
        DeletePlan(
            name=pattern.name.text,
            entity=entity.name,
            table=entity.table,
            parameters=parameters(params, entity, Changes(), target.tests),
            key=target.key,
            guard=target.guard,
            description=pattern.description,
            span=pattern.name.span,
        ),
        [],
    )


def plan_delete_each(
    pattern: AccessPattern, schema: Schema
) -> tuple[DeleteEachPlan | None, list[Diagnostic]]:
    """The plan of deleting all items of a query, or what is wrong with it."""
    entity = schema.entity(pattern.entities[0].text)
    problems = list(_keeps_markers(pattern, entity))
    if pattern.guard is not None:
        problems.append(
            error(
                "DG213",
                "a deletion of many items takes no guard",
                pattern.guard.span,
                help=[
                    "batch writes have no conditions (AWS: API_BatchWriteItem); put what"
                    " selects the items into `where`"
                ],
            )
        )
    read, found = plan_read(replace(pattern, action=Action.QUERY), schema)
    problems += found
    if read is None or problems:
        return None, problems
    return (
        DeleteEachPlan(
            name=pattern.name.text,
            read=read,
            description=pattern.description,
            span=pattern.name.span,
        ),
        [],
    )


def plan_move(
    pattern: AccessPattern, schema: Schema
) -> tuple[MovePlan | None, list[Diagnostic]]:
    """The plan of a change of the table's key, or what is wrong with it."""
    entity = schema.entity(pattern.entities[0].text)
    bounds = Bounds(entity, schema, moving=True)
    target, problems = target_of(pattern, bounds)
    changes = changes_of(pattern, bounds)
    problems += changes.problems
    problems += idle_changes(changes, target.guard if target else ())
    problems += _moves_nothing(pattern, entity, schema, changes, target)
    if target is None or problems:
        return None, problems
    params, clashes = merge_params((*target.params, *changes.params))
    if clashes:
        return None, clashes
    return (
        MovePlan(
            name=pattern.name.text,
            entity=entity.name,
            table=entity.table,
            parameters=parameters(params, entity, changes, target.tests),
            key=target.key,
            writes=tuple(changes.writes),
            guard=target.guard,
            description=pattern.description,
            span=pattern.name.span,
        ),
        [],
    )


def _keeps_markers(pattern: AccessPattern, entity: Entity) -> Iterator[Diagnostic]:
    """A delete that does not have the item can't delete the markers of its unique values."""
    for unique in entity.unique:
        yield error(
            "DG213",
            f"`{pattern.name.text}` does not know which"
            f" {listed(unique.attributes, 'and')} it would free",
            pattern.name.span,
            secondary=[Label(unique.span, "declared unique here")],
            help=["use the repository's `delete(item)`, which takes the item"],
        )


def _moves_nothing(
    pattern: AccessPattern,
    entity: Entity,
    schema: Schema,
    changes: Changes,
    target: Target | None,
) -> Iterator[Diagnostic]:
    fixed = table_key_sources(entity, schema.table(entity.table))
    asked = {
        test.attribute: source_of(test.operands[0])
        for test in (target.tests if target else ())
        if test.operands
    }
    moved = [w for w in changes.writes if w.attribute in fixed]
    same = [w for w in moved if asked.get(w.attribute) == w.operand]
    if moved and same == moved:
        name = moved[0].attribute
        yield error(
            "DG213",
            f"`{pattern.name.text}` moves the item to where it is",
            changes.places[name],
            f"the same `{name}` as in `where`",
            help=[f"name the new value: `set: {{{name}: {{param: new_{name}}}}}`"],
        )
    if not moved and not changes.problems:
        yield error(
            "DG213",
            f"`{pattern.name.text}` changes no attribute of the table's key",
            pattern.name.span,
            f"the key is made of {listed(sorted(fixed), 'and')}",
            help=["use `update`, which leaves the item where it is"],
        )
    for write in changes.writes:
        if write.verb not in {"set", "remove"} or write.path:
            yield error(
                "DG213",
                f"a move sets and removes whole attributes; `{write.attribute}` is changed in place",
                changes.places[write.attribute],
                help=["set the new value, or make an `update` of it"],
            )
