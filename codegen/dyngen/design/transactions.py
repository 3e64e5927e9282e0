"""Transactions: several actions on several items, all or none (AWS: API_TransactWriteItems)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from dyngen.design.changes import Bounds, Changes
from dyngen.design.contents import variants
from dyngen.design.model import Entity, Param, Schema
from dyngen.design.naming import snake
from dyngen.design.parameters import merge_params
from dyngen.design.plans import (
    KeyEquals,
    NativeValue,
    Parameter,
    TextValue,
    TransactMember,
    TransactPlan,
)
from dyngen.design.updates import parameters, target_of, update_of
from dyngen.design.versions import shared
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.keys import ranges
from dyngen.keys.model import FromItem, Part
from dyngen.runtime.limits import TRANSACTION_ACTIONS
from dyngen.spec.model import AccessPattern, Action

_WITH_ITEM = (Action.CREATE, Action.PUT)


@dataclass(slots=True)
class _Draft:
    """A transaction under construction."""

    members: list[TransactMember] = field(default_factory=list)
    places: list[Span] = field(default_factory=list)
    params: list[Param] = field(default_factory=list)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)


def plan_transaction(
    pattern: AccessPattern, schema: Schema
) -> tuple[TransactPlan | None, list[Diagnostic]]:
    """The plan of a transaction, or what is wrong with it."""
    draft = _Draft()
    names = list(_item_names(pattern.members))
    items = {
        name: schema.entity(member.entities[0].text)
        for name, member in zip(names, pattern.members, strict=True)
        if name is not None
    }
    for name, member in zip(names, pattern.members, strict=True):
        bounds = Bounds(_entity(member, schema), schema, items, member=True)
        _add(draft, member, name, bounds)
    draft.problems += _unfit(pattern)
    draft.problems += _too_many(pattern, schema)
    _, clashes = merge_params(draft.params)
    draft.problems += clashes
    if not draft.problems:
        draft.problems += _same_item(pattern, draft, items, schema)
        draft.problems += shared(
            [(schema.entity(each.entity), each.guard) for each in draft.members]
        )
    if draft.problems:
        return None, draft.problems
    return (
        TransactPlan(
            name=pattern.name.text,
            members=tuple(draft.members),
            parameters=tuple(draft.parameters.values()),
            description=pattern.description,
            span=pattern.name.span,
        ),
        [],
    )


def _entity(member: AccessPattern, schema: Schema) -> Entity:
    return schema.entity(member.entities[0].text)


def _item_names(members: Sequence[AccessPattern]) -> Iterator[str | None]:
    """The parameter of each create and put: `player`; a second one is `player_2`."""
    seen: dict[str, int] = {}
    for member in members:
        if member.action not in _WITH_ITEM:
            yield None
            continue
        name = snake(member.entities[0].text)
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name}_{seen[name]}"


# --- members --------------------------------------------------------------------------------------


def _add(
    draft: _Draft, member: AccessPattern, item: str | None, bounds: Bounds
) -> None:
    place = member.entities[0].span
    placed = replace(member, name=replace(member.name, span=place))
    entity = bounds.entity
    if item is not None:
        draft.parameters[item] = Parameter(item, None, place, entity=entity.name)
        draft.members.append(
            TransactMember(member.action, entity.name, entity.table, item=item)
        )
        draft.places.append(place)
        draft.problems += _blind(placed, entity)
    elif member.action is Action.UPDATE:
        _add_update(draft, placed, bounds)
    else:
        _add_keyed(draft, placed, bounds)


def _add_update(draft: _Draft, member: AccessPattern, bounds: Bounds) -> None:
    entity = bounds.entity
    update, problems = update_of(member, bounds)
    draft.problems += problems
    if update is None:
        return
    draft.params += update.params
    every, _ = merge_params(update.params)
    for parameter in parameters(every, entity, update.changes, update.target.tests):
        draft.parameters.setdefault(parameter.name, parameter)
    draft.members.append(
        TransactMember(
            member.action,
            entity.name,
            entity.table,
            key=update.target.key,
            writes=tuple(update.changes.writes),
            keys=update.keys,
            guard=update.target.guard,
            upsert=member.upsert,
            defaults=update.defaults,
        )
    )
    draft.places.append(member.name.span)


def _add_keyed(draft: _Draft, member: AccessPattern, bounds: Bounds) -> None:
    """A delete, a check or a get: an item by its key."""
    entity = bounds.entity
    target, problems = target_of(member, bounds)
    draft.problems += problems
    if target is None:
        return
    if member.action is Action.DELETE and entity.unique:
        draft.problems.append(
            error(
                "DG214",
                f"`{entity.name}` has unique attributes, and a delete by key does not know them",
                member.name.span,
                secondary=[Label(entity.unique[0].span, "declared unique here")],
                help=["use the repository's `delete(item)`, which takes the item"],
            )
        )
    draft.params += target.params
    every, _ = merge_params(target.params)
    for parameter in parameters(every, entity, Changes(), target.tests):
        draft.parameters.setdefault(parameter.name, parameter)
    draft.members.append(
        TransactMember(
            member.action,
            entity.name,
            entity.table,
            key=target.key,
            guard=target.guard,
        )
    )
    draft.places.append(member.name.span)


def _blind(member: AccessPattern, entity: Entity) -> Iterator[Diagnostic]:
    if member.action is Action.PUT and entity.unique:
        yield error(
            "DG214",
            f"a put of `{entity.name}` can't keep its unique attributes unique",
            member.name.span,
            secondary=[Label(entity.unique[0].span, "declared unique here")],
            help=["use `create`"],
        )


# --- the transaction as a whole ---------------------------------------------------------------------


def _unfit(pattern: AccessPattern) -> Iterator[Diagnostic]:
    reads = [m for m in pattern.members if m.action is Action.GET]
    if reads and len(reads) < len(pattern.members):
        yield error(
            "DG214",
            "a transaction either reads or writes",
            reads[0].entities[0].span,
            "a get among writes",
            help=[
                "make two patterns of it; `check` asserts something without reading it"
            ],
        )


def _too_many(pattern: AccessPattern, schema: Schema) -> Iterator[Diagnostic]:
    """More items than a transaction takes: those of the members, and the markers of new items."""
    markers = sum(
        len(_entity(member, schema).unique)
        for member in pattern.members
        if member.action is Action.CREATE
    )
    actions = len(pattern.members) + markers
    if actions > TRANSACTION_ACTIONS:
        yield error(
            "DG214",
            f"`{pattern.name.text}` is of {actions} items, {markers} of them markers of"
            " unique values",
            pattern.name.span,
            help=[
                f"DynamoDB takes {TRANSACTION_ACTIONS} in one transaction; make two of it"
            ],
        )


def _same_item(
    pattern: AccessPattern,
    draft: _Draft,
    items: Mapping[str, Entity],
    schema: Schema,
) -> Iterator[Diagnostic]:
    """Two actions on what is certainly one item, which DynamoDB refuses."""
    keys = [_key(member, schema) for member in draft.members]
    for (i, first), (j, second) in combinations(enumerate(keys), 2):
        if draft.members[i].table == draft.members[j].table and first == second:
            yield error(
                "DG214",
                f"two members of `{pattern.name.text}` are of the same item",
                draft.places[j],
                secondary=[Label(draft.places[i], "the first is here")],
                help=[
                    "a transaction does one thing to an item: join them into one member"
                ],
            )


def _key(member: TransactMember, schema: Schema) -> tuple[tuple[str, object], ...]:
    """The member's key as values that compare equal only for the same item."""
    if member.item is None:
        return tuple((k.attribute, _plain(k)) for k in member.key)
    entity = schema.entity(member.entity)
    own = variants(entity, schema.table(entity.table), None)[0]
    found: list[tuple[str, object]] = []
    for part in own.keys:
        if part.template is None:
            source = FromItem(member.item, part.attribute or "")
            found.append((part.key.name, source))
            continue
        fixed = {
            p.attribute: FromItem(member.item, p.attribute)
            for p in part.value_parts
            if isinstance(p, Part)
        }
        text = ranges.text_range(part.template, fixed, ())
        low = text.low if text and not isinstance(text, ranges.Refusal) else None
        found.append((part.key.name, low))
    return tuple(found)


def _plain(key: KeyEquals) -> object:
    match key.value:
        case TextValue(text=text):
            return text
        case NativeValue(source=source):
            return source
