"""Sample items of an entity, and what may be varied in them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from dyngen.design.contents import template_inputs
from dyngen.design.model import (
    Attribute,
    Computed,
    Entity,
    KeySchema,
    Natural,
    Param,
    Schema,
    Test,
    UniqueKey,
)
from dyngen.python.suite import samples
from dyngen.python.suite.nested import Values
from dyngen.python.suite.oracle import holds, now_as, operand_value
from dyngen.python.suite.stored import Form, stored_item, with_computed
from dyngen.python.suite.uniques import marking_values, unique_values
from dyngen.runtime.errors import InvalidValue
from dyngen.spec.model import Operator
from dyngen.types.model import List, Set, String, Ulid, Uuid

FIRST_OF_MANY = 100
"""Where series of items begin, of which there are more than a page or a batch takes."""

_IDENTIFYING = (String, Ulid, Uuid)


@dataclass(frozen=True, slots=True)
class Specimen:
    """A sample item: its attributes by their names in the spec, and why it is there."""

    entity: Entity
    values: Values
    note: str = ""


def given(entity: Entity) -> tuple[Attribute, ...]:
    """The attributes that a caller gives an item: not the computed ones, nor the version."""
    version = None if entity.version is None else entity.version.name
    return tuple(
        each
        for each in entity.attributes
        if each.computed is None and each.name != version
    )


def base(entity: Entity) -> dict[str, object]:
    """The plain item of an entity: every attribute present, every value plain.

    What identifies things is different in each attribute, so that one taken for another is noticed.
    """
    found: dict[str, object] = {}
    for each in given(entity):
        options = pool(each)
        distinct = isinstance(each.type, _IDENTIFYING)
        free = (one for one in options if distinct and one not in found.values())
        found[each.name] = next(free, options[0])
    return found


def at_now(entity: Entity, values: Values) -> dict[str, object]:
    """The values as a write leaves them: what every write sets to the time is the clock's."""
    return {**values, **clocked(entity)}


def clocked(entity: Entity) -> dict[str, object]:
    """The attributes that every write sets to the time, and what the suite's clock gives them."""
    return {each.name: now_as(each.type) for each in entity.attributes if each.on_write}


def stem(attribute: Attribute) -> str:
    """What sample texts of an attribute begin with."""
    return attribute.name[0]


def pool(attribute: Attribute) -> tuple[object, ...]:
    """Sample values of an attribute."""
    return samples.pool(attribute.type, stem(attribute))


def changed(values: Values, attribute: str, value: object) -> dict[str, object]:
    """The values with one of them replaced; None removes it."""
    others = {name: each for name, each in values.items() if name != attribute}
    return others if value is None else {**others, attribute: value}


def sources_of(entity: Entity, attribute: str) -> tuple[str, ...]:
    """The attributes to give a value so that `attribute` has one: itself, unless it is computed."""
    template = entity.attribute(attribute).computed
    return (attribute,) if template is None else tuple(template_inputs(template))


def key_inputs(entity: Entity, key: KeySchema) -> tuple[str, ...]:
    """The given attributes that decide the key attributes of a table or an index."""
    found: list[str] = []
    for each in key.all:
        found += _inputs(entity, each.name)
    return tuple(
        dict.fromkeys(source for name in found for source in sources_of(entity, name))
    )


def _inputs(entity: Entity, key: str) -> Iterator[str]:
    match entity.keys.get(key):
        case Natural(attribute=attribute):
            yield attribute
        case Computed(cases=cases):
            for case in cases:
                yield from (test.attribute for test in case.when)
                yield from template_inputs(case.template)


def failing(
    tests: Iterable[Test], entity: Entity, values: Values, call: Values
) -> list[Test]:
    """The conditions that an item does not meet."""
    complete = with_computed(entity, values)
    return [test for test in tests if not holds(test, complete, call)]


def met(
    entity: Entity, values: Values, tests: Iterable[Test], fixed: Container[str] = ()
) -> Values:
    """The values, with those changed that keep constant conditions from holding.

    Where one change is enough for a condition, and not of an attribute in `fixed`.
    """
    found = values
    for test in failing(tests, entity, values, {}):
        attempts = (
            changed(found, source, value)
            for source in sources_of(entity, test.attribute)
            if source not in fixed
            for value in _options(entity.attribute(source), test)
        )
        fitting = (each for each in attempts if not failing([test], entity, each, {}))
        found = next(fitting, found)
    return found


def _options(attribute: Attribute, test: Test) -> Iterator[object]:
    if attribute.optional:
        yield None
    yield from compared(attribute, test, {})
    yield from pool(attribute)


def compared(attribute: Attribute, test: Test, call: Values) -> Iterator[object]:
    """Values of the attribute that a condition tells apart, constants and parameters of `call`."""
    if test.path:
        return
    for operand in test.operands:
        if isinstance(operand, Param) and call.get(operand.name) is None:
            continue
        wanted = operand_value(operand, call)
        match test.operator:
            case Operator.SIZE:
                for size in (wanted - 1, wanted, wanted + 1):
                    value = samples.sized(attribute.type, max(size, 0))
                    if value is not None:
                        yield value
            case Operator.CONTAINS if isinstance(attribute.type, Set | List):
                container = frozenset if isinstance(attribute.type, Set) else tuple
                for element in (wanted, *samples.near(attribute.type.of, wanted)[:1]):
                    yield container([element])
            case _:
                yield from wanted if isinstance(wanted, tuple) else (wanted,)


class Collection:
    """Specimens that can all be stored: their table keys differ, and so do their unique values.

    Those that cannot be stored are left out.
    """

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._places: list[_Place] = []
        self.specimens: list[Specimen] = []

    def add(self, specimen: Specimen, keep: Container[str] = ()) -> bool:
        """Take in a specimen, unless its key is taken or it cannot be stored.

        Where values that must be unique are taken, it gets fresh ones, but for attributes of the
        table's key and those in `keep`.
        """
        values = self._distinct(specimen, keep)
        return values is not None and self._take(replace(specimen, values=values))

    def _take(self, specimen: Specimen) -> bool:
        try:
            places = [*map(self._place, (specimen, *self._marking(specimen)))]
        except InvalidValue:
            return False
        if any(place in self._places for place in places):
            return False
        self._places += places
        self.specimens.append(specimen)
        return True

    def _place(self, specimen: Specimen) -> _Place:
        """Where a specimen is stored. Raises InvalidValue."""
        table = self._schema.table(specimen.entity.table)
        item = stored_item(self._schema, specimen.entity, specimen.values)
        return table.name, {each.name: item[each.name] for each in table.key.all}

    def _marking(self, specimen: Specimen) -> Iterator[Specimen]:
        """The items of declared entities that mark the specimen's unique values."""
        for unique in specimen.entity.unique:
            if unique.marker is not None and self._unique(unique, specimen):
                values = marking_values(self._schema, unique.marker, specimen.values)
                yield Specimen(self._schema.entity(unique.marker), values)

    # --- unique values ----------------------------------------------------------------------------

    def _unique(self, unique: UniqueKey, specimen: Specimen) -> tuple[object, ...]:
        return unique_values(self._schema, specimen.entity, unique, specimen.values)

    def _is_taken(self, unique: UniqueKey, specimen: Specimen) -> bool:
        found = self._unique(unique, specimen)
        others = (e for e in self.specimens if e.entity.name == specimen.entity.name)
        return bool(found) and any(self._unique(unique, e) == found for e in others)

    def _distinct(self, specimen: Specimen, keep: Container[str]) -> Values | None:
        """The specimen's values, or others that are not taken; None if there are none."""
        entity = specimen.entity
        found = specimen
        for unique in entity.unique:
            options = (
                replace(found, values=values)
                for values in (found.values, *self._fresh(found, unique, keep))
            )
            free = (each for each in options if not self._is_taken(unique, each))
            found = next(free, found)
        taken = any(self._is_taken(unique, found) for unique in entity.unique)
        return None if taken else found.values

    def _fresh(
        self, specimen: Specimen, unique: UniqueKey, keep: Container[str]
    ) -> Iterator[Values]:
        """The values with another one of an attribute that is unique."""
        entity = specimen.entity
        key = key_inputs(entity, self._schema.table(entity.table).key)
        for name in reversed(unique.attributes):
            for source in sources_of(entity, name):
                if source not in keep and source not in key:
                    for value in unlike(entity.attribute(source)):
                        yield changed(specimen.values, source, value)


_Place = tuple[str, Mapping[str, Form]]
"""A table, and a key in it."""


def unlike(attribute: Attribute) -> Iterator[object]:
    """Values that are not varied elsewhere: a long series, or what the pool has."""
    series = samples.series(attribute.type, stem(attribute))
    if series is None:
        yield from pool(attribute)
        return
    yield from (series.value(number) for number in range(11, FIRST_OF_MANY))
