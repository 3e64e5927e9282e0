"""What must hold of key texts whatever they say: their length, and that a table's key loses nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dyngen.design.layout import Draft, Layout, Place, Slot
from dyngen.design.model import Attribute, Computed, KeyForm, Natural
from dyngen.diagnostics.build import error, warning
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.keys.model import Part
from dyngen.keys.template import lossy
from dyngen.keys.texts import length_bounds
from dyngen.runtime.wire import PARTITION_KEY_BYTES, SORT_KEY_BYTES
from dyngen.types.model import (
    Binary,
    Date,
    Enum,
    Stored,
    String,
    Timestamp,
    Ulid,
    Uuid,
    ValueType,
)

_CHARACTER_BYTES = 4  # the most that one takes in UTF-8
_NUMBER_BYTES = 21  # of 38 digits
_TIMESTAMP_BYTES = 27  # 2026-07-01T00:00:00.000000Z

Bounds = tuple[int, int | None]


def key_problems(
    draft: Draft, layout: Layout, forms: Mapping[str, KeyForm]
) -> Iterator[Diagnostic]:
    """DG174 for keys that are, or can become, too long; DG175 for buckets in the table's key."""
    yield from _lossy_keys(layout, forms)
    for place in layout.places:
        if all(slot.name in forms for slot in place.slots):
            partition = _Key(
                draft, place, "partition", place.partition, PARTITION_KEY_BYTES
            )
            sort = _Key(draft, place, "sort", place.sort, SORT_KEY_BYTES)
            yield from partition.too_long(forms)
            yield from sort.too_long(forms)


def _lossy_keys(layout: Layout, forms: Mapping[str, KeyForm]) -> Iterator[Diagnostic]:
    whole = set(_whole_values(layout, forms))
    for slot in layout.key.slots:
        form = forms.get(slot.name)
        for case in form.cases if isinstance(form, Computed) else ():
            for piece in case.template.pieces:
                if isinstance(piece, Part) and lossy(piece):
                    yield error(
                        "DG175",
                        _too_little(piece, whole),
                        case.span,
                        secondary=[Label(slot.span, "the table's key")],
                        help=[_instead(piece, whole)],
                    )


def _whole_values(layout: Layout, forms: Mapping[str, KeyForm]) -> Iterator[str]:
    """The attributes of which the table's key holds every bit."""
    for slot in layout.key.slots:
        match forms.get(slot.name):
            case Natural(attribute=attribute):
                yield attribute
            case Computed(cases=[case]):
                for piece in case.template.pieces:
                    if isinstance(piece, Part) and not lossy(piece):
                        yield piece.attribute


def _too_little(piece: Part, whole: Collection[str]) -> str:
    if piece.attribute in whole:
        return f"the table's key holds `{piece.bucket}` of `{piece.attribute}` beside the whole value"
    return f"the table's key keeps only `{piece.bucket}` of `{piece.attribute}`"


def _instead(piece: Part, whole: Collection[str]) -> str:
    """What to write for a bucket, if the `whole` values of these attributes stand in the key."""
    computed = f'`computed: "{{{piece.attribute}:{piece.bucket}}}"`'
    if piece.attribute in whole:
        return (
            f"nobody could ask for one `{piece.bucket}`: make it an attribute of its own"
            f" ({computed}), and put that into the key"
        )
    return (
        f"two items could get one key; use the whole value, or a {computed} attribute "
        "that is part of what identifies the item"
    )


@dataclass(frozen=True, slots=True)
class _Key:
    """The partition or sort key of an entity in one place."""

    draft: Draft
    place: Place
    word: str
    slots: Sequence[Slot]
    most: int  # bytes

    def too_long(self, forms: Mapping[str, KeyForm]) -> Iterator[Diagnostic]:
        """An error if the key always is too long, a warning if it can be."""
        if not self.slots:
            return
        attributes = {a.name: a for a in self.draft.attributes.all}
        bounds = [form_bounds(forms[slot.name], attributes) for slot in self.slots]
        least = sum(low for low, _ in bounds)
        highs = [high for _, high in bounds if high is not None]
        greatest = sum(highs) if len(highs) == len(bounds) else 0
        index = self.place.index
        where = self.draft.table if index is None else index.name.text
        key = f"the {self.word} key of {self.draft.name} in `{where}`"
        span = forms[self.slots[-1].name].span
        if least > self.most:
            yield error(
                "DG174",
                f"{key} has at least {least} bytes",
                span,
                help=[f"DynamoDB takes up to {self.most}; shorten its text"],
            )
        elif greatest > self.most:
            yield warning(
                "DG174",
                f"{key} can have {greatest} bytes",
                span,
                help=[
                    f"DynamoDB takes up to {self.most}, and longer ones are refused at "
                    "run time; lower the `max_length` of its attributes (a character "
                    f"takes up to {_CHARACTER_BYTES} bytes), or give a `charset`"
                ],
            )


def form_bounds(form: KeyForm, attributes: Mapping[str, Attribute]) -> Bounds:
    """The fewest and the most bytes of a key attribute; None where nothing bounds it."""
    match form:
        case Natural(attribute=name):
            return _natural_bounds(attributes[name].type)
        case Computed(cases=cases):
            return _widest([length_bounds(case.template) for case in cases])


def _widest(bounds: Sequence[Bounds]) -> Bounds:
    highs = [high for _, high in bounds if high is not None]
    return min(low for low, _ in bounds), (
        max(highs) if len(highs) == len(bounds) else None
    )


def _natural_bounds(of: ValueType) -> Bounds:
    match of:
        case String(min_length=low, max_length=high):
            return max(low, 1), None if high is None else high * _CHARACTER_BYTES
        case Binary(min_length=low, max_length=high):
            return max(low, 1), high
        case Enum(members=members):
            sizes = [len(m.stored.encode()) for m in members]
            return min(sizes), max(sizes)
        case Date():
            return 10, 10
        case Uuid():
            return 36, 36
        case Ulid():
            return 26, 26
        case Timestamp(stored=Stored.TEXT):
            return 20, _TIMESTAMP_BYTES
        case _:
            return 1, _NUMBER_BYTES
