"""The order of key texts whose values are not known yet: what holds whatever the values are."""

from __future__ import annotations

from dataclasses import replace

from dyngen.design.plans import KeyEquals, NativeValue, TextValue
from dyngen.keys.model import (
    After,
    Encoded,
    Encoding,
    Fixed,
    KeyText,
    Literal,
    Missing,
    Part,
    Through,
)
from dyngen.keys.ranges import evaluate
from dyngen.keys.template import prefix_free
from dyngen.runtime.errors import KeyValueError

_Token = str | Encoded
_Piece = Literal | Encoded | Through | After


def same_key(first: KeyEquals, other: KeyEquals, encoding: Encoding) -> bool | None:
    """Whether both fix a key attribute to the same value; None if that depends on the values.

    A value may come from attributes of different names, and a constant may stand in either text.
    """
    match first.value, other.value:
        case NativeValue() as a, NativeValue() as b:
            return True if a == b else None
        case TextValue(text=a), TextValue(text=b):
            mine, theirs = _spelt_out(a, encoding), _spelt_out(b, encoding)
            if _tokens(mine) == _tokens(theirs):
                return True
            return None if before(mine, theirs) is None else False
        case _:
            return None


def _spelt_out(text: KeyText, encoding: Encoding) -> KeyText:
    """The text with its constants as they are written in a key; what no key can hold is left."""
    return tuple(_constant(piece, encoding) for piece in text)


def _constant(piece: _Piece, encoding: Encoding) -> _Piece:
    match piece:
        case Encoded(part=Part(), source=Fixed() | Missing()):
            try:
                return Literal(evaluate((piece,), encoding, {}))
            except KeyValueError:
                return piece
        case _:
            return piece


def before(first: KeyText, other: KeyText) -> bool | None:
    """Whether `first` sorts before `other`; None if that depends on the values."""
    ours, theirs = _tokens(first), _tokens(other)
    for mine, yours in zip(ours, theirs, strict=False):
        if mine == yours:
            continue
        if isinstance(mine, str) and isinstance(yours, str):
            return mine < yours
        return None
    return len(ours) < len(theirs)


def held(text: KeyText, low: KeyText, high: KeyText, *, raw: bool) -> int:
    """How many of the first values of `text` every text from `low` to `high` has, too.

    Escaped, a value ends before all that can follow it; raw, only a delimiter says where it ends.
    """
    count = 0
    tokens = [_tokens(each) for each in (text, low, high)]
    shortest = min(map(len, tokens))
    for position, (mine, *bounds) in enumerate(zip(*tokens, strict=False)):
        if any(mine != bound for bound in bounds):
            break
        if isinstance(mine, Encoded):
            following = [each[position + 1 : position + 2] for each in tokens]
            ends = position + 1 < shortest and all(
                isinstance(each, str) and [each] == following[0] for [each] in following
            )
            if raw and not ends and not _prefix_free(mine):
                break
            count += 1
    return count


def _prefix_free(value: Encoded) -> bool:
    return isinstance(value.part, Part) and prefix_free(value.part)


def raised(prefix: KeyText) -> KeyText | None:
    """The prefix with its last code point raised by one (semantics 2.4); None if it ends in a value."""
    last = prefix[-1] if prefix else None
    if not isinstance(last, Literal):
        return None
    return (*prefix[:-1], Literal(last.text[:-1] + chr(ord(last.text[-1]) + 1)))


def _tokens(text: KeyText) -> list[_Token]:
    """Characters and values; a value is the same whatever its attribute is called or stands before."""
    tokens: list[_Token] = []
    for piece in text:
        match piece:
            case Literal(text=literal) | Through(text=literal) | After(text=literal):
                tokens.extend(literal)
            case Encoded(part=Part() as part):
                tokens.append(
                    replace(piece, part=replace(part, attribute="", before=""))
                )
            case _:
                tokens.append(piece)
    return tokens
