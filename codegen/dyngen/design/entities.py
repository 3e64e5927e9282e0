"""What an entity says of itself: identity, uniqueness, operations, tenant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dyngen.design.contents import form_inputs, template_inputs
from dyngen.design.emptiness import empty_defaults
from dyngen.design.layout import Draft, Place
from dyngen.design.model import (
    Computed,
    Entity,
    KeyForm,
    Natural,
    Table,
    UniqueKey,
)
from dyngen.design.paths import unknown_attribute
from dyngen.design.tables import ttl_name
from dyngen.design.values import describe
from dyngen.diagnostics.build import Reporter, error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.keys.model import Part, Template
from dyngen.spec import model as spec
from dyngen.types.model import Float, Scalar

OPERATIONS = (
    "get",
    "create",
    "put",
    "update",
    "delete",
    "batch_get",
    "batch_write",
)
"""The methods that a repository has by itself, unless `operations` lists fewer."""

BLIND = ("put", "batch_write")
"""Writes that look at nothing, and so cannot keep markers of unique attributes true."""

READS = ("get", "batch_get")
"""What a repository of markers has: they are written together with what they mark, and never alone."""


def build_entity(
    draft: Draft,
    forms: Mapping[str, KeyForm],
    table: Table,
    entities: Sequence[spec.Entity],
) -> tuple[Entity, list[Diagnostic]]:
    """The entity, and what is wrong with what it says of itself.

    `entities` are those of the spec, of which one can hold the markers of a unique attribute.
    """
    builder = _Builder(draft, forms, table, entities)
    written = draft.written
    entity = Entity(
        name=draft.name,
        table=draft.table,
        attributes=draft.attributes.all,
        keys=dict(forms),
        span=written.name.span,
        id=builder.id(),
        version=draft.attributes.version,
        unique=builder.unique(),
        operations=builder.operations(),
        plural=written.plural.text if written.plural else None,
        description=written.description,
    )
    return entity, [*builder.found, *empty_defaults(entity)]


@dataclass(slots=True)
class _Builder(Reporter):
    draft: Draft
    forms: Mapping[str, KeyForm]
    table: Table
    entities: Sequence[spec.Entity]

    # --- identity ----------------------------------------------------------------------------------------

    def id(self) -> tuple[str, ...]:
        """The attributes that make an item one item: those of the table's key, unless stated."""
        key: dict[str, Span] = {}
        for slot in self.table.key.all:
            form = self.forms[slot.name]
            for name in form_inputs(form):
                key.setdefault(name, form.span)
        written = self.draft.written.id
        if not written:
            return tuple(key)
        named: dict[str, spec.Name] = {}
        for word in written:
            if self.known(word):
                named.setdefault(word.text, word)
        if len(named) < len(written):
            return tuple(named)
        for name, span in key.items():
            if not self.follows(name, named):
                self.report(
                    "DG151",
                    f"the table's key holds `{name}`, which is not in the `id` "
                    f"of {self.draft.name}",
                    written[0].span,
                    f"one item could be stored twice; add `{name}` to `id`, "
                    "or take it out of the key",
                    [Label(span, f"`{name}` is part of the key here")],
                )
        kept = {source for name in key for source in (name, *self.sources(name))}
        for text, written_name in named.items():
            if text not in kept:
                self.report(
                    "DG151",
                    f"the table's key does not hold `{text}` of the `id` "
                    f"of {self.draft.name}",
                    written_name.span,
                    "two items that differ only in it would overwrite one another; "
                    f"add `{{{text}}}` to the key, or take it out of `id`",
                )
        return tuple(named)

    def follows(self, name: str, named: Mapping[str, spec.Name]) -> bool:
        """Whether the attribute is in the id, or computed from what is."""
        sources = self.sources(name)
        return name in named or (bool(sources) and all(s in named for s in sources))

    def sources(self, name: str) -> tuple[str, ...]:
        """What a computed attribute is computed from."""
        template = next(
            (a.computed for a in self.draft.attributes.all if a.name == name), None
        )
        return () if template is None else tuple(template_inputs(template))

    # --- uniqueness ----------------------------------------------------------------------------------------

    def unique(self) -> tuple[UniqueKey, ...]:
        """The unique attributes; reports those that markers cannot keep true."""
        keys = []
        entities = [entity.name.text for entity in self.entities]
        for written in self.draft.written.unique:
            names = [n for n in written.attributes if self.known(n)]
            for name in names:
                self.markable(name)
            marker = written.marker
            if marker is not None and marker.text not in entities:
                self.report(
                    "DG112",
                    f"there is no entity `{marker.text}`",
                    marker.span,
                    did_you_mean(marker.text, entities)
                    or f"the entities are {listed(entities, 'and')}",
                )
            keys.append(
                UniqueKey(
                    tuple(n.text for n in names),
                    written.span,
                    marker.text if marker else None,
                )
            )
        if keys:
            self.markers()
        return tuple(keys)

    def markable(self, name: spec.Name) -> None:
        """A marker's key holds the value, so it has to be one that a key can hold."""
        attribute = next(a for a in self.draft.attributes.all if a.name == name.text)
        if not isinstance(attribute.type, Scalar) or isinstance(attribute.type, Float):
            self.report(
                "DG152",
                f"`{name.text}` is {describe(attribute.type)}, which no key can hold",
                name.span,
                "a unique value becomes the key of a marker item",
                [Label(attribute.span, "declared here")],
            )

    def markers(self) -> None:
        """Where markers cannot live (semantics 3 and 5)."""
        span = self.draft.written.unique[0].span
        numeric = [k.name for k in self.table.key.all if k.type != "S"]
        if numeric:
            self.report(
                "DG152",
                f"`{self.table.name}` cannot hold the markers of unique attributes",
                span,
                f"their keys are texts, and `{numeric[0]}` is none; "
                "keep the entity in another table",
            )
        expires = ttl_name(self.table)
        if expires is not None and any(
            a.stored == expires for a in self.draft.attributes.all
        ):
            self.report(
                "DG152",
                f"{self.draft.name} has unique attributes, and items that expire",
                span,
                "an item that expires leaves its marker behind; give up one of the two",
                [Label(self.table.settings["ttl"].span, "expiry is declared here")],
            )

    def operations(self) -> frozenset[str]:
        """The repository's own methods."""
        written, unique = self.draft.written.operations, self.draft.written.unique
        marking = self.marking()
        if written is None:
            if marking is not None:
                return frozenset(READS)
            left_out = BLIND if unique else ()
            return frozenset(o for o in OPERATIONS if o not in left_out)
        for name in written:
            if name.text not in OPERATIONS:
                self.report(
                    "DG153",
                    f"`{name.text}` is no operation",
                    name.span,
                    did_you_mean(name.text, OPERATIONS)
                    or f"operations are {listed(OPERATIONS, 'and')}",
                )
            elif marking is not None and name.text not in READS:
                self.report(
                    "DG153",
                    f"`{name.text}` of {self.draft.name} would free values that are "
                    "taken, or take ones that are free",
                    name.span,
                    "it marks unique values, and is written together with the items "
                    "that have them",
                    [Label(marking.span, "it is a marker here")],
                )
            elif unique and name.text in BLIND:
                self.report(
                    "DG153",
                    f"`{name.text}` cannot keep the unique attributes of "
                    f"{self.draft.name} unique",
                    name.span,
                    "it writes without looking; use `create` and `update`",
                    [Label(unique[0].span, "declared unique here")],
                )
        return frozenset(name.text for name in written)

    def marking(self) -> spec.Unique | None:
        """The unique attributes whose values items of this entity mark."""
        return next(
            (
                unique
                for entity in self.entities
                for unique in entity.unique
                if unique.marker is not None and unique.marker.text == self.draft.name
            ),
            None,
        )

    # --- helpers -----------------------------------------------------------------------------------------

    def known(self, name: spec.Name) -> bool:
        """Whether the entity has the attribute; reports it if not."""
        if name.text in self.draft.attributes.broken:
            return False
        if any(a.name == name.text for a in self.draft.attributes.all):
            return True
        self.found.append(unknown_attribute(name, self.draft.bare, name.text))
        return False


# --- tenant -----------------------------------------------------------------------------------------------


def tenant_problems(
    tenant: spec.Name,
    draft: Draft,
    forms: Mapping[str, KeyForm],
    places: Sequence[Place],
) -> list[Diagnostic]:
    """DG160: partition keys of the entity that do not hold the tenant, so that reads could cross it."""
    name = tenant.text
    if name in draft.attributes.broken:
        return []
    if name not in draft.stored:
        return [
            error(
                "DG160",
                f"{draft.name} has no attribute `{name}`, the tenant",
                draft.written.name.span,
                secondary=[Label(tenant.span, "every partition key must hold it")],
                help=[
                    did_you_mean(name, draft.stored)
                    or f"add `{name}: string` to its attributes"
                ],
            )
        ]
    found = []
    for place in places:
        if not all(slot.name in forms for slot in place.slots):
            continue
        partition = [forms[slot.name] for slot in place.partition]
        if not partition or any(_holds(form, name) for form in partition):
            continue
        what = (
            f"table `{draft.table}`"
            if place.index is None
            else f"index `{place.index.name.text}`"
        )
        found.append(
            error(
                "DG160",
                f"the partition key of {what} does not hold the tenant of {draft.name}",
                partition[0].span,
                secondary=[Label(tenant.span, f"every one must hold `{name}`")],
                help=[
                    f"put `{{{name}}}` into the key's text, or make `{name}` "
                    "one of the partition key's attributes"
                ],
            )
        )
    return found


def _holds(form: KeyForm, name: str) -> bool:
    match form:
        case Natural(attribute=attribute):
            return attribute == name
        case Computed(cases=cases):
            return all(_has_part(case.template, name) for case in cases)


def _has_part(template: Template, name: str) -> bool:
    return any(
        isinstance(piece, Part)
        and piece.attribute == name
        and piece.bucket is None
        and piece.placeholder is None
        for piece in template.pieces
    )
