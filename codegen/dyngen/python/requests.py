"""Requests that are too large whatever they are called with (DG291).

They are made by the runtime itself, of every pattern and of the writes that compare whole items: with
all parameters given, no two values alike, and one value where a parameter takes several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from dyngen.design.model import (
    AllOf,
    AnyOf,
    Condition,
    Entity,
    Not,
    Room,
    Schema,
    Test,
)
from dyngen.design.plans import (
    DeletePlan,
    Design,
    MovePlan,
    ReadPlan,
    TransactMember,
    UpdatePlan,
    ValueWrite,
)
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Span
from dyngen.runtime import conditions, writing
from dyngen.runtime.errors import InvalidRequest
from dyngen.runtime.streams import Read, Stream
from dyngen.runtime.wire import AttributeValue
from dyngen.spec.model import Action, Operator

_ITEM = {"key": {"S": "x"}}
_WHOLE = "give it a version (`version: true`): then the token stands for all attributes"
_SPLIT = "do it by two patterns, or keep what changes together in one attribute, an object or a map"


def check(design: Design) -> Iterator[Diagnostic]:
    """What no call could send."""
    schema = design.schema
    for entity in schema.entities:
        yield from _whole_items(entity, schema)
    for update in design.updates:
        span = update.span
        yield from _update(update.name, span, update, schema)
        if update.read_first:
            yield from _unchanged(update.name, span, schema, update)
    for move in design.moves:
        yield from _unchanged(move.name, move.span, schema, move)
    for delete in design.deletes:
        yield from _guarded(delete.name, delete.span, delete, schema)
    for transaction in design.transactions:
        for member in transaction.members:
            name, span = transaction.name, transaction.span
            if member.action is Action.UPDATE:
                yield from _update(name, span, member, schema)
            else:
                yield from _guarded(name, span, member, schema)
    for read in (*design.reads, *(each.read for each in design.delete_eaches)):
        yield from _read(read, schema)


def _refused(
    name: str, span: Span | None, owner: Entity, why: InvalidRequest, remedy: str
) -> Diagnostic:
    return error(
        "DG291",
        f"DynamoDB takes no request as large as that of `{name}`",
        span or owner.span,
        str(why).partition(": ")[0],
        help=[remedy],
    )


# --- writes ---------------------------------------------------------------------------------------


def _update(
    name: str, span: Span | None, plan: UpdatePlan | TransactMember, schema: Schema
) -> Iterator[Diagnostic]:
    if isinstance(plan, UpdatePlan) and plan.read_first:
        return
    entity = schema.entity(plan.entity)
    values = _Values(entity)
    changes = [values.change(write) for write in plan.writes]
    changes += [writing.default_to(a, values.next()) for a, _ in plan.defaults]
    changes += [writing.set_to(write.attribute, values.next()) for write in plan.keys]
    if entity.version is not None:
        changes.append(writing.set_to(entity.version.stored, values.next()))
    try:
        writing.update_request("", _ITEM, changes, values.guarded(plan.guard))
    except InvalidRequest as why:
        yield _refused(name, span, entity, why, _SPLIT)


def _guarded(
    name: str, span: Span | None, plan: DeletePlan | TransactMember, schema: Schema
) -> Iterator[Diagnostic]:
    entity = schema.entity(plan.entity)
    try:
        writing.delete_request("", _ITEM, _Values(entity).guarded(plan.guard))
    except InvalidRequest as why:
        yield _refused(name, span, entity, why, "let the guard ask for less")


def _unchanged(
    name: str, span: Span | None, schema: Schema, plan: UpdatePlan | MovePlan
) -> Iterator[Diagnostic]:
    """Writes under the condition that the whole item is as it was read."""
    entity = schema.entity(plan.entity)
    try:
        condition = _Values(entity).unchanged(schema, plan.guard)
        writing.delete_request("", _ITEM, condition)
    except InvalidRequest as why:
        yield _refused(name, span, entity, why, _WHOLE)


def _whole_items(entity: Entity, schema: Schema) -> Iterator[Diagnostic]:
    if entity.unique and {"update", "delete"} & set(entity.operations):
        try:
            condition = _Values(entity).unchanged(schema)
            writing.delete_request("", _ITEM, condition)
        except InvalidRequest as why:
            name = f"update and delete of {entity.name}"
            yield _refused(name, entity.span, entity, why, _WHOLE)


# --- reads ----------------------------------------------------------------------------------------


def _read(plan: ReadPlan, schema: Schema) -> Iterator[Diagnostic]:
    entity = schema.entity(plan.entities[0])
    values = _Values(entity)
    asked = plan.filter.conditions if plan.filter is not None else ()
    selected = plan.projected if plan.select and plan.projected is not None else ()
    read = Read(
        pattern=plan.name,
        table="",
        index=None,
        key_types={key.name: key.type for key in schema.table(entity.table).key.all},
        streams=(),
        filter=values.all_of(asked) if asked else None,
        select=tuple(entity.attribute(a).stored for a in selected) or None,
    )
    try:
        read.request(Stream(_ITEM), start=None, limit=None)
    except InvalidRequest as why:
        yield _refused(plan.name, plan.span, entity, why, "ask for less of an item")


# --- conditions and changes -----------------------------------------------------------------------


class _Values:
    """Makes conditions and changes of an entity, each value another one."""

    def __init__(self, entity: Entity) -> None:
        self._entity = entity
        self._numbers = count()

    def next(self) -> AttributeValue:
        """A value that was not there before."""
        return {"N": str(next(self._numbers))}

    def guarded(self, guard: Iterable[Condition]) -> conditions.Condition:
        """That the item exists, and the guard."""
        return conditions.all_of(conditions.exists("key"), *map(self.condition, guard))

    def unchanged(
        self, schema: Schema, guard: Sequence[Condition] = ()
    ) -> conditions.Condition:
        """That the item is as it was read, and the guard."""
        entity = self._entity
        table_key = {key.name for key in schema.table(entity.table).key.all}
        names = [a.stored for a in entity.attributes if a.stored not in table_key]
        names += [name for name in entity.keys if name not in {*table_key, *names}]
        if entity.version is not None:
            names = [entity.version.stored]
        same = [conditions.eq(name, self.next()) for name in names]
        return conditions.all_of(
            conditions.exists("key"), *same, *map(self.condition, guard)
        )

    def all_of(self, asked: Iterable[Condition]) -> conditions.Condition:
        """All of these."""
        return conditions.all_of(*map(self.condition, asked))

    def condition(self, condition: Condition) -> conditions.Condition:
        """A condition of a guard or a filter."""
        match condition:
            case Not(of=of):
                return conditions.not_(self.condition(of))
            case AnyOf(of=of):
                return conditions.any_of(*map(self.condition, of))
            case AllOf(of=of):
                return conditions.all_of(*map(self.condition, of))
            case Room(attribute=attribute, path=path):
                bounds = {"minimum": condition.minimum, "maximum": condition.maximum}
                return writing.room_for(
                    self._path(attribute, path), self.next(), **bounds
                )
            case Test():
                return self._test(condition)

    def _test(self, test: Test) -> conditions.Condition:
        path = self._path(test.attribute, test.path)
        values = [self.next() for _ in test.operands]
        match test.operator:
            case Operator.PRESENT:
                return conditions.exists(path)
            case Operator.ABSENT:
                return conditions.missing(path)
            case Operator.IN:
                return conditions.in_(path, values)
            case Operator.SIZE:
                return conditions.size(path, "<=", values[0])
            case Operator.BETWEEN:
                return conditions.between(path, *values)
            case Operator.BEGINS_WITH:
                return conditions.begins_with(path, values[0])
            case Operator.CONTAINS:
                return conditions.contains(path, values[0])
            case _:
                return conditions.eq(path, values[0])

    def _path(self, attribute: str, below: Sequence[str]) -> conditions.Path:
        stored = self._entity.attribute(attribute).stored
        return (stored, *below) if below else stored

    def change(self, write: ValueWrite) -> writing.Change:
        """The change of one attribute that a pattern writes."""
        below = [step.name or step.parameter or "" for step in write.path]
        path = self._path(write.attribute, below)
        match write.verb:
            case "remove":
                return writing.remove(path)
            case "add":
                return writing.add_to(path, self.next())
            case "append":
                return writing.append_to(path, self.next())
            case "delete":
                return writing.delete_from(write.attribute, self.next())
            case _:
                return writing.set_to(path, self.next())
