"""Sample items of an entity, and what may be varied in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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
)
from dyngen.python.suite import samples
from dyngen.python.suite.oracle import NOW, Values, holds, operand_value
from dyngen.python.suite.stored import Form, stored_item, with_computed
from dyngen.runtime.errors import InvalidValue
from dyngen.spec.model import Operator
from dyngen.types.model import Date, List, Set


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
    """The plain item of an entity: every attribute present, every value plain."""
    return {each.name: samples.plain(each.type, stem(each)) for each in given(entity)}


def at_now(entity: Entity, values: Values) -> dict[str, object]:
    """The values as a write leaves them: what every write sets to the time is the clock's."""
    return {**values, **clocked(entity)}


def clocked(entity: Entity) -> dict[str, object]:
    """The attributes that every write sets to the time, and what the suite's clock gives them."""
    return {
        each.name: NOW.date() if isinstance(each.type, Date) else NOW
        for each in entity.attributes
        if each.on_write
    }


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
    """Specimens whose table keys differ; those that cannot be stored are left out."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._keys: list[tuple[str, Mapping[str, Form]]] = []
        self.specimens: list[Specimen] = []

    def add(self, specimen: Specimen) -> bool:
        """Keep a specimen, unless its key is taken or it cannot be stored."""
        table = self._schema.table(specimen.entity.table)
        try:
            item = stored_item(self._schema, specimen.entity, specimen.values)
        except InvalidValue:
            return False
        key = (table.name, {each.name: item[each.name] for each in table.key.all})
        if key in self._keys:
            return False
        self._keys.append(key)
        self.specimens.append(specimen)
        return True
