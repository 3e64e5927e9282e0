"""How many bytes items and index entries have: as stated under `sizes`, else as their types allow.

AWS: CapacityUnitCalculations.html. What a size counts is what `runtime.capacity` counts: names and
values of all stored attributes, computed keys among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from dyngen.design.contents import variants
from dyngen.design.estimates import Estimates
from dyngen.design.model import (
    Attribute,
    Computed,
    Entity,
    Index,
    Natural,
    Projection,
    Table,
)
from dyngen.design.valuesets import ValueSet, universe
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic
from dyngen.keys.languages import charset_intervals
from dyngen.keys.texts import length_bounds
from dyngen.runtime.limits import ITEM_BYTES
from dyngen.types.model import (
    Binary,
    Boolean,
    Date,
    Decimal,
    Enum,
    Field,
    Float,
    Integer,
    Object,
    Precision,
    Set,
    Stored,
    String,
    Timestamp,
    Ulid,
    Uuid,
    ValueType,
)

_ANY_CHARACTER = ((0, 0x10FFFF),)
_CONTAINER, _ELEMENT = 3, 1  # of a list, map or object; of each member
_NUMBER = 22  # 38 digits that do not pair, and a sign
_FLOAT = 11
_TIMESTAMPS = {
    Precision.SECONDS: 20,
    Precision.MILLISECONDS: 24,
    Precision.MICROSECONDS: 27,
}
_EPOCHS = {Stored.EPOCH_SECONDS: 8, Stored.EPOCH_MILLISECONDS: 10}


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest of a number; None where nothing bounds it."""

    least: float
    most: float | None

    def __add__(self, other: Bounds) -> Bounds:
        most = None
        if self.most is not None and other.most is not None:
            most = self.most + other.most
        return Bounds(self.least + other.least, most)

    def __mul__(self, factor: float) -> Bounds:
        most = None if self.most is None else self.most * factor
        return Bounds(self.least * factor, most)

    @property
    def exact(self) -> bool:
        """Whether there is only one such number."""
        return self.least == self.most

    def or_none(self) -> Bounds:
        """The same, where the least may also be nothing at all."""
        return Bounds(0, self.most)


NOTHING = Bounds(0, 0)


def total(bounds: Iterable[Bounds]) -> Bounds:
    """The sum of bounds."""
    return sum(bounds, NOTHING)


def span(sizes: Iterable[Bounds]) -> Bounds:
    """From the least to the greatest that any of these can be."""
    found = list(sizes)
    mosts = [size.most for size in found if size.most is not None]
    return Bounds(
        min(size.least for size in found),
        max(mosts) if len(mosts) == len(found) else None,
    )


def rounded(size: Bounds, unit: int) -> Bounds:
    """Bytes in units, at least one."""
    most = None if size.most is None else max(1, ceil(size.most / unit))
    return Bounds(max(1, ceil(size.least / unit)), most)


def exactly(number: float) -> Bounds:
    """Bounds that leave one number."""
    return Bounds(number, number)


def item_size(entity: Entity, table: Table, estimates: Estimates) -> Bounds:
    """The bytes of an item: what `sizes` says, else what its types allow."""
    stated = estimates.size(entity.name).bytes
    if stated is not None:
        return exactly(stated)
    return allowed_size(entity, table)


def allowed_size(entity: Entity, table: Table) -> Bounds:
    """The bytes that the types of an entity allow its items, at most DynamoDB's limit."""
    keys = {key.name for key in table.key.all}
    found = total(_stored(entity, table, None, present=keys))
    most = ITEM_BYTES if found.most is None else min(found.most, ITEM_BYTES)
    return Bounds(found.least, most)


def too_large(entity: Entity, table: Table) -> Iterator[Diagnostic]:
    """DG176 where no item of the entity can be stored.

    Its entries in local indexes count as the item does (AWS: Constraints.html).
    """
    least = int(allowed_size(entity, table).least)
    local = sum(
        int(entry_size(entity, table, index, Estimates()).least)
        for index in table.indexes
        if index.local and always_in(entity, table, index)
    )
    if local and least <= ITEM_BYTES < least + local:
        yield error(
            "DG176",
            f"an item of {entity.name} has at least {least + local} bytes with its entries in "
            "local indexes",
            entity.span,
            help=[
                f"DynamoDB stores up to {ITEM_BYTES}; let the indexes project less, or make them "
                "global"
            ],
        )
    if least > ITEM_BYTES:
        yield error(
            "DG176",
            f"an item of {entity.name} has at least {least} bytes",
            entity.span,
            help=[f"DynamoDB stores up to {ITEM_BYTES}; lower a `min_length`"],
        )


def entry_size(
    entity: Entity, table: Table, index: Index | None, estimates: Estimates
) -> Bounds:
    """The bytes of an item's entry in an index (of the item itself in the table, None)."""
    whole = item_size(entity, table, estimates)
    if index is None or index.projection is Projection.ALL:
        return whole
    keys = {key.name for key in (*table.key.all, *index.key.all)}
    found = total(_stored(entity, table, keys | set(index.included), present=keys))
    assert whole.most is not None, "an item is never greater than DynamoDB's limit"
    most = whole.most if found.most is None else min(found.most, whole.most)
    return Bounds(min(found.least, most), most)


def always_in(entity: Entity, table: Table, index: Index | None) -> bool:
    """Whether every item of the entity is in the index: for certain, as far as keys can tell."""
    if index is None:
        return True
    inside = [variant.holds for variant in variants(entity, table, index)]
    if not inside:
        return False
    whole = {a.name: universe(a.type, optional=a.optional) for a in entity.attributes}
    differing = {
        name
        for holds in inside
        for name, values in holds.items()
        if not whole[name].within(values)
    }
    if not differing:
        return True
    if len(differing) > 1:
        return False
    [name] = differing
    united = ValueSet(
        tuple(dict.fromkeys(i for holds in inside for i in holds[name].present)),
        any(holds[name].absent for holds in inside),
    )
    return whole[name].within(united)


def can_be_in(entity: Entity, index: Index | None) -> bool:
    """Whether the entity has all key attributes of the index."""
    return index is None or all(key.name in entity.keys for key in index.key.all)


# --- attributes -----------------------------------------------------------------------------------


def _stored(
    entity: Entity, table: Table, names: set[str] | None, present: set[str]
) -> list[Bounds]:
    """The sizes of the stored attributes with these names, or of all; `present` are there for certain."""
    found = []
    for attribute in entity.attributes:
        if names is None or attribute.stored in names:
            size = _named(attribute.stored, value_size(attribute.type))
            there = attribute.stored in present or not _may_be_absent(attribute)
            found.append(size if there else size.or_none())
    for name, form in entity.keys.items():
        if isinstance(form, Natural) or (names is not None and name not in names):
            continue
        size = _named(name, _key_size(form))
        there = name in present or any(
            always_in(entity, table, index)
            for index in table.indexes
            if name in {key.name for key in index.key.all}
        )
        found.append(size if there else size.or_none())
    marker = table.type_attribute
    if marker is not None and (names is None or marker in names):
        found.append(_named(marker, exactly(len(entity.name.encode()))))
    return found


def _may_be_absent(attribute: Attribute) -> bool:
    return attribute.optional or attribute.computed is not None


def _key_size(form: Computed) -> Bounds:
    bounds = [length_bounds(case.template) for case in form.cases]
    highs = [high for _, high in bounds if high is not None]
    return Bounds(
        min(low for low, _ in bounds),
        max(highs) if len(highs) == len(bounds) else None,
    )


def _named(name: str, value: Bounds) -> Bounds:
    return exactly(len(name.encode())) + value


def value_size(of: ValueType) -> Bounds:
    """The bytes that values of a type take, without the attribute's name."""
    match of:
        case String():
            return _text(of)
        case Binary(min_length=low, max_length=high):
            return Bounds(low, high)
        case Integer():
            return _integer(of)
        case Decimal():
            return _decimal(of)
        case Float():
            return Bounds(1, _FLOAT)
        case Boolean():
            return exactly(1)
        case Timestamp(stored=Stored.TEXT, precision=precision):
            return exactly(_TIMESTAMPS[precision])
        case Timestamp(stored=stored):
            return Bounds(1, _EPOCHS[stored])
        case Date():
            return exactly(10)
        case Uuid():
            return exactly(36)
        case Ulid():
            return exactly(26)
        case Enum(members=members):
            lengths = [len(member.stored.encode()) for member in members]
            return Bounds(min(lengths), max(lengths))
        case Object(fields=fields):
            return exactly(_CONTAINER) + total(map(_field, fields))
        case Set():
            return Bounds(1, None)
        case _:
            return Bounds(_CONTAINER, None)


@lru_cache
def _text(of: String) -> Bounds:
    """Bytes in UTF-8, as far as length and `charset` bound them."""
    allowed = charset_intervals(of.charset) if of.charset else _ANY_CHARACTER
    widths = [len(chr(end).encode()) for interval in allowed for end in interval]
    most = None if of.max_length is None else of.max_length * max(widths)
    return Bounds(of.min_length * min(widths), most)


def _integer(of: Integer) -> Bounds:
    if of.minimum is None or of.maximum is None:
        return Bounds(1, _NUMBER)
    digits = max(len(str(abs(end))) for end in (of.minimum, of.maximum))
    return Bounds(1, _number_bytes(digits, 0, negative=of.minimum < 0))


def _decimal(of: Decimal) -> Bounds:
    if of.digits is None:
        return Bounds(1, _NUMBER)
    negative = of.minimum is None or of.minimum < 0
    if of.places is None:  # the point may stand anywhere, and digits need not pair
        return Bounds(1, _number_bytes(of.digits + 1, 0, negative=negative))
    before = of.digits - of.places
    return Bounds(1, _number_bytes(before, of.places, negative=negative))


def _number_bytes(before: int, behind: int, *, negative: bool) -> int:
    """One byte for each two digits on either side of the point, one more, and one for a sign."""
    return 1 + -(-before // 2) + -(-behind // 2) + negative


def _field(field: Field) -> Bounds:
    size = exactly(_ELEMENT) + _named(field.stored, value_size(field.type))
    return size.or_none() if field.optional else size
