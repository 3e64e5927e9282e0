"""Tables and indexes: key types, projections, settings, and DynamoDB's limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dyngen.design.keyforms import Forms
from dyngen.design.layout import MAX_NAME_BYTES, Draft, Layout, Place, Slot
from dyngen.design.model import (
    Attribute,
    Index,
    KeyAttribute,
    KeySchema,
    Natural,
    Projection,
    Table,
)
from dyngen.design.values import describe
from dyngen.diagnostics.build import Reporter
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.source.nodes import Mapping as MappingNode
from dyngen.source.nodes import Node, Scalar
from dyngen.spec import model as spec
from dyngen.types.model import Integer, Stored, Timestamp, key_type

MAX_GLOBAL = 20
"""Global indexes of a table (G-1; AWS: ServiceQuotas.html)."""

MAX_LOCAL = 5
"""Local indexes of a table (G-2; AWS: LSI.html)."""

MAX_INCLUDED = 20
"""Attributes that one index lists in its projection (G-10; AWS: API_Projection)."""

MAX_INCLUDED_OF_TABLE = 100
"""The same over all indexes of a table, repetitions counted (G-10; AWS: Constraints.html)."""

_TYPES = {"string": "S", "number": "N", "binary": "B"}
_IN_WORDS = {"S": "a string", "N": "a number", "B": "binary"}


def build_table(
    layout: Layout, drafts: Sequence[Draft], forms: Mapping[str, Forms]
) -> tuple[Table | None, list[Diagnostic]]:
    """The table with its indexes; None if the type of one of its keys cannot be told."""
    builder = _Builder(layout, drafts, forms)
    builder.limits()
    builder.type_attribute()
    settings = builder.settings()
    types = {slot.name: builder.key_type(slot) for slot in layout.slots().values()}
    indexes = [builder.index(place, types) for place in layout.indexes]
    key = _schema(layout.key, types)
    built = [index for index in indexes if index is not None]
    if key is None or len(built) < len(indexes):
        return None, builder.found
    written = layout.written
    return (
        Table(
            name=written.name.text,
            key=key,
            indexes=tuple(built),
            span=written.span,
            type_attribute=(
                written.type_attribute.text if written.type_attribute else None
            ),
            encoding=layout.encoding,
            settings=settings,
            description=written.description,
        ),
        builder.found,
    )


def ttl_name(table: Table) -> str | None:
    """The stored name of the attribute after whose time items expire."""
    node = table.settings.get("ttl")
    return (
        node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None
    )


def _schema(place: Place, types: Mapping[str, str | None]) -> KeySchema | None:
    def attributes(slots: Sequence[Slot]) -> tuple[KeyAttribute, ...]:
        found = ((slot.name, types[slot.name]) for slot in slots)
        return tuple(KeyAttribute(name, kind) for name, kind in found if kind)

    schema = KeySchema(attributes(place.partition), attributes(place.sort))
    whole = schema.partition and len(schema.all) == len(place.slots)
    return schema if whole else None


@dataclass(slots=True)
class _Builder(Reporter):
    layout: Layout
    drafts: Sequence[Draft]
    forms: Mapping[str, Forms]

    # --- key types -------------------------------------------------------------------------------------

    def key_type(self, slot: Slot) -> str | None:
        """S, N or B, on which all entities of the table have to agree (G-7; AWS: GSI.html)."""
        types: dict[str, tuple[Span, str]] = {}
        for draft in self.drafts:
            form = self.forms[draft.name].by_name.get(slot.name)
            if isinstance(form, Natural):
                attribute = _attribute(draft, form.attribute)
                kind = key_type(attribute.type)
                told = f"{describe(attribute.type)} in {draft.name}"
            elif form is not None:
                kind, told = "S", f"a computed text in {draft.name}"
            else:
                continue
            if kind is not None:
                types.setdefault(kind, (form.span, told))
        if slot.stated is not None:
            kind = _TYPES[slot.stated.text]
            types.setdefault(kind, (slot.stated.span, f"{_IN_WORDS[kind]} here"))
        if len(types) > 1:
            kinds = list(types)
            self.report(
                "DG122",
                f"`{slot.name}` is {_IN_WORDS[kinds[0]]} and {_IN_WORDS[kinds[1]]}",
                slot.span,
                "all entities of a table must store a key attribute as the same "
                "DynamoDB type; give one of them another key attribute",
                [Label(span, told) for span, told in types.values()],
            )
            return None
        return next(iter(types), None)

    # --- indexes -----------------------------------------------------------------------------------------

    def index(self, place: Place, types: Mapping[str, str | None]) -> Index | None:
        written = place.index
        if written is None:
            return None
        self.index_settings(written)
        projection, included = self.projection(written)
        schema = _schema(place, types)
        if schema is None:
            return None
        return Index(
            name=written.name.text,
            key=schema,
            span=written.span,
            local=written.local,
            projection=projection,
            included=included,
            settings=written.settings,
        )

    def projection(self, index: spec.Index) -> tuple[Projection, tuple[str, ...]]:
        """What the index holds beside keys, listed attributes by stored name."""
        written = index.projection
        if written is None:
            return Projection.ALL, ()
        if isinstance(written, spec.Name):
            if written.text in (Projection.ALL, Projection.KEYS_ONLY):
                return Projection(written.text), ()
            self.report(
                "DG135",
                f"`{written.text}` is no projection",
                written.span,
                "write `all`, `keys_only`, or a list of attributes",
            )
            return Projection.ALL, ()
        stored: dict[str, spec.Name] = {}
        for name in written:
            found = self.stored(name)
            if found is None:
                continue
            first = stored.setdefault(found, name)
            if first is not name:
                self.report(
                    "DG135",
                    f"`{name.text}` stands twice in the projection of `{index.name.text}`",
                    name.span,
                    "leave it out here",
                    [Label(first.span, "here first")],
                )
            if len(found.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
                self.report(
                    "DG135",
                    f"a projected attribute's name has at most {MAX_NAME_BYTES} bytes",
                    name.span,
                )
        return Projection.INCLUDE, tuple(stored)

    def stored(self, name: spec.Name) -> str | None:
        """The stored name of what a projection lists; reports what no entity has."""
        known: list[str] = []
        slots = self.layout.slots()
        for draft in self.drafts:
            attribute = draft.attribute_at(name.text)
            if attribute is not None:
                return draft.stored[attribute]
            known += draft.stored
        if name.text in slots or name.text == self.type_attribute_name():
            return name.text
        self.report(
            "DG135",
            f"no entity of `{self.layout.written.name.text}` "
            f"has an attribute `{name.text}`",
            name.span,
            did_you_mean(name.text, [*known, *slots]),
        )
        return None

    def index_settings(self, index: spec.Index) -> None:
        """What an index may set of its own (G-17; AWS: GSI.html, LSI.html)."""
        for word, node in index.settings.items():
            if index.local:
                self.report(
                    "DG139",
                    f"a local index has no `{word}` of its own",
                    node.span,
                    "it shares the table's; leave it out",
                )
            elif word == "billing" and not self.provisioned():
                self.report(
                    "DG139",
                    f"`{index.name.text}` has provisioned capacity, "
                    "but its table is billed on demand",
                    node.span,
                    "an index is billed as its table is: leave it out, "
                    "or give the table `billing: {read: ..., write: ...}`",
                )

    def provisioned(self) -> bool:
        return isinstance(self.layout.written.settings.get("billing"), MappingNode)

    # --- the table -----------------------------------------------------------------------------------------

    def limits(self) -> None:
        written = self.layout.written
        kinds = (
            ("global", MAX_GLOBAL, [i for i in written.indexes if not i.local]),
            ("local", MAX_LOCAL, [i for i in written.indexes if i.local]),
        )
        for word, most, indexes in kinds:
            if len(indexes) > most:
                self.report(
                    "DG136",
                    f"`{written.name.text}` has {len(indexes)} {word} indexes",
                    indexes[most].span,
                    f"DynamoDB takes up to {most} on a table; "
                    "let several entities share an index",
                )
        listed_names = 0
        for index in written.indexes:
            if not isinstance(index.projection, tuple):
                continue
            if len(index.projection) > MAX_INCLUDED:
                self.report(
                    "DG136",
                    f"`{index.name.text}` projects {len(index.projection)} attributes",
                    index.projection[MAX_INCLUDED].span,
                    f"DynamoDB takes up to {MAX_INCLUDED} by name; "
                    "use `projection: all`",
                )
            before, listed_names = listed_names, listed_names + len(index.projection)
            if before <= MAX_INCLUDED_OF_TABLE < listed_names:
                self.report(
                    "DG136",
                    f"the indexes of `{written.name.text}` project more than "
                    f"{MAX_INCLUDED_OF_TABLE} attributes by name",
                    index.projection[MAX_INCLUDED_OF_TABLE - before].span,
                    "use `projection: all` for some of them",
                )

    def type_attribute_name(self) -> str | None:
        name = self.layout.written.type_attribute
        return None if name is None else name.text

    def type_attribute(self) -> None:
        name = self.layout.written.type_attribute
        if name is None:
            return
        if name.text in self.layout.slots():
            self.report(
                "DG109",
                f"`{name.text}` is a key attribute, and cannot hold the entity's name too",
                name.span,
                "choose another `type_attribute`",
            )
            return
        for draft in self.drafts:
            for attribute in draft.attributes.all:
                if attribute.stored == name.text:
                    self.report(
                        "DG109",
                        f"{draft.name} has an attribute stored as `{name.text}`, "
                        "which is to hold the entity's name",
                        name.span,
                        "choose another `type_attribute`, or leave the attribute out",
                        [Label(attribute.span, "the attribute")],
                    )

    def settings(self) -> dict[str, Node]:
        """The settings, with the stored name of the TTL attribute."""
        settings = dict(self.layout.written.settings)
        node = settings.get("ttl")
        if isinstance(node, Scalar) and isinstance(node.value, str):
            settings["ttl"] = Scalar(self.ttl(node.value, node.span), node.span)
        return settings

    def ttl(self, word: str, span: Span) -> str:
        """DynamoDB expires items by a number of epoch seconds only (AWS: TTL.html)."""
        found: str | None = None
        for draft in self.drafts:
            name = draft.attribute_at(word)
            if name is None:
                continue
            found = draft.stored[name]
            if name in draft.attributes.broken:
                continue
            attribute = _attribute(draft, name)
            match attribute.type:
                case Integer() | Timestamp(stored=Stored.EPOCH_SECONDS):
                    continue
            self.report(
                "DG137",
                f"items cannot expire by `{word}`, which is "
                f"{_stored_as(attribute)} in {draft.name}",
                attribute.type_span or attribute.span,
                f"DynamoDB reads epoch seconds only: "
                f"`{name}: {{type: timestamp, stored: epoch_seconds}}`",
                [Label(span, "the table's `ttl`")],
            )
        if found is None and self.drafts:
            names = [name for draft in self.drafts for name in draft.stored]
            self.report(
                "DG137",
                f"no entity of `{self.layout.written.name.text}` "
                f"has an attribute `{word}` to expire by",
                span,
                did_you_mean(word, names)
                or f"the attributes are {listed(dict.fromkeys(names), 'and')}",
            )
        return found or word


def _stored_as(attribute: Attribute) -> str:
    if isinstance(attribute.type, Timestamp):
        return f"stored as {attribute.type.stored.value.replace('_', ' ')}"
    return describe(attribute.type)


def _attribute(draft: Draft, name: str) -> Attribute:
    return next(a for a in draft.attributes.all if a.name == name)
