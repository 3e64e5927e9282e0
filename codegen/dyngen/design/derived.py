"""The derived attributes of an entity: computed keys of its indexes, and `computed` attributes.

Of an index's key attributes, a computed one is written only if the index is complete; one that
serves several indexes, if any of them is. So whether a partner key exists is an input too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

from dyngen.design.contents import form_inputs, key_schema, needed, template_inputs
from dyngen.design.model import (
    Case,
    Computed,
    Entity,
    Index,
    KeyForm,
    Natural,
    Schema,
    Table,
)
from dyngen.design.plans import DerivedKey, EntityWrites
from dyngen.design.valuesets import ValueSet, matching, universe


def entity_writes(entity: Entity, schema: Schema) -> EntityWrites:
    """What create, put, update and the batches of `entity` know."""
    table = schema.table(entity.table)
    return EntityWrites(
        entity=entity.name,
        derived=tuple(_derived(entity, table)),
        changeable=tuple(changeable(entity, table)),
    )


def table_key_inputs(entity: Entity, table: Table) -> frozenset[str]:
    """The attributes that the table's own key is made of: they never change (K-8, AWS: API_UpdateItem)."""
    return frozenset(
        name
        for key in key_schema(table, None).all
        for name in form_inputs(entity.keys[key.name])
    )


def table_key_sources(entity: Entity, table: Table) -> frozenset[str]:
    """All attributes that the table's own key follows from: of a `computed` one, its inputs too."""
    found = set(table_key_inputs(entity, table))
    open_ = list(found)
    while open_:
        computed = entity.attribute(open_.pop()).computed
        inputs = () if computed is None else template_inputs(computed)
        open_ += (name for name in inputs if name not in found)
        found |= set(open_)
    return frozenset(found)


def inputs_behind(entity: Entity, names: Iterable[str]) -> Iterator[str]:
    """What the computed attributes among these are computed from."""
    for name in names:
        computed = entity.attribute(name).computed
        if computed is not None:
            yield from template_inputs(computed)


def changeable(entity: Entity, table: Table) -> Iterator[str]:
    """What `update(item, **changes)` may change, in declared order."""
    fixed = table_key_sources(entity, table)
    version = entity.version.name if entity.version else None
    for attribute in entity.attributes:
        if attribute.name in fixed or attribute.name == version:
            continue
        if attribute.computed is None and not attribute.on_write:
            yield attribute.name


def served_indexes(entity: Entity, table: Table, key: str) -> Iterator[Index]:
    """The indexes that `entity` can be in and whose key has the attribute `key`."""
    for index in table.indexes:
        names = [k.name for k in index.key.all]
        if key in names and all(name in entity.keys for name in names):
            yield index


def _derived(entity: Entity, table: Table) -> Iterator[DerivedKey]:
    for attribute in entity.attributes:
        if attribute.computed is not None:
            sources = tuple(dict.fromkeys(template_inputs(attribute.computed)))
            yield DerivedKey(attribute.stored, sources, (), ())
    own = {key.name for key in table.key.all}
    for name, form in entity.keys.items():
        if isinstance(form, Natural) or name in own:
            continue
        indexes = tuple(served_indexes(entity, table, name))
        partners = tuple(
            tuple(k.name for k in index.key.all if k.name not in {name, *own})
            for index in indexes
        )
        inputs = [*form_inputs(form)]
        for group in partners:
            for partner in group:
                inputs += presence_inputs(entity, entity.keys[partner])
        yield DerivedKey(
            name,
            tuple(dict.fromkeys(inputs)),
            tuple(index.name for index in indexes),
            partners,
        )


def presence_inputs(entity: Entity, form: KeyForm) -> tuple[str, ...]:
    """The attributes that decide whether the key exists at all."""
    if isinstance(form, Natural):
        optional = entity.attribute(form.attribute).optional
        return (form.attribute,) if optional else ()
    if certain(
        entity,
        form,
        {a.name: universe(a.type, optional=a.optional) for a in entity.attributes},
    ):
        return ()
    names = [
        name
        for case in form.cases
        for name in needed(case.template)
        if entity.attribute(name).optional
    ]
    names += [test.attribute for case in form.cases for test in case.when]
    return tuple(dict.fromkeys(names))


def certain(entity: Entity, form: Computed, values: Mapping[str, ValueSet]) -> bool:
    """Whether an item that has such values has the key: one of its cases holds.

    Either one alone does, or some that differ in one attribute allow all values of it.
    """
    covered: dict[str, ValueSet] = {}
    for case in form.cases:
        open_ = [
            (name, wanted)
            for name, wanted in _wanted(entity, case)
            if not values[name].within(wanted)
        ]
        if not open_:
            return True
        names = {name for name, _ in open_}
        if len(names) == 1:
            name = names.pop()
            wanted = reduce(ValueSet.intersect, (each for _, each in open_))
            covered[name] = covered.get(name, _NOTHING).union(wanted)
    return any(values[name].within(wanted) for name, wanted in covered.items())


_NOTHING = ValueSet(())


def _wanted(entity: Entity, case: Case) -> Iterator[tuple[str, ValueSet]]:
    for name in needed(case.template):
        yield name, universe(entity.attribute(name).type, optional=False)
    for test in case.when:
        of = entity.attribute(test.attribute).type
        yield test.attribute, matching(test, of, for_all=True)


def derived_form(entity: Entity, key: DerivedKey) -> Computed:
    """The computed form behind a derived key attribute (not a `computed` attribute)."""
    form = entity.keys[key.attribute]
    if not isinstance(form, Computed):
        raise TypeError(f"{key.attribute} is not computed")
    return form
