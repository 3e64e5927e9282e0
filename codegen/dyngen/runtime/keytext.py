"""How values are written inside computed keys.

Three properties hold for every encoder here: different values give different texts; the order of
texts (UTF-8 bytes, which is code-point order) is the order of values, or its reverse for `desc`;
for text and binary, one value begins another exactly when their texts do.

Inside keys `#` delimits, `$` is its successor, and `!` begins what stands for a missing value. In
escaped text no value holds any of them: every character up to and including `%` is written `%XX`.
"""

from __future__ import annotations

import datetime as dt
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from . import scalars
from .errors import InvalidValue, KeyValueError
from .ordered import (
    Boolean,
    Choice,
    Date,
    Decimal,
    Integer,
    Named,
    Ordered,
    Timestamp,
    Ulid,
    Uuid,
)
from .wire import PARTITION_KEY_BYTES, SORT_KEY_BYTES, AttributeValue

__all__ = [
    "Binary",
    "Boolean",
    "Bucket",
    "Choice",
    "Date",
    "Decimal",
    "Integer",
    "Ordered",
    "Shards",
    "Text",
    "Timestamp",
    "Ulid",
    "Uuid",
    "after",
    "partition",
    "partition_binary",
    "sort",
    "sort_binary",
    "through",
]

_LAST = "\U0010ffff"
_LEAST = "\0"


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _predecessor(char: str) -> str:
    """The character before, leaving out surrogates; `char` is not U+0000."""
    return "\ud7ff" if char == "\ue000" else chr(ord(char) - 1)


def _successor(char: str) -> str:
    """The character after, leaving out surrogates; `char` is not U+10FFFF."""
    return "\ue000" if char == "\ud7ff" else chr(ord(char) + 1)


# --- whole keys ---------------------------------------------------------------------------------------


def partition(text: str) -> dict[str, str]:
    """A partition key of text: 1 to 2,048 bytes. Raises KeyValueError."""
    return _key(text, PARTITION_KEY_BYTES, "partition")


def sort(text: str) -> dict[str, str]:
    """A sort key of text: 1 to 1,024 bytes. Raises KeyValueError."""
    return _key(text, SORT_KEY_BYTES, "sort")


def partition_binary(value: AttributeValue) -> AttributeValue:
    """A partition key of bytes, in its stored form: 1 to 2,048 of them. Raises KeyValueError."""
    _fits(len(value["B"]), PARTITION_KEY_BYTES, "partition")
    return value


def sort_binary(value: AttributeValue) -> AttributeValue:
    """A sort key of bytes, in its stored form: 1 to 1,024 of them. Raises KeyValueError."""
    _fits(len(value["B"]), SORT_KEY_BYTES, "sort")
    return value


def _key(text: str, limit: int, kind: str) -> dict[str, str]:
    _fits(_size(text), limit, kind)
    return {"S": text}


def _fits(size: int, limit: int, kind: str) -> None:
    if not 1 <= size <= limit:
        raise KeyValueError(f"a {kind} key has 1 to {limit} bytes, not {size}")


def through(text: str, suffix: str) -> str:
    """A high bound: with `suffix` if that fits into a sort key, else `text` alone.

    Raises KeyValueError if `text` itself does not fit.
    """
    sort(text)
    return text + suffix if _size(text) + _size(suffix) <= SORT_KEY_BYTES else text


def after(text: str, suffix: str) -> str:
    """A low bound: with `suffix` if that fits into a sort key, else what follows all that `text` begins.

    Raises KeyValueError if `text` itself does not fit, or nothing follows it.
    """
    sort(text)
    if _size(text) + _size(suffix) <= SORT_KEY_BYTES:
        return text + suffix
    for end in range(len(text) - 1, -1, -1):
        if text[end] != _LAST:
            raised = text[:end] + _successor(text[end])
            if _size(raised) <= SORT_KEY_BYTES:
                return raised
    raise KeyValueError("no sort key is greater than this one")


# --- text and binary ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text(Named):
    """Text, percent-escaped; with a `delimiter` raw instead, and without that character.

    The delimiter of raw text is the character that follows it in the key, "" at the key's end.
    """

    delimiter: str | None = None
    fold: str | None = None
    charset: str | None = None
    min_length: int = 0
    max_length: int | None = None

    def text(self, value: object) -> str:
        """The text of a value. Raises KeyValueError."""
        return self._write(self._checked(value, self.min_length))

    def prefix(self, value: object) -> str:
        """What the texts of all values begin with that begin with `value`. Raises KeyValueError."""
        return self._write(self._checked(value, 0))

    def below(self, value: object, prefix: str) -> str:
        """The greatest text below that of `value` in a sort key that ends here, after `prefix`.

        Filled up so that the whole key has exactly 1,024 bytes. Raises KeyValueError.
        """
        checked = self._checked(value, 0)
        sort(prefix + self._write(checked))
        head, last = checked[:-1], checked[-1]
        text = self._write(head)
        if last != "\0":
            step = self._write(_predecessor(last))
            room = SORT_KEY_BYTES - _size(prefix) - _size(text) - _size(step)
            if room >= 0:
                return (
                    text
                    + step
                    + _LAST * (room // 4)
                    + ("", "\x7f", "\u07ff", "\uffff")[room % 4]
                )
        if prefix or text:
            return text
        if self.delimiter is not None:
            raise self._refused("no text is less than this one")
        return _LEAST

    def parse(self, text: str) -> str:
        """The value written as `text`. Raises ValueError."""
        value = scalars.unescape(text) if self.delimiter is None else text
        if self.text(value) != text:
            raise ValueError("not a canonical text")
        return value

    def _checked(self, value: object, min_length: int) -> str:
        try:
            text = scalars.limited_text(
                value,
                min_length=min_length,
                max_length=self.max_length,
                charset=self.charset,
                fold=self.fold,
            )
        except InvalidValue as error:
            raise self._refused(error) from None
        if not text:
            raise self._refused("a part of a key must not be empty")
        return text

    def _write(self, value: str) -> str:
        if self.delimiter is None:
            return scalars.escape(value)
        if self.delimiter and self.delimiter in value:
            raise self._refused(
                f"text before {self.delimiter!r} in a key must not hold it"
            )
        return value


@dataclass(frozen=True, slots=True)
class Binary(Named):
    """Bytes, as lower-case hexadecimal digits."""

    def text(self, value: object) -> str:
        """The text of a value. Raises KeyValueError."""
        if not isinstance(value, bytes):
            raise self._refused(
                f"expected bytes, not a value of type {type(value).__name__}"
            )
        if not value:
            raise self._refused("a part of a key must not be empty")
        return value.hex()

    def prefix(self, value: object) -> str:
        """What the texts of all values begin with that begin with `value`. Raises KeyValueError."""
        return self.text(value)

    def parse(self, text: str) -> bytes:
        """The value written as `text`. Raises ValueError."""
        value = bytes.fromhex(text)
        if self.text(value) != text:
            raise ValueError("not canonical hexadecimal digits")
        return value


# --- many values, one text ----------------------------------------------------------------------------

_DIRECTIVES: Final[dict[str, Callable[[dt.datetime], str]]] = {
    "Y": lambda moment: f"{moment.year:04d}",
    "m": lambda moment: f"{moment.month:02d}",
    "d": lambda moment: f"{moment.day:02d}",
    "H": lambda moment: f"{moment.hour:02d}",
    "M": lambda moment: f"{moment.minute:02d}",
    "S": lambda moment: f"{moment.second:02d}",
    "j": lambda moment: f"{moment.timetuple().tm_yday:03d}",
    "G": lambda moment: f"{moment.isocalendar().year:04d}",
    "V": lambda moment: f"{moment.isocalendar().week:02d}",
}
_DIGIT = re.compile("[0-9]")
_DIRECTIVE = re.compile(f"%([{''.join(_DIRECTIVES)}])")


@dataclass(frozen=True, slots=True)
class Bucket(Ordered):
    """The part of a moment or date that `format` names: %Y %m %d %H %M %S %j %G %V, in UTC.

    A value is a moment or a date, or the bucket itself as text or, all digits, as a number.
    """

    format: str
    _shape: str = field(init=False, repr=False, compare=False)  # with 0 for every digit

    def __post_init__(self) -> None:
        shape = _DIRECTIVE.sub(
            lambda match: _DIRECTIVES[match[1]](dt.datetime.min), self.format
        )
        object.__setattr__(self, "_shape", _DIGIT.sub("0", shape))

    def text(self, value: object) -> str:
        """The text that `value` shares with all of its bucket. Raises KeyValueError."""
        if isinstance(value, dt.date):
            return self._of_moment(value)
        return self._write(self._checked(value))

    def parse(self, text: str) -> str:
        """The bucket itself, which `text` is. Raises ValueError."""
        if _DIGIT.sub("0", text) != self._shape:
            raise ValueError(f"not a text of the form {self.format}")
        return text

    @property
    def _first(self) -> int:
        return 0

    @property
    def _last(self) -> int:
        return int("9" * self._shape.count("0"))

    def _rank(self, value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, dt.date):
            value = self._of_moment(value)
        if isinstance(value, str) and _DIGIT.sub("0", value) == self._shape:
            return int("".join(_DIGIT.findall(value)))
        raise InvalidValue(
            f"expected a datetime, a date, or text of the form {self.format}"
        )

    def _write(self, rank: int) -> str:
        digits = iter(f"{rank:0{self._shape.count('0')}d}")
        return "".join(next(digits) if char == "0" else char for char in self._shape)

    def _of_moment(self, value: dt.date) -> str:
        try:
            if isinstance(value, dt.datetime):
                moment = scalars.utc(value)
            else:
                moment = dt.datetime.combine(value, dt.time.min)
        except InvalidValue as error:
            raise self._refused(error) from None
        return _DIRECTIVE.sub(lambda match: _DIRECTIVES[match[1]](moment), self.format)


@dataclass(frozen=True, slots=True)
class Shards:
    """Shard numbers from 0 to `count` - 1, padded to one width."""

    count: int

    def of(self, *texts: str) -> str:
        """The shard of these encoded values: CRC-32 of their `#`-joined texts, modulo `count`."""
        return self.text(zlib.crc32("#".join(texts).encode()) % self.count)

    def text(self, number: int) -> str:
        """The text of one shard number."""
        return f"{number:0{len(str(self.count - 1))}d}"

    @property
    def all(self) -> tuple[str, ...]:
        """The texts of all shards, in order."""
        return tuple(map(self.text, range(self.count)))
