"""Parameters with which a read touches a given key, checked with the real encoders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import product

from dyngen.keys.encoding import Encoder, encoder
from dyngen.keys.extremes import known
from dyngen.keys.languages import Domains, characters
from dyngen.keys.model import (
    Bound,
    Each,
    Encoded,
    Encoding,
    Given,
    KeyText,
    Literal,
    Part,
    Piece,
    RangeForm,
    Shard,
    Source,
    TextRange,
)
from dyngen.keys.overlap import split
from dyngen.keys.ranges import evaluate
from dyngen.keys.texts import part_value, pieces_pattern, value_pattern
from dyngen.runtime import keytext
from dyngen.runtime.errors import KeyValueError

_MANY = 8


def touches(
    found: TextRange, encoding: Encoding, values: Mapping[str, object], text: str
) -> bool:
    """Whether the key condition reads the key `text` for these parameters and loop variables.

    A value that no key can hold makes no request, so it reads nothing.
    """
    try:
        low = "" if found.low is None else evaluate(found.low, encoding, values)
        high = None if found.high is None else evaluate(found.high, encoding, values)
    except KeyValueError:
        return False
    match found.form:
        case RangeForm.EQUALS:
            return text == low
        case RangeForm.BEGINS_WITH:
            return text.startswith(low)
        case _:
            return low <= text and (high is None or text <= high)


def parameters(
    found: TextRange, encoding: Encoding, text: str, domains: Domains | None = None
) -> dict[str, object] | None:
    """Values of parameters and loop variables with which the read touches `text`.

    None if none were found; then an overlap seen at `text` is not proved.
    """
    prefix, bounds = _parts_of(found)
    known_values = domains or {}
    whole = found.form is RangeForm.EQUALS
    decoded = _decode(prefix, encoding, text, known_values, whole=whole)
    if decoded is None:
        return None
    values, rest = decoded
    open_names: dict[str, list[object]] = {}
    for piece in bounds:
        name = _name(piece.source)
        if name is not None and name not in values:
            choices = known(piece.source, known_values).values
            tries = choices or _candidates(_bound_writer(piece, encoding), rest)
            open_names.setdefault(name, []).extend(tries)
    for choice in product(*open_names.values()):
        attempt = values | dict(zip(open_names, choice, strict=True))
        if touches(found, encoding, attempt, text):
            return attempt
    return None


def _parts_of(found: TextRange) -> tuple[KeyText, list[Encoded]]:
    """What all keys read begin with, and the values that bound what follows."""
    low, high = found.low or (), found.high or ()
    if found.form is RangeForm.BETWEEN:
        prefix, *rests = split(low, high)
        return prefix, [p for rest in rests for p in rest if isinstance(p, Encoded)]
    if found.form is RangeForm.EQUALS:
        return low, []
    at = next((at for at, p in enumerate(low) if _is_prefix(p)), len(low))
    if found.form is RangeForm.BEGINS_WITH:
        return low[:at], [p for p in low[at:] if isinstance(p, Encoded)]
    return (), [p for p in (*low, *high) if isinstance(p, Encoded)]


def _is_prefix(piece: object) -> bool:
    return isinstance(piece, Encoded) and piece.bound is Bound.PREFIX


def _name(source: Source) -> str | None:
    match source:
        case Given(parameter=name) | Each(variable=name):
            return name
        case _:
            return None


def _decode(
    prefix: KeyText, encoding: Encoding, text: str, domains: Domains, *, whole: bool
) -> tuple[dict[str, object], str] | None:
    """The values of the fixed parts, and the text after them; None if they cannot make it."""
    pieces: list[Piece] = []
    for piece in prefix:
        if isinstance(piece, Encoded):
            pieces.append(piece.part)
        elif isinstance(piece, Literal):
            pieces.append(piece)
    pattern = (
        pieces_pattern(tuple(pieces), encoding) + f"(?P<rest>{'' if whole else '.*'})"
    )
    match = re.fullmatch(pattern, text, re.DOTALL)
    if match is None:
        return None
    values: dict[str, object] = {}
    for at, piece in enumerate(prefix):
        name = _name(piece.source) if isinstance(piece, Encoded) else None
        if not isinstance(piece, Encoded) or name is None:
            continue
        try:
            value = _value(piece.part, encoding, match[f"p{at}"])
        except ValueError:
            return None
        allowed = known(piece.source, domains).values
        if values.setdefault(name, value) != value or (
            allowed is not None and value not in allowed
        ):
            return None
    return values, match["rest"]


def _value(part: Part | Shard, encoding: Encoding, text: str) -> object:
    return int(text) if isinstance(part, Shard) else part_value(part, encoding, text)


def _bound_writer(bound: Encoded, encoding: Encoding) -> Encoder:
    """What writes a bound: a prefix may be shorter than a value."""
    part = bound.part
    if isinstance(part, Shard):
        raise TypeError("a shard number is no bound")
    writer = encoder(part, encoding)
    if isinstance(writer, keytext.Text) and _is_prefix(bound):
        return replace(writer, min_length=0)
    return writer


def _candidates(writer: Encoder, rest: str) -> Iterator[object]:
    """Values worth trying as a bound: what the text goes on with, and the extremes."""
    found = re.match(value_pattern(writer), rest, re.DOTALL)
    if found is not None:
        for end in (len(found[0]), 1):
            with suppress(ValueError):
                yield writer.parse(found[0][:end])
    match writer:
        case keytext.Text():
            allowed = characters(writer)
            yield chr(allowed[0][0]) * max(writer.min_length, 1)
            yield chr(allowed[-1][1]) * (writer.max_length or _MANY)
        case keytext.Binary():
            yield from (b"\0", b"\xff" * _MANY)
        case _:
            yield writer.parse(writer.least)
            yield writer.parse(writer.greatest)
