"""Items that share an item collection with those that a read asks for.

They have the same partition key, whatever their entities call what it is made of, so that nothing but
the rest of the key keeps them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dyngen.design.contents import key_schema, template_inputs
from dyngen.design.model import (
    Computed,
    Entity,
    KeySchema,
    Natural,
    Schema,
    Test,
)
from dyngen.design.plans import ReadPlan
from dyngen.python.suite import samples
from dyngen.python.suite.nested import Values
from dyngen.python.suite.specimens import (
    Specimen,
    base,
    changed,
    failing,
    given,
    met,
)
from dyngen.python.suite.stored import (
    Form,
    holding_indexes,
    stored_item,
    with_computed,
)
from dyngen.runtime.errors import InvalidValue

_NOTE = "in the same item collection"


@dataclass(frozen=True, slots=True)
class _Way:
    """One way in which items of an entity come to a partition: what its key is made of, and when."""

    inputs: tuple[str, ...]
    when: tuple[Test, ...] = ()


def neighbours(schema: Schema, plan: ReadPlan, match: Specimen) -> Iterator[Specimen]:
    """Items in the item collections that hold `match`, one for each way to get there."""
    table = schema.table(plan.table)
    for index in dict.fromkeys(each.route.index for each in plan.alternatives):
        key = key_schema(table, None if index is None else table.index(index))
        collection = _collection(schema, match, key, index)
        if collection is None:
            continue
        complete = with_computed(match.entity, match.values)
        own = [
            complete.get(name)
            for way in _ways(match.entity, key)
            if not failing(way.when, match.entity, match.values, {})
            for name in way.inputs
        ]
        for entity in schema.entities:
            if entity.table != table.name:
                continue
            plain = (
                match.values if entity == match.entity else _alike(entity, match.values)
            )
            for way in _ways(entity, key):
                if len(way.inputs) != len(own):
                    continue
                values = _placed(entity, way, own, plain)
                found = Specimen(entity, values, _NOTE)
                if _collection(schema, found, key, index) == collection:
                    yield found


def _ways(entity: Entity, key: KeySchema) -> Iterator[_Way]:
    ways = [_Way(())]
    for attribute in key.partition:
        ways = [
            _Way(way.inputs + more.inputs, way.when + more.when)
            for way in ways
            for more in _ways_to(entity, attribute.name)
        ]
    yield from ways


def _ways_to(entity: Entity, key: str) -> Iterator[_Way]:
    match entity.keys.get(key):
        case Natural(attribute=attribute):
            yield _Way((attribute,))
        case Computed(cases=cases):
            for case in cases:
                yield _Way(tuple(template_inputs(case.template)), case.when)


def _placed(
    entity: Entity, way: _Way, wanted: Sequence[object], plain: Values
) -> Values:
    """The plain values, with those that bring them to the partition."""
    values = plain
    named = {each.name: each.type for each in given(entity)}
    for name, value in zip(way.inputs, wanted, strict=True):
        if name in named and samples.valid(named[name], value):
            values = changed(values, name, value)
    return met(entity, values, way.when, way.inputs)


def _alike(entity: Entity, values: Values) -> dict[str, object]:
    """The plain item of another entity, with what both have."""
    common = {
        each.name: values[each.name]
        for each in given(entity)
        if samples.valid(each.type, values.get(each.name))
    }
    return {**base(entity), **common}


def _collection(
    schema: Schema, specimen: Specimen, key: KeySchema, index: str | None
) -> tuple[Form, ...] | None:
    """The partition key of an item; None if it has none, or cannot be stored."""
    try:
        item = stored_item(schema, specimen.entity, specimen.values)
        held = holding_indexes(schema, specimen.entity, specimen.values)
    except InvalidValue:
        return None
    if index is not None and index not in held:
        return None
    return tuple(item[each.name] for each in key.partition)
