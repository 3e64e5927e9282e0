"""When a computed key attribute is written, and with which text.

A key attribute of an index is written only if an index that it serves is complete: every other key
attribute of that index must exist too. So a key has branches: what must hold of the item, and the
template that gives the text. Branches exclude one another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from dyngen.design.contents import needed
from dyngen.design.derived import served_indexes
from dyngen.design.model import (
    Attribute,
    Case,
    Computed,
    Entity,
    KeyForm,
    Natural,
    Table,
    Test,
)
from dyngen.design.valuesets import ValueSet, conjunction, universe
from dyngen.keys.model import Template
from dyngen.spec.model import Operator

Conjunction = tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """One text of a key, written if one of the conjunctions of `any_of` holds (an empty one does)."""

    template: Template
    any_of: tuple[Conjunction, ...]

    @property
    def always(self) -> bool:
        """Whether the text is written whatever the item holds."""
        return () in self.any_of


def key_branches(entity: Entity, table: Table, key: str) -> tuple[Branch, ...]:
    """The branches of the computed key attribute `key` of an index, in the order of its cases."""
    form = entity.keys[key]
    if isinstance(form, Natural):
        raise TypeError(f"{key} is not computed")
    return tuple(
        Branch(case.template, _simplified(entity, found))
        for case in form.cases
        if (found := list(_complete(entity, table, key, case)))
    )


def table_key_branches(entity: Entity, key: str) -> tuple[Branch, ...]:
    """The branches of a computed key attribute of the table: one of its cases always holds."""
    form = entity.keys[key]
    if isinstance(form, Natural):
        raise TypeError(f"{key} is not computed")
    return tuple(
        Branch(case.template, _simplified(entity, [_own(entity, case)]))
        for case in form.cases
    )


def attribute_branch(entity: Entity, attribute: Attribute) -> Branch:
    """The branch of a `computed` attribute: it exists while all that it is computed from does."""
    if attribute.computed is None:
        raise TypeError(f"{attribute.name} is not computed")
    tests = tuple(_present(entity, needed(attribute.computed)))
    return Branch(attribute.computed, _simplified(entity, [tests]))


def _complete(
    entity: Entity, table: Table, key: str, case: Case
) -> Iterator[Conjunction]:
    """For each way in which an index with this case of the key is complete, what must hold."""
    for index in served_indexes(entity, table, key):
        partners = [
            _ways(entity, entity.keys[other.name])
            for other in index.key.all
            if other.name != key
        ]
        for way in product(*partners):
            tests = [*_own(entity, case), *(test for each in way for test in each)]
            yield tuple(dict.fromkeys(tests))


def _ways(entity: Entity, form: KeyForm) -> list[Conjunction]:
    """The ways in which a key attribute exists."""
    if isinstance(form, Computed):
        return [_own(entity, case) for case in form.cases]
    return [tuple(_present(entity, (form.attribute,)))]


def _own(entity: Entity, case: Case) -> Conjunction:
    return (*case.when, *_present(entity, needed(case.template)))


def _present(entity: Entity, attributes: Iterable[str]) -> Iterator[Test]:
    for name in attributes:
        attribute = entity.attribute(name)
        if attribute.optional:
            yield Test(name, Operator.PRESENT, (), attribute.span)


# --- a disjunction in as few words as it takes ----------------------------------------------------


def _simplified(
    entity: Entity, found: Sequence[Conjunction]
) -> tuple[Conjunction, ...]:
    """The conjunctions without those that can't hold, that others include, or that say nothing."""
    pairs = [(tests, _values(entity, tests)) for tests in found]
    possible = [
        (tests, values)
        for tests, values in pairs
        if not any(each.empty for each in values.values())
    ]
    merged = _without_covered(entity, possible)
    kept: list[tuple[Conjunction, Mapping[str, ValueSet]]] = []
    for tests, values in merged:
        if any(_includes(entity, other, values) for _, other in kept):
            continue
        kept = [each for each in kept if not _includes(entity, values, each[1])]
        kept.append((tests, values))
    return tuple(_terse(tests) for tests, _ in kept)


def _values(entity: Entity, tests: Conjunction) -> dict[str, ValueSet]:
    names = dict.fromkeys(test.attribute for test in tests)
    return {
        name: conjunction(
            [test for test in tests if test.attribute == name],
            entity.attribute(name).type,
            optional=entity.attribute(name).optional,
        )
        for name in names
    }


def _universe(entity: Entity, name: str) -> ValueSet:
    attribute = entity.attribute(name)
    return universe(attribute.type, optional=attribute.optional)


def _includes(
    entity: Entity, wide: Mapping[str, ValueSet], narrow: Mapping[str, ValueSet]
) -> bool:
    return all(
        narrow.get(name, _universe(entity, name)).within(values)
        for name, values in wide.items()
    )


def _without_covered(
    entity: Entity, found: list[tuple[Conjunction, dict[str, ValueSet]]]
) -> list[tuple[Conjunction, dict[str, ValueSet]]]:
    """Conjunctions that differ in one attribute, and together allow all its values, are one."""
    for name in dict.fromkeys(n for _, values in found for n in values):
        groups: dict[tuple[tuple[str, ValueSet], ...], list[int]] = {}
        for at, (_, values) in enumerate(found):
            if name in values:
                groups.setdefault(_rest(values, name), []).append(at)
        for members in groups.values():
            sets = [found[at][1][name] for at in members]
            union = ValueSet(
                tuple(i for each in sets for i in each.present),
                any(each.absent for each in sets),
            )
            if _universe(entity, name).within(union):
                tests, values = found[members[0]]
                one = (
                    tuple(test for test in tests if test.attribute != name),
                    {n: v for n, v in values.items() if n != name},
                )
                others = [each for at, each in enumerate(found) if at not in members]
                return _without_covered(entity, [*others, one])
    return found


def _rest(
    values: Mapping[str, ValueSet], without: str
) -> tuple[tuple[str, ValueSet], ...]:
    """The value sets of all attributes but one, to compare by."""
    return tuple((name, values[name]) for name in sorted(values) if name != without)


def _terse(tests: Conjunction) -> Conjunction:
    """Without `present` of an attribute of which more is asked."""
    asked = {test.attribute for test in tests if test.operator is not Operator.PRESENT}
    return tuple(
        test
        for test in tests
        if test.operator is not Operator.PRESENT or test.attribute not in asked
    )
