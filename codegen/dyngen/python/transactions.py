"""Transactions as methods of the service object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dyngen.design.model import Entity, Schema
from dyngen.design.plans import TransactMember, TransactPlan, UpdatePlan
from dyngen.python import docs, names
from dyngen.python.changes import filling, new_token
from dyngen.python.codec import Codec
from dyngen.python.encoders import Encoders
from dyngen.python.expressions import Body, Variable
from dyngen.python.indexkeys import written_index_keys
from dyngen.python.literals import docstring, strings
from dyngen.python.model.methods import ReadTransaction, Signature, WriteTransaction
from dyngen.python.names import Scope
from dyngen.python.patterns import all_of, changes_of, guard_conditions
from dyngen.python.reads import argument, item_key
from dyngen.spec.model import Action

_INDENT = 8
_INVALID = {"InvalidValue": "An argument that can't be stored."}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a transaction's method finds in the service's module.

    `table` gives the expression of the deployed name of an entity's table, `marker_tables` those
    of the other tables that hold an entity's markers.
    """

    schema: Schema
    encoders: Encoders
    table: Callable[[str], str]
    marker_tables: Callable[[Entity], list[str]]


def transaction(
    plan: TransactPlan, around: Surroundings
) -> WriteTransaction | ReadTransaction:
    """The method of a transaction."""
    if all(member.action is Action.GET for member in plan.members):
        return _read(plan, around)
    return _write(plan, around)


# --- reads ----------------------------------------------------------------------------------------


def _read(plan: TransactPlan, around: Surroundings) -> ReadTransaction:
    bodies = _Bodies(plan, around)
    asked = []
    for member in plan.members:
        body, codec = bodies.of(member)
        key = item_key(member.key, body, codec, names.foreign_key(member.entity))
        asked.append(
            (around.table(member.entity), key, names.foreign_decoder(member.entity))
        )
    kinds = [f"{names.class_name(m.entity)} | None" for m in plan.members]
    returns = f"tuple[{', '.join(kinds)}]"
    raises = {
        "TransactionFailed": "The items were being written, through all attempts.",
        "InvalidValue": "An argument that no stored item can have.",
    }
    return ReadTransaction(
        signature=_signature(plan, returns, raises),
        statements=tuple(bodies.statements),
        asked=tuple(asked),
    )


# --- writes ---------------------------------------------------------------------------------------


def _write(plan: TransactPlan, around: Surroundings) -> WriteTransaction:
    bodies = _Bodies(plan, around)
    members = [_member(member, bodies, around) for member in plan.members]
    stored = [m for m in plan.members if m.item is not None]
    kinds = [names.class_name(m.entity) for m in stored]
    returned = [
        f"{names.foreign_decoder(m.entity)}({bodies.stored[m.item or '']})"
        for m in stored
    ]
    raises = {
        "TransactionFailed": "Nothing was written; `reasons` tells why, member by member.",
        "InvalidRequest": "Two actions would be on one item.",
        **_INVALID,
    }
    returns = "None"
    if kinds:
        returns = kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"
    items = [f"`{names.parameter(m.item or '')}`" for m in stored]
    said = f"Returns {' and '.join(items)} as stored." if items else ""
    return WriteTransaction(
        signature=_signature(plan, returns, raises, said),
        statements=tuple(bodies.statements),
        members=tuple(members),
        returned=", ".join(returned),
    )


def _member(
    member: TransactMember, bodies: _Bodies, around: Surroundings
) -> tuple[str, ...]:
    """The actions of one member: its own, and those on the markers of its unique values."""
    table = around.table(member.entity)
    decode = names.foreign_decoder(member.entity)
    body, codec = bodies.of(member)
    if member.item is not None:
        return _stored(member, bodies, around)
    key = item_key(member.key, body, codec, names.foreign_key(member.entity))
    refusal = (
        f"transactions.guarded({decode}{', upserts=True' if member.upsert else ''})"
    )
    exists = not member.upsert
    condition = all_of(guard_conditions(codec, member.guard, body, exists=exists))
    match member.action:
        case Action.UPDATE:
            version = codec.entity.version
            token = None if version is None else new_token()
            changes = ", ".join(changes_of(_as_update(member), body, codec, token))
            ending = "" if condition is None else f", {condition}, {refusal}"
            keys = written_index_keys(member, codec.entity, codec.table)
            ending += "" if keys is None else f", keys={keys}"
            return (f"transactions.update({table}, {key}, [{changes}]{ending})",)
        case Action.DELETE:
            return (f"transactions.delete({table}, {key}, {condition}, {refusal})",)
        case Action.CHECK:
            return (f"transactions.check({table}, {key}, {condition}, {refusal})",)
        case action:
            raise TypeError(f"a transaction does not {action}")


def _as_update(member: TransactMember) -> UpdatePlan:
    return UpdatePlan(
        name="",
        entity=member.entity,
        table=member.table,
        parameters=(),
        key=member.key,
        writes=member.writes,
        keys=member.keys,
        guard=member.guard,
        upsert=member.upsert,
        defaults=member.defaults,
    )


def _stored(
    member: TransactMember, bodies: _Bodies, around: Surroundings
) -> tuple[str, ...]:
    """The actions that store an item that is passed."""
    schema = around.schema
    entity = schema.entity(member.entity)
    item = names.parameter(member.item or "")
    filled = filling(entity, item, create=member.action is Action.CREATE)
    for statement in filled.statements:
        bodies.once(statement)
    if filled.fields:
        bodies.statements.append(
            f"{item} = replace({item}, {', '.join(filled.fields)})"
        )
    stored = bodies.scope.claim(f"stored_{item}")
    bodies.stored[member.item or ""] = stored
    bodies.statements.append(f"{stored} = {names.foreign_encoder(entity.name)}({item})")
    table = around.table(entity.name)
    keys = strings(key.name for key in schema.table(entity.table).key.all)
    key = f"keyparts.only({stored}, {keys})"
    if member.action is Action.PUT:
        return (f"transactions.put({table}, {key}, {stored})",)
    decode = names.foreign_decoder(entity.name)
    actions = [f"transactions.create({table}, {key}, {stored}, {decode})"]
    if entity.unique:
        arguments = ", ".join([item, table, *around.marker_tables(entity)])
        markers = f"{names.foreign_markers(entity.name)}({arguments})"
        actions.append(f"*unique.repoint(new={markers})")
    return tuple(actions)


class _Bodies:
    """The members' parts of one function: they share its names and its statements."""

    def __init__(self, plan: TransactPlan, around: Surroundings) -> None:
        self._around = around
        self._variables = {
            p.name: Variable(names.parameter(p.name), p.optional)
            for p in plan.parameters
        }
        self._items = {
            p.name: around.schema.entity(p.entity)
            for p in plan.parameters
            if p.entity is not None
        }
        taken = [v.source for v in self._variables.values()]
        self.scope = Scope(["self", "steps", *taken])
        self.statements: list[str] = []
        self.stored: dict[str, str] = {}

    def of(self, member: TransactMember) -> tuple[Body, Codec]:
        """The function as seen from a member, with how the member's items are stored."""
        schema = self._around.schema
        entity = schema.entity(member.entity)
        codec = Codec(entity, schema, self._around.encoders, Scope())
        body = codec.body(self._variables, [])
        body.scope = self.scope
        body.statements = self.statements
        body.items = self._items
        return body, codec

    def once(self, statement: str) -> None:
        """Add a statement, unless it is there."""
        if statement not in self.statements:
            self.statements.append(statement)


def _signature(
    plan: TransactPlan, returns: str, raises: dict[str, str], *paragraphs: str
) -> Signature:
    arguments = []
    for parameter in plan.parameters:
        if parameter.entity is not None:
            kind = names.class_name(parameter.entity)
            arguments.append(f"{names.parameter(parameter.name)}: {kind}")
        else:
            arguments.append(argument(parameter))
    return Signature(
        name=names.method(plan.name),
        arguments=tuple(arguments),
        returns=returns,
        docstring=docstring(
            docs.body(
                docs.write_summary(plan),
                docs.write(plan),
                *paragraphs,
                args=docs.parameters(plan.parameters, frozenset()),
                raises=raises,
            ),
            _INDENT,
        ),
    )
