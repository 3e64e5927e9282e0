"""Items to fill tables with: many alike, in small groups, each of a stated size.

The attributes of the table's key form a hierarchy (a tenant has owners, an owner has pets, a pet has
documents): three items for each value of the last but one, two of those for each value of the one
before. A tenant is only one, unless the spec says how many items a partition holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dyngen.design.model import Attribute, Entity, Schema, Table
from dyngen.design.plans import Design
from dyngen.python.suite import samples
from dyngen.python.suite.specimens import given, key_inputs, pool, stem
from dyngen.python.suite.stored import Form, stored_item
from dyngen.runtime.capacity import item_size
from dyngen.types.model import String

USUAL_ITEMS = 1000
"""Items of each entity where neither the spec nor the caller says how many."""

USUAL_BYTES = 450
"""Bytes of an item where the spec does not say."""

MOST_ITEMS = 20_000
"""More items of one entity are not loaded, whatever the spec states."""

_LEAVES, _BRANCHES = 3, 2

Values = dict[str, object]


@dataclass(frozen=True, slots=True)
class Item:
    """One item: its attributes by their names in the spec, and its stored form."""

    entity: str
    values: Values
    stored: Mapping[str, Form]


def counts(design: Design, items: int | None) -> dict[str, int]:
    """How many items of each entity to load: `items`, else what the spec states."""
    found = {}
    for entity in design.schema.entities:
        stated = design.estimates.size(entity.name).held(None).items
        found[entity.name] = min(items or stated or USUAL_ITEMS, MOST_ITEMS)
    return found


def population(design: Design, entity: Entity, count: int) -> Iterator[Item]:
    """So many items of an entity; always the same ones."""
    table = design.schema.table(entity.table)
    size = design.estimates.size(entity.name)
    steps = _steps(design.schema, entity, table, size.held(None).per_partition)
    random = Random(0)
    for number in range(count):
        values = {
            each.name: _value(each, number, steps.get(each.name), random)
            for each in given(entity)
        }
        yield padded(design, entity, values)


def padded(design: Design, entity: Entity, values: Values) -> Item:
    """The item of these values, with as much text as the stated size leaves room for."""
    stored = stored_item(design.schema, entity, values)
    wanted = design.estimates.size(entity.name).bytes or USUAL_BYTES
    for attribute in _free(design, entity):
        missing = wanted - item_size(stored)
        if missing <= 0:
            break
        assert isinstance(attribute.type, String)
        present = str(values.get(attribute.name, ""))
        longest = attribute.type.max_length or len(present) + missing
        text = present.ljust(min(longest, len(present) + missing), ".")
        values = {**values, attribute.name: text}
        stored = stored_item(design.schema, entity, values)
    return Item(entity.name, values, stored)


def _steps(
    schema: Schema, entity: Entity, table: Table, per_partition: int | None
) -> dict[str, int]:
    """For how many items in a row each attribute of a key keeps its value; 0 for all of them."""
    names = key_inputs(entity, table.key)
    steps, step = {}, 1
    for depth, name in enumerate(reversed(names)):
        steps[name] = step
        step *= _LEAVES if depth == 0 else _BRANCHES
    partition = {
        entity.attribute(name).name
        for name in names
        if name not in _sort_inputs(entity, table)
    }
    for name in partition:
        if per_partition is not None:
            steps[name] = per_partition
    if schema.tenant in steps and per_partition is None and len(steps) > 1:
        steps[schema.tenant] = 0
    for index in table.indexes:
        for name in key_inputs(entity, index.key):
            steps.setdefault(name, 1)
    return steps


def _sort_inputs(entity: Entity, table: Table) -> Sequence[str]:
    sort = type(table.key)(table.key.sort, ())
    return key_inputs(entity, sort)


def _value(
    attribute: Attribute, number: int, step: int | None, random: Random
) -> object:
    series = samples.series(attribute.type, stem(attribute))
    if step == 0:
        return samples.plain(attribute.type, stem(attribute))
    if step is None or series is None:
        values = pool(attribute)
        return values[random.randrange(len(values))]
    value = series.value(number // step)
    if samples.valid(attribute.type, value):
        return value
    return series.value(number // step % samples.LEAST_OF_SERIES)


def _free(design: Design, entity: Entity) -> Iterator[Attribute]:
    """The texts that no key depends on, the longest possible first."""
    table = design.schema.table(entity.table)
    used = set(key_inputs(entity, table.key))
    for index in table.indexes:
        used |= set(key_inputs(entity, index.key))
    free = [
        each
        for each in given(entity)
        if each.name not in used
        and isinstance(each.type, String)
        and each.type.charset is None
    ]
    assert all(isinstance(each.type, String) for each in free)
    yield from sorted(free, key=_longest, reverse=True)


def _longest(attribute: Attribute) -> float:
    assert isinstance(attribute.type, String)
    return attribute.type.max_length or float("inf")
