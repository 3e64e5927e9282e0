"""What writes do, said in plain Python: the effects that histories are held against.

Nothing here looks at expressions or index keys: an effect says of one item where it is, whether a
pattern may be used on it, and what it is afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dyngen.design.model import (
    Condition,
    Default,
    DefaultValue,
    Entity,
    Param,
    Room,
    Schema,
    tests_in,
)
from dyngen.design.plans import (
    DeletePlan,
    MovePlan,
    Parameter,
    PathStep,
    TransactMember,
    UpdatePlan,
    ValueWrite,
)
from dyngen.keys.model import Clock, Given
from dyngen.python import names, types
from dyngen.python.entities import key_attributes
from dyngen.python.literals import text
from dyngen.python.suite import amounts, versions
from dyngen.python.suite.effects import key_sources
from dyngen.python.suite.oracle import Writer, holds, value_source
from dyngen.python.suite.sources import source
from dyngen.python.suite.specimens import given
from dyngen.python.suite.support import strategy
from dyngen.spec.model import Action
from dyngen.types.model import List, Object, Set, ValueType, inside

Member = UpdatePlan | DeletePlan | MovePlan | TransactMember


def effect(schema: Schema, member: Member, parameters: Sequence[Parameter]) -> str:
    """The expression of what a pattern, or one member of a transaction, does to an item."""
    return _Effect(schema, member, parameters).source()


def signature(parameters: Sequence[Parameter]) -> Iterator[str]:
    """The arguments of the function that tells effects."""
    for parameter in parameters:
        name = names.parameter(parameter.name)
        if parameter.entity is not None:
            yield f"{name}: {names.class_name(parameter.entity)}"
            continue
        assert parameter.type is not None
        kind = types.annotation(parameter.type)
        if parameter.many:
            kind = f"Collection[{kind}]"
        yield f"{name}: {kind} | None" if parameter.optional else f"{name}: {kind}"


def drawn(
    schema: Schema, members: Sequence[Member], parameters: Sequence[Parameter]
) -> Iterator[str]:
    """Where a history gets each parameter from, as entries of a dict display.

    What finds an item comes from a stored one, so that it is often found.
    """
    for parameter in parameters:
        yield f"{text(names.parameter(parameter.name))}: {_drawn(schema, members, parameter)}"


def _drawn(schema: Schema, members: Sequence[Member], parameter: Parameter) -> str:
    if parameter.entity is not None:
        return names.kind(parameter.entity)
    for member in members:
        entity = schema.entity(member.entity)
        for name in _aimed(entity, member, parameter.name):
            attribute = entity.attribute(name)
            fits = parameter.optional or not attribute.optional
            if attribute.type == parameter.type and fits and not parameter.many:
                return f"({names.kind(entity.name)}, {text(names.attribute(name))})"
    assert parameter.type is not None
    stem = (parameter.attribute or parameter.name)[0]
    rooms = [r for m in members for r in amounts.rooms_of(m.guard, parameter.name)]
    of = amounts.drawn(parameter.type, rooms)
    found = strategy(of, stem, optional=parameter.optional)
    if parameter.many:
        return f"strategies.lists({found}, max_size=3).map(tuple)"
    return found


def _aimed(entity: Entity, member: Member, parameter: str) -> Iterator[str]:
    """The attributes that a parameter is compared with: those of the key, and of the guard."""
    for attribute, origin in key_sources(entity, member.key):
        if origin == Given(parameter):
            yield attribute
    for test in tests_in(member.guard):
        if not test.path and any(_is(each, parameter) for each in test.operands):
            yield test.attribute


def _is(operand: object, parameter: str) -> bool:
    return isinstance(operand, Param) and operand.name == parameter


class _Effect:
    def __init__(
        self, schema: Schema, member: Member, parameters: Sequence[Parameter]
    ) -> None:
        self.schema = schema
        self.member = member
        self.entity = schema.entity(member.entity)
        self.kind = names.kind(self.entity.name)
        taken = names.Scope([names.parameter(each.name) for each in parameters])
        self.item = taken.claim(names.item_variable(self.entity.name))
        self.entry = taken.claim("name")

    def source(self) -> str:
        """The whole expression."""
        match self.member:
            case TransactMember(action=Action.CREATE, item=str() as item):
                return f"Effect.creating({self.kind}, {names.parameter(item)})"
            case TransactMember(action=Action.PUT, item=str() as item):
                return f"Effect.storing({self.kind}, {names.parameter(item)})"
            case DeletePlan() | TransactMember(action=Action.DELETE):
                arguments = ["lambda _: None"]
            case UpdatePlan() | MovePlan() | TransactMember(action=Action.UPDATE):
                arguments = [f"lambda {self.item}: {self._result(self.member.writes)}"]
            case _:
                arguments = [f"lambda {self.item}: {self.item}", "writes=False"]
        return (
            f"Effect({', '.join((self.kind, self._key(), *arguments, *self._guard()))})"
        )

    def _key(self) -> str:
        table = self.schema.table(self.entity.table)
        origins = dict(key_sources(self.entity, self.member.key))
        pairs = [
            f"{text(names.attribute(each.name))}: {value_source(origins[each.name], each.type)}"
            for each in key_attributes(self.entity, table)
        ]
        return f"{{{', '.join(pairs)}}}"

    def _guard(self) -> Iterator[str]:
        """Whether the item may be written, and the item that is made if there is none."""
        guard = versions.others(self.entity, self.member.guard)
        for version in versions.asked(self.entity, self.member.guard):
            yield f"version={names.parameter(version)}"
        if guard:
            condition = Writer(self.entity, self.item).all_of(guard)
            yield f"holds=lambda {self.item}: {condition}"
        match self.member:
            case (UpdatePlan() | TransactMember()) as member if member.upsert:
                if self._holds_for_none(guard):
                    yield f"made={self._made(member)}"
                yield 'missing="GuardFailed"'

    def _holds_for_none(self, guard: Sequence[Condition]) -> bool:
        """Whether the guard holds where there is no item; room for a sum is asked of the call."""
        call = {
            operand.name: ""
            for test in tests_in(guard)
            for operand in test.operands
            if isinstance(operand, Param)
        }
        conditions = [each for each in guard if not isinstance(each, Room)]
        return all(holds(each, {}, call) for each in conditions)

    # --- what becomes of the item -----------------------------------------------------------------

    def _result(self, writes: Sequence[ValueWrite]) -> str:
        after = self._after(writes, {})
        changes = ", ".join(
            f"{names.attribute(name)}={value}" for name, value in after.items()
        )
        return f"replace({self.item}, {changes})" if changes else self.item

    def _after(
        self, writes: Sequence[ValueWrite], before: Mapping[str, str]
    ) -> dict[str, str]:
        """What the writes make of attributes; `before` has the expressions of what they are."""
        found: dict[str, str] = {}
        for write in writes:
            attribute = self.entity.attribute(write.attribute)
            field = f"{self.item}.{names.attribute(attribute.name)}"
            value = found.get(attribute.name, before.get(attribute.name, field))
            absent = value == "None" or (
                attribute.optional and attribute.name not in found
            )
            after = self._written(
                write, value, attribute.type, write.path, absent=absent
            )
            if write.verb == "delete" and attribute.optional:
                after += " or None"  # no set is stored empty
            found[attribute.name] = after
        return found

    def _written(
        self,
        write: ValueWrite,
        value: str,
        of: ValueType,
        path: Sequence[PathStep],
        *,
        absent: bool,
    ) -> str:
        """What a write makes of the value at its path; `absent`: there may be none."""
        if path:
            return self._inside(write, value, of, path, absent=absent)
        element = of.of if isinstance(of, Set | List) and write.verb != "set" else of
        operand = "" if write.operand is None else value_source(write.operand, element)
        match write.verb, of:
            case "remove", _:
                return "None"
            case "add", Set():
                return f"frozenset((*{_or(value, '()', absent)}, {operand}))"
            case "add", _:
                return f"{_or(value, '0', absent)} + {operand}"
            case "append", _:
                return f"(*{_or(value, '()', absent)}, {operand})"
            case "delete", _:
                return f"{_or(value, 'frozenset()', absent)} - {{{operand}}}"
            case _:
                return operand

    def _inside(
        self,
        write: ValueWrite,
        value: str,
        of: ValueType,
        path: Sequence[PathStep],
        *,
        absent: bool,
    ) -> str:
        """What a write makes of an object or a map, below which its path leads."""
        step, *rest = path
        if isinstance(of, Object):
            field = of.field(str(step.name))
            name = names.attribute(field.name)
            inner = self._written(
                write, f"{value}.{name}", field.type, rest, absent=field.optional
            )
            return f"replace({value}, {name}={inner})"
        key = (
            names.parameter(step.parameter or "")
            if step.name is None
            else text(step.name)
        )
        if write.verb == "remove" and not rest:
            others = f"for {self.entry} in {value} if {self.entry} != {key}"
            return f"{{{self.entry}: {value}[{self.entry}] {others}}}"
        below = inside(of, key)
        inner = self._written(write, f"{value}.get({key})", below, rest, absent=True)
        return f"{{**{_or(value, '{}', absent)}, {key}: {inner}}}"

    # --- what is made where there is none ---------------------------------------------------------

    def _made(self, member: UpdatePlan | TransactMember) -> str:
        key = dict(key_sources(self.entity, member.key))
        known = {name: self._default(name, value) for name, value in member.defaults}
        for name, origin in key.items():
            known[name] = value_source(origin, self.entity.attribute(name).type)
        nothing = {each.name: "None" for each in self.entity.attributes}
        known |= self._after(member.writes, {**nothing, **known})
        arguments = [
            f"{names.attribute(each.name)}={known.get(each.name, 'None')}"
            for each in given(self.entity)
        ]
        made = f"{names.class_name(self.entity.name)}({', '.join(arguments)})"
        rooms = [each for each in member.guard if isinstance(each, Room)]
        writer = Writer(self.entity, self.item)
        fits = " and ".join(writer.room(each, "0") for each in rooms)
        return f"{made} if {fits} else None" if fits else made

    def _default(self, name: str, default: Default) -> str:
        of = self.entity.attribute(name).type
        if isinstance(default, DefaultValue):
            return source(of, default.value)
        return value_source(Clock(), of)


def _or(value: str, nothing: str, absent: bool) -> str:
    if value == "None":
        return nothing
    return f"({value} or {nothing})" if absent else value
