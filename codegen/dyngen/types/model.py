"""The value types that an attribute can have, resolved: no names to look up any more."""

from __future__ import annotations

import decimal
from dataclasses import dataclass
from enum import StrEnum


class Precision(StrEnum):
    """How finely a timestamp is kept; finer digits are cut off everywhere alike."""

    SECONDS = "seconds"
    MILLISECONDS = "milliseconds"
    MICROSECONDS = "microseconds"


class Stored(StrEnum):
    """How a timestamp is stored as an attribute: ISO 8601 text or a number."""

    TEXT = "text"
    EPOCH_SECONDS = "epoch_seconds"
    EPOCH_MILLISECONDS = "epoch_milliseconds"


@dataclass(frozen=True, slots=True)
class String:
    """Text; lengths count characters. `charset` is a set as inside the brackets of a regular expression."""

    min_length: int = 0
    max_length: int | None = None
    charset: str | None = None
    fold: str | None = None  # "upper" | "lower", ASCII only


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number; a range makes it usable inside a computed key."""

    minimum: int | None = None
    maximum: int | None = None

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest number of the type; None where there is none."""
        return self.minimum, self.maximum


@dataclass(frozen=True, slots=True)
class Decimal:
    """A decimal number of at most `digits` digits, `places` of them after the point."""

    digits: int | None = None
    places: int | None = None
    minimum: decimal.Decimal | None = None
    maximum: decimal.Decimal | None = None

    @property
    def bounds(self) -> tuple[decimal.Decimal | None, decimal.Decimal | None]:
        """The least and the greatest number of the type; None where there is none."""
        least, greatest = self.minimum, self.maximum
        if self.digits is not None:
            most = decimal.Decimal((0, (9,) * self.digits, -(self.places or 0)))
            least = -most if least is None else max(least, -most)
            greatest = most if greatest is None else min(greatest, most)
        return least, greatest


@dataclass(frozen=True, slots=True)
class Float:
    """A binary floating-point number."""


@dataclass(frozen=True, slots=True)
class Boolean:
    """true or false."""


@dataclass(frozen=True, slots=True)
class Binary:
    """Bytes; lengths count bytes."""

    min_length: int = 0
    max_length: int | None = None


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A moment, kept in UTC."""

    precision: Precision = Precision.MILLISECONDS
    stored: Stored = Stored.TEXT

    @property
    def kept(self) -> Precision:
        """The precision of what can be read back: an epoch may count coarser units."""
        if self.stored is Stored.EPOCH_SECONDS:
            return Precision.SECONDS
        if (
            self.stored is Stored.EPOCH_MILLISECONDS
            and self.precision is Precision.MICROSECONDS
        ):
            return Precision.MILLISECONDS
        return self.precision


@dataclass(frozen=True, slots=True)
class Date:
    """A calendar day."""


@dataclass(frozen=True, slots=True)
class Uuid:
    """A UUID, canonical text."""


@dataclass(frozen=True, slots=True)
class Ulid:
    """A ULID, canonical text."""


@dataclass(frozen=True, slots=True)
class Json:
    """Any document."""


@dataclass(frozen=True, slots=True)
class Member:
    """One value of an enum: its name and the text stored for it."""

    name: str
    stored: str


@dataclass(frozen=True, slots=True)
class Enum:
    """One of a few values, in declared order. `name` is the type's name (of `types`, or entity + attribute)."""

    name: str
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class List:
    """A list of values of one type."""

    of: ValueType


@dataclass(frozen=True, slots=True)
class Set:
    """A set of strings, numbers or binaries (or of what is stored as one)."""

    of: ValueType


@dataclass(frozen=True, slots=True)
class Map:
    """A mapping from text to values of one type."""

    of: ValueType


@dataclass(frozen=True, slots=True)
class Field:
    """One attribute of an object type."""

    name: str
    stored: str
    type: ValueType
    optional: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class Object:
    """A nested object with attributes of its own. `name` as for an enum."""

    name: str
    fields: tuple[Field, ...]

    def field(self, stored: str) -> Field:
        """The field of this stored name."""
        return next(each for each in self.fields if each.stored == stored)


Scalar = (
    String
    | Integer
    | Decimal
    | Float
    | Boolean
    | Binary
    | Timestamp
    | Date
    | Uuid
    | Ulid
    | Enum
)
ValueType = Scalar | Json | List | Set | Map | Object


def key_type(of: ValueType) -> str | None:
    """The DynamoDB type ("S", "N" or "B") of a natural key attribute, or None if it can't be one.

    K-5: keys are strings, numbers or binaries, top level only (AWS: GSI.html).
    """
    match of:
        case String() | Date() | Uuid() | Ulid() | Enum():
            return "S"
        case Timestamp(stored=stored):
            return "S" if stored is Stored.TEXT else "N"
        case Integer() | Decimal() | Float():
            return "N"
        case Binary():
            return "B"
        case _:
            return None


def inside(of: ValueType, step: str) -> ValueType:
    """The type of what a step into a value leads to: an object's field by stored name, or a member."""
    match of:
        case Object():
            return of.field(step).type
        case List(of=element) | Set(of=element) | Map(of=element):
            return element
        case _:
            return of


def levels(of: ValueType) -> int:
    """The levels of lists and maps of a value; of a document, which has as many as it likes, none."""
    match of:
        case List(of=element) | Map(of=element):
            return 1 + levels(element)
        case Object(fields=fields):
            return 1 + max(levels(field.type) for field in fields)
        case _:
            return 0
