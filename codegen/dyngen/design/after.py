"""What an update knows of an item after it: three-valued, per attribute (semantics 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

from dyngen.design.bindings import source_of
from dyngen.design.model import Attribute, Const, Entity, Test
from dyngen.design.valuesets import ABSENT, ValueSet, matching, universe
from dyngen.keys.model import Clock, Fixed, FromItem, Given, Missing, Source
from dyngen.spec.model import Operator


@dataclass(frozen=True, slots=True)
class After:
    """One attribute after the write.

    `values`: what it can be. `source`: how the call knows it, or None. `may_be_none`: the source
    is an optional parameter, and None means that the attribute is absent.
    """

    values: ValueSet
    source: Source | None = None
    may_be_none: bool = False

    @property
    def missing(self) -> bool:
        """Certainly absent."""
        return not self.values.present

    @property
    def sure(self) -> bool:
        """Certainly present."""
        return not self.values.absent


def untouched(attribute: Attribute, guards: Iterable[Test]) -> After:
    """An attribute that the write leaves alone: what the guards say of it."""
    mine = [g for g in guards if g.attribute == attribute.name and not g.path]
    values = reduce(
        ValueSet.intersect,
        (matching(g, attribute.type, for_all=False) for g in mine),
        universe(attribute.type, optional=attribute.optional),
    )
    for guard in mine:
        source = _equal(guard)
        if source is not None:
            return After(values, source)
    return After(values, Missing() if not values.present else None)


def keyed(attribute: Attribute, test: Test) -> After:
    """An attribute that the pattern's `where` fixes; None stands for the key's placeholder."""
    source = _equal(test)
    if isinstance(source, Given) and attribute.optional:
        return After(universe(attribute.type, optional=True), source, may_be_none=True)
    return After(matching(test, attribute.type, for_all=False), source)


def _equal(guard: Test) -> Source | None:
    if guard.operator is Operator.ABSENT:
        return Missing()
    if guard.operator is not Operator.EQ:
        return None
    return source_of(guard.operands[0])


def written(attribute: Attribute, source: Source, *, may_be_none: bool) -> After:
    """An attribute that the write sets."""
    match source:
        case Missing():
            return After(ABSENT, source)
        case Fixed(value=value):
            test = Test(
                attribute.name,
                Operator.EQ,
                (Const(value, attribute.span),),
                attribute.span,
            )
            return After(matching(test, attribute.type, for_all=False), source)
        case Given() | Clock() | FromItem():
            values = universe(attribute.type, optional=may_be_none)
            return After(values, source, may_be_none)
        case _:
            raise TypeError(f"an update can't set {source}")


def changed_unknown(attribute: Attribute) -> After:
    """An attribute that the write changes to what the call does not know (`add`, `append`)."""
    return After(universe(attribute.type, optional=attribute.optional))


def after_write(
    entity: Entity,
    where: Iterable[Test],
    writes: Mapping[str, After],
    guards: Iterable[Test],
) -> dict[str, After]:
    """Every attribute of the entity after the write."""
    tests = tuple(guards)
    known = {t.attribute: keyed(entity.attribute(t.attribute), t) for t in where}
    known.update(writes)
    return {
        attribute.name: known.get(attribute.name) or untouched(attribute, tests)
        for attribute in entity.attributes
    }
