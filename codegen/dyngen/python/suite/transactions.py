"""The test classes of transactions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from dyngen.design.model import Schema, tests_in
from dyngen.design.plans import Parameter, TransactMember, TransactPlan
from dyngen.keys.model import Given
from dyngen.python import names
from dyngen.python.literals import text
from dyngen.python.suite import amounts, estimates, said, samples, support, versions
from dyngen.python.suite.contests import Rivals
from dyngen.python.suite.effects import key_sources
from dyngen.python.suite.model import WriteClass
from dyngen.python.suite.oracle import parameters, value_of
from dyngen.python.suite.patterns import Sampled, Target, made_call
from dyngen.python.suite.reads import argument_source, sample_call
from dyngen.python.suite.specimens import Collection, Specimen, base
from dyngen.spec.model import Action


def transaction_class(
    schema: Schema, plan: TransactPlan, name: str
) -> WriteClass | None:
    """The test class of a transaction; None where its samples would be in each other's way."""
    reads = all(member.action is Action.GET for member in plan.members)
    builder = _Builder(schema, plan)
    if builder.members is None:
        return None
    return builder.reading(name) if reads else builder.writing(name)


class _Builder:
    def __init__(self, schema: Schema, plan: TransactPlan) -> None:
        self.schema = schema
        self.plan = plan
        self.call: dict[str, object] = {
            each.name: base(schema.entity(each.entity))
            for each in plan.parameters
            if each.entity is not None
        }
        self.members = self._members()

    def _members(self) -> list[tuple[TransactMember, Sampled]] | None:
        """Each member with its sample item; their keys must differ."""
        self.call |= self._amounts()
        found = []
        taken = Collection(self.schema)
        for member in self.plan.members:
            sampled = self._sampled(member)
            self.call |= sampled.call
            keep = self._settled(member, sampled)
            if not taken.add(sampled.specimen, keep):
                return None
            sampled.before = dict(taken.specimens[-1].values)
            found.append((member, sampled))
        return found

    def _amounts(self) -> dict[str, object]:
        """What is taken from numbers that must be there, and must not fall below a bound.

        An upsert of the transaction takes the same.
        """
        found = {}
        for each in self.plan.parameters:
            rooms = [
                room
                for member in self.plan.members
                if not member.upsert
                for room in amounts.rooms_of(member.guard, each.name)
            ]
            if each.type is not None and any(r.minimum is not None for r in rooms):
                wanted = _less(samples.pool(each.type, "")[-1])
                found[each.name] = amounts.fitting(
                    wanted, each.type, rooms, upsert=False
                )
        return found

    def _settled(self, member: TransactMember, sampled: Sampled) -> Sequence[str]:
        """The attributes of a member's item that the call decides, and those that its guard is about."""
        if member.item is not None:
            return list(sampled.before)
        return [test.attribute for test in tests_in(member.guard)]

    def _sampled(self, member: TransactMember) -> Sampled:
        target = Target(
            entity=member.entity,
            table=member.table,
            key=member.key,
            guard=member.guard,
            writes=member.writes,
            upsert=member.upsert,
            defaults=member.defaults,
        )
        wanted = [each for each in self.plan.parameters if self._concerns(member, each)]
        sampled = Sampled(self.schema, target, wanted, self.call)
        for attribute, origin in key_sources(sampled.entity, member.key):
            value = value_of(origin, sampled.call)
            if value is not None:
                sampled.before[attribute] = value
        if member.item is not None:
            values = self.call[member.item]
            sampled.before = (
                dict(values) if isinstance(values, dict) else sampled.before
            )
        return sampled

    def _concerns(self, member: TransactMember, parameter: Parameter) -> bool:
        """Whether a parameter is about an attribute of this member's entity."""
        entity = self.schema.entity(member.entity)
        names_ = {attribute.name for attribute in entity.attributes}
        return (
            parameter.entity is None
            and (parameter.attribute or parameter.name) in names_
        )

    # --- what is proven ---------------------------------------------------------------------------

    def reading(self, name: str) -> WriteClass:
        """The class of a transaction that reads."""
        assert self.members is not None
        items = [sampled.specimen for _, sampled in self.members]
        others = [each for _, sampled in self.members for each in sampled.others()]
        found = Collection(self.schema)
        for item in (*items, *others):
            found.add(item)
        return self._class(
            name,
            ["ReadTransactionProof"],
            [
                f"items = [{', '.join(map(sample_call, found.specimens))}]",
                f"count = {len(items)}",
            ],
        )

    def writing(self, name: str) -> WriteClass:
        """The class of a transaction that writes."""
        assert self.members is not None
        assignments = [
            f"before = [{', '.join(map(sample_call, self._before()))}]",
            f"after = [{', '.join(self._after())}]",
            f"others = [{', '.join(map(sample_call, self._others()))}]",
            f"estimate = {estimates.of_transaction(self.schema, self.plan)}",
            f"refused = [{', '.join(map(_display, self._refused()))}]",
        ]
        guards = [(s.entity, member.guard) for member, s in self.members]
        asked = list(versions.assignment(guards))
        assignments += asked
        bases = ["VersionTransactionProof"] if asked else []
        removing, rivals = list(self._removing()), list(self._rivals())
        if removing:
            bases.append("RemovingTransactionProof")
            assignments.append(f"removing = [{', '.join(removing)}]")
        if rivals:
            bases.append("UniqueTransactionProof")
            assignments.append(f"rivals = [{', '.join(rivals)}]")
        return self._class(name, bases or ["TransactionProof"], assignments)

    def _class(
        self, name: str, bases: Sequence[str], assignments: Sequence[str]
    ) -> WriteClass:
        plan = self.plan
        return WriteClass(
            name=name,
            bases=tuple(bases),
            docstring=support.described(
                plan.description, f"The transaction {plan.name}."
            ),
            assignments=(
                f"kind = {names.kind(plan.members[0].entity)}",
                f"call = {self._arguments()}",
                f"drawn = {{{', '.join(said.drawn(self.schema, plan.members, plan.parameters))}}}",
                *assignments,
            ),
            item="",
            item_class="",
            method=names.method(plan.name),
            returns="Any",
            called="read" if "ReadTransactionProof" in bases else "write",
            arguments=tuple(said.signature(plan.parameters)),
            effects=tuple(
                said.effect(self.schema, each, plan.parameters) for each in plan.members
            ),
        )

    def _arguments(self) -> str:
        pairs = [
            f"{text(names.parameter(each.name))}: {self._argument(each)}"
            for each in self.plan.parameters
        ]
        return f"{{{', '.join(pairs)}}}"

    def _argument(self, parameter: Parameter) -> str:
        value = self.call[parameter.name]
        if parameter.entity is None:
            return argument_source(parameter, value)
        entity = self.schema.entity(parameter.entity)
        return sample_call(Specimen(entity, value if isinstance(value, dict) else {}))

    # --- the items --------------------------------------------------------------------------------

    def _there(self, actions: Sequence[Action]) -> Iterator[Specimen]:
        assert self.members is not None
        for member, sampled in self.members:
            if member.action in actions and not self._makes(member, sampled):
                yield sampled.specimen

    def _before(self) -> list[Specimen]:
        return list(self._there((Action.UPDATE, Action.DELETE)))

    def _makes(self, member: TransactMember, sampled: Sampled) -> bool:
        """Whether the member can only make its item: its guard holds for none that is there."""
        return member.upsert and not sampled.possible

    def _after(self) -> Iterator[str]:
        assert self.members is not None
        for member, sampled in self.members:
            match member.action:
                case Action.CREATE | Action.PUT:
                    yield sample_call(sampled.specimen)
                case Action.UPDATE if self._makes(member, sampled):
                    yield made_call(sampled.made(self.call))
                case Action.UPDATE:
                    after = sampled.after(self.call)
                    yield sample_call(Specimen(sampled.entity, after))
                case _:
                    pass

    def _others(self) -> list[Specimen]:
        """Items that are only checked, and items with keys near those that are written."""
        assert self.members is not None
        found = Collection(self.schema)
        for _, sampled in self.members:
            found.add(sampled.specimen)
        written = len(found.specimens)
        for _, sampled in self.members:
            for other in sampled.others():
                found.add(other)
        return [*self._there((Action.CHECK,)), *found.specimens[written:]]

    def _refused(self) -> Iterator[list[Specimen]]:
        """What may be there so that just one action is refused."""
        assert self.members is not None
        there = [*self._before(), *self._there((Action.CHECK,))]
        for member, sampled in self.members:
            others = [each for each in there if each != sampled.specimen]
            if member.action is Action.CREATE:
                yield [*there, sampled.specimen]
            elif member.action is not Action.PUT:
                if not member.upsert:
                    yield others
                for wrong in sampled.refused():
                    yield [*others, wrong]

    def _removing(self) -> Iterator[str]:
        """The parameters that may be None to remove what they set, and of which no guard asks."""
        operands = [w.operand for each in self.plan.members for w in each.writes]
        asked = {
            name
            for each in self.plan.members
            for test in tests_in(each.guard)
            for name in parameters(test)
        }
        for parameter in self.plan.parameters:
            sets = Given(parameter.name) in operands
            if parameter.optional and sets and parameter.name not in asked:
                yield text(names.parameter(parameter.name))

    def _rivals(self) -> Iterator[str]:
        """Items that have unique values of those that are created."""
        assert self.members is not None
        there = [*self._before(), *self._others()]
        for member, sampled in self.members:
            if member.action is Action.CREATE:
                alike = [e.values for e in there if e.entity == sampled.entity]
                rivals = Rivals(self.schema, sampled.entity)
                yield from rivals.rivals(sampled.before, alike)


def _display(specimens: Sequence[Specimen]) -> str:
    return f"[{', '.join(map(sample_call, specimens))}]"


def _less(amount: object) -> object:
    """An amount by which a number falls."""
    assert isinstance(amount, int | Decimal)
    return amount if amount < 0 else -amount
