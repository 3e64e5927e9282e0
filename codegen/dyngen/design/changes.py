"""What an update, a move or a member of a transaction writes, attribute by attribute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce

from dyngen.design.after import After, changed_unknown, written
from dyngen.design.bindings import source_of
from dyngen.design.derived import table_key_inputs, table_key_sources
from dyngen.design.model import Entity, Operand, Param, Schema, Test
from dyngen.design.operands import clock, constant, item_value
from dyngen.design.parameters import parameter
from dyngen.design.paths import Target, resolve_path
from dyngen.design.plans import ValueWrite
from dyngen.design.room import amount_type
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.keys.model import Clock, Given, Missing, Source
from dyngen.source.quoting import key
from dyngen.spec import model as spec
from dyngen.spec.model import AccessPattern, Operator
from dyngen.types.model import (
    Decimal,
    Float,
    Integer,
    List,
    Object,
    Set,
    ValueType,
    inside,
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the pattern stands in: the items passed beside it, and whether the key may change.

    `member`: it is a member of a transaction.
    """

    entity: Entity
    schema: Schema
    items: Mapping[str, Entity] = field(default_factory=dict)
    moving: bool = False
    member: bool = False


@dataclass(slots=True)
class Changes:
    """What is written, as it is collected; `places` and `paths` say where in the spec."""

    writes: list[ValueWrite] = field(default_factory=list)
    after: dict[str, After] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)
    paths: list[spec.Name] = field(default_factory=list)
    nested: list[tuple[spec.Name, Target]] = field(default_factory=list)
    params: list[Param] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)


def changes_of(pattern: AccessPattern, bounds: Bounds) -> Changes:
    """Everything that the pattern writes, and what is wrong with it."""
    changes = Changes()
    for assignment in pattern.set:
        _set(changes, assignment, bounds)
    for path in pattern.remove:
        _remove(changes, path, bounds)
    for verb, assignments in (
        ("add", pattern.add),
        ("append", pattern.append),
        ("delete", pattern.delete_from),
    ):
        for assignment in assignments:
            _change(changes, verb, assignment, bounds)
    for attribute in bounds.entity.attributes:
        if attribute.on_write and attribute.name not in changes.after:
            changes.writes.append(
                ValueWrite(
                    "set", attribute.name, Clock(), now=True, type=attribute.type
                )
            )
            changes.after[attribute.name] = written(
                attribute, Clock(), may_be_none=False
            )
            changes.places[attribute.name] = attribute.span
    return changes


def _target(changes: Changes, path: spec.Name, bounds: Bounds) -> Target | None:
    """Where a write goes; reports what no update may touch."""
    target = resolve_path(path, bounds.entity)
    if target is None:
        return None
    if isinstance(target, Diagnostic):
        changes.problems.append(target)
        return None
    problem = _untouchable(target, bounds)
    if problem is not None:
        message, remedy = problem
        changes.problems.append(
            error(
                "DG207",
                message,
                path.span,
                secondary=[Label(target.attribute.span, "declared here")],
                help=[remedy],
            )
        )
        return None
    words = path.text.split(".")
    for other in changes.paths:
        others = other.text.split(".")
        shared = min(len(words), len(others))
        if words[:shared] == others[:shared]:
            changes.problems.append(
                error(
                    "DG207",
                    f"`{'.'.join(words[:shared])}` is written twice",
                    path.span,
                    secondary=[Label(other.span, "and here")],
                    help=["an update writes an attribute, or a place inside one, once"],
                )
            )
            return None
    changes.paths.append(path)
    changes.params.extend(target.params)
    changes.places[target.attribute.name] = path.span
    if target.steps:
        changes.nested.append((path, target))
    return target


def _untouchable(target: Target, bounds: Bounds) -> tuple[str, str] | None:
    """What no update may write, and what to do instead."""
    entity, attribute = bounds.entity, target.attribute
    table = bounds.schema.table(entity.table)
    fixed = table_key_sources(entity, table)
    if attribute.name in fixed and not bounds.moving:
        inside = attribute.name in table_key_inputs(entity, table)
        return (
            (
                f"`{attribute.name}` is part of the table's key, which no update can change"
                if inside
                else f"the table's key follows from `{attribute.name}`, and no update can change it"
            ),
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


def uncertain_paths(
    changes: Changes, guards: Iterable[Test], *, upsert: bool
) -> Iterator[Diagnostic]:
    """Writes inside what may be absent, which DynamoDB refuses as an invalid path (AWS:
    API_UpdateItem). A guard that it is present turns that into a failed guard."""
    tests = [test for test in guards if test.operator not in _TRUE_OF_ABSENT]
    for path, target in changes.nested:
        attribute, words = target.attribute, path.text.split(".")
        if upsert:
            yield error(
                "DG211",
                f"an item that may be missing has nothing inside `{attribute.name}`",
                path.span,
                secondary=[Label(attribute.span, "declared here")],
                help=["set the whole attribute, or leave `upsert` out"],
            )
        elif target.uncertain is not None and not any(
            test.attribute == attribute.name
            and test.path[: target.uncertain - 1] == target.path[: target.uncertain - 1]
            for test in tests
        ):
            within = ".".join(words[: target.uncertain])
            yield error(
                "DG207",
                f"`{within}` may be absent, and then nothing can be written inside it",
                path.span,
                secondary=[Label(attribute.span, "declared here")],
                help=[
                    f"have it checked (`guard: {{{key(within)}: present}}`)",
                    _always_there(target, target.uncertain, within),
                ],
            )


def _always_there(target: Target, words: int, within: str) -> str:
    """How to do without a guard, where what the first `words` of a path lead to may be absent."""
    of = target.attribute.type
    if words == 1 and not isinstance(of, Object):
        return "or let every item have one: give it a `default` instead of `optional: true`"
    if words == 1 or isinstance(reduce(inside, target.path[: words - 2], of), Object):
        return f"or leave its `optional: true` out: then `{within}` is never absent"
    return f"or write the whole entry: `set: {{{key(within)}: param}}`"


_TRUE_OF_ABSENT = (Operator.ABSENT, Operator.NE)


def _set(changes: Changes, assignment: spec.Assignment, bounds: Bounds) -> None:
    target = _target(changes, assignment.path, bounds)
    if target is None:
        return
    attribute = target.attribute
    source = _operand(changes, assignment, target, bounds)
    if source is None:
        return
    may_be_none = isinstance(source, Given) and attribute.optional and not target.steps
    changes.writes.append(
        ValueWrite(
            "set",
            attribute.name,
            source,
            target.steps,
            now=isinstance(source, Clock),
            type=target.type,
        )
    )
    changes.after[attribute.name] = (
        changed_unknown(attribute)
        if target.steps
        else written(attribute, source, may_be_none=may_be_none)
    )


def _remove(changes: Changes, path: spec.Name, bounds: Bounds) -> None:
    target = _target(changes, path, bounds)
    if target is None:
        return
    attribute = target.attribute
    if not target.optional:
        owner = path.text.rpartition(".")[0] or bounds.entity.name
        changes.problems.append(
            error(
                "DG207",
                f"`{path.text}` can't be removed: every {owner} has one",
                path.span,
                secondary=[Label(attribute.span, "declared here")],
                help=["declare it `optional: true`, or set it to another value"],
            )
        )
        return
    changes.writes.append(ValueWrite("remove", attribute.name, None, target.steps))
    changes.after[attribute.name] = (
        changed_unknown(attribute)
        if target.steps
        else written(attribute, Missing(), may_be_none=False)
    )


def _change(
    changes: Changes,
    verb: str,
    assignment: spec.Assignment,
    bounds: Bounds,
) -> None:
    target = _target(changes, assignment.path, bounds)
    if target is None:
        return
    element = _element(verb, target)
    if element is None:
        changes.problems.append(
            error(
                "DG207",
                f"`{verb}` does not work on `{assignment.path.text}`",
                assignment.path.span,
                secondary=[Label(target.attribute.span, "declared here")],
                help=[_WORKS_ON[verb]],
            )
        )
        return
    if target.steps and isinstance(target.type, Set):
        changes.problems.append(
            error(
                "DG207",
                f"`{verb}` reaches no set inside `{target.attribute.name}`",
                assignment.path.span,
                secondary=[Label(target.attribute.span, "declared here")],
                help=[
                    "DynamoDB adds to and deletes from sets at the top level alone: make it an "
                    "attribute of its own",
                    f"or set it whole: `set: [{assignment.path.text}]`",
                ],
            )
        )
        return
    if verb == "add" and _grows_digits(target.type):
        changes.problems.append(
            error(
                "DG207",
                f"`add` can give `{assignment.path.text}` more `digits` than it may have",
                assignment.path.span,
                secondary=[Label(target.attribute.span, "declared here")],
                help=[
                    "declare its `places` too: then a sum has as many, and a limit is a number"
                ],
            )
        )
        return
    source = _operand(changes, assignment, element, bounds)
    if source is None:
        return
    changes.writes.append(
        ValueWrite(verb, target.attribute.name, source, target.steps, type=target.type)
    )
    changes.after[target.attribute.name] = changed_unknown(target.attribute)


_WORKS_ON = {
    "add": "it adds to a number, or puts an element into a set",
    "append": "it puts an element at the end of a list",
    "delete": "it takes an element out of a set",
}


def _grows_digits(of: ValueType) -> bool:
    """Whether a sum within bounds can have more digits: 99.99 and 100 have four at most, 199.99 five."""
    return isinstance(of, Decimal) and of.digits is not None and of.places is None


def _element(verb: str, target: Target) -> Target | None:
    """The type of the operand: the number itself, or one element."""
    of: ValueType
    match verb, target.type:
        case "add", Integer() | Decimal() | Float():
            of = amount_type(target.type)
        case ("add" | "delete"), Set(of=element):
            of = element
        case "append", List(of=element):
            of = element
        case _:
            return None
    return Target(target.attribute, target.steps, of)


def _operand(
    changes: Changes, assignment: spec.Assignment, target: Target, bounds: Bounds
) -> Source | None:
    """What is written, as a source; reports what does not fit."""
    found: Operand | Diagnostic
    match assignment.operand:
        case spec.Param(span=span, name=name):
            found = parameter(target, target.type, span, name=name)
            changes.params.append(found)
        case spec.Constant() as written:
            found = constant(written, target, target.type, bounds.entity)
        case spec.Now() as written:
            found = clock(written, assignment.path, target.type)
        case spec.ItemValue() as written:
            found = item_value(written, bounds.items, target.type)
    if isinstance(found, Diagnostic):
        changes.problems.append(found)
        return None
    return source_of(found)
