"""What a computed key consists of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from dyngen.types.model import ValueType

SHARD = "shard"
"""The name of the pseudo-attribute `{shard}` in a template."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """How text is written inside a key: percent-escaped, or raw for tables that exist."""

    raw: bool = False
    delimiter: str = "#"


@dataclass(frozen=True, slots=True)
class Literal:
    """Fixed text: printable ASCII without `$`."""

    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """An attribute's value inside a key."""

    attribute: str
    type: ValueType
    desc: bool = False
    bucket: str | None = None  # a strftime-like format, e.g. "%Y-%m"
    placeholder: str | None = None  # stands for a missing value; without its "!"
    before: str = ""  # raw mode: the character after it in the key, set by its template


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard number: CRC-32 of the `#`-joined encodings of `by`, modulo `count`."""

    count: int
    by: tuple[Part, ...]


Piece = Literal | Part | Shard


@dataclass(frozen=True, slots=True)
class Template:
    """A computed key's text, as a tuple of pieces; literals are never adjacent or empty.

    Raw text must not hold the first character of the literal that follows it, so in raw mode each
    part comes to know it.
    """

    pieces: tuple[Piece, ...]
    encoding: Encoding = Encoding()

    def __post_init__(self) -> None:
        if self.encoding.raw:
            followers = (*self.pieces[1:], None)
            pieces = zip(self.pieces, followers, strict=True)
            object.__setattr__(self, "pieces", tuple(_before(*pair) for pair in pieces))


def _before(piece: Piece, follower: Piece | None) -> Piece:
    if not isinstance(piece, Part):
        return piece
    return replace(
        piece, before=follower.text[0] if isinstance(follower, Literal) else ""
    )


# --- key texts: a template with its values named, as plans and requests use it -----------------------


@dataclass(frozen=True, slots=True)
class Given:
    """The value of a method's parameter."""

    parameter: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """A constant: text (also for enums, by stored text), int, Decimal, bool, bytes, datetime, date."""

    value: object


@dataclass(frozen=True, slots=True)
class Each:
    """The loop variable of a fan-out (`in`, enum values, shards)."""

    variable: str


@dataclass(frozen=True, slots=True)
class Missing:
    """The attribute is absent: its placeholder stands in the key."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock's time, taken once a call (writes only)."""


@dataclass(frozen=True, slots=True)
class Hashed:
    """The shard number computed from these values, in the order of the shard's `by`."""

    by: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class FromItem:
    """An attribute of an item that is passed to a transaction, by the parameter that holds it."""

    item: str
    attribute: str


Source = Given | Fixed | Each | Missing | Clock | Hashed | FromItem


class Compare(StrEnum):
    """The tests that make a range over one part of a key, in the words of the spec language."""

    LT = "lt"
    LTE = "lte"
    GT = "gt"
    GTE = "gte"
    BETWEEN = "between"
    BEGINS_WITH = "begins_with"
    PRESENT = "present"  # of a part with a placeholder


class Bound(StrEnum):
    """Which text a value contributes to a key text."""

    EXACT = "exact"  # its encoding
    NEXT = "next"  # the encoding of the next greater value (types with extremes)
    PREVIOUS = "previous"  # the encoding of the next lesser value (types with extremes)
    BELOW = "below"  # the greatest text below the encoding, filled to the key's limit (semantics 2.4)
    PREFIX = "prefix"  # the encoding of a prefix (text; whole bytes of binary)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A value inside a key text."""

    part: Part | Shard
    source: Source
    bound: Bound = Bound.EXACT


@dataclass(frozen=True, slots=True)
class Through:
    """Ends a high bound: what is appended if it fits the key's length limit, else dropped."""

    text: str


@dataclass(frozen=True, slots=True)
class After:
    """Ends a low bound: what is appended if it fits, else the text's successor is taken."""

    text: str


KeyText = tuple[Literal | Encoded | Through | After, ...]
"""Concatenated from left to right. Literals here may hold any character (`$`, U+10FFFF)."""


class RangeForm(StrEnum):
    """The form of one key condition, in DynamoDB's words."""

    EQUALS = "="
    BEGINS_WITH = "begins_with"
    BETWEEN = "between"
    AT_LEAST = ">="
    AT_MOST = "<="
    ABOVE = ">"  # native keys only
    BELOW = "<"  # native keys only


@dataclass(frozen=True, slots=True)
class TextRange:
    """A key condition on a computed key. `low` holds the text of EQUALS, BEGINS_WITH and AT_LEAST."""

    form: RangeForm
    low: KeyText | None = None
    high: KeyText | None = None
