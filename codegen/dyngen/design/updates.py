"""Update patterns: one conditional UpdateItem that leaves every key true, or is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dyngen.design.after import after_write, changed_unknown
from dyngen.design.bindings import bind
from dyngen.design.changes import Bounds, Changes, changes_of, uncertain_paths
from dyngen.design.conditions import Role, resolve_where
from dyngen.design.contents import template_inputs, variants
from dyngen.design.derived import entity_writes, inputs_behind, table_key_inputs
from dyngen.design.idle import idle_guards, idle_update
from dyngen.design.keywrites import NotKnown, touched, write_derived
from dyngen.design.markers import unknown_values
from dyngen.design.model import (
    Attribute,
    Condition,
    Default,
    DefaultValue,
    Entity,
    Param,
    Schema,
    Test,
)
from dyngen.design.parameters import merge_params
from dyngen.design.plans import (
    DerivedKey,
    KeyEquals,
    KeyWrite,
    Parameter,
    UpdatePlan,
)
from dyngen.design.question import Failure, Question
from dyngen.design.refusals import no_single_item, stale_key
from dyngen.design.room import rooms
from dyngen.design.routes import route
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import listed
from dyngen.keys.model import Given
from dyngen.spec.model import AccessPattern


@dataclass(frozen=True, slots=True)
class Target:
    """The one item that a write is of: its key, the guard, and the parameters of both."""

    tests: tuple[Test, ...]
    key: tuple[KeyEquals, ...]
    guard: tuple[Condition, ...]
    params: tuple[Param, ...]


@dataclass(frozen=True, slots=True)
class Update:
    """What an update of one item writes, wherever it stands."""

    target: Target
    changes: Changes
    keys: tuple[KeyWrite, ...]
    defaults: tuple[tuple[str, Default], ...]
    params: tuple[Param, ...]


def plan_update(
    pattern: AccessPattern, schema: Schema
) -> tuple[UpdatePlan | None, list[Diagnostic]]:
    """The plan of an update of one item, or what is wrong with it."""
    entity = schema.entity(pattern.entities[0].text)
    update, problems = update_of(pattern, Bounds(entity, schema))
    if update is None:
        return None, problems
    every, clashes = merge_params(update.params)
    if clashes:
        return None, clashes
    return (
        UpdatePlan(
            name=pattern.name.text,
            entity=entity.name,
            table=entity.table,
            parameters=parameters(every, entity, update.changes, update.target.tests),
            key=update.target.key,
            writes=tuple(update.changes.writes),
            keys=update.keys,
            guard=update.target.guard,
            upsert=pattern.upsert,
            defaults=update.defaults,
            read_first=pattern.read_first,
            description=pattern.description,
            span=pattern.name.span,
        ),
        [],
    )


def update_of(
    pattern: AccessPattern, bounds: Bounds
) -> tuple[Update | None, list[Diagnostic]]:
    """The update that a pattern, or a member of a transaction, makes of one item."""
    target, problems = target_of(pattern, bounds)
    changes = changes_of(pattern, bounds)
    problems += changes.problems
    problems += _unfit(pattern, changes)
    problems += unknown_values(pattern, bounds.entity, bounds.schema, changes)
    problems += idle_update(pattern, changes, target.guard if target else ())
    if target is not None:
        guards = [guard for guard in target.guard if isinstance(guard, Test)]
        problems += uncertain_paths(changes, guards, upsert=pattern.upsert)
    defaults, missing = _defaults(pattern, bounds, changes)
    problems += missing
    if problems or target is None:
        return None, problems
    keys, refused = _keys(pattern, bounds, changes, target)
    if refused:
        return None, refused
    params = (*target.params, *changes.params)
    if not pattern.read_first:  # what was read is changed and checked as a whole
        needed = rooms(
            bounds.entity, changes.writes, target.guard, upsert=pattern.upsert
        )
        target = replace(target, guard=(*target.guard, *needed))
    return Update(target, changes, keys, defaults, params), []


# --- the item ---------------------------------------------------------------------------------------


def target_of(
    pattern: AccessPattern, bounds: Bounds
) -> tuple[Target | None, list[Diagnostic]]:
    """The item whose whole key `where` gives, and the guard on it."""
    entity, items = bounds.entity, bounds.items
    where, params, problems = resolve_where(pattern.where, entity, items=items)
    guard, more, found = resolve_where(
        pattern.guard, entity, role=Role.GUARD, items=items
    )
    problems += found
    if problems:
        return None, problems
    tests = tuple(c for c in where if isinstance(c, Test))
    key = _key(entity, tests, bounds.schema)
    if key is None:
        return None, [no_single_item(pattern, entity, bounds.schema, tests)]
    idle = list(idle_guards(pattern, entity, tests, guard))
    if idle:
        return None, idle
    return Target(tests, key, guard, (*params, *more)), []


def _key(
    entity: Entity, tests: Sequence[Test], schema: Schema
) -> tuple[KeyEquals, ...] | None:
    """The item's key, where `where` fixes all of it and nothing else."""
    own = variants(entity, schema.table(entity.table), None)[0]
    bindings = bind(entity, tests, not_given=frozenset())
    found = route(Question(entity, tuple(tests), bindings), own)
    if isinstance(found, Failure) or found.route.fan_outs:
        return None
    if len(found.route.equals) < len(own.keys):
        return None
    return found.route.equals


def parameters(
    params: Sequence[Param],
    entity: Entity,
    changes: Changes,
    where: Sequence[Test],
) -> tuple[Parameter, ...]:
    """The parameters of a write's method."""
    return tuple(_parameter(param, entity, changes, where) for param in params)


def _parameter(
    param: Param, entity: Entity, changes: Changes, where: Sequence[Test]
) -> Parameter:
    attribute = entity.attribute(param.attribute) if param.attribute else None
    state = changes.after.get(param.attribute)
    in_key = any(param in t.operands for t in where)
    written = any(write.operand == Given(param.name) for write in changes.writes)
    return Parameter(
        name=param.name,
        type=param.type,
        span=param.span,
        many=param.many,
        optional=attribute is not None
        and attribute.optional
        and (in_key or (written and state is not None and state.may_be_none)),
        attribute=param.attribute or None,
        description=attribute.description if attribute else "",
    )


# --- what does not go together ------------------------------------------------------------------------


def _unfit(pattern: AccessPattern, changes: Changes) -> Iterator[Diagnostic]:
    if pattern.upsert and pattern.read_first:
        yield error(
            "DG211",
            "`upsert` and `read_first` exclude one another",
            pattern.name.span,
            help=[
                "an item that may be missing can't be read first; leave one of them out"
            ],
        )
    for write in changes.writes:
        if pattern.read_first and write.path:
            yield error(
                "DG211",
                f"`read_first` writes whole attributes, not what lies inside `{write.attribute}`",
                changes.places[write.attribute],
                help=[
                    "leave `read_first` out: a nested value needs nothing to be known"
                ],
            )


def _defaults(
    pattern: AccessPattern, bounds: Bounds, changes: Changes
) -> tuple[tuple[tuple[str, Default], ...], list[Diagnostic]]:
    """What an upsert stores beside what it sets, and the attributes that nothing supplies."""
    if not pattern.upsert:
        return (), []
    entity = bounds.entity
    known = table_key_inputs(entity, bounds.schema.table(entity.table))
    version = entity.version.name if entity.version else None
    supplied = {*known, *changes.after, version}
    open_ = [a for a in entity.attributes if a.name not in supplied and not a.computed]
    lacking = [a for a in open_ if not a.optional and a.default is None]
    if lacking:
        return (), [_not_supplied(pattern, lacking)]
    ignored = [
        _default_ignored(entity.attribute(write.attribute), write.verb, changes)
        for write in changes.writes
        if write.verb in {"add", "append"} and not write.path
        if _starts_elsewhere(entity.attribute(write.attribute))
    ]
    if ignored:
        return (), ignored
    return tuple((a.name, a.default) for a in open_ if a.default is not None), []


def _starts_elsewhere(attribute: Attribute) -> bool:
    """Whether a new item begins with something else than nothing, or the clock's time."""
    default = attribute.default
    return isinstance(default, DefaultValue) and default.value not in (0, (), {})


def _default_ignored(attribute: Attribute, verb: str, changes: Changes) -> Diagnostic:
    return error(
        "DG212",
        f"`{verb}` on an item that is not there begins with nothing, not with the default of"
        f" `{attribute.name}`",
        changes.places[attribute.name],
        secondary=[Label(attribute.span, "its default is declared here")],
        help=["create the item first, or give the attribute a default of 0 or none"],
    )


def _not_supplied(pattern: AccessPattern, lacking: Sequence[Attribute]) -> Diagnostic:
    return error(
        "DG212",
        f"`{pattern.name.text}` may store a new item, and does not supply"
        f" {listed((a.name for a in lacking), 'and')}",
        pattern.name.span,
        secondary=[Label(a.span, "every item has one") for a in lacking],
        help=["set them, give them a default, or declare them `optional: true`"],
    )


# --- keys -----------------------------------------------------------------------------------------


def _keys(
    pattern: AccessPattern, bounds: Bounds, changes: Changes, target: Target
) -> tuple[tuple[KeyWrite, ...], list[Diagnostic]]:
    """The derived attributes that the update writes; refused where one can't be computed."""
    if pattern.read_first:
        return (), []
    entity, schema = bounds.entity, bounds.schema
    guards = tuple(c for c in target.guard if isinstance(c, Test))
    after = after_write(entity, target.tests, changes.after, guards)
    changed = frozenset(changes.after)
    recomputed = _recomputed(entity, changed)
    after |= {a.name: changed_unknown(a) for a in recomputed}
    changed |= {a.name for a in recomputed}
    if pattern.upsert:  # a new item has none of its keys yet
        changed = frozenset(after)
    writes: list[KeyWrite] = []
    refused: list[Diagnostic] = []
    for key in entity_writes(entity, schema).derived:
        if not touched(key, changed):
            continue
        found = write_derived(entity, key, after, changed)
        if isinstance(found, NotKnown):
            following = frozenset(a.name for a in recomputed)
            refused.append(
                _stale(pattern, bounds, changes, key, found, following=following)
            )
        else:
            writes.append(found)
    return tuple(writes), refused


def _recomputed(entity: Entity, changed: frozenset[str]) -> list[Attribute]:
    """The `computed` attributes that follow from what is written; keys may hold them."""
    return [
        attribute
        for attribute in entity.attributes
        if attribute.computed is not None
        and not changed.isdisjoint(template_inputs(attribute.computed))
    ]


def _stale(
    pattern: AccessPattern,
    bounds: Bounds,
    changes: Changes,
    key: DerivedKey,
    unknown: NotKnown,
    *,
    following: frozenset[str],
) -> Diagnostic:
    inputs = (*key.inputs, *inputs_behind(bounds.entity, key.inputs))
    place = next(
        (changes.places[n] for n in inputs if n in changes.places),
        pattern.name.span,
    )
    counted = [
        w.attribute
        for w in changes.writes
        if w.verb not in {"set", "remove"} and w.attribute in unknown.attributes
    ]
    return stale_key(
        bounds.entity,
        bounds.schema,
        key,
        unknown.attributes,
        counted,
        place=place,
        following=following,
        member=bounds.member,
        upsert=pattern.upsert,
    )
