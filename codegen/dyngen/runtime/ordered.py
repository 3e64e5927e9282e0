"""Encodings of the types that have a least and a greatest value.

Their values are ranked by consecutive integers, so that each has a neighbour: with it, and with the
extremes, every range of values is a closed range of texts.
"""

from __future__ import annotations

import datetime as dt
import decimal
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from . import scalars
from .errors import InvalidValue, KeyValueError
from .scalars import Precision

_BEYOND = "\U0010ffff" * 2  # above every encoding, whatever follows that
_BELOW_ALL = "\0"  # below every encoding, whatever follows this

_COMPLEMENT = str.maketrans("0123456789", "9876543210")

_FIRST_MOMENT = dt.datetime.min.replace(tzinfo=dt.UTC)
_LAST_MOMENT = dt.datetime.max.replace(tzinfo=dt.UTC)

_ULID_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ULID_DIGITS = str.maketrans(_ULID_ALPHABET, "0123456789abcdefghijklmnopqrstuv")


@dataclass(frozen=True, slots=True)
class Named:
    """What writes values of the attribute `name`, of which errors speak."""

    name: str = field(default="", kw_only=True, compare=False, repr=False)

    def _refused(self, why: object) -> InvalidValue:
        return KeyValueError(str(why)).of(self.name)


@dataclass(frozen=True, slots=True)
class Ordered(Named, ABC):
    """A type whose values are ranked by consecutive integers."""

    @property
    @abstractmethod
    def _first(self) -> int:
        """The rank of the least value."""

    @property
    @abstractmethod
    def _last(self) -> int:
        """The rank of the greatest value."""

    @property
    def _reversed(self) -> bool:
        """Whether greater values have lesser texts."""
        return False

    @abstractmethod
    def _rank(self, value: object) -> int:
        """The rank of a value. Raises InvalidValue."""

    @abstractmethod
    def _write(self, rank: int) -> str:
        """The text of the value with this rank."""

    @abstractmethod
    def parse(self, text: str) -> object:
        """The value written as `text`. Raises ValueError."""

    def text(self, value: object) -> str:
        """The text of a value. Raises KeyValueError."""
        return self._write(self._checked(value))

    def next(self, value: object) -> str:
        """The text of the next greater value; without one, a text that makes the range empty."""
        return self._at(self._checked(value) + 1)

    def previous(self, value: object) -> str:
        """The text of the next lesser value; without one, a text that makes the range empty."""
        return self._at(self._checked(value) - 1)

    @property
    def least(self) -> str:
        """The text of the least value."""
        return self._write(self._first)

    @property
    def greatest(self) -> str:
        """The text of the greatest value."""
        return self._write(self._last)

    def _checked(self, value: object) -> int:
        try:
            rank = self._rank(value)
        except InvalidValue as error:
            raise self._refused(error) from None
        if not self._first <= rank <= self._last:
            raise self._refused("the value is outside the range of its type")
        return rank

    def _at(self, rank: int) -> str:
        if self._first <= rank <= self._last:
            return self._write(rank)
        return _BEYOND if (rank > self._last) is not self._reversed else _BELOW_ALL


T = TypeVar("T")


def _canonical(encoder: Ordered, value: T, text: str) -> T:
    """`value` if `encoder` writes it as `text`. Raises ValueError."""
    if encoder.text(value) != text:
        raise ValueError("not a canonical text")
    return value


def _digits(number: int, width: int) -> str:
    """A number in `width` digits; a negative one as `-` and its complement, so that order holds."""
    return f"{number:0{width}d}" if number >= 0 else f"-{10**width + number:0{width}d}"


def _number(digits: str) -> int:
    """The number that `_digits` writes as `digits`."""
    if digits.startswith("-"):
        return int(digits[1:]) - int(10 ** len(digits[1:]))
    return int(digits)


def _descending(number: int, width: int, signed: bool) -> int:
    """The number whose digits stand for `number` in reversed order; its own inverse."""
    return -number if signed else int(10**width) - 1 - number


@dataclass(frozen=True, slots=True)
class Integer(Ordered):
    """Whole numbers in fixed width; `desc` reverses the order of texts."""

    minimum: int
    maximum: int
    desc: bool = False
    _width: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        width = max(len(str(abs(self.minimum))), len(str(abs(self.maximum))))
        object.__setattr__(self, "_width", width)

    def parse(self, text: str) -> int:
        """The value written as `text`. Raises ValueError."""
        value = _number(text)
        if self.desc:
            value = _descending(value, self._width, self.minimum < 0)
        return _canonical(self, value, text)

    @property
    def _first(self) -> int:
        return self.minimum

    @property
    def _last(self) -> int:
        return self.maximum

    @property
    def _reversed(self) -> bool:
        return self.desc

    def _rank(self, value: object) -> int:
        return scalars.plain_integer(value)

    def _write(self, rank: int) -> str:
        if self.desc:
            rank = _descending(rank, self._width, self.minimum < 0)
        return _digits(rank, self._width)


@dataclass(frozen=True, slots=True)
class Decimal(Ordered):
    """Decimal numbers with fixed places and width; `desc` reverses the order of texts."""

    places: int
    minimum: decimal.Decimal
    maximum: decimal.Decimal
    desc: bool = False
    _first_scaled: int = field(init=False, repr=False, compare=False)
    _last_scaled: int = field(init=False, repr=False, compare=False)
    _width: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        first = scalars.scaled(self.minimum, self.places)
        last = scalars.scaled(self.maximum, self.places)
        width = max(len(str(abs(first))), len(str(abs(last))), self.places + 1)
        object.__setattr__(self, "_first_scaled", first)
        object.__setattr__(self, "_last_scaled", last)
        object.__setattr__(self, "_width", width)

    def parse(self, text: str) -> decimal.Decimal:
        """The value written as `text`. Raises ValueError."""
        number = _number(text.replace(".", "", 1))
        if self.desc:
            number = _descending(number, self._width, self._first_scaled < 0)
        return _canonical(self, scalars.unscaled(number, self.places), text)

    @property
    def _first(self) -> int:
        return self._first_scaled

    @property
    def _last(self) -> int:
        return self._last_scaled

    @property
    def _reversed(self) -> bool:
        return self.desc

    def _rank(self, value: object) -> int:
        return scalars.scaled(value, self.places)

    def _write(self, rank: int) -> str:
        if self.desc:
            rank = _descending(rank, self._width, self._first_scaled < 0)
        digits = _digits(rank, self._width)
        return (
            f"{digits[: -self.places]}.{digits[-self.places :]}"
            if self.places
            else digits
        )


@dataclass(frozen=True, slots=True)
class Timestamp(Ordered):
    """Moments in UTC, cut off to the precision; `desc` complements the digits."""

    precision: Precision = "milliseconds"
    desc: bool = False

    def text(self, value: object) -> str:
        """The text of a value. Raises KeyValueError."""
        try:
            text = scalars.timestamp_text(value, self.precision)
        except InvalidValue as error:
            raise self._refused(error) from None
        return text.translate(_COMPLEMENT) if self.desc else text

    def parse(self, text: str) -> dt.datetime:
        """The value written as `text`. Raises ValueError."""
        return scalars.timestamp_of_text(
            text.translate(_COMPLEMENT) if self.desc else text, self.precision
        )

    @property
    def _first(self) -> int:
        return 0

    @property
    def _last(self) -> int:
        return (_LAST_MOMENT - _FIRST_MOMENT) // scalars.UNITS[self.precision]

    @property
    def _reversed(self) -> bool:
        return self.desc

    def _rank(self, value: object) -> int:
        return (scalars.utc(value) - _FIRST_MOMENT) // scalars.UNITS[self.precision]

    def _write(self, rank: int) -> str:
        return self.text(_FIRST_MOMENT + rank * scalars.UNITS[self.precision])


@dataclass(frozen=True, slots=True)
class Date(Ordered):
    """Calendar days; `desc` complements the digits."""

    desc: bool = False

    def parse(self, text: str) -> dt.date:
        """The value written as `text`. Raises ValueError."""
        return scalars.date_of_text(text.translate(_COMPLEMENT) if self.desc else text)

    @property
    def _first(self) -> int:
        return dt.date.min.toordinal()

    @property
    def _last(self) -> int:
        return dt.date.max.toordinal()

    @property
    def _reversed(self) -> bool:
        return self.desc

    def _rank(self, value: object) -> int:
        return scalars.calendar_date(value).toordinal()

    def _write(self, rank: int) -> str:
        text = scalars.date_text(dt.date.fromordinal(rank))
        return text.translate(_COMPLEMENT) if self.desc else text


@dataclass(frozen=True, slots=True)
class Boolean(Ordered):
    """`false` and `true`."""

    def parse(self, text: str) -> bool:
        """The value written as `text`. Raises ValueError."""
        return _canonical(self, text == "true", text)

    @property
    def _first(self) -> int:
        return 0

    @property
    def _last(self) -> int:
        return 1

    def _rank(self, value: object) -> int:
        if not isinstance(value, bool):
            raise InvalidValue(
                f"expected a bool, not a value of type {type(value).__name__}"
            )
        return int(value)

    def _write(self, rank: int) -> str:
        return ("false", "true")[rank]


@dataclass(frozen=True, slots=True)
class Uuid(Ordered):
    """UUIDs in canonical text."""

    def text(self, value: object) -> str:
        """The text of a value, which is the value. Raises KeyValueError."""
        try:
            return scalars.uuid_text(value)
        except InvalidValue as error:
            raise self._refused(error) from None

    def parse(self, text: str) -> str:
        """The value written as `text`. Raises ValueError."""
        return scalars.uuid_text(text)

    @property
    def _first(self) -> int:
        return 0

    @property
    def _last(self) -> int:
        return 2**128 - 1

    def _rank(self, value: object) -> int:
        return int(scalars.uuid_text(value).replace("-", ""), 16)

    def _write(self, rank: int) -> str:
        text = f"{rank:032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


@dataclass(frozen=True, slots=True)
class Ulid(Ordered):
    """ULIDs in canonical text."""

    def text(self, value: object) -> str:
        """The text of a value, which is the value. Raises KeyValueError."""
        try:
            return scalars.ulid_text(value)
        except InvalidValue as error:
            raise self._refused(error) from None

    def parse(self, text: str) -> str:
        """The value written as `text`. Raises ValueError."""
        return scalars.ulid_text(text)

    @property
    def _first(self) -> int:
        return 0

    @property
    def _last(self) -> int:
        return 2**128 - 1

    def _rank(self, value: object) -> int:
        return int(scalars.ulid_text(value).translate(_ULID_DIGITS), 32)

    def _write(self, rank: int) -> str:
        return "".join(
            _ULID_ALPHABET[rank >> shift & 31] for shift in range(125, -1, -5)
        )


@dataclass(frozen=True, slots=True)
class Choice(Ordered):
    """The stored texts of an enum, ranked as declared; escaped, or as they are if `raw`.

    The order of texts is the order of values only if they are declared in the order of their texts.
    """

    values: tuple[str, ...]
    raw: bool = False
    _ranks: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ranks = {value: rank for rank, value in enumerate(self.values)}
        object.__setattr__(self, "_ranks", ranks)

    def parse(self, text: str) -> str:
        """The stored text of the value written as `text`. Raises ValueError."""
        return _canonical(self, text if self.raw else scalars.unescape(text), text)

    @property
    def _first(self) -> int:
        return 0

    @property
    def _last(self) -> int:
        return len(self.values) - 1

    def _rank(self, value: object) -> int:
        rank = self._ranks.get(value) if isinstance(value, str) else None
        if rank is None:
            raise InvalidValue(f"expected one of {', '.join(self.values)}")
        return rank

    def _write(self, rank: int) -> str:
        value = self.values[rank]
        return value if self.raw else scalars.escape(value)
