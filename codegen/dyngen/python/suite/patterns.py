"""The test classes of patterns that write one item: updates, deletes and moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dyngen.design.contents import key_schema
from dyngen.design.derived import table_key_sources
from dyngen.design.model import (
    Attribute,
    Condition,
    Default,
    Room,
    Schema,
    Test,
    tests_in,
)
from dyngen.design.plans import (
    DeletePlan,
    KeyEquals,
    MovePlan,
    Parameter,
    UpdatePlan,
    ValueWrite,
)
from dyngen.design.room import amount_type
from dyngen.keys.model import Fixed, Given
from dyngen.python import names
from dyngen.python.literals import text
from dyngen.python.suite import amounts, estimates, said, samples, support, versions
from dyngen.python.suite.calls import operand_for, stands_apart
from dyngen.python.suite.contests import Rivals
from dyngen.python.suite.effects import key_sources, supplied, written
from dyngen.python.suite.model import WriteClass
from dyngen.python.suite.nested import Values, leaf, placed, steps_of, value_at
from dyngen.python.suite.oracle import holds, parameters, value_of, within
from dyngen.python.suite.reads import argument_source, sample_call
from dyngen.python.suite.sources import source
from dyngen.python.suite.specimens import (
    Collection,
    Specimen,
    base,
    changed,
    compared,
    given,
    key_inputs,
    pool,
    stem,
)
from dyngen.python.suite.stored import with_computed

_REFUSED = 4  # items for each condition of a guard

Plan = UpdatePlan | DeletePlan | MovePlan


@dataclass(frozen=True, slots=True)
class Target:
    """One item that a pattern or a member of a transaction writes, and how."""

    entity: str
    table: str
    key: tuple[KeyEquals, ...]
    guard: tuple[Condition, ...] = ()
    writes: tuple[ValueWrite, ...] = ()
    upsert: bool = False
    defaults: tuple[tuple[str, Default], ...] = ()


class Sampled:
    """A target's sample item, with parameters around it.

    `call` holds what is settled already; the rest of `wanted` is chosen here.
    """

    def __init__(
        self, schema: Schema, target: Target, wanted: Sequence[Parameter], call: Values
    ) -> None:
        self.schema = schema
        self.target = target
        self.entity = schema.entity(target.entity)
        self._sources = dict(key_sources(self.entity, target.key))
        plain = base(self.entity)
        for attribute, origin in self._sources.items():
            if isinstance(origin, Fixed):
                plain[attribute] = origin.value
        self.call = dict(call)
        for parameter in wanted:
            if parameter.name not in self.call:
                self.call[parameter.name] = self._argument(parameter, plain)
        self.before = self._guarded(plain)

    def _argument(self, parameter: Parameter, plain: Values) -> object:
        for attribute, origin in self._sources.items():
            if origin == Given(parameter.name):
                return with_computed(self.entity, plain)[attribute]
        for test in tests_in(self.target.guard):
            if parameter.name in parameters(test):
                position = parameters(test).index(parameter.name)
                inner = leaf(self.entity.attribute(test.attribute), test)
                value = value_at(plain, steps_of(test, self.call))
                return operand_for(
                    inner,
                    test,
                    position,
                    {**plain, inner.name: value},
                    apart=stands_apart(test, self.target.guard),
                )
        assert parameter.type is not None
        options = samples.pool(parameter.type, stem(self._written(parameter)))
        value = options[1] if len(options) > 1 else options[0]
        steps = [s.parameter for w in self.target.writes for s in w.path]
        if parameter.name in steps:  # two of them must not lead to one place
            taken = [self.call[name] for name in steps if name in self.call]
            return next((each for each in options if each not in taken), value)
        elsewhere = (each for each in options if self._moves(parameter, each, plain))
        return self._amount(parameter, next(elsewhere, value))

    def _moves(self, parameter: Parameter, value: object, plain: Values) -> bool:
        """Whether the value gives the plain item another key of the table."""
        table = self.schema.table(self.target.table)
        sources = table_key_sources(self.entity, table)
        values = dict(plain)
        for write in self.target.writes:
            if write.operand == Given(parameter.name) and write.attribute in sources:
                values[write.attribute] = value
        both = Collection(self.schema)
        both.add(Specimen(self.entity, plain))
        return both.add(Specimen(self.entity, values), keep=values)

    def _amount(self, parameter: Parameter, value: Any) -> object:
        """The value, one that fits if it is an amount that numbers must have room for.

        It is less than 0 if there must be room below; what an upsert may add to nothing is not.
        """
        rooms = amounts.rooms_of(self.target.guard, parameter.name)
        if not rooms:
            return value
        assert parameter.type is not None
        upsert = self.target.upsert
        if not upsert and any(room.minimum is not None for room in rooms):
            value = -abs(value)
        return amounts.fitting(value, parameter.type, rooms, upsert=upsert)

    def _written(self, parameter: Parameter) -> Attribute:
        return self.entity.attribute(
            parameter.attribute or self.entity.attributes[0].name
        )

    # --- the guard --------------------------------------------------------------------------------

    def _guarded(self, values: Values) -> dict[str, object]:
        """The values, moved to where the guard holds."""
        found = dict(values)
        for condition in self.target.guard:
            if not self._holds(condition, found):
                fitting = (
                    v
                    for v in self._varied(condition, found)
                    if self._holds(condition, v)
                )
                found = next(fitting, found)
        return found

    def _holds(self, condition: Condition, values: Values) -> bool:
        return holds(condition, with_computed(self.entity, values), self.call)

    def _varied(
        self, condition: Condition, values: Values
    ) -> Iterator[dict[str, object]]:
        """The values with another one of an attribute that the condition is about."""
        if isinstance(condition, Room):
            yield from self._at_the_bounds(condition, values)
        for test in tests_in((condition,)):
            attribute = self.entity.attribute(test.attribute)
            steps, inner = steps_of(test, self.call), leaf(attribute, test)
            value = value_at(values, steps)
            known = [
                *compared(inner, replace(test, path=()), self.call),
                *([] if value is None else [value]),
            ]
            near = [each for one in known for each in samples.near(inner.type, one)]
            for option in (*known, *near, *pool(inner)):
                if option != value:
                    yield from placed(values, steps, option)
            yield from self._without(test, values)

    def _without(
        self, test: Test | Room, values: Values
    ) -> Iterator[dict[str, object]]:
        """The values without what the condition is about, or without what that is inside of."""
        attribute = self.entity.attribute(test.attribute)
        steps = steps_of(test, self.call)
        for depth in range(len(test.path), -1, -1):
            if leaf(attribute, replace(test, path=test.path[:depth])).optional:
                yield from placed(values, steps[: depth + 1], None)

    def _at_the_bounds(self, room: Room, values: Values) -> Iterator[dict[str, object]]:
        """The values with a number for which the sum just keeps, or just leaves, its bounds."""
        steps = steps_of(room, self.call)
        amount = value_of(room.amount, self.call)
        edges = [b - amount for b in (room.minimum, room.maximum) if b is not None]
        for edge in edges:
            for number in (edge, *samples.near(amount_type(room.type), edge)):
                if within(number, room.minimum, room.maximum):
                    yield from placed(values, steps, number)
        yield from self._without(room, values)

    def refused(self) -> Iterator[Specimen]:
        """Items with the same key for which one condition of the guard does not hold."""
        key = self._key()
        found: list[Values] = []
        for condition in versions.others(self.entity, self.target.guard):
            if any(test.attribute in key for test in tests_in((condition,))):
                continue
            varied = self._varied(condition, self.before)
            wrong = [values for values in varied if self._fails_only(condition, values)]
            for values in wrong[:_REFUSED]:
                if values not in found:
                    found.append(values)
                    yield Specimen(self.entity, values)

    def _fails_only(self, condition: Condition, values: Values) -> bool:
        failing = [each for each in self.target.guard if not self._holds(each, values)]
        about = {test.attribute for test in tests_in((condition,))}
        alike = condition in failing and all(
            {test.attribute for test in tests_in((each,))} == about for each in failing
        )
        return (failing == [condition] or alike) and self.storable(values)

    # --- items ------------------------------------------------------------------------------------

    @property
    def possible(self) -> bool:
        """Whether the guard can hold for an item that is there; an upsert may be for none."""
        return self.allows(self.call)

    def allows(self, call: Values) -> bool:
        """Whether the guard holds for the item, with these parameters."""
        complete = with_computed(self.entity, self.before)
        return all(holds(each, complete, call) for each in self.target.guard)

    @property
    def specimen(self) -> Specimen:
        """The item that is written."""
        return Specimen(self.entity, self.before)

    def _key(self) -> tuple[str, ...]:
        table = self.schema.table(self.target.table)
        return key_inputs(self.entity, key_schema(table, None))

    def others(self) -> Iterator[Specimen]:
        """Items with other keys, near this one's."""
        found = Collection(self.schema)
        found.add(self.specimen)
        for name in self._key():
            attribute = self.entity.attribute(name)
            value = self.before.get(name)
            near = () if value is None else samples.near(attribute.type, value)
            for other in near[:2]:
                found.add(Specimen(self.entity, changed(self.before, name, other)))
        yield from found.specimens[1:]

    def storable(self, values: Values) -> bool:
        """Whether an item with these values can be stored."""
        return Collection(self.schema).add(Specimen(self.entity, values))

    def after(self, call: Values) -> Values:
        """The item's values after the call."""
        return written(self.entity, self.before, self.target.writes, call)

    def made(self, call: Values) -> Specimen:
        """The item that an upsert makes where there is none."""
        values = supplied(self.target.defaults)
        values |= {name: self.before[name] for name in self._sources}
        after = written(self.entity, values, self.target.writes, call)
        return Specimen(self.entity, {**values, **after})


def pattern_class(schema: Schema, plan: Plan, name: str) -> WriteClass:
    """The test class of a pattern that writes one item."""
    return _Builder(schema, plan).build(name)


class _Builder:
    def __init__(self, schema: Schema, plan: Plan) -> None:
        self.schema = schema
        self.plan = plan
        target = Target(
            entity=plan.entity,
            table=plan.table,
            key=plan.key,
            guard=plan.guard,
            writes=() if isinstance(plan, DeletePlan) else plan.writes,
            upsert=isinstance(plan, UpdatePlan) and plan.upsert,
            defaults=plan.defaults if isinstance(plan, UpdatePlan) else (),
        )
        self.sampled = Sampled(schema, target, plan.parameters, {})
        self.entity = self.sampled.entity
        before, after = self.sampled.before, self.sampled.after(self.sampled.call)
        self.rivals = list(
            Rivals(schema, self.entity).rivals(after, [before], before=before)
        )

    def build(self, name: str) -> WriteClass:
        entity, plan = self.entity, self.plan
        refused = list(self.sampled.refused())
        repository = names.repository_attribute(entity.name, entity.plural)
        return WriteClass(
            name=name,
            bases=tuple(self._bases(refused)),
            docstring=support.described(plan.description, f"The pattern {plan.name}."),
            assignments=tuple(self._assignments(refused)),
            item=names.item_variable(entity.name),
            item_class=names.class_name(entity.name),
            method=f"{repository}.{names.method(plan.name)}",
            returns=f"{names.class_name(entity.name)} | None",
            arguments=tuple(said.signature(plan.parameters)),
            effects=(said.effect(self.schema, plan, plan.parameters),),
        )

    def _bases(self, refused: Sequence[Specimen]) -> Iterator[str]:
        match self.plan:
            case DeletePlan():
                yield "DeletePatternProof"
            case MovePlan():
                yield "MoveProof"
            case _ if self.sampled.possible or not self.sampled.target.upsert:
                yield "UpdatePatternProof"
                if self.entity.version is not None:
                    yield "VersionedPatternProof"
        if any(versions.asked(self.entity, self.plan.guard)):
            yield "VersionGuardProof"
        yield "UpsertProof" if self.sampled.target.upsert else "ExistingProof"
        if refused:
            yield "GuardProof"
        if self.rivals:
            yield "UniquePatternProof"

    def _assignments(self, refused: Sequence[Specimen]) -> Iterator[str]:
        sampled = self.sampled
        yield f"kind = {names.kind(self.entity.name)}"
        yield f"before = {sample_call(sampled.specimen)}"
        cases = [
            f"({self._arguments(call)}, {self._after(call)})" for call in self._calls()
        ]
        yield f"cases = [{', '.join(cases)}]"
        yield f"others = [{', '.join(map(sample_call, self._others()))}]"
        yield f"estimate = {estimates.of_pattern(self.schema, self.plan)}"
        yield f"drawn = {{{', '.join(said.drawn(self.schema, [self.plan], self.plan.parameters))}}}"
        yield from versions.assignment([(self.entity, self.plan.guard)])
        if isinstance(self.plan, MovePlan) or (
            isinstance(self.plan, UpdatePlan) and self.plan.read_first
        ):
            yield "reads_first = True"
        if sampled.target.upsert:
            yield f"made = {made_call(sampled.made(sampled.call))}"
        if isinstance(self.plan, MovePlan):
            yield f"taken = {sample_call(self._taken())}"
        if self.rivals:
            yield f"rivals = [{', '.join(self.rivals)}]"
        if refused:
            yield f"refused = [{', '.join(map(sample_call, refused))}]"

    def _others(self) -> Iterator[Specimen]:
        """Items with other keys; none stands where a move leads, or has the values it gives."""
        after = self.sampled.after(self.sampled.call)
        for other in self.sampled.others():
            if isinstance(self.plan, MovePlan) or self.entity.unique:
                both = Collection(self.schema)
                both.add(Specimen(self.entity, after))
                if not both.add(other, keep=other.values):
                    continue
            yield other

    def _taken(self) -> Specimen:
        """An item with the key that a move leads to, and unique values of its own."""
        found = Collection(self.schema)
        found.add(self.sampled.specimen)
        found.add(Specimen(self.entity, self.sampled.after(self.sampled.call)))
        return found.specimens[-1]

    def _calls(self) -> Iterator[Values]:
        """The call, and one for each parameter that may be None to remove what it sets."""
        call = self.sampled.call
        yield call
        operands = [write.operand for write in self.sampled.target.writes]
        for parameter in self.plan.parameters:
            if parameter.optional and Given(parameter.name) in operands:
                yield {**call, parameter.name: None}
            if amounts.rooms_of(self.sampled.target.guard, parameter.name):
                amount: Any = call[parameter.name]
                opposite = {**call, parameter.name: -amount}
                if self.sampled.allows(opposite):
                    yield opposite

    def _arguments(self, call: Values) -> str:
        pairs = [
            f"{text(names.parameter(each.name))}: {argument_source(each, call[each.name])}"
            for each in self.plan.parameters
        ]
        return f"{{{', '.join(pairs)}}}"

    def _after(self, call: Values) -> str:
        """The attributes that the call changes, as a display."""
        before, after = self.sampled.before, self.sampled.after(call)
        pairs = [
            f"{text(names.attribute(each.name))}: {source(each.type, after.get(each.name))}"
            for each in given(self.entity)
            if after.get(each.name) != before.get(each.name)
        ]
        return f"{{{', '.join(pairs)}}}"


def made_call(specimen: Specimen) -> str:
    """The expression of an item that is not like the plain one."""
    arguments = [
        f"{names.attribute(each.name)}={source(each.type, specimen.values[each.name])}"
        for each in given(specimen.entity)
        if specimen.values.get(each.name) is not None
    ]
    absent = [
        f"{names.attribute(each.name)}=None"
        for each in given(specimen.entity)
        if each.optional and specimen.values.get(each.name) is None
    ]
    return (
        f"{names.class_name(specimen.entity.name)}({', '.join([*arguments, *absent])})"
    )
