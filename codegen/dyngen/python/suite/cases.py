"""The case that a suite makes for each read: how it is called, and which items lie around that.

For every condition there are items that fail it alone, and values on both sides of every bound; there
are ties, other partitions, items that no sparse index holds, and items of other entities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, zip_longest

from dyngen.design.contents import key_schema
from dyngen.design.model import (
    AnyOf,
    Attribute,
    Condition,
    Entity,
    Schema,
    tests_in,
)
from dyngen.design.plans import ReadPlan, Route
from dyngen.python.suite import calls, samples
from dyngen.python.suite.asked import Asked
from dyngen.python.suite.calls import CallPlan, conditions_of, meets
from dyngen.python.suite.fresh import Fresh, scarce
from dyngen.python.suite.links import led, led_to, linking
from dyngen.python.suite.neighbours import neighbours
from dyngen.python.suite.nested import Values
from dyngen.python.suite.shards import shardings
from dyngen.python.suite.specimens import (
    FIRST_OF_MANY,
    Collection,
    Specimen,
    base,
    changed,
    key_inputs,
    pool,
    sources_of,
    stem,
    unlike,
)
from dyngen.python.suite.stored import with_computed

_VALUES = 8  # of one attribute that is varied
_TURNS = 24  # of one that a condition's attribute is computed from
_KEY_VALUES = 4  # of one that is only part of a key
_OTHER_VALUES = 2  # of one that is part of another index's key
_STRANGERS = 4  # entities whose items lie in other item collections
_LONGEST_PAGE = 100


@dataclass(frozen=True, slots=True)
class Many:
    """Matching items, enough for more than a page. They differ in some attributes alone: one of the
    key, and one of each list that is unique."""

    specimen: Specimen
    numbered: Mapping[str, samples.Series]
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class ReadCase:
    """Everything that the suite needs for one read.

    `others` differ from the first call in one parameter each; `empty` are calls that can find
    nothing; `matching` says how many of the items match the first call.
    """

    plan: ReadPlan
    calls: tuple[CallPlan, ...]
    items: tuple[Specimen, ...]
    matching: int
    many: Many | None = None
    others: tuple[Values, ...] = ()
    empty: tuple[Values, ...] = ()


def read_case(schema: Schema, plan: ReadPlan) -> ReadCase:
    """The case for a read."""
    return _Builder(schema, plan).build()


@dataclass
class _Builder:
    schema: Schema
    plan: ReadPlan
    call: Values = field(default_factory=dict)

    def build(self) -> ReadCase:
        entities = [self.schema.entity(name) for name in self.plan.entities]
        plain = {
            entity.name: led(self.schema, self.plan, self._asked(entity).constants())
            for entity in entities
        }
        for entity in entities:
            complete = with_computed(entity, plain[entity.name])
            self.call = calls.chosen(self.plan, entity, complete, self.call)
        found = Collection(self.schema)
        for entity in entities:
            match = self._asked(entity).match(plain[entity.name])
            self._around(entity, match, found)
            self._in_all_shards(entity, match, found)
        self._strangers(entities, plain, found)
        self._neighbours(entities, found)
        self._targets(found)
        items = self._allowed(found.specimens)
        matching = sum(self._matches(each) for each in items)
        return ReadCase(
            plan=self.plan,
            calls=tuple(calls.calls(self.plan, self.call)),
            items=items,
            matching=matching,
            many=self._many(items, matching),
            others=tuple(calls.others(self.plan, self.call, _computed(items))),
            empty=tuple(calls.empty(self.plan, self.call)),
        )

    def _asked(self, entity: Entity) -> Asked:
        return Asked(self.plan, entity, self.call)

    # --- the items around it ----------------------------------------------------------------------

    def _around(self, entity: Entity, match: Values, found: Collection) -> None:
        """Items that match, and items that fail one condition, each with a key of its own."""
        asked, fresh = self._asked(entity), self._fresh(entity, match)
        bound = asked.bound()
        near: list[tuple[Specimen, str]] = []
        found.add(Specimen(entity, match, _note(asked.failing(match))), bound)
        for name, value in self._variations(entity, match):
            varied = changed(match, name, value)
            failing = asked.failing(varied)
            specimen = Specimen(entity, {**varied, **fresh(name)}, _note(failing))
            if not failing:
                found.add(specimen, {*bound, name})
            elif len(failing) == 1 or all(
                test.attribute == name for test in tests_in(failing)
            ):
                near.append((specimen, name))
        tie = Specimen(entity, {**match, **fresh("")}, "match")
        none = [
            Specimen(entity, {**values, **fresh("")}, _note([condition]))
            for condition in conditions_of(self.plan, entity)
            if isinstance(condition, AnyOf)
            for values in asked.refuted(match, condition)
        ]
        for specimen, name in ((tie, ""), *((each, "") for each in none), *near):
            found.add(specimen, {*bound, name})

    def _in_all_shards(self, entity: Entity, match: Values, found: Collection) -> None:
        """Matching items in the shards that hold none yet."""
        sharded = tuple(shardings(self.schema, self.plan, entity))
        if not sharded:
            return
        fresh, bound = self._fresh(entity, match), self._asked(entity).bound()
        for sharding in sharded:
            matching = (each for each in found.specimens if self._matches(each))
            wanted = sharding.without(
                each.values for each in matching if each.entity == entity
            )
            free = [
                by.attribute for by in sharding.shard.by if by.attribute not in bound
            ]
            for name in free[:1]:
                for value in unlike(entity.attribute(name)):
                    varied = changed(match, name, value)
                    shard = sharding.of(varied)
                    specimen = Specimen(entity, {**varied, **fresh(name)}, "match")
                    if shard in wanted and found.add(specimen, {*bound, name}):
                        wanted.remove(shard)

    def _matches(self, specimen: Specimen) -> bool:
        if specimen.entity.name not in self.plan.entities:
            return False
        return not self._asked(specimen.entity).failing(specimen.values)

    def _fresh(self, entity: Entity, match: Values) -> Fresh:
        """Values for an attribute of the table's key that no condition is about.

        Failing that, of one of which conditions ask only a part, such as the day of a time.
        """
        bound = self._asked(entity).bound()
        key = key_schema(self.schema.table(entity.table), None)
        inputs = [*map(entity.attribute, reversed(key_inputs(entity, key)))]
        free = [each for each in inputs if each.name not in bound]
        for attribute in sorted(free, key=scarce):
            own = match.get(attribute.name)
            return Fresh(attribute, (v for v in unlike(attribute) if v != own))
        for attribute in inputs:
            others = self._as_good(entity, match, attribute)
            first = next(others, None)
            if first is not None:
                return Fresh(attribute, chain((first,), others))
        return Fresh(None, iter(()))

    def _as_good(
        self, entity: Entity, match: Values, attribute: Attribute
    ) -> Iterator[object]:
        """Other values of an attribute that keep a match one."""
        for value in unlike(attribute):
            other = changed(match, attribute.name, value)
            if value != match.get(attribute.name) and not self._asked(entity).failing(
                other
            ):
                yield value

    def _variations(
        self, entity: Entity, match: Values
    ) -> Iterator[tuple[str, object]]:
        """Other values of whatever decides the place of an item, and whether it matches."""
        asked = [test.attribute for test in self._asked(entity).tests()]
        asked += [
            by.attribute for by in self.plan.order_by if _has(entity, by.attribute)
        ]
        varied = {
            source: _VALUES if source == name else _TURNS
            for name in asked
            for source in sources_of(entity, name)
        }
        for alternative in self.plan.alternatives:
            for name in self._key_of(entity, alternative.route):
                varied.setdefault(name, _KEY_VALUES)
        table = self.schema.table(entity.table)
        for index in table.indexes:
            for name in key_inputs(entity, index.key):
                varied.setdefault(name, _OTHER_VALUES)
        for name in linking(self.schema, self.plan, entity):
            varied.setdefault(name, _OTHER_VALUES)
        for name, most in varied.items():
            attribute = entity.attribute(name)
            candidates = self._asked(entity).candidates(attribute, match)
            others = (value for value in candidates if value != match.get(name))
            yield from ((name, value) for value in islice(others, most))
            if attribute.optional and match.get(name) is not None:
                yield name, None

    def _key_of(self, entity: Entity, route: Route) -> tuple[str, ...]:
        table = self.schema.table(entity.table)
        index = None if route.index is None else table.index(route.index)
        return (
            *key_inputs(entity, key_schema(table, index)),
            *key_inputs(entity, key_schema(table, None)),
        )

    def _strangers(
        self, entities: Sequence[Entity], plain: Mapping[str, Values], found: Collection
    ) -> None:
        """Items of a few other entities in the table, as like the matching ones as they can be."""
        others = (
            each
            for each in self.schema.entities
            if each.table == self.plan.table and each not in entities
        )
        for stranger in islice(others, _STRANGERS):
            alike = base(stranger)
            for entity in entities:
                alike |= {
                    name: value
                    for name, value in plain[entity.name].items()
                    if _same_type(stranger, entity, name)
                }
            found.add(Specimen(stranger, alike, f"another entity: {stranger.name}"))

    def _neighbours(self, entities: Sequence[Entity], found: Collection) -> None:
        """Items of all entities that share an item collection with the matching ones."""
        for entity in entities:
            matching = (
                each
                for each in found.specimens
                if each.entity == entity and self._matches(each)
            )
            for match in islice(matching, 1):
                for each in neighbours(self.schema, self.plan, match):
                    found.add(each)
                    if each.entity not in entities:
                        self._beside(each, found)

    def _beside(self, neighbour: Specimen, found: Collection) -> None:
        """The neighbour with other values of what decides its place."""
        for name in self._places(neighbour.entity):
            for value in pool(neighbour.entity.attribute(name))[1:3]:
                values = changed(neighbour.values, name, value)
                found.add(replace(neighbour, values=values), {name})

    def _places(self, entity: Entity) -> dict[str, None]:
        """What decides where an entity's items are, in the table and in the indexes that are read."""
        return {
            name: None
            for alternative in self.plan.alternatives
            for name in self._key_of(entity, alternative.route)
        }

    def _targets(self, found: Collection) -> None:
        """The items that matching entries lead to, of another entity."""
        for entry in [each for each in found.specimens if self._matches(each)]:
            target = led_to(self.schema, self.plan, entry)
            if target is not None:
                found.add(target)

    def _allowed(self, items: Sequence[Specimen]) -> tuple[Specimen, ...]:
        """The items, of those that are read as many as may be: some that match, some that do not."""
        most = calls.most_read(self.plan)
        if most is None:
            return tuple(items)
        read = [each for each in items if self._is_read(each)]
        matching = [each for each in read if self._matches(each)]
        dropped = [each for each in read if not self._matches(each)]
        turns = chain.from_iterable(zip_longest(matching, dropped))
        kept = list(islice((each for each in turns if each is not None), most))
        return tuple(each for each in items if each not in read or each in kept)

    def _is_read(self, specimen: Specimen) -> bool:
        """Whether one of the calls reads the item, even if a filter then drops it."""
        if specimen.entity.name not in self.plan.entities:
            return False
        where = dict(self.plan.where)[specimen.entity.name]
        complete = with_computed(specimen.entity, specimen.values)
        return any(
            meets(where, complete, call.parameters)
            for call in calls.calls(self.plan, self.call)
        )

    def _many(self, items: Sequence[Specimen], matching: int) -> Many | None:
        size, most = self.plan.page_size, calls.most_read(self.plan)
        if size is None or matching > size or size > _LONGEST_PAGE:
            return None
        read = sum(self._is_read(each) for each in items)
        if most is not None and read + size + 1 - matching > most:
            return None
        entity = self.schema.entity(self.plan.entities[-1])
        own = [each for each in items if each.entity.name == entity.name]
        first = next(filter(self._matches, own), own[0])
        numbered = self._numbered(entity, first.values)
        if numbered is None:
            return None
        return Many(first, numbered, FIRST_OF_MANY, size + 1 - matching)

    def _numbered(
        self, entity: Entity, match: Values
    ) -> Mapping[str, samples.Series] | None:
        """Values for an attribute of the key, and one of each unique list; None where one has few."""
        bound = self._asked(entity).bound()
        chosen = [self._fresh(entity, match).attribute]
        for unique in entity.unique:
            sources = (
                s for name in unique.attributes for s in sources_of(entity, name)
            )
            free = [entity.attribute(name) for name in sources if name not in bound]
            chosen.append(free[-1] if free else None)
        found = {
            each.name: samples.series(each.type, stem(each)) for each in chosen if each
        }
        series = {name: each for name, each in found.items() if each is not None}
        return series if None not in chosen and len(series) == len(found) else None


def _computed(items: Sequence[Specimen]) -> dict[str, list[object]]:
    """The values that items have of computed attributes."""
    found: dict[str, list[object]] = {}
    for item in items:
        complete = with_computed(item.entity, item.values)
        for attribute in item.entity.attributes:
            if attribute.computed is not None and attribute.name in complete:
                found.setdefault(attribute.name, []).append(complete[attribute.name])
    return found


def _note(failing: Sequence[Condition]) -> str:
    if not failing:
        return "match"
    named = sorted({test.attribute for test in tests_in(failing[:1])})
    return f"fails only: {', '.join(named)}"


def _has(entity: Entity, name: str) -> bool:
    return any(attribute.name == name for attribute in entity.attributes)


def _same_type(one: Entity, other: Entity, name: str) -> bool:
    if not (_has(one, name) and _has(other, name)):
        return False
    return one.attribute(name).type == other.attribute(name).type
