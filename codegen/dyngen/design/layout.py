"""Which key attributes a table and its indexes have, before any entity is asked about them.

A list of several attributes becomes one derived key attribute (`strategy: composite`) or, on a
global index, a native multi-attribute key. Here the physical names are settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dyngen.design.attributes import Attributes
from dyngen.design.model import Entity
from dyngen.design.naming import stored_name
from dyngen.diagnostics.build import Reporter, error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.diagnostics.suggest import did_you_mean, nearest
from dyngen.keys.model import Encoding
from dyngen.spec import model as spec

MAX_PARTS = 4
"""Attributes of a partition or sort key of a global index (G-3; AWS: GSI.html)."""

MAX_NAME_BYTES = 255
"""Bytes of the name of a key attribute (K-7; AWS: API_KeySchemaElement)."""

COMPOSITE = "composite"
MULTI_ATTRIBUTE = "multi_attribute"


@dataclass(frozen=True, slots=True)
class Draft:
    """An entity on its way: its attributes are resolved, its keys are not."""

    written: spec.Entity
    attributes: Attributes
    stored: dict[str, str]  # stored name by spec name, of broken attributes too
    table: str

    @property
    def name(self) -> str:
        """The entity's name."""
        return self.written.name.text

    @property
    def bare(self) -> Entity:
        """The entity as far as its attributes make it up."""
        return Entity(
            self.name, self.table, self.attributes.all, {}, self.written.name.span
        )

    def key(self, name: str) -> spec.KeyDecl | None:
        """The computed key attribute declared under this name."""
        return next((k for k in self.written.keys if k.name.text == name), None)

    def attribute_at(self, word: str) -> str | None:
        """The spec name of the attribute meant by a stored name or, failing that, a spec name."""
        for name, stored in self.stored.items():
            if stored == word:
                return name
        return word if word in self.stored else None


@dataclass(frozen=True, slots=True)
class Slot:
    """A physical key attribute; `parts` are the attributes that a composite one joins."""

    name: str
    span: Span
    parts: tuple[spec.Name, ...] = ()
    stated: spec.Name | None = None  # its type, where the table states it


@dataclass(frozen=True, slots=True)
class Place:
    """The key of the table (`index` is None) or of one of its indexes."""

    index: spec.Index | None
    partition: tuple[Slot, ...]
    sort: tuple[Slot, ...]

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Partition, then sort."""
        return self.partition + self.sort


@dataclass(frozen=True, slots=True)
class Layout:
    """A table's key and its indexes' keys by physical name."""

    written: spec.Table
    encoding: Encoding
    key: Place
    indexes: tuple[Place, ...]

    @property
    def places(self) -> tuple[Place, ...]:
        """The table itself, then its indexes."""
        return (self.key, *self.indexes)

    def slots(self) -> dict[str, Slot]:
        """Every key attribute once, in order of appearance; as derived or typed where it is so anywhere."""
        found: dict[str, Slot] = {}
        for place in self.places:
            for slot in place.slots:
                known = found.setdefault(slot.name, slot)
                if not (known.parts or known.stated):
                    found[slot.name] = slot
        return found


def draft(
    entity: spec.Entity, attributes: Attributes, table: str, *, camel_case: bool
) -> Draft:
    """The draft of an entity."""
    stored = {
        a.name.text: stored_name(a, camel_case=camel_case) for a in entity.attributes
    }
    if attributes.version is not None:
        stored[attributes.version.name] = attributes.version.stored
    return Draft(entity, attributes, stored, table)


def lay_out(
    table: spec.Table, drafts: Sequence[Draft]
) -> tuple[Layout, list[Diagnostic]]:
    """The layout of a table that holds these entities, and what is wrong with its keys."""
    planner = _Planner(table, drafts)
    encoding = planner.encoding()
    key = planner.table_key()
    indexes = tuple(planner.index(index, key) for index in table.indexes)
    return Layout(table, encoding, key, indexes), planner.found


@dataclass(slots=True)
class _Planner(Reporter):
    table: spec.Table
    drafts: Sequence[Draft]

    def encoding(self) -> Encoding:
        delimiter = self.table.delimiter
        if delimiter is not None and not self.table.raw:
            self.report(
                "DG138",
                "`delimiter` goes with `key_encoding: raw`",
                delimiter.span,
                "escaped keys are always delimited by `#`; leave it out",
            )
        if delimiter is not None and {"{", "}"} & set(delimiter.text):
            self.report(
                "DG138",
                "a delimiter cannot hold braces",
                delimiter.span,
                "braces hold the parts of a key's text",
            )
            return Encoding(self.table.raw)
        plain = Encoding(raw=self.table.raw)
        return plain if delimiter is None else Encoding(self.table.raw, delimiter.text)

    # --- keys of the table and its indexes -----------------------------------------------------------

    def table_key(self) -> Place:
        table = self.table
        partition = self.derived(table.partition_key)
        sort = self.derived(table.sort_key)
        place = Place(None, partition, sort)
        self.check_twice(place, table.name)
        return place

    def index(self, index: spec.Index, key: Place) -> Place:
        if index.local:
            return self.local(index, key)
        if not index.partition_key:
            self.report(
                "DG130",
                f"index `{index.name.text}` has no partition key",
                index.name.span,
                "give it a `partition_key`, or make it `type: local`",
            )
        composite = self.composite(index)
        make = self.derived if composite else self.separate
        place = Place(index, make(index.partition_key), make(index.sort_key))
        for word, slots in (("partition", place.partition), ("sort", place.sort)):
            if len(slots) > MAX_PARTS:
                self.report(
                    "DG131",
                    f"the {word} key of `{index.name.text}` has {len(slots)} attributes",
                    slots[MAX_PARTS].span,
                    f"DynamoDB takes up to {MAX_PARTS}; "
                    "join some of them: `strategy: composite`",
                )
        self.check_twice(place, index.name)
        return place

    def local(self, index: spec.Index, key: Place) -> Place:
        """A local index: the table's partition key with another sort key (G-2; AWS: LSI.html)."""
        name = index.name
        if not key.sort:
            self.report(
                "DG132",
                f"local index `{name.text}` needs a table with a sort key",
                name.span,
                "give the table a `sort_key`, or make the index global",
            )
        if not index.sort_key:
            self.report(
                "DG132",
                f"local index `{name.text}` has no sort key",
                name.span,
                "the sort key is all that it has of its own: give it a `sort_key`",
            )
        own = self.derived(index.partition_key)
        if own and [s.name for s in own] != [s.name for s in key.partition]:
            self.report(
                "DG132",
                f"local index `{name.text}` has another partition key than the table",
                own[0].span,
                "leave `partition_key` out, or make the index global",
                secondary=[Label(s.span, "the table's") for s in key.partition],
            )
        self.composite(index)
        place = Place(index, key.partition, self.derived(index.sort_key))
        self.check_twice(place, name)
        return place

    def composite(self, index: spec.Index) -> bool:
        """Whether several attributes are joined into one; reports a strategy that cannot be."""
        strategy = index.strategy
        if strategy is None:
            return index.local
        several = [k for k in (index.partition_key, index.sort_key) if len(k) > 1]
        if not several:
            self.report(
                "DG133",
                f"`{index.name.text}` has no key of several attributes",
                strategy.span,
                "a strategy says how several attributes make one key; leave it out",
            )
        elif strategy.text == MULTI_ATTRIBUTE and index.local:
            self.report(
                "DG133",
                "a local index cannot have a multi-attribute key",
                strategy.span,
                "only global indexes have them; leave `strategy` out, "
                "and the attributes are joined into one",
            )
            return True
        return strategy.text == COMPOSITE

    def check_twice(self, place: Place, name: spec.Name) -> None:
        """One attribute cannot stand twice in one key (G-8)."""
        seen: dict[str, Slot] = {}
        for slot in place.slots:
            first = seen.setdefault(slot.name, slot)
            if first is not slot:
                self.report(
                    "DG134",
                    f"`{slot.name}` stands twice in the key of `{name.text}`",
                    slot.span,
                    "DynamoDB takes an attribute once in a key; "
                    "a computed key may repeat its value under another name",
                    secondary=[Label(first.span, "here first")],
                )

    # --- names -----------------------------------------------------------------------------------

    def separate(self, names: Sequence[spec.KeyName]) -> tuple[Slot, ...]:
        """Each name a key attribute of its own."""
        return tuple(self.slot(name) for name in names)

    def derived(self, names: Sequence[spec.KeyName]) -> tuple[Slot, ...]:
        """One key attribute; several names are joined into one derived text."""
        if len(names) < 2:
            return self.separate(names)
        for name in names:
            if name.type is not None:
                self.report(
                    "DG129",
                    "a part of a derived key is an attribute, whose type is its own",
                    name.type.span,
                    "write the attribute's name alone",
                )
        delimiter = self.encoding_delimiter()
        stored = (self.physical(name.name) for name in names)
        first, last = names[0].name.span, names[-1].name.span
        slot = Slot(
            delimiter.join(stored),
            Span(first.file, first.line, first.column, last.end_line, last.end_column),
            tuple(name.name for name in names),
        )
        self.check_length(slot)
        return (slot,)

    def encoding_delimiter(self) -> str:
        delimiter = self.table.delimiter
        return delimiter.text if delimiter and self.table.raw else Encoding().delimiter

    def slot(self, name: spec.KeyName) -> Slot:
        slot = Slot(self.physical(name.name), name.name.span, stated=name.type)
        self.check_length(slot)
        return slot

    def check_length(self, slot: Slot) -> None:
        if len(slot.name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
            self.report(
                "DG134",
                f"the name of a key attribute has at most {MAX_NAME_BYTES} bytes",
                slot.span,
            )

    def physical(self, name: spec.Name) -> str:
        """The stored name of the key attribute that `name` means; itself if it is no attribute's."""
        word = name.text
        if any(d.key(word) is not None for d in self.drafts):
            return word
        stored: dict[str, Draft] = {}
        for d in self.drafts:
            attribute = d.attribute_at(word)
            if attribute is not None:
                stored.setdefault(d.stored[attribute], d)
        if len(stored) > 1:
            first, second = list(stored)[:2]
            self.report(
                "DG121",
                f"`{word}` is stored under two names in this table",
                name.span,
                "give the attribute the same `name` in both, or name the key attribute "
                "as it is stored",
                secondary=[
                    Label(stored[n].written.name.span, f"`{n}` in {stored[n].name}")
                    for n in (first, second)
                ],
            )
        return next(iter(stored), word)


def orphans(
    layout: Layout, drafts: Sequence[Draft]
) -> dict[str, tuple[spec.Name, ...]]:
    """Key attributes that no entity of the table can have, with the names that nothing answers to."""
    found = {}
    for slot in layout.slots().values():
        if slot.stated or any(d.key(slot.name) is not None for d in drafts):
            continue
        lacking = tuple(
            part
            for part in slot.parts or (spec.Name(slot.name, slot.span),)
            if all(d.attribute_at(part.text) is None for d in drafts)
        )
        if lacking:
            found[slot.name] = lacking
    return found


def orphan_problems(
    layout: Layout, drafts: Sequence[Draft], lacking: Iterable[tuple[spec.Name, ...]]
) -> Iterator[Diagnostic]:
    """DG120 for each of these names, or once for a table that holds no entity at all."""
    table = layout.written.name
    if not drafts:
        yield error(
            "DG120",
            f"no entity is stored in `{table.text}`",
            table.span,
            help=[f"declare one with `table: {table.text}`, or leave the table out"],
        )
        return
    known = [word for d in drafts for word in _known(d)]
    misspelt = misspelt_keys(layout, drafts)
    for name in (name for names in lacking for name in names):
        if name.text in misspelt:
            continue
        yield error(
            "DG120",
            f"no entity of `{table.text}` has a key or an attribute `{name.text}`",
            name.span,
            help=[
                did_you_mean(name.text, known)
                or f"add it to an entity: as an attribute, or as "
                f'`keys: {{{name.text}: "..."}}`'
            ],
        )


def meant_by(key: spec.KeyDecl, layout: Layout, draft: Draft) -> str | None:
    """The key attribute, lacking in the entity, that a key of an unknown name seems to stand for."""
    slots = layout.slots()
    if key.name.text in slots:
        return None
    lacking = (
        name
        for name in slots
        if draft.key(name) is None and draft.attribute_at(name) is None
    )
    return nearest(key.name.text, lacking)


def misspelt_keys(layout: Layout, drafts: Sequence[Draft]) -> set[str | None]:
    """The key attributes that computed keys of other names stand for, which DG125 tells."""
    return {
        meant_by(key, layout, draft) for draft in drafts for key in draft.written.keys
    }


def _known(draft: Draft) -> Iterator[str]:
    yield from draft.stored
    yield from draft.stored.values()
    yield from (key.name.text for key in draft.written.keys)
