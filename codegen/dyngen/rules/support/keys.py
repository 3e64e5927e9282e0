"""The parts of keys, one after the other, and how widely a partition key spreads items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dyngen.design.contents import (
    KeyPart,
    Variant,
    form_inputs,
    key_schema,
    template_inputs,
    variants,
)
from dyngen.design.model import Attribute, DefaultNow, Entity
from dyngen.keys.model import Part, Shard
from dyngen.rules.support.subject import Place, Subject
from dyngen.types.model import Boolean, Date, Enum, Integer, Timestamp

_MANUAL_SHARDS = 1000


@dataclass(frozen=True, slots=True)
class KeySlot:
    """One value inside a key: an attribute's, or a shard number (no attribute)."""

    attribute: Attribute | None
    piece: Part | Shard | None  # None: the attribute is the key itself


def slots(entity: Entity, parts: Iterable[KeyPart]) -> Iterator[KeySlot]:
    """The values in some key attributes of an entity, from left to right."""
    for part in parts:
        if part.attribute is not None:
            yield KeySlot(entity.attribute(part.attribute), None)
        for piece in part.value_parts:
            found = (
                entity.attribute(piece.attribute) if isinstance(piece, Part) else None
            )
            yield KeySlot(found, piece)


def all_variants(place: Place) -> Iterator[Variant]:
    """Every variant of every entity in a place."""
    for entity in place.entities:
        yield from variants(entity, place.table, place.index)


def key_inputs(entity: Entity, parts: Iterable[KeyPart]) -> frozenset[str]:
    """The attributes that some key attributes are made of."""
    found: set[str] = set()
    for part in parts:
        if part.attribute is not None:
            found.add(part.attribute)
        if part.template is not None:
            found.update(template_inputs(part.template))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Spread:
    """Over how many partitions a key spreads items.

    Attributes:
        count: how many there can be; None for as many as an attribute has values.
        sharded: whether shards take part.
        time: the attribute whose passing opens a new partition, so that all that is written now is
            in one of them.
    """

    count: int | None
    sharded: bool = False
    time: Attribute | None = None


def spread(variant: Variant) -> Spread:
    """Over how many partitions the items of a variant are spread."""
    count, sharded, time = 1, False, None
    for slot in slots(variant.entity, variant.partition):
        if slot.attribute is None:
            assert isinstance(slot.piece, Shard)
            count, sharded = count * slot.piece.count, True
        elif _is_clock(slot):
            time = slot.attribute
        else:
            values = _values(slot.attribute, variant)
            if values is None:
                return Spread(None)
            sharded = sharded or isinstance(slot.attribute.type, Integer)
            count *= values
    return Spread(count, sharded, time)


def _is_clock(slot: KeySlot) -> bool:
    """Whether the value follows the clock: a bucket of time, or a time that the repository fills."""
    if isinstance(slot.piece, Part) and slot.piece.bucket is not None:
        return True
    attribute = slot.attribute
    if attribute is None:
        return False
    if attribute.computed is not None:
        pieces = attribute.computed.pieces
        return any(isinstance(p, Part) and p.bucket is not None for p in pieces)
    if not isinstance(attribute.type, Timestamp | Date):
        return False
    return attribute.on_write or isinstance(attribute.default, DefaultNow)


def _values(attribute: Attribute, variant: Variant) -> int | None:
    """How many values an attribute has; None where there is no telling."""
    holds = variant.holds[attribute.name]
    match attribute.type:
        case Enum() | Boolean():
            return len(holds.present) + holds.absent
        case Integer(minimum=int(low), maximum=int(high)) if (
            high - low < _MANUAL_SHARDS
        ):
            return high - low + 1
        case _:
            return None


# --- identity -------------------------------------------------------------------------------------


def identifying(subject: Subject) -> Iterator[tuple[Entity, tuple[Attribute, ...]]]:
    """The attributes that tell the items of one partition apart, of each entity without an `id`.

    They are those of the table's sort key, or of its partition key where it has no sort key; what the
    partition key holds too tells nothing apart inside it.
    """
    for entity in subject.schema.entities:
        if subject.entity(entity.name).id:
            continue
        for variant in variants(entity, subject.schema.table(entity.table), None):
            fixed = slots(entity, variant.partition if variant.sort else ())
            shared = {slot.attribute.name for slot in fixed if slot.attribute}
            found = slots(entity, variant.sort or variant.partition)
            attributes = (slot.attribute for slot in found)
            yield entity, tuple(
                a for a in attributes if a is not None and a.name not in shared
            )


def keyed_attributes(subject: Subject) -> Iterator[tuple[Entity, Attribute, Place]]:
    """Attributes that are part of a key, each once, with the first place where they are."""
    seen: set[tuple[str, str]] = set()
    for place in subject.places:
        for entity in place.entities:
            names = [
                name
                for key in key_schema(place.table, place.index).all
                for name in form_inputs(entity.keys[key.name])
            ]
            for name in names:
                if (entity.name, name) not in seen:
                    seen.add((entity.name, name))
                    yield entity, entity.attribute(name), place
