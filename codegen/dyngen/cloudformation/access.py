"""What a service does to its tables: the IAM actions of every pattern and method, place by place.

AWS: list_amazondynamodb.html (Service Authorization Reference) and transaction-apis-iam.html: a
transaction needs the permissions of its members.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dyngen.design.markers import marker_attributes
from dyngen.design.model import Entity, Schema
from dyngen.design.plans import (
    DeleteEachPlan,
    DeletePlan,
    Design,
    MovePlan,
    ReadPlan,
    TransactMember,
    UpdatePlan,
)
from dyngen.spec.model import Action

_OPERATIONS = {
    "get": "GetItem",
    "batch_get": "BatchGetItem",
    "create": "PutItem",
    "put": "PutItem",
    "update": "UpdateItem",
    "delete": "DeleteItem",
    "batch_write": "BatchWriteItem",
}
_READING = ("get", "batch_get")
_MEMBERS = {
    Action.GET: "GetItem",
    Action.CREATE: "PutItem",
    Action.PUT: "PutItem",
    Action.UPDATE: "UpdateItem",
    Action.DELETE: "DeleteItem",
    Action.CHECK: "ConditionCheckItem",
}
_CREATED = ("PutItem",)
_CHANGED = ("PutItem", "DeleteItem")
_DELETED = ("DeleteItem",)


@dataclass(frozen=True, slots=True)
class Access:
    """One action on one place.

    Attributes:
        table, index: the place; without an index, the table itself.
        action: without the prefix `dynamodb:`.
        reading: whether it belongs to something that only reads.
    """

    table: str
    index: str | None
    action: str
    reading: bool = False


def accesses(design: Design) -> Iterator[Access]:
    """Everything that the generated package may do; the same may come several times."""
    schema = design.schema
    for read in design.reads:
        yield from _read(schema, read)
    for entity in schema.entities:
        for operation in sorted(entity.operations):
            reading = operation in _READING
            yield Access(entity.table, None, _OPERATIONS[operation], reading)
            yield from _markers(schema, entity, _touched(operation))
    for update in design.updates:
        yield from _update(schema, update)
    for delete in design.deletes:
        yield from _delete(schema, delete)
    for each in design.delete_eaches:
        yield from _delete_each(schema, each)
    for move in design.moves:
        yield from _move(schema, move)
    for transaction in design.transactions:
        reading = all(member.action is Action.GET for member in transaction.members)
        for member in transaction.members:
            yield from _member(schema, member, reading)


def _read(schema: Schema, plan: ReadPlan) -> Iterator[Access]:
    for alternative in plan.alternatives:
        route = alternative.route
        if plan.action is Action.GET:
            yield Access(plan.table, None, "GetItem", reading=True)
        else:
            action = "Scan" if route.scan else "Query"
            yield Access(plan.table, route.index, action, reading=True)
    if plan.hydrate is not None:
        table = schema.entity(plan.hydrate.entity).table
        yield Access(table, None, "BatchGetItem", reading=True)


def _update(schema: Schema, plan: UpdatePlan) -> Iterator[Access]:
    if plan.read_first:
        yield Access(plan.table, None, "GetItem")
    yield Access(plan.table, None, "UpdateItem")
    entity = schema.entity(plan.entity)
    written = {write.attribute for write in plan.writes}
    held = {n for unique in entity.unique for n in marker_attributes(schema, unique)}
    if written & held:
        yield from _markers(schema, entity, _CHANGED)


def _delete(schema: Schema, plan: DeletePlan) -> Iterator[Access]:
    yield Access(plan.table, None, "DeleteItem")
    yield from _markers(schema, schema.entity(plan.entity), _DELETED)


def _delete_each(schema: Schema, plan: DeleteEachPlan) -> Iterator[Access]:
    for access in _read(schema, plan.read):
        yield Access(access.table, access.index, access.action)
    yield Access(plan.read.table, None, "BatchWriteItem")


def _move(schema: Schema, plan: MovePlan) -> Iterator[Access]:
    for action in ("GetItem", "PutItem", "DeleteItem"):
        yield Access(plan.table, None, action)
    yield from _markers(schema, schema.entity(plan.entity), _CHANGED)


def _member(schema: Schema, member: TransactMember, reading: bool) -> Iterator[Access]:
    yield Access(member.table, None, _MEMBERS[member.action], reading)
    if member.action is Action.CREATE:
        yield from _markers(schema, schema.entity(member.entity), _CREATED)


def _touched(operation: str) -> tuple[str, ...]:
    """The actions on markers that a write of the item brings along."""
    return {"create": _CREATED, "update": _CHANGED, "delete": _DELETED}.get(
        operation, ()
    )


def _markers(
    schema: Schema, entity: Entity, actions: tuple[str, ...]
) -> Iterator[Access]:
    """Actions on the markers of unique values, where they are."""
    for unique in entity.unique:
        owner = entity if unique.marker is None else schema.entity(unique.marker)
        for action in actions:
            yield Access(owner.table, None, action)
