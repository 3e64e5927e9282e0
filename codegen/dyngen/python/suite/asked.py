"""What a call of a read asks of the items of an entity, and sample values around that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dyngen.design.model import (
    AnyOf,
    Attribute,
    Condition,
    Entity,
    Not,
    Test,
    tests_in,
)
from dyngen.design.plans import ReadPlan
from dyngen.python.suite import samples
from dyngen.python.suite.calls import conditions_of, signed
from dyngen.python.suite.nested import Values, leaf, placed, steps_of
from dyngen.python.suite.oracle import holds, parameters
from dyngen.python.suite.specimens import base, changed, compared, pool, sources_of
from dyngen.python.suite.stored import with_computed


@dataclass(frozen=True, slots=True)
class Asked:
    """What a call, whose parameters may not all be chosen yet, asks of an entity's items."""

    plan: ReadPlan
    entity: Entity
    call: Values

    def tests(self) -> tuple[Test, ...]:
        """The single tests inside the conditions."""
        return tuple(tests_in(conditions_of(self.plan, self.entity)))

    def bound(self) -> set[str]:
        """The attributes that decide whether a condition holds."""
        tests = self.tests()
        return {s for test in tests for s in sources_of(self.entity, test.attribute)}

    def failing(self, values: Values) -> list[Condition]:
        """The conditions that an item with these values does not meet."""
        complete = with_computed(self.entity, values)
        conditions = conditions_of(self.plan, self.entity)
        return [each for each in conditions if not holds(each, complete, self.call)]

    # --- items that match --------------------------------------------------------------------------

    def constants(self) -> dict[str, object]:
        """A plain item that meets the conditions on constants, where one change is enough."""
        wanted = self._wanted()
        return self._meet_all(
            base(self.entity), [test for test in wanted if not _asks(test)]
        )

    def match(self, values: Values) -> dict[str, object]:
        """The plain item, moved to where it meets every condition."""
        return self._meet_all(values, self._wanted())

    def refuted(self, match: Values, condition: AnyOf) -> Iterator[Values]:
        """The matching values, but for all that one of several conditions could hold of."""
        values = dict(match)
        for test in tests_in(condition.of):
            if not holds(test, with_computed(self.entity, values), self.call):
                continue
            attribute = self.entity.attribute(test.attribute)
            absent = (None,) if attribute.optional else ()
            for value in (*self.candidates(attribute, values), *absent):
                attempt = changed(values, test.attribute, value)
                if not holds(test, with_computed(self.entity, attempt), self.call):
                    values = attempt
                    break
        if self.failing(values) == [condition]:
            yield values

    def _wanted(self) -> list[Test | Not]:
        """What to bring about so that the conditions hold: tests, or that one does not hold."""
        tests = signed(conditions_of(self.plan, self.entity))
        return [test if positive else Not(test) for test, positive in tests]

    def _meet_all(
        self, values: Values, wanted: Sequence[Test | Not]
    ) -> dict[str, object]:
        found = dict(values)
        for position, each in enumerate(wanted):
            found = self._meet(found, each, wanted[:position])
        return found

    def _meet(
        self,
        values: Values,
        wanted: Test | Not,
        before: Sequence[Test | Not],
    ) -> dict[str, object]:
        """The values with one changed so that a condition holds, if one change is enough.

        If there is such a change, all of those `before` that hold stay so.
        """
        complete = with_computed(self.entity, values)
        if holds(wanted, complete, self.call):
            return dict(values)
        kept = [each for each in before if holds(each, complete, self.call)]
        second: dict[str, object] | None = None
        for attempt in self._attempts(values, wanted):
            complete = with_computed(self.entity, attempt)
            if not holds(wanted, complete, self.call):
                continue
            if all(holds(each, complete, self.call) for each in kept):
                return attempt
            second = attempt if second is None else second
        return dict(values) if second is None else second

    def _attempts(
        self, values: Values, wanted: Test | Not
    ) -> Iterator[dict[str, object]]:
        """The values with one changed that the condition is about."""
        for test in tests_in((wanted,)):
            for source in sources_of(self.entity, test.attribute):
                attribute = self.entity.attribute(source)
                absent = (None,) if attribute.optional else ()
                for value in (*self.candidates(attribute, values), *absent):
                    yield changed(values, source, value)

    # --- values to try -----------------------------------------------------------------------------

    def candidates(self, attribute: Attribute, around: Values) -> Iterator[object]:
        """Values of an attribute: those that it is compared with, their neighbours, and others."""
        seen: list[object] = [None]
        wanted = [
            value
            for test in self.tests()
            if test.attribute == attribute.name
            for value in compared(attribute, test, self.call)
        ]
        near = [n for value in wanted for n in samples.near(attribute.type, value)]
        wanted += self._inside(attribute, around)
        ends = samples.ends(attribute.type)
        turns = self._turns(attribute, around)
        for value in (*wanted, *near, *ends, *pool(attribute), *turns):
            if value not in seen and samples.valid(attribute.type, value):
                seen.append(value)
                yield value

    def _inside(self, attribute: Attribute, around: Values) -> Iterator[object]:
        """Values of an attribute that differ in what conditions ask of inside it."""
        for test in self.tests():
            if test.attribute != attribute.name or not test.path:
                continue
            inner = leaf(attribute, test)
            known = [*compared(inner, replace(test, path=()), self.call)]
            near = [each for one in known for each in samples.near(inner.type, one)]
            for option in (*known, *near, *pool(inner)):
                for values in placed(around, steps_of(test, self.call), option):
                    yield values[attribute.name]

    def _turns(self, attribute: Attribute, around: Values) -> Iterator[object]:
        """The moments at which a condition on something computed from the attribute starts or ends."""
        computed = [
            test
            for test in self.tests()
            if attribute.name in sources_of(self.entity, test.attribute)
            and test.attribute != attribute.name
            and set(parameters(test)) <= set(self.call)
        ]
        if not computed:
            return
        turns: list[object] = []
        steps = (
            pair for walk in samples.walks(attribute.type) for pair in pairwise(walk)
        )
        for before, after in steps:
            verdicts = [
                [
                    holds(
                        test,
                        with_computed(
                            self.entity, changed(around, attribute.name, moment)
                        ),
                        self.call,
                    )
                    for test in computed
                ]
                for moment in (before, after)
            ]
            if verdicts[0] != verdicts[1]:
                turns += (before, after)
        yield from sorted(turns, key=lambda each: samples.away(attribute.type, each))


def _asks(wanted: Test | Not) -> bool:
    """Whether a condition is on a parameter."""
    return any(map(parameters, tests_in((wanted,))))
