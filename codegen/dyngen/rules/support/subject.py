"""What rules look at, and what they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from dyngen.design.contents import places
from dyngen.design.itemsize import can_be_in
from dyngen.design.model import Entity, Index, Schema, Table
from dyngen.design.plans import Design, ReadPlan, Route
from dyngen.design.traffic import Traffic, traffic
from dyngen.diagnostics.model import Label, Span
from dyngen.spec import model as written

Scope = (
    written.Spec
    | written.Table
    | written.Index
    | written.Entity
    | written.AccessPattern
)
"""An object that can say `lint: {ignore: ...}`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule has to say about one object; its `lint` can have the rule ignored."""

    about: Scope
    message: str
    span: Span
    label: str = ""
    secondary: tuple[Label, ...] = ()
    help: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A table (`index` is None) or one of its indexes, with the entities that can be in it."""

    table: Table
    index: Index | None
    entities: tuple[Entity, ...]

    @property
    def name(self) -> str:
        """The index's name, or the table's."""
        return self.table.name if self.index is None else self.index.name


@dataclass(frozen=True)
class Subject:
    """A spec as written, and as it is understood.

    Attributes:
        design: all that could be planned.
        whole: whether nothing is missing in the design, so that what is not there means something.
        ran: the codes of the rules that have run so far.
        matched: the ignores that have silenced something so far.
    """

    spec: written.Spec
    design: Design
    whole: bool = True
    ran: frozenset[str] = frozenset()
    matched: frozenset[written.Ignore] = frozenset()

    @property
    def schema(self) -> Schema:
        """Tables and entities, resolved."""
        return self.design.schema

    # --- as written -----------------------------------------------------------------------------

    @cached_property
    def _tables(self) -> dict[str, written.Table]:
        return {table.name.text: table for table in self.spec.tables}

    @cached_property
    def _entities(self) -> dict[str, written.Entity]:
        return {entity.name.text: entity for entity in self.spec.entities}

    @cached_property
    def _patterns(self) -> dict[str, written.AccessPattern]:
        return {pattern.name.text: pattern for pattern in self.spec.access_patterns}

    def table(self, name: str) -> written.Table:
        """A table as written."""
        return self._tables[name]

    def entity(self, name: str) -> written.Entity:
        """An entity as written."""
        return self._entities[name]

    def pattern(self, name: str) -> written.AccessPattern:
        """An access pattern as written."""
        return self._patterns[name]

    def index(self, table: str, name: str) -> written.Index:
        """An index as written."""
        return next(i for i in self._tables[table].indexes if i.name.text == name)

    def place(self, place: Place) -> written.Table | written.Index:
        """A table or index as written."""
        if place.index is None:
            return self._tables[place.table.name]
        return self.index(place.table.name, place.name)

    @cached_property
    def scopes(self) -> tuple[tuple[Scope, ...], ...]:
        """Every object that can have a rule ignored, each followed by those that contain it."""
        whole = self.spec
        found: list[tuple[Scope, ...]] = [(whole,)]
        for table in whole.tables:
            found.append((table, whole))
            found += ((index, table, whole) for index in table.indexes)
        found += ((entity, whole) for entity in whole.entities)
        found += ((pattern, whole) for pattern in whole.access_patterns)
        return tuple(found)

    # --- as understood --------------------------------------------------------------------------

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every table and index, with the entities that can be in it."""
        return tuple(
            Place(
                table,
                index,
                tuple(
                    entity
                    for entity in self.schema.entities
                    if entity.table == table.name and can_be_in(entity, index)
                ),
            )
            for table in self.schema.tables
            for index in places(table)
        )

    def indexes(self) -> Iterator[Place]:
        """Every index."""
        return (place for place in self.places if place.index is not None)

    @cached_property
    def reads(self) -> tuple[ReadPlan, ...]:
        """Every read, that of a collection to be deleted too."""
        deleted = (plan.read for plan in self.design.delete_eaches)
        return (*self.design.reads, *deleted)

    @cached_property
    def _routes(self) -> dict[tuple[str, str | None], list[tuple[ReadPlan, Route]]]:
        found: dict[tuple[str, str | None], list[tuple[ReadPlan, Route]]] = {}
        for plan in self.reads:
            for alternative in plan.alternatives:
                route = alternative.route
                key = (plan.table, route.index)
                found.setdefault(key, []).append((plan, route))
        return found

    def routes(self, place: Place) -> list[tuple[ReadPlan, Route]]:
        """The routes that read a place, with their plans."""
        index = None if place.index is None else place.index.name
        return self._routes.get((place.table.name, index), [])

    # --- estimates --------------------------------------------------------------------------------

    @cached_property
    def _traffic(self) -> tuple[Traffic, ...]:
        return traffic(self.design)

    def traffic(
        self, place: Place, entity: Entity | None = None
    ) -> tuple[Traffic, ...]:
        """What the stated rates put on a place, of one entity or of all."""
        index = None if place.index is None else place.index.name
        return tuple(
            each
            for each in self._traffic
            if (each.table, each.index) == (place.table.name, index)
            and (entity is None or each.entity == entity.name)
        )

    def writes_known(self, entity: Entity) -> bool:
        """Whether the spec says how often items of the entity are written."""
        return any(each.entity == entity.name and each.writes for each in self._traffic)

    def share(self, entity: Entity, place: Place) -> float | None:
        """The share of an entity's items that are in an index, where `sizes` say it."""
        size = self.design.estimates.size(entity.name)
        inside = size.held(None if place.index is None else place.index.name).items
        everything = size.held(None).items
        return None if not inside or not everything else inside / everything
