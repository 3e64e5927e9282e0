"""Update patterns: one conditional UpdateItem that leaves every key true, or is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dyngen.design.after import After, after_write, changed_unknown, written
from dyngen.design.bindings import bind, source_of
from dyngen.design.conditions import Role, resolve_where
from dyngen.design.contents import variants
from dyngen.design.derived import entity_writes, table_key_inputs
from dyngen.design.keywrites import NotKnown, touched, write_derived
from dyngen.design.model import Attribute, Const, Entity, Param, Schema, Test
from dyngen.design.parameters import merge_params
from dyngen.design.paths import Target, resolve_path
from dyngen.design.plans import (
    DerivedKey,
    KeyEquals,
    KeyWrite,
    Parameter,
    UpdatePlan,
    ValueWrite,
)
from dyngen.design.refusals import needs_whole_key, stale_key
from dyngen.design.routes import Failure, Question, route
from dyngen.design.values import Problem, normalise
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.keys.model import Clock, Given, Missing, Source
from dyngen.spec import model as spec
from dyngen.spec.model import AccessPattern
from dyngen.types.model import (
    Date,
    Decimal,
    Float,
    Integer,
    List,
    Set,
    Timestamp,
    ValueType,
)


@dataclass(slots=True)
class _Draft:
    """An update under construction."""

    writes: list[ValueWrite] = field(default_factory=list)
    after: dict[str, After] = field(default_factory=dict)
    places: dict[str, Span] = field(
        default_factory=dict
    )  # attribute → where it is written
    params: list[Param] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)


def plan_update(
    pattern: AccessPattern, schema: Schema
) -> tuple[UpdatePlan | None, list[Diagnostic]]:
    """The plan of an update of one item, or what is wrong with it."""
    entity = schema.entity(pattern.entities[0].text)
    where, params, problems = resolve_where(pattern.where, entity)
    guard, guard_params, found = resolve_where(pattern.guard, entity, role=Role.GUARD)
    problems += found
    draft = _draft(pattern, entity, schema)
    problems += draft.problems
    every, clashes = merge_params((*params, *draft.params, *guard_params))
    problems += clashes
    if problems:
        return None, problems
    tests = tuple(c for c in where if isinstance(c, Test))
    key = _key(entity, tests, schema)
    if key is None:
        return None, [needs_whole_key(pattern, entity, schema)]
    guards = tuple(c for c in guard if isinstance(c, Test))
    after = after_write(entity, tests, draft.after, guards)
    keys, refused = _keys(pattern, entity, schema, draft, after)
    if refused:
        return None, refused
    return (
        UpdatePlan(
            name=pattern.name.text,
            entity=entity.name,
            table=entity.table,
            parameters=tuple(_parameter(p, entity, draft, tests) for p in every),
            key=key,
            writes=tuple(draft.writes),
            keys=keys,
            guard=guard,
            description=pattern.description,
            span=pattern.name.span,
        ),
        [],
    )


def _key(
    entity: Entity, tests: Sequence[Test], schema: Schema
) -> tuple[KeyEquals, ...] | None:
    """The item's key, where `where` fixes all of it and nothing else."""
    table = schema.table(entity.table)
    own = variants(entity, table, None)[0]
    question = Question(
        entity, tuple(tests), bind(entity, tests, not_given=frozenset())
    )
    found = route(question, own)
    if isinstance(found, Failure) or found.route.fan_outs:
        return None
    if len(found.route.equals) < len(own.keys):
        return None
    return found.route.equals


def _parameter(
    param: Param, entity: Entity, draft: _Draft, where: Sequence[Test]
) -> Parameter:
    attribute = entity.attribute(param.attribute) if param.attribute else None
    state = draft.after.get(param.attribute)
    in_key = any(param in t.operands for t in where)
    return Parameter(
        name=param.name,
        type=param.type,
        span=param.span,
        many=param.many,
        optional=attribute is not None
        and attribute.optional
        and (in_key or (state is not None and state.may_be_none)),
        attribute=param.attribute or None,
        description=attribute.description if attribute else "",
    )


# --- what is written --------------------------------------------------------------------------------


def _draft(pattern: AccessPattern, entity: Entity, schema: Schema) -> _Draft:
    draft = _Draft()
    for assignment in pattern.set:
        _set(draft, assignment, entity, schema)
    for path in pattern.remove:
        _remove(draft, path, entity, schema)
    for verb, assignments in (
        ("add", pattern.add),
        ("append", pattern.append),
        ("delete", pattern.delete_from),
    ):
        for assignment in assignments:
            _change(draft, verb, assignment, entity, schema)
    for attribute in entity.attributes:
        if attribute.on_write and attribute.name not in draft.after:
            draft.writes.append(
                ValueWrite(
                    "set", attribute.name, Clock(), now=True, type=attribute.type
                )
            )
            draft.after[attribute.name] = written(attribute, Clock(), may_be_none=False)
            draft.places[attribute.name] = attribute.span
    return draft


def _target(
    draft: _Draft, path: spec.Name, entity: Entity, schema: Schema
) -> Target | None:
    """Where a write goes; reports what no update may touch."""
    target = resolve_path(path, entity)
    if target is None:
        return None
    if isinstance(target, Diagnostic):
        draft.problems.append(target)
        return None
    problem = _untouchable(target.attribute, entity, schema)
    if problem is not None:
        message, remedy = problem
        draft.problems.append(
            error(
                "DG207",
                message,
                path.span,
                secondary=[Label(target.attribute.span, "declared here")],
                help=[remedy],
            )
        )
        return None
    if target.attribute.name in draft.places and not target.steps:
        draft.problems.append(
            error(
                "DG207",
                f"`{target.attribute.name}` is written twice",
                path.span,
                secondary=[Label(draft.places[target.attribute.name], "and here")],
                help=["an update writes an attribute once"],
            )
        )
        return None
    draft.params.extend(target.params)
    draft.places[target.attribute.name] = path.span
    return target


def _untouchable(
    attribute: Attribute, entity: Entity, schema: Schema
) -> tuple[str, str] | None:
    table = schema.table(entity.table)
    if attribute.name in table_key_inputs(entity, table):
        return (
            f"`{attribute.name}` is part of the table's key, which no update can change",
            "use `move`, which puts the item under its new key in one transaction",
        )
    if entity.version is not None and attribute.name == entity.version.name:
        return (
            f"`{attribute.name}` is the version token, which every write sets by itself",
            "leave it out",
        )
    if attribute.computed is not None:
        return (
            f"`{attribute.name}` is computed",
            "write the attributes that it is computed from",
        )
    return None


def _set(
    draft: _Draft, assignment: spec.Assignment, entity: Entity, schema: Schema
) -> None:
    target = _target(draft, assignment.path, entity, schema)
    if target is None:
        return
    attribute = target.attribute
    source = _operand(draft, assignment, target)
    if source is None:
        return
    may_be_none = isinstance(source, Given) and attribute.optional and not target.steps
    draft.writes.append(
        ValueWrite(
            "set",
            attribute.name,
            source,
            target.steps,
            now=isinstance(source, Clock),
            type=target.type,
        )
    )
    draft.after[attribute.name] = (
        changed_unknown(attribute)
        if target.steps
        else written(attribute, source, may_be_none=may_be_none)
    )


def _remove(draft: _Draft, path: spec.Name, entity: Entity, schema: Schema) -> None:
    target = _target(draft, path, entity, schema)
    if target is None:
        return
    attribute = target.attribute
    if not target.steps and not attribute.optional:
        draft.problems.append(
            error(
                "DG207",
                f"`{attribute.name}` can't be removed: every {entity.name} has one",
                path.span,
                secondary=[Label(attribute.span, "declared here")],
                help=["declare it `optional: true`, or set it to another value"],
            )
        )
        return
    draft.writes.append(ValueWrite("remove", attribute.name, None, target.steps))
    draft.after[attribute.name] = (
        changed_unknown(attribute)
        if target.steps
        else written(attribute, Missing(), may_be_none=False)
    )


def _change(
    draft: _Draft,
    verb: str,
    assignment: spec.Assignment,
    entity: Entity,
    schema: Schema,
) -> None:
    target = _target(draft, assignment.path, entity, schema)
    if target is None:
        return
    element = _element(verb, target)
    if element is None:
        draft.problems.append(
            error(
                "DG207",
                f"`{verb}` does not work on `{assignment.path.text}`",
                assignment.path.span,
                secondary=[Label(target.attribute.span, "declared here")],
                help=[_WORKS_ON[verb]],
            )
        )
        return
    source = _operand(draft, assignment, element)
    if source is None:
        return
    draft.writes.append(
        ValueWrite(verb, target.attribute.name, source, target.steps, type=target.type)
    )
    draft.after[target.attribute.name] = changed_unknown(target.attribute)


_WORKS_ON = {
    "add": "it adds to a number, or puts an element into a set",
    "append": "it puts an element at the end of a list",
    "delete": "it takes an element out of a set",
}


def _element(verb: str, target: Target) -> Target | None:
    """The type of the operand: the number itself, or one element."""
    of: ValueType
    match verb, target.type:
        case "add", Integer():
            of = Integer()  # a difference may be negative, whatever the number's range
        case "add", Decimal() | Float():
            of = target.type
        case ("add" | "delete"), Set(of=element):
            of = element
        case "append", List(of=element):
            of = element
        case _:
            return None
    return Target(target.attribute, target.steps, of)


def _operand(
    draft: _Draft, assignment: spec.Assignment, target: Target
) -> Source | None:
    """What is written, as a source; reports what does not fit."""
    match assignment.operand:
        case spec.Param(span=span, name=name):
            steps = [step.name for step in target.steps if step.name is not None]
            param = Param(
                name or "_".join([target.attribute.name, *steps]),
                target.type,
                span,
                attribute=target.attribute.name,
                renamed=name is not None,
            )
            draft.params.append(param)
            return source_of(param)
        case spec.Constant(value=value, span=span):
            normal = normalise(value, target.type)
            if isinstance(normal, Problem):
                draft.problems.append(
                    error("DG142", normal.message, span, help=normal.help)
                )
                return None
            return source_of(Const(normal, span))
        case spec.Now(span=span):
            if isinstance(target.type, Timestamp | Date):
                return Clock()
            draft.problems.append(
                error(
                    "DG148",
                    f"`now` is the clock's time, and `{assignment.path.text}` is none",
                    span,
                    help=['for the text write `{value: "now"}`'],
                )
            )
            return None
        case spec.ItemValue(span=span):
            draft.problems.append(
                error(
                    "DG146",
                    "no item is passed to an update; only transactions have them",
                    span,
                    help=["take the value as a parameter: `param`"],
                )
            )
            return None


# --- keys -----------------------------------------------------------------------------------------


def _keys(
    pattern: AccessPattern,
    entity: Entity,
    schema: Schema,
    draft: _Draft,
    after: dict[str, After],
) -> tuple[tuple[KeyWrite, ...], list[Diagnostic]]:
    changed = frozenset(draft.after)
    writes: list[KeyWrite] = []
    refused: list[Diagnostic] = []
    for key in _touched(entity, schema, changed):
        found = write_derived(entity, key, after, changed)
        if isinstance(found, NotKnown):
            place = next(
                (draft.places[n] for n in key.inputs if n in draft.places),
                pattern.name.span,
            )
            counted = [
                w.attribute
                for w in draft.writes
                if w.verb not in {"set", "remove"} and w.attribute in found.attributes
            ]
            refused.append(
                stale_key(entity, schema, key, found.attributes, counted, place)
            )
            continue
        writes.append(found)
    return tuple(writes), refused


def _touched(
    entity: Entity, schema: Schema, changed: frozenset[str]
) -> Iterator[DerivedKey]:
    for key in entity_writes(entity, schema).derived:
        if touched(key, changed):
            yield key
