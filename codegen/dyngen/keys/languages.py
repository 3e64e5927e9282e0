"""The languages of key texts: all texts that a template, or a natural key attribute, can have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from dyngen.keys.automata import GREATEST, Automaton, Builder, Interval
from dyngen.keys.encoding import Encoder, encoder, shards
from dyngen.keys.model import Encoding, Literal, Part, Shard, Template
from dyngen.keys.numbers import Numbers, numbers
from dyngen.runtime import keytext, scalars
from dyngen.runtime.errors import KeyValueError
from dyngen.types.model import Binary, ValueType, key_type

RAW = Encoding(raw=True)
LONGEST_COUNTED = 12  # greater lengths count as unlimited, which errs on the safe side
_COMPLEMENT = str.maketrans("0123456789", "9876543210")
_HEX = ((ord("0"), ord("9")), (ord("a"), ord("f")))
_ULID = tuple((ord(c), ord(c)) for c in "0123456789ABCDEFGHJKMNPQRSTVWXYZ")
_LAST_ESCAPED = ord("%")


@dataclass(frozen=True, slots=True)
class Domain:
    """What is known of an attribute's values: a few (stored texts of enums), or any if None.

    `missing`: the attribute may be absent, so that its placeholder stands in the key.
    """

    values: tuple[object, ...] | None = None
    missing: bool = True


ANY = Domain()
Domains = Mapping[str, Domain]


def language(template: Template, domains: Domains | None = None) -> Automaton:
    """All texts of a template, given what is known of its attributes.

    An attribute that occurs twice may have two values here.
    """
    builder = Builder()
    state = builder.state(accepting=True)
    for piece in reversed(template.pieces):
        match piece:
            case Literal(text=text):
                state = builder.literal(text, state)
            case Shard():
                state = add_shard(builder, piece, state)
            case Part():
                domain = (domains or {}).get(piece.attribute, ANY)
                state = add_part(builder, piece, template.encoding, domain, state)
    return builder.finish(state)


def characters_of(template: Template) -> tuple[Interval, ...]:
    """The characters that its texts may hold, as intervals in ascending order."""
    edges = (edge for edges in language(template).edges for edge in edges)
    merged: list[Interval] = []
    for low, high in sorted({(low, high) for low, high, _ in edges}):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def charset_of(intervals: Iterable[Interval]) -> str:
    """Characters as a charset, whose own signs are escaped."""
    return "".join(
        _in_charset(low) if low == high else f"{_in_charset(low)}-{_in_charset(high)}"
        for low, high in intervals
    )


def _in_charset(code: int) -> str:
    return f"\\{chr(code)}" if chr(code) in "\\]^-[&~|" else chr(code)


def natural(of: ValueType, domain: Domain = ANY) -> Automaton | Numbers:
    """All values of a natural key attribute. Bytes are the characters U+0000 to U+00FF."""
    if key_type(of) == "N":
        return numbers(of, domain.values)
    builder = Builder()
    end = builder.state(accepting=True)
    return builder.finish(add_natural(builder, of, domain, end))


def add_natural(builder: Builder, of: ValueType, domain: Domain, then: int) -> int:
    """One value of a natural key attribute of text or binary."""
    if not isinstance(of, Binary):
        present = Domain(domain.values, missing=False)
        return add_part(builder, Part("", of), RAW, present, then)
    if domain.values is not None:
        texts = [
            v.decode("latin-1") for v in domain.values if isinstance(v, bytes) and v
        ]
        return builder.choice(texts, then)
    loop = builder.state(then)
    builder.connect(loop, [(0, 0xFF)], loop)
    return builder.one_of([(0, 0xFF)], loop)


def add_shard(builder: Builder, shard: Shard, then: int) -> int:
    """Any shard number."""
    texts = shards(shard)
    return builder.digits(texts.text(0), texts.text(shard.count - 1), then)


def add_part(
    builder: Builder, part: Part, encoding: Encoding, domain: Domain, then: int
) -> int:
    """One value of a part, or its placeholder."""
    writer = encoder(part, encoding)
    alternatives = []
    values = domain.values
    if values is None:
        alternatives.append(_any_value(builder, writer, then))
    else:
        texts = [_written(writer, value) for value in values if value is not None]
        alternatives.append(
            builder.choice([text for text in texts if text is not None], then)
        )
    if (
        part.placeholder is not None
        and domain.missing
        and (values is None or None in values)
    ):
        alternatives.append(builder.literal(placeholder_text(part, encoding), then))
    return builder.state(*alternatives)


def placeholder_text(part: Part, encoding: Encoding) -> str:
    """What stands in the key for a missing value. Raises KeyValueError if nothing does."""
    if part.placeholder is None:
        raise KeyValueError(f"a key that holds {part.attribute} needs a value of it")
    return part.placeholder if encoding.raw else f"!{part.placeholder}"


def _written(writer: Encoder, value: object) -> str | None:
    try:
        return writer.text(value)
    except KeyValueError:
        return None  # what cannot be written is in no key


def _any_value(builder: Builder, writer: Encoder, then: int) -> int:
    match writer:
        case keytext.Text():
            return add_text(builder, writer, writer.min_length, then)
        case keytext.Binary():
            loop = builder.state(then)
            builder.connect(loop, _HEX, builder.one_of(_HEX, loop))
            return builder.one_of(_HEX, builder.one_of(_HEX, loop))
        case keytext.Timestamp() | keytext.Date() | keytext.Bucket():
            return _fields(builder, writer, then)
        case keytext.Integer() | keytext.Decimal():
            low, high = sorted((writer.least, writer.greatest))
            return _number(builder, low, high, then)
        case keytext.Uuid():
            for char in reversed(writer.least):
                then = (
                    builder.literal("-", then)
                    if char == "-"
                    else builder.one_of(_HEX, then)
                )
            return then
        case keytext.Ulid():
            for _ in range(25):
                then = builder.one_of(_ULID, then)
            return builder.one_of([(ord("0"), ord("7"))], then)
        case keytext.Choice(values=values):
            return builder.choice([writer.text(value) for value in values], then)
        case _:
            return builder.choice([writer.least, writer.greatest], then)


# --- digits -----------------------------------------------------------------------------------------


def _number(builder: Builder, low: str, high: str, then: int) -> int:
    """Numbers in fixed width between two texts; negative ones begin with `-`."""
    if low[0] == "-" and high[0] == "-":
        return builder.literal("-", builder.digits(low[1:], high[1:], then))
    if low[0] != "-":
        return builder.digits(low, high, then)
    nines = low[1:].translate({ord(digit): "9" for digit in "012345678"})
    zeros = nines.replace("9", "0")
    negative = builder.literal("-", builder.digits(low[1:], nines, then))
    return builder.state(negative, builder.digits(zeros, high, then))


_FIELDS = {
    "%Y": ("0001", "9999"),
    "%G": ("0001", "9999"),
    "%m": ("01", "12"),
    "%d": ("01", "31"),
    "%H": ("00", "23"),
    "%M": ("00", "59"),
    "%S": ("00", "59"),
    "%j": ("001", "366"),
    "%V": ("01", "53"),
    "%f3": ("000", "999"),
    "%f6": ("000000", "999999"),
}
_FORMATS = {"seconds": "", "milliseconds": ".%f3", "microseconds": ".%f6"}


def _fields(
    builder: Builder,
    writer: keytext.Timestamp | keytext.Date | keytext.Bucket,
    then: int,
) -> int:
    """Calendar fields, each within its own range (so February has 31 days here)."""
    match writer:
        case keytext.Timestamp(precision=precision, desc=desc):
            form = f"%Y-%m-%dT%H:%M:%S{_FORMATS[precision]}Z"
        case keytext.Date(desc=desc):
            form = "%Y-%m-%d"
        case keytext.Bucket(format=form):
            desc = False
    for field in reversed(re.findall("%f[36]|%.|[^%]+", form)):
        low, high = _FIELDS.get(field, (field, field))
        if desc and field in _FIELDS:
            low, high = high.translate(_COMPLEMENT), low.translate(_COMPLEMENT)
        digits = field in _FIELDS
        then = builder.digits(low, high, then) if digits else builder.literal(low, then)
    return then


# --- text -------------------------------------------------------------------------------------------


def add_text(builder: Builder, writer: keytext.Text, min_length: int, then: int) -> int:
    """Text of at least one and at least `min_length` characters."""
    least, most = max(min_length, 1), writer.max_length
    if most is None or most > LONGEST_COUNTED:
        state = builder.state(then)
        _connect_char(builder, writer, state, state)
        least = min(least, LONGEST_COUNTED)
        for _ in range(least):
            state = _char(builder, writer, state)
        return state
    state = builder.state(then)
    for length in range(most - 1, -1, -1):
        before = builder.state(then) if length >= least else builder.state()
        _connect_char(builder, writer, before, state)
        state = before
    return state


def _char(builder: Builder, writer: keytext.Text, then: int) -> int:
    state = builder.state()
    _connect_char(builder, writer, state, then)
    return state


def _connect_char(
    builder: Builder, writer: keytext.Text, state: int, target: int
) -> None:
    """Edges from `state` to `target` for one character, as it is written."""
    allowed = characters(writer)
    if writer.delimiter is not None:
        builder.connect(state, allowed, target)
        return
    plain = [
        (max(low, _LAST_ESCAPED + 1), high)
        for low, high in allowed
        if high > _LAST_ESCAPED
    ]
    builder.connect(state, plain, target)
    escaped: dict[str, list[Interval]] = {}
    for low, high in allowed:
        for code in range(low, min(high, _LAST_ESCAPED) + 1):
            digits = f"{code:02X}"
            escaped.setdefault(digits[0], []).append((ord(digits[1]), ord(digits[1])))
    for tens, units in escaped.items():
        rest = builder.literal(tens, builder.one_of(units, target))
        builder.connect(state, [(_LAST_ESCAPED, _LAST_ESCAPED)], rest)


def characters(writer: keytext.Text) -> tuple[Interval, ...]:
    """The characters that a value may hold, as intervals in ascending order."""
    return _characters(writer.charset, writer.fold, writer.delimiter or "")


@lru_cache
def _characters(
    charset: str | None, fold: str | None, without: str
) -> tuple[Interval, ...]:
    allowed = (
        charset_intervals(charset) if charset else ((0, 0xD7FF), (0xE000, GREATEST))
    )
    if fold is not None:
        allowed = _minus(allowed, "az" if fold == "upper" else "AZ")
    return _minus(allowed, without * 2) if without else allowed


def _minus(intervals: tuple[Interval, ...], ends: str) -> tuple[Interval, ...]:
    """The intervals without the characters from ends[0] to ends[1]."""
    first, last = map(ord, ends)
    pieces = [
        piece
        for low, high in intervals
        for piece in ((low, min(high, first - 1)), (max(low, last + 1), high))
    ]
    return tuple((low, high) for low, high in pieces if low <= high)


@lru_cache
def charset_intervals(charset: str) -> tuple[Interval, ...]:
    """The characters of a charset. Raises re.error."""
    found = scalars.charset_pattern(charset).pattern.removesuffix("*") + "+"
    plain = charset.isascii() and "\\" not in charset and charset[0] != "^"
    among = _every_character()[:128] if plain else _every_character()
    runs = re.finditer(found, among, re.ASCII)
    return tuple((ord(run[0][0]), ord(run[0][-1])) for run in runs)


@lru_cache(maxsize=1)
def _every_character() -> str:
    return "".join(map(chr, [*range(0xD800), *range(0xE000, GREATEST + 1)]))
