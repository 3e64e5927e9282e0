"""Write patterns of one item, or of all that a query finds, as methods of a repository."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dyngen.design.model import Condition
from dyngen.design.plans import (
    DeleteEachPlan,
    DeletePlan,
    MovePlan,
    Parameter,
    TransactMember,
    UpdatePlan,
)
from dyngen.python import docs, names
from dyngen.python.changes import (
    filling,
    key_change,
    new_token,
    new_value,
    upsert_changes,
    value_change,
    version_change,
)
from dyngen.python.codec import Codec
from dyngen.python.expressions import Body, Variable
from dyngen.python.indexkeys import written_index_keys
from dyngen.python.literals import docstring, text
from dyngen.python.model.methods import (
    DeleteEachMethod,
    DeleteMethod,
    GetMethod,
    ReviseMethod,
    Signature,
    UpdateMethod,
)
from dyngen.python.names import Scope
from dyngen.python.reads import Site, argument, item_key, key_sources, read_method

WritePattern = UpdatePlan | DeletePlan | DeleteEachPlan | MovePlan
WriteMethod = UpdateMethod | DeleteMethod | DeleteEachMethod | ReviseMethod

_INDENT = 8
_NOT_FOUND = {"ItemNotFound": "There is no item with this key."}
_INVALID = {"InvalidValue": "An argument that can't be stored."}


def write_method(plan: WritePattern, site: Site) -> WriteMethod:
    """The method of a write pattern of one entity."""
    match plan:
        case UpdatePlan(read_first=True):
            return _revise(plan, site.codec)
        case UpdatePlan():
            return _update(plan, site.codec)
        case DeletePlan():
            return _delete(plan, site.codec)
        case MovePlan():
            return _revise(plan, site.codec)
        case DeleteEachPlan():
            return _delete_each(plan, site)


def guard_conditions(
    codec: Codec, guard: Iterable[Condition], body: Body, *, exists: bool = True
) -> list[str]:
    """The conditions of a write that asks for its item, and for a guard."""
    partition = text(codec.table.key.partition[0].name)
    found = [f"conditions.exists({partition})"] if exists else []
    return found + [body.condition(each) for each in guard]


def all_of(conditions: list[str]) -> str | None:
    """The conditions as one; None if there are none."""
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return f"conditions.all_of({', '.join(conditions)})"


def changes_of(
    plan: UpdatePlan | TransactMember,
    body: Body,
    codec: Codec,
    token: str | None,
) -> list[str]:
    """All changes of an update, `token` being the stored form of the new version."""
    changes = [value_change(write, body) for write in plan.writes]
    if plan.upsert:
        sources = key_sources(plan.key, codec)
        kind = codec.table.type_attribute
        changes += upsert_changes(codec.entity, plan.defaults, sources, kind, body)
    changes += [key_change(write, body) for write in plan.keys]
    version = None if token is None else version_change(codec.entity, token)
    return changes if version is None else [*changes, version]


# --- update ---------------------------------------------------------------------------------------


def _update(plan: UpdatePlan, codec: Codec) -> UpdateMethod:
    body = _body(plan.parameters, codec, "outcome", "token")
    key = item_key(plan.key, body, codec)
    version = codec.entity.version
    stored = None if version is None else text(version.stored)
    signature = _signature(
        plan, names.class_name(plan.entity), _update_raises(plan, codec)
    )
    token = f"{signature.local('token')}[{stored}]"
    changes = changes_of(plan, body, codec, stored and token)
    conditions = guard_conditions(codec, plan.guard, body, exists=not plan.upsert)
    if stored is not None:
        # A repeated request must fail, so that nothing is added twice.
        conditions.append(f"conditions.ne({stored}, {token})")
    return UpdateMethod(
        signature=signature,
        statements=tuple(body.statements),
        key=key,
        changes=tuple(changes),
        condition=all_of(conditions),
        token=stored and f"{{{stored}: {new_token()}}}",
        index_keys=written_index_keys(plan, codec.entity, codec.table),
        upserts=plan.upsert and bool(plan.guard),
    )


def _update_raises(plan: UpdatePlan, codec: Codec) -> dict[str, str]:
    raises = {} if plan.upsert else dict(_NOT_FOUND)
    raises |= _guard_raises(bool(plan.guard))
    if plan.guard and codec.entity.version is None:
        raises["StaleItem"] = (
            "The request was repeated and then refused; it may have succeeded before."
        )
    return raises | _INVALID


def _guard_raises(guarded: bool) -> dict[str, str]:
    return {"GuardFailed": "The stored item is not as asked."} if guarded else {}


# --- delete ---------------------------------------------------------------------------------------


def _delete(plan: DeletePlan, codec: Codec) -> DeleteMethod:
    body = _body(plan.parameters, codec, "outcome", "found")
    key = item_key(plan.key, body, codec)
    conditions = guard_conditions(codec, plan.guard, body)
    return DeleteMethod(
        signature=_signature(
            plan,
            f"{names.class_name(plan.entity)} | None",
            _NOT_FOUND | _guard_raises(bool(plan.guard)) | _INVALID,
            "Returns the item as it was; None if the response was lost, and the item was gone when the"
            " request was repeated.",
        ),
        statements=tuple(body.statements),
        key=key,
        condition=all_of(conditions) or "",
    )


def _delete_each(plan: DeleteEachPlan, site: Site) -> DeleteEachMethod:
    query = read_method(replace(plan.read, projected=None, projection_name=None), site)
    if isinstance(query, GetMethod):
        raise TypeError(f"{plan.name} finds one item")
    taken = [names.parameter(p.name) for p in plan.read.parameters]
    progress = Scope(taken).claim("progress")
    callback = f"{progress}: Callable[[int], None] | None = None"
    made = _signature(
        plan,
        "int",
        {"BatchIncomplete": "Some were not deleted, after all attempts.", **_INVALID},
        "Returns how many were deleted; what was, before an error, stays deleted.",
        args={progress: "Is told how many are deleted, every 25."},
        parameters=plan.read.parameters,
    )
    return DeleteEachMethod(
        signature=replace(made, arguments=(*query.signature.arguments, callback)),
        query=replace(query, decode="_key_of_item"),
        progress=progress,
    )


# --- read, change, write ----------------------------------------------------------------------------


def _revise(plan: UpdatePlan | MovePlan, codec: Codec) -> ReviseMethod:
    body = _body(plan.parameters, codec, "change")
    item = body.scope.claim(names.item_variable(plan.entity))
    key = item_key(plan.key, body, codec)
    guard = [body.condition(each) for each in plan.guard]
    fields = [new_value(write, item, body) for write in plan.writes]
    written = {names.attribute(write.attribute) for write in plan.writes}
    filled = filling(codec.entity, item, create=False)
    fields += [f for f in filled.fields if f.partition("=")[0] not in written]
    raises = _NOT_FOUND | _guard_raises(bool(plan.guard))
    if isinstance(plan, MovePlan):
        raises["ItemExists"] = "There is an item where this one would be moved."
    raises["StaleItem"] = (
        "Others changed the item again and again, through all attempts."
    )
    if codec.entity.unique:
        raises["UniqueTaken"] = "Another item has a value that must be unique."
    return ReviseMethod(
        signature=_signature(plan, names.class_name(plan.entity), raises | _INVALID),
        statements=tuple(body.statements),
        entity=names.class_name(plan.entity),
        item=item,
        key=key,
        fields=tuple(fields),
        guard=tuple(guard),
    )


# --- helpers --------------------------------------------------------------------------------------


def _body(parameters: Iterable[Parameter], codec: Codec, *taken: str) -> Body:
    variables = {
        p.name: Variable(names.parameter(p.name), p.optional) for p in parameters
    }
    return codec.body(variables, [*(v.source for v in variables.values()), *taken])


def _signature(
    plan: WritePattern,
    returns: str,
    raises: dict[str, str],
    *paragraphs: str,
    args: dict[str, str] | None = None,
    parameters: tuple[Parameter, ...] | None = None,
) -> Signature:
    given = (
        plan.parameters if not isinstance(plan, DeleteEachPlan) else parameters or ()
    )
    return Signature(
        name=names.method(plan.name),
        arguments=tuple(argument(p) for p in given),
        returns=returns,
        docstring=docstring(
            docs.body(
                docs.write_summary(plan),
                docs.write(plan),
                *paragraphs,
                docs.repeated(plan),
                args=docs.parameters(given, frozenset()) | (args or {}),
                raises=raises,
            ),
            _INDENT,
        ),
    )
