"""Which encoder writes a part of a key: the runtime's own, so that there is one implementation."""

from __future__ import annotations

from dyngen.keys.model import Encoding, Part, Shard
from dyngen.runtime import keytext
from dyngen.types.model import (
    Binary,
    Boolean,
    Date,
    Decimal,
    Enum,
    Integer,
    String,
    Timestamp,
    Ulid,
    Uuid,
)

Encoder = keytext.Text | keytext.Binary | keytext.Ordered
"""What writes an attribute's value; the `Ordered` ones have a least and a greatest value."""


def encoder(part: Part, encoding: Encoding) -> Encoder:
    """The encoder of a part in a key of this encoding.

    Raises ValueError for what no key can hold; `template.check` says why.
    """
    if part.bucket is not None:
        return keytext.Bucket(part.bucket)
    found: Encoder | None = None
    match part.type:
        case String():
            found = _text(part.type, part.before if encoding.raw else None)
        case Binary():
            found = keytext.Binary()
        case Enum(members=members):
            found = keytext.Choice(tuple(m.stored for m in members), encoding.raw)
        case Boolean():
            found = keytext.Boolean()
        case Uuid():
            found = keytext.Uuid()
        case Ulid():
            found = keytext.Ulid()
        case Timestamp():
            found = keytext.Timestamp(part.type.kept.value, part.desc)
        case Date():
            found = keytext.Date(part.desc)
        case Integer() | Decimal():
            found = _number(part.type, part.desc)
    if found is None:
        raise ValueError(f"no key can hold the values of {part.attribute}")
    return found


def shards(shard: Shard) -> keytext.Shards:
    """The encoder of a shard number."""
    return keytext.Shards(shard.count)


def _text(of: String, delimiter: str | None) -> keytext.Text:
    return keytext.Text(delimiter, of.fold, of.charset, of.min_length, of.max_length)


def _number(of: Integer | Decimal, desc: bool) -> Encoder | None:
    if isinstance(of, Integer):
        if of.minimum is None or of.maximum is None:
            return None
        return keytext.Integer(of.minimum, of.maximum, desc)
    least, greatest = of.bounds
    if of.places is None or least is None or greatest is None:
        return None
    return keytext.Decimal(of.places, least, greatest, desc)
