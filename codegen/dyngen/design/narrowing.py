"""Whether an attribute can have every value of another one, whose type differs in options alone."""

from __future__ import annotations

from dataclasses import dataclass

from dyngen.design.model import Attribute
from dyngen.design.valuesets import Interval
from dyngen.keys import automata
from dyngen.keys.languages import characters, language
from dyngen.keys.model import Template
from dyngen.keys.texts import length_bounds
from dyngen.runtime.keytext import Text
from dyngen.types.model import (
    Binary,
    Decimal,
    Integer,
    Precision,
    String,
    Timestamp,
    ValueType,
)

_FIRST_BEYOND_ASCII = 0x80
_BYTES_OF_CHARACTER = 4  # at most
_BEFORE_SURROGATES, _AFTER_SURROGATES = 0xD7FF, 0xE000
_COARSE_TO_FINE = tuple(Precision)


def holds_all(wide: Attribute, narrow: Attribute) -> bool:
    """Whether `wide` can have every value that `narrow` can have, in a key and unchanged.

    Their types are comparable. Keys hold no empty text, and so it does not count.
    """
    if narrow.computed is not None and isinstance(wide.type, String):
        return _computed(narrow.computed).within(_texts(wide.type))
    return _holds_all(wide.type, narrow.type)


def _holds_all(wide: ValueType, narrow: ValueType) -> bool:
    match wide, narrow:
        case String(), String():
            return _texts(narrow).within(_texts(wide))
        case Binary(), Binary():
            return _lengths(narrow).within(_lengths(wide))
        case Integer(), Integer():
            return Interval(*narrow.bounds).within(Interval(*wide.bounds))
        case Decimal(), Decimal():
            inside = Interval(*narrow.bounds).within(Interval(*wide.bounds))
            return inside and _digits_fit(wide, narrow)
        case Timestamp(), Timestamp():
            finest = _COARSE_TO_FINE.index(wide.kept)
            return _COARSE_TO_FINE.index(narrow.kept) <= finest
        case _:
            return True


# --- text and bytes -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Texts:
    """Texts of so many characters, and of which ones."""

    lengths: Interval
    characters: tuple[automata.Interval, ...]

    def within(self, other: _Texts) -> bool:
        """Whether each is one of the others."""
        return self.lengths.within(other.lengths) and all(
            any(least <= low and high <= most for least, most in other.characters)
            for each in self.characters
            for low, high in _without_surrogates(*each)
            if low <= high
        )


def _without_surrogates(low: int, high: int) -> tuple[automata.Interval, ...]:
    return (low, min(high, _BEFORE_SURROGATES)), (max(low, _AFTER_SURROGATES), high)


def _texts(of: String) -> _Texts:
    return _Texts(_lengths(of), characters(Text(fold=of.fold, charset=of.charset)))


def _lengths(of: String | Binary) -> Interval:
    return Interval(max(of.min_length, 1), of.max_length)


def _computed(template: Template) -> _Texts:
    """What is known of texts of a template."""
    edges = (edge for state in language(template).edges for edge in state)
    found = tuple(dict.fromkeys((low, high) for low, high, _ in edges))
    least, most = length_bounds(template)  # in bytes
    if any(high >= _FIRST_BEYOND_ASCII for _, high in found):
        least = -(-least // _BYTES_OF_CHARACTER)
    return _Texts(Interval(least, most), found)


# --- decimal numbers ------------------------------------------------------------------------------


def _digits_fit(wide: Decimal, narrow: Decimal) -> bool:
    """Whether no value has too many digits; that both are within bounds is known."""
    if (
        wide.places is not None
    ):  # then its bounds say how many there are before the point
        return narrow.places is not None and narrow.places <= wide.places
    most = _most_digits(narrow)
    return wide.digits is None or (most is not None and most <= wide.digits)


def _most_digits(of: Decimal) -> int | None:
    """How many digits a value has at most, before the point and after it; None if any number."""
    least, greatest = of.bounds
    if of.places is None or least is None or greatest is None:
        return of.digits
    before = max(len(str(abs(int(end))).lstrip("0")) for end in (least, greatest))
    return before + of.places
