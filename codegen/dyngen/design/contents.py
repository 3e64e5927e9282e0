"""Which items of an entity a table or an index holds, and under which key texts.

An entity is in an index only while all key attributes exist: the `when` of its keys holds and every
attribute without a placeholder is present (a sparse index; AWS: GSI.html). Keys with several cases
give several *variants* of one entity in one index.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from dyngen.design.model import (
    Case,
    Computed,
    Entity,
    Index,
    KeyAttribute,
    KeyForm,
    KeySchema,
    Natural,
    Projection,
    Table,
    Test,
)
from dyngen.design.valuesets import ValueSet, conjunction, universe
from dyngen.keys.model import Part, Shard, Template
from dyngen.keys.overlap import Language


@dataclass(frozen=True, slots=True)
class KeyPart:
    """One key attribute of a variant: natural (`attribute` is set) or computed (`template` is)."""

    key: KeyAttribute
    attribute: str | None = None
    template: Template | None = None

    @property
    def value_parts(self) -> tuple[Part | Shard, ...]:
        """The parts of the template that hold values."""
        pieces = () if self.template is None else self.template.pieces
        return tuple(p for p in pieces if isinstance(p, Part | Shard))


@dataclass(frozen=True, slots=True)
class Variant:
    """An entity in a table (`index` is None) or an index, under one case of each of its keys."""

    entity: Entity
    table: Table
    index: Index | None
    partition: tuple[KeyPart, ...]
    sort: tuple[KeyPart, ...]
    holds: Mapping[str, ValueSet]  # per attribute: the values of the items inside
    languages: dict[str, Language] = field(  # of its key attributes, once built
        default_factory=dict, compare=False, repr=False
    )

    @property
    def place(self) -> str:
        """The index's name, or the table's."""
        return self.table.name if self.index is None else self.index.name

    @property
    def keys(self) -> tuple[KeyPart, ...]:
        """Partition attributes, then sort attributes."""
        return self.partition + self.sort


def key_schema(table: Table, index: Index | None) -> KeySchema:
    """The key schema of a table or of one of its indexes."""
    return table.key if index is None else index.key


_Place = tuple[Entity, Table, Index | None]
_MOST_KNOWN = 4096
_known: dict[tuple[int, ...], tuple[_Place, tuple[Variant, ...]]] = {}
"""What was found for these very objects, which are kept so that no others can take their ids."""


def variants(entity: Entity, table: Table, index: Index | None) -> tuple[Variant, ...]:
    """The variants of `entity` in one place; none if it can't have all the key attributes.

    Every read asks this of every entity of its table, so the answers are remembered.
    """
    place = (entity, table, index)
    key = tuple(map(id, place))
    if key not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[key] = (place, _variants(*place))
    return _known[key][1]


def _variants(entity: Entity, table: Table, index: Index | None) -> tuple[Variant, ...]:
    schema = key_schema(table, index)
    forms = [(key, entity.keys.get(key.name)) for key in schema.all]
    known = [(key, form) for key, form in forms if form is not None]
    if len(known) < len(forms):
        return ()
    found = []
    for choice in product(*(_cases(key, form) for key, form in known)):
        parts = [part for part, _ in choice]
        conditions = [test for _, tests in choice for test in tests]
        holds = _holds(entity, parts, conditions)
        if any(values.empty for values in holds.values()):
            continue  # these cases exclude one another
        width = len(schema.partition)
        found.append(
            Variant(
                entity, table, index, tuple(parts[:width]), tuple(parts[width:]), holds
            )
        )
    return tuple(found)


def places(table: Table) -> Iterator[Index | None]:
    """The table itself, then its indexes in declared order."""
    yield None
    yield from table.indexes


def needed(template: Template) -> Iterator[str]:
    """The attributes without which the key is absent."""
    for piece in template.pieces:
        if isinstance(piece, Part) and piece.placeholder is None:
            yield piece.attribute
        elif isinstance(piece, Shard):
            yield from (by.attribute for by in piece.by if by.placeholder is None)


def template_inputs(template: Template) -> Iterator[str]:
    """Every attribute that a template reads."""
    for piece in template.pieces:
        if isinstance(piece, Part):
            yield piece.attribute
        elif isinstance(piece, Shard):
            yield from (by.attribute for by in piece.by)


def case_inputs(case: Case) -> Iterator[str]:
    """Every attribute that decides a key's value in one case."""
    yield from template_inputs(case.template)
    yield from (test.attribute for test in case.when)


def form_inputs(form: KeyForm) -> tuple[str, ...]:
    """Every attribute that decides a key's value, each once, in order of appearance."""
    if isinstance(form, Natural):
        return (form.attribute,)
    return tuple(
        dict.fromkeys(name for case in form.cases for name in case_inputs(case))
    )


def stored_attributes(
    entity: Entity, table: Table, index: Index | None
) -> frozenset[str] | None:
    """Spec names of the attributes that items have in this place; None: all of them.

    Base key attributes are always projected (G-9, AWS: GSI.html).
    """
    if index is None or index.projection is Projection.ALL:
        return None
    stored = {key.name for key in (*table.key.all, *index.key.all)} | set(
        index.included
    )
    return frozenset(a.name for a in entity.attributes if a.stored in stored)


def projected(
    entity: Entity, table: Table, index: Index | None
) -> frozenset[str] | None:
    """Spec names of the attributes that a read of this place returns; None: whole items.

    Beside what is stored there, what a projected key text holds canonically can be read back from it.
    """
    names = stored_attributes(entity, table, index)
    if names is None or index is None:
        return None
    for key in (*table.key.all, *index.key.all):
        form = entity.keys.get(key.name)
        if isinstance(form, Computed) and len(form.cases) == 1:
            names |= {
                piece.attribute
                for piece in form.cases[0].template.pieces
                if isinstance(piece, Part) and piece.bucket is None
            }
    return names


def _cases(key: KeyAttribute, form: KeyForm) -> list[tuple[KeyPart, tuple[Test, ...]]]:
    if isinstance(form, Natural):
        return [(KeyPart(key, attribute=form.attribute), ())]
    return [
        (KeyPart(key, template=case.template), tuple(case.when)) for case in form.cases
    ]


def _holds(
    entity: Entity, parts: list[KeyPart], conditions: list[Test]
) -> dict[str, ValueSet]:
    required: set[str] = set()
    for part in parts:
        if part.attribute is not None:
            required.add(part.attribute)
        if part.template is not None:
            required.update(needed(part.template))
    holds = {}
    for attribute in entity.attributes:
        values = conjunction(
            [t for t in conditions if t.attribute == attribute.name],
            attribute.type,
            optional=attribute.optional,
        )
        if attribute.name in required:
            values = values.intersect(universe(attribute.type, optional=False))
        holds[attribute.name] = values
    return holds
