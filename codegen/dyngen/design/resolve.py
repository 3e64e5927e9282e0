"""From the spec as written to tables and entities with every name looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dyngen.design.attributes import resolve_attributes
from dyngen.design.entities import build_entity, tenant_problems
from dyngen.design.estimates import estimate_problems
from dyngen.design.keychecks import key_problems
from dyngen.design.keyforms import Forms, resolve_forms
from dyngen.design.layout import Draft, Layout, draft, lay_out, orphan_problems, orphans
from dyngen.design.model import Entity, Schema, Table
from dyngen.design.patternnames import pattern_problems
from dyngen.design.service import clashing_types, service_problems
from dyngen.design.tables import build_table
from dyngen.design.templates import compute_attributes
from dyngen.design.types import BASES, TypeResolver
from dyngen.diagnostics.build import Reporter
from dyngen.diagnostics.model import Diagnostic, Severity
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.spec import model as spec
from dyngen.spec.types import ENUM


@dataclass(frozen=True, slots=True)
class Resolution:
    """What could be resolved, and what is wrong.

    `schema` holds the tables that are right with everything in them, so that patterns on these can
    still be planned; it is whole only where no finding is an error.
    """

    schema: Schema
    found: tuple[Diagnostic, ...]

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong."""
        return all(d.severity is not Severity.ERROR for d in self.found)


def resolve(written: spec.Spec) -> tuple[Schema | None, list[Diagnostic]]:
    """The schema of a spec, or everything that is wrong with its names, types and keys (DG1xx).

    Warnings come beside a schema.
    """
    resolution = resolve_all(written)
    schema = resolution.schema if resolution.whole else None
    return schema, list(resolution.found)


def resolve_all(written: spec.Spec) -> Resolution:
    """As `resolve`, with what could be resolved in spite of errors elsewhere."""
    return _Resolver(written).run()


@dataclass(slots=True)
class _Resolver(Reporter):
    written: spec.Spec
    unsound: set[str] = field(default_factory=set)  # entities with something wrong
    placeless: bool = False  # whether an entity's table is not known

    def run(self) -> Resolution:
        written = self.written
        self.found += service_problems(written.service)
        types = TypeResolver(self.named_types(), written.camel_case)
        named = types.named_types()
        drafts = self.drafts(types)
        self.found += types.found
        self.found += clashing_types(
            {
                name.text: (name.span, named[name.text])
                for name, _ in written.types
                if name.text in named
            },
            [(d.written.name, d.attributes.all) for d in drafts],
        )
        tables: list[Table] = []
        entities: list[Entity] = []
        for table in written.tables:
            built, own = self.table(
                table, [d for d in drafts if d.table == table.name.text]
            )
            if built is not None:
                tables.append(built)
                entities += own
        self.found += estimate_problems(written)
        self.unplannable({e.name for e in entities}, drafts)
        order = [entity.name.text for entity in written.entities]
        entities = _with_their_markers(entities)
        schema = Schema(
            service=written.service.text,
            tables=tuple(tables),
            entities=tuple(sorted(entities, key=lambda e: order.index(e.name))),
            description=written.description,
            tenant=written.tenant.text if written.tenant else None,
            named_types=named,
        )
        return Resolution(schema, tuple(self.found))

    # --- types and attributes ------------------------------------------------------------------------

    def named_types(self) -> dict[str, tuple[spec.Name, spec.TypeUse]]:
        named = {}
        for name, use in self.written.types:
            if name.text in (*BASES, ENUM):
                self.report(
                    "DG108",
                    f"a type cannot be called `{name.text}`: that is a type already",
                    name.span,
                    "choose another name",
                )
            else:
                named[name.text] = (name, use)
        return named

    def drafts(self, types: TypeResolver) -> list[Draft]:
        """The entities with their attributes, whose table is known."""
        drafts = []
        for entity in self.written.entities:
            attributes, found = resolve_attributes(
                entity, types, camel_case=self.written.camel_case
            )
            self.found += found
            if found or attributes.broken:
                self.unsound.add(entity.name.text)
            table = self.table_of(entity)
            if table is None:
                self.placeless = True
                continue
            drafts.append(
                draft(entity, attributes, table, camel_case=self.written.camel_case)
            )
        return drafts

    def table_of(self, entity: spec.Entity) -> str | None:
        names = [table.name.text for table in self.written.tables]
        if entity.table is None:
            if len(names) == 1:
                return names[0]
            self.report(
                "DG113",
                f"{entity.name.text} does not say which table holds it",
                entity.name.span,
                (
                    f"add `table:` with {listed(names)}"
                    if names
                    else "declare a table under `tables`"
                ),
            )
            return None
        if entity.table.text in names:
            return entity.table.text
        self.report(
            "DG113",
            f"there is no table `{entity.table.text}`",
            entity.table.span,
            did_you_mean(entity.table.text, names)
            or f"the tables are {listed(names, 'and')}",
        )
        return None

    # --- tables with their entities ----------------------------------------------------------------------

    def table(
        self, table: spec.Table, drafts: Sequence[Draft]
    ) -> tuple[Table | None, list[Entity]]:
        """A table and its entities; None if anything is wrong with them."""
        found: list[Diagnostic] = []
        layout, problems = lay_out(table, drafts)
        found += problems
        lacking = {} if self.placeless else orphans(layout, drafts)
        if not self.placeless:
            found += orphan_problems(layout, drafts, lacking.values())
        ready: list[Draft] = []
        for one in drafts:
            computed, problems = compute_attributes(one)
            found += problems
            ready.append(computed)
        forms: dict[str, Forms] = {}
        for one in ready:
            forms[one.name], problems = resolve_forms(one, layout, lacking)
            found += problems
            found += key_problems(one, layout, forms[one.name].by_name)
            found += self.tenant(one, forms[one.name], layout)
        built, problems = build_table(layout, ready, forms)
        found += problems
        entities: list[Entity] = []
        if built is not None:
            for one in ready:
                if all(k.name in forms[one.name].by_name for k in built.key.all):
                    entity, problems = build_entity(
                        one, forms[one.name].by_name, built, self.written.entities
                    )
                    found += problems
                    entities.append(entity)
        self.found += found
        broken = any(d.severity is Severity.ERROR for d in found)
        if built is None or broken or self.unsound & {d.name for d in drafts}:
            return None, []
        return built, entities

    def tenant(self, one: Draft, forms: Forms, layout: Layout) -> Sequence[Diagnostic]:
        if self.written.tenant is None:
            return ()
        return tenant_problems(self.written.tenant, one, forms.by_name, layout.places)

    # --- the rest ---------------------------------------------------------------------------------------

    def unplannable(self, whole: set[str], drafts: Sequence[Draft]) -> None:
        """The names in patterns that the planner will not see."""
        declared = [entity.name.text for entity in self.written.entities]
        by_name = {draft.name: draft for draft in drafts}
        for pattern in self.written.access_patterns:
            named = pattern.all_entities
            unknown = [entity for entity in named if entity.text not in declared]
            for entity in unknown:
                self.report(
                    "DG110",
                    f"there is no entity `{entity.text}`",
                    entity.span,
                    did_you_mean(entity.text, declared)
                    or f"the entities are {listed(declared, 'and')}",
                )
            if not unknown and any(entity.text not in whole for entity in named):
                self.found += pattern_problems(pattern, by_name)


def _with_their_markers(entities: Sequence[Entity]) -> list[Entity]:
    """The entities, without unique attributes whose declared markers are wrong themselves."""
    sound = {None, *(entity.name for entity in entities)}
    return [
        replace(entity, unique=tuple(u for u in entity.unique if u.marker in sound))
        for entity in entities
    ]
