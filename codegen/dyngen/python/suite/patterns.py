"""The test classes of update patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dyngen.design.contents import key_schema
from dyngen.design.model import Attribute, Condition, Entity, Schema
from dyngen.design.plans import (
    KeyEquals,
    NativeValue,
    Parameter,
    TextValue,
    UpdatePlan,
    ValueWrite,
)
from dyngen.keys.model import Clock, Encoded, Fixed, Given, Part, Source
from dyngen.python import names
from dyngen.python.literals import text
from dyngen.python.suite import samples, support
from dyngen.python.suite.calls import operand_for, tests_of
from dyngen.python.suite.model import WriteClass
from dyngen.python.suite.oracle import NOW, Values, holds, parameters
from dyngen.python.suite.reads import argument_source, sample_call
from dyngen.python.suite.sources import source
from dyngen.python.suite.specimens import (
    Collection,
    Specimen,
    base,
    changed,
    compared,
    key_inputs,
    pool,
    stem,
)
from dyngen.python.suite.stored import with_computed
from dyngen.types.model import List, Map, Object, Set, ValueType

_REFUSED = 4  # items for each condition of a guard


def pattern_class(schema: Schema, plan: UpdatePlan, name: str) -> WriteClass:
    """The test class of an update pattern."""
    return _Builder(schema, plan).build(name)


class _Builder:
    def __init__(self, schema: Schema, plan: UpdatePlan) -> None:
        self.schema = schema
        self.plan = plan
        self.entity = schema.entity(plan.entity)
        self.key_sources = dict(_key_sources(self.entity, plan.key))
        self.before = self._before()
        self.call = self._call()
        self.before = self._guarded(self.before)

    def build(self, name: str) -> WriteClass:
        entity, plan = self.entity, self.plan
        refused = list(self._refused())
        return WriteClass(
            name=name,
            bases=("GuardProof" if refused else "PatternProof",),
            docstring=support.described(
                plan.description, f"The update pattern {plan.name}."
            ),
            assignments=tuple(self._assignments(refused)),
            item=names.item_variable(entity.name),
            item_class=names.class_name(entity.name),
            method=(
                f"{names.repository_attribute(entity.name, entity.plural)}"
                f".{names.method(plan.name)}"
            ),
        )

    def _assignments(self, refused: Sequence[Specimen]) -> Iterator[str]:
        yield f"kind = {names.constant(self.entity.name)}"
        yield f"before = {sample_call(Specimen(self.entity, self.before))}"
        cases = [
            f"({self._arguments(call)}, {self._after(call)})" for call in self._calls()
        ]
        yield f"cases = [{', '.join(cases)}]"
        yield f"others = [{', '.join(map(sample_call, self._others()))}]"
        if refused:
            yield f"refused = [{', '.join(map(sample_call, refused))}]"

    # --- the call ---------------------------------------------------------------------------------

    def _before(self) -> dict[str, object]:
        """A plain item with the constants of the key."""
        values = base(self.entity)
        for attribute, origin in self.key_sources.items():
            if isinstance(origin, Fixed):
                values[attribute] = origin.value
        return values

    def _call(self) -> dict[str, object]:
        return {each.name: self._argument(each) for each in self.plan.parameters}

    def _argument(self, parameter: Parameter) -> object:
        for attribute, origin in self.key_sources.items():
            if origin == Given(parameter.name):
                return self.before[attribute]
        for test in tests_of(self.plan.guard):
            if parameter.name in parameters(test):
                attribute_ = self.entity.attribute(test.attribute)
                position = parameters(test).index(parameter.name)
                return operand_for(attribute_, test, position, self.before)
        assert parameter.type is not None
        options = samples.pool(parameter.type, stem(self._written(parameter)))
        return options[1] if len(options) > 1 else options[0]

    def _written(self, parameter: Parameter) -> Attribute:
        return self.entity.attribute(
            parameter.attribute or self.plan.writes[0].attribute
        )

    def _calls(self) -> Iterator[Values]:
        yield self.call
        removable = [
            each.name
            for each in self.plan.parameters
            if each.optional
            and Given(each.name) in [w.operand for w in self.plan.writes]
        ]
        for name in removable:
            yield {**self.call, name: None}

    def _guarded(self, values: Values) -> dict[str, object]:
        """The values, moved to where the guard holds."""
        found = dict(values)
        for condition in self.plan.guard:
            if not self._holds(condition, found):
                found = next(
                    (
                        v
                        for v in self._varied(condition, found)
                        if self._holds(condition, v)
                    ),
                    found,
                )
        return found

    def _holds(self, condition: Condition, values: Values) -> bool:
        return holds(condition, with_computed(self.entity, values), self.call)

    def _varied(
        self, condition: Condition, values: Values
    ) -> Iterator[dict[str, object]]:
        """The values with another one of an attribute that the condition is about."""
        for test in tests_of((condition,)):
            attribute = self.entity.attribute(test.attribute)
            value = values.get(attribute.name)
            wanted = list(compared(attribute, test, self.call))
            near = [
                n
                for v in (*wanted, value)
                if v is not None
                for n in samples.near(attribute.type, v)
            ]
            for option in (*wanted, *near, *pool(attribute)):
                if option != value:
                    yield changed(values, attribute.name, option)
            if attribute.optional:
                yield changed(values, attribute.name, None)

    # --- items ------------------------------------------------------------------------------------

    def _refused(self) -> Iterator[Specimen]:
        """Items with the same key for which one condition of the guard does not hold."""
        key = key_inputs(
            self.entity, key_schema(self.schema.table(self.plan.table), None)
        )
        for condition in self.plan.guard:
            if any(test.attribute in key for test in tests_of((condition,))):
                continue
            wrong = [
                v
                for v in self._varied(condition, self.before)
                if self._fails_only(condition, v)
            ]
            for values in wrong[:_REFUSED]:
                yield Specimen(self.entity, values)

    def _fails_only(self, condition: Condition, values: Values) -> bool:
        failing = [each for each in self.plan.guard if not self._holds(each, values)]
        return failing == [condition] and Collection(self.schema).add(
            Specimen(self.entity, values)
        )

    def _others(self) -> Iterator[Specimen]:
        """Items with other keys."""
        found = Collection(self.schema)
        found.add(Specimen(self.entity, self.before))
        for name in key_inputs(
            self.entity, key_schema(self.schema.table(self.plan.table), None)
        ):
            for value in samples.near(
                self.entity.attribute(name).type, self.before[name]
            )[:2]:
                found.add(Specimen(self.entity, changed(self.before, name, value)))
        yield from found.specimens[1:]

    # --- what the call does -----------------------------------------------------------------------

    def _arguments(self, call: Values) -> str:
        pairs = [
            f"{text(names.parameter(each.name))}: {argument_source(each, call[each.name])}"
            for each in self.plan.parameters
        ]
        return f"{{{', '.join(pairs)}}}"

    def _after(self, call: Values) -> str:
        """The attributes that the call changes, as a display."""
        after = dict(self.before)
        for write in self.plan.writes:
            after[write.attribute] = self._write(
                write, after.get(write.attribute), call
            )
        pairs = [
            f"{text(names.attribute(name))}: {source(self.entity.attribute(name).type, value)}"
            for name, value in after.items()
            if value != self.before.get(name)
        ]
        return f"{{{', '.join(pairs)}}}"

    def _write(self, write: ValueWrite, value: object, call: Values) -> object:
        attribute = self.entity.attribute(write.attribute)
        operand = None if write.operand is None else _value(write.operand, call)
        steps = [
            step.name if step.name is not None else str(call[step.parameter or ""])
            for step in write.path
        ]
        return _applied(write.verb, attribute.type, value, steps, operand)


def _applied(
    verb: str,
    of: ValueType,
    value: object,
    steps: Sequence[str | None],
    operand: object,
) -> object:
    """What an attribute becomes."""
    if steps:
        inside = dict(value) if isinstance(value, Mapping) else {}
        name, below = _step(of, str(steps[0]))
        inside[name] = _applied(verb, below, inside.get(name), steps[1:], operand)
        return {key: each for key, each in inside.items() if each is not None}
    match verb, value:
        case "remove", _:
            return None
        case "add", frozenset():
            return value | {operand}
        case "add", None if isinstance(of, Set):
            return frozenset({operand})
        case "add", None:
            return operand
        case "add", _:
            return value + operand  # type: ignore[operator]
        case "append", tuple():
            return (*value, operand)
        case "append", _:
            return (operand,)
        case "delete", frozenset():
            return (value - {operand}) or None
        case "delete", _:
            return value
        case _:
            return operand


def _step(of: ValueType, step: str) -> tuple[str, ValueType]:
    """The key and type of what a step leads to."""
    if isinstance(of, Object):
        field = next(each for each in of.fields if each.stored == step)
        return field.stored, field.type
    return step, of.of if isinstance(of, Map | List | Set) else of


def _value(origin: Source, call: Values) -> object:
    match origin:
        case Given(parameter=name):
            return call[name]
        case Fixed(value=value):
            return value
        case Clock():
            return NOW
        case _:
            return None


def _key_sources(
    entity: Entity, key: Sequence[KeyEquals]
) -> Iterator[tuple[str, Source]]:
    """Where the attributes of the table's key get their values from."""
    for each in key:
        match each.value:
            case NativeValue(source=origin):
                for name in _natural(entity, each.attribute):
                    yield name, origin
            case TextValue(text=pieces):
                for piece in pieces:
                    if isinstance(piece, Encoded) and isinstance(piece.part, Part):
                        yield piece.part.attribute, piece.source


def _natural(entity: Entity, key: str) -> Iterator[str]:
    attribute = getattr(entity.keys.get(key), "attribute", None)
    if attribute is not None:
        yield attribute
