"""Reading key texts back, and their length."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from dyngen.keys.automata import Interval
from dyngen.keys.encoding import Encoder, encoder, shards
from dyngen.keys.languages import characters, placeholder_text
from dyngen.keys.model import Encoding, Literal, Part, Piece, Shard, Template
from dyngen.keys.template import encode
from dyngen.runtime import keytext
from dyngen.types.model import Binary

_ESCAPED_TEXT = r"(?:[^\0-%]|%[01][0-9A-F]|%2[0-5])+"
_LONGEST_ESCAPE = 3


def decode(template: Template, text: str) -> dict[str, object] | None:
    """The values that make this text, by attribute; None if it is no text of this template.

    A missing value is None. What a key does not hold (the value in a bucket, what a shard is
    computed from) is left out.
    """
    found = _pattern(template).fullmatch(text)
    if found is None:
        return None
    values: dict[str, object] = {}
    for at, piece in enumerate(template.pieces):
        if not isinstance(piece, Part):
            continue
        try:
            value = part_value(piece, template.encoding, found[f"p{at}"])
        except ValueError:
            return None
        if piece.bucket is None and values.setdefault(piece.attribute, value) != value:
            return None
    return values if _makes(template, values, text) else None


def part_value(part: Part, encoding: Encoding, text: str) -> object:
    """The value that a part's text stands for; None for its placeholder. Raises ValueError."""
    if part.placeholder is not None and text == placeholder_text(part, encoding):
        return None
    return encoder(part, encoding).parse(text)


def _makes(template: Template, values: Mapping[str, object], text: str) -> bool:
    """Whether the values make the text, as far as they are known."""
    needed = {
        part.attribute
        for piece in template.pieces
        if not isinstance(piece, Literal)
        for part in (piece.by if isinstance(piece, Shard) else (piece,))
    }
    return not needed <= values.keys() or encode(template, values) == text


@lru_cache
def _pattern(template: Template) -> re.Pattern[str]:
    return re.compile(pieces_pattern(template.pieces, template.encoding), re.DOTALL)


def pieces_pattern(pieces: tuple[Piece, ...], encoding: Encoding) -> str:
    """A regular expression with a group `p0`, `p1`, ... for each piece but literals."""
    return "".join(
        _piece_pattern(piece, encoding, f"p{at}") for at, piece in enumerate(pieces)
    )


def _piece_pattern(piece: Piece, encoding: Encoding, group: str) -> str:
    match piece:
        case Literal(text=text):
            return re.escape(text)
        case Shard():
            return f"(?P<{group}>{'|'.join(shards(piece).all)})"
        case Part(placeholder=placeholder):
            value = value_pattern(encoder(piece, encoding))
            if placeholder is not None:
                value = f"{re.escape(placeholder_text(piece, encoding))}|{value}"
            return f"(?P<{group}>{value})"


def value_pattern(writer: Encoder) -> str:
    """A regular expression for the texts of values; a superset, which `parse` narrows down."""
    match writer:
        case keytext.Text(delimiter=None):
            return _ESCAPED_TEXT
        case keytext.Text(delimiter=delimiter):
            return f"[^{re.escape(delimiter)}]+" if delimiter else ".+"
        case keytext.Binary():
            return "(?:[0-9a-f]{2})+"
        case keytext.Integer() | keytext.Decimal():
            return f"-?[0-9.]{{{len(writer.greatest.removeprefix('-'))}}}"
        case keytext.Choice(values=values):
            return "|".join(re.escape(writer.text(value)) for value in values)
        case keytext.Boolean():
            return "false|true"
        case _:
            return f".{{{len(writer.least)}}}"


# --- length -----------------------------------------------------------------------------------------


def length_bounds(template: Template) -> tuple[int, int | None]:
    """The least and the greatest possible length in bytes; None where there is no greatest."""
    bounds = [_piece_bounds(piece, template.encoding) for piece in template.pieces]
    highs = [high for _, high in bounds if high is not None]
    greatest = sum(highs) if len(highs) == len(bounds) else None
    return sum(low for low, _ in bounds), greatest


def _piece_bounds(piece: Piece, encoding: Encoding) -> tuple[int, int | None]:
    match piece:
        case Literal(text=text):
            return len(text), len(text)
        case Shard():
            width = len(shards(piece).text(0))
            return width, width
        case Part():
            low, high = _value_bounds(piece, encoder(piece, encoding))
            if piece.placeholder is None:
                return low, high
            missing = len(placeholder_text(piece, encoding))
            return min(low, missing), None if high is None else max(high, missing)


def _value_bounds(part: Part, writer: Encoder) -> tuple[int, int | None]:
    match writer:
        case keytext.Text(min_length=least, max_length=most):
            sizes = [size for i in characters(writer) for size in _sizes(i, writer)]
            highest = None if most is None else most * max(sizes, default=0)
            return max(least, 1) * min(sizes, default=0), highest
        case keytext.Binary():
            of = part.type if isinstance(part.type, Binary) else Binary()
            return 2 * max(of.min_length, 1), (
                None if of.max_length is None else 2 * of.max_length
            )
        case keytext.Choice(values=values):
            lengths = [len(writer.text(value).encode()) for value in values]
            return min(lengths), max(lengths)
        case _:
            lengths = [len(writer.least), len(writer.greatest)]
            return min(lengths), max(lengths)


def _sizes(interval: Interval, writer: keytext.Text) -> set[int]:
    """The bytes that characters of an interval take in the key."""
    low, high = interval
    sizes = {len(chr(end).encode()) for end in (low, high)}
    sizes |= {
        len(chr(code).encode()) for code in (0x7FF, 0xFFFF) if low <= code <= high
    }
    if writer.delimiter is not None:
        return sizes
    if low <= ord("%"):
        sizes = (sizes - {1}) if high <= ord("%") else sizes
        sizes.add(_LONGEST_ESCAPE)
    return sizes
