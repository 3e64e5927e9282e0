"""What single values must be, and their one text form: shared by stored forms and key texts.

Every function here raises InvalidValue for a value that does not fit.
"""

from __future__ import annotations

import datetime as dt
import decimal
import re
from functools import lru_cache
from typing import Final, Literal

from .errors import InvalidValue

Precision = Literal["seconds", "milliseconds", "microseconds"]
EpochUnit = Literal["seconds", "milliseconds"]

UNITS: Final[dict[str, dt.timedelta]] = {
    "seconds": dt.timedelta(seconds=1),
    "milliseconds": dt.timedelta(milliseconds=1),
    "microseconds": dt.timedelta(microseconds=1),
}
EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)

_FRACTION = {
    "seconds": "",
    "milliseconds": r"\.[0-9]{3}",
    "microseconds": r"\.[0-9]{6}",
}
# Bound once: they are called for every such attribute of every item.
_is_timestamp = {
    precision: re.compile(
        "[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}"
        + fraction
        + "Z"
    ).fullmatch
    for precision, fraction in _FRACTION.items()
}
_is_date = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch
is_uuid = re.compile(
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
).fullmatch
is_ulid = re.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}").fullmatch
_datetime_of_text = dt.datetime.fromisoformat

_UPPER = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

# DynamoDB's numbers: 38 significant digits, 1E-130 to just under 1E+126 (AWS: Constraints.html).
_EXACT = decimal.Context(
    prec=38,
    traps=[decimal.Inexact, decimal.InvalidOperation],
    Emax=999999,
    Emin=-999999,
)
_LEAST, _GREATEST = -130, 125  # the exponent of a number's first digit
_PLAIN_INTEGER = 10**38
_SMALL_INTEGER = 2**60  # compared in one step


def _refuse(expected: str, value: object) -> InvalidValue:
    return InvalidValue(
        f"expected {expected}, not a value of type {type(value).__name__}"
    )


_ESCAPED = re.compile("[\0-%]")
_ESCAPES = {code: f"%{code:02X}" for code in range(ord("%") + 1)}
_ESCAPE = re.compile("%([01][0-9A-F]|2[0-5])")


# --- text ---------------------------------------------------------------------------------------------


def plain_text(value: object) -> str:
    """`value` if it is text that UTF-8 can hold: no lone surrogates."""
    if type(value) is str and value.isascii():
        return value
    if not isinstance(value, str):
        raise _refuse("text", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidValue("text must not hold a lone surrogate") from None
    return str.__str__(value)


def folded(text: str, fold: str | None) -> str:
    """`text` with its ASCII letters in "upper" or "lower" case; other letters stay as they are."""
    if fold is None:
        return text
    return text.translate(_UPPER if fold == "upper" else _LOWER)


@lru_cache
def charset_pattern(charset: str) -> re.Pattern[str]:
    """Matches text of these characters alone. `\\d`, `\\w` and `\\s` mean ASCII."""
    return re.compile(f"[{charset}]*", re.ASCII)


def limited_text(
    value: object,
    *,
    min_length: int = 0,
    max_length: int | None = None,
    charset: str | None = None,
    fold: str | None = None,
) -> str:
    """`value`, folded, if it is text of allowed characters and length (in characters)."""
    text = folded(plain_text(value), fold)
    if len(text) < min_length:
        raise InvalidValue(
            f"text must have at least {min_length} characters, not {len(text)}"
        )
    if max_length is not None and len(text) > max_length:
        raise InvalidValue(
            f"text must have at most {max_length} characters, not {len(text)}"
        )
    if charset is not None and charset_pattern(charset).fullmatch(text) is None:
        raise InvalidValue(f"text must consist of the characters [{charset}]")
    return text


def escape(text: str) -> str:
    """`text` with every character up to and including `%` written as `%XX`."""
    return text.translate(_ESCAPES) if _ESCAPED.search(text) else text


def unescape(text: str) -> str:
    """The text that `escape` writes as `text`. Raises ValueError if there is none."""
    value = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    if escape(value) != text:
        raise ValueError("not a canonical text")
    return value


def uuid_text(value: object) -> str:
    """`value` if it is a UUID in canonical text: lower case, with hyphens."""
    if not isinstance(value, str) or is_uuid(value) is None:
        raise InvalidValue("expected a UUID as 36 lower-case characters with hyphens")
    return value if type(value) is str else str.__str__(value)


def ulid_text(value: object) -> str:
    """`value` if it is a ULID in canonical text: 26 upper-case characters."""
    if not isinstance(value, str) or is_ulid(value) is None:
        raise InvalidValue("expected a ULID as 26 upper-case characters")
    return value if type(value) is str else str.__str__(value)


# --- numbers ------------------------------------------------------------------------------------------


def plain_integer(value: object) -> int:
    """`value` if it is a whole number (no bool) that DynamoDB can hold."""
    if type(value) is int and -_SMALL_INTEGER < value < _SMALL_INTEGER:
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        raise _refuse("a whole number", value)
    if not -_PLAIN_INTEGER < value < _PLAIN_INTEGER:
        if value.bit_length() > 420:  # 10**126 has 419 bits
            raise InvalidValue("the number is out of DynamoDB's range")
        plain_decimal(decimal.Decimal(value))
    return int(value)


def plain_decimal(value: object) -> decimal.Decimal:
    """`value` without trailing zeros, if DynamoDB can hold it: finite, 38 digits; -0 is 0."""
    if isinstance(value, bool) or not isinstance(value, decimal.Decimal | int):
        raise _refuse("a decimal number", value)
    try:
        number = _EXACT.normalize(decimal.Decimal(value))
    except (decimal.DecimalException, OverflowError):
        raise InvalidValue(
            "a number must be finite and have at most 38 digits"
        ) from None
    if not number:
        return decimal.Decimal(0)
    if not number.is_finite() or not _LEAST <= number.adjusted() <= _GREATEST:
        raise InvalidValue("the number is out of DynamoDB's range")
    return number


def scaled(value: object, places: int) -> int:
    """`value` times 10 to the power of `places`, if that is a whole number."""
    number = _EXACT.scaleb(plain_decimal(value), places)
    whole = int(number)
    if whole != number:
        raise InvalidValue(f"the number must have at most {places} decimal places")
    return whole


def unscaled(number: int, places: int) -> decimal.Decimal:
    """`number` divided by 10 to the power of `places`; the inverse of `scaled`."""
    return _EXACT.scaleb(decimal.Decimal(number), -places)


def decimal_text(number: decimal.Decimal) -> str:
    """The number in full, without an exponent and without trailing zeros."""
    return format(plain_decimal(number), "f")


def integer_of_text(text: str) -> int:
    """The whole number written as `text`, also as 1E+2 or 7.0. Raises ValueError or ArithmeticError."""
    number = decimal.Decimal(text)
    whole = int(number)
    if whole != number:
        raise ValueError("not a whole number")
    return whole


# --- time ---------------------------------------------------------------------------------------------


def utc(value: object) -> dt.datetime:
    """The moment in UTC; it needs a time zone, and must lie in the years 1 to 9999 of UTC."""
    if not isinstance(value, dt.datetime):
        raise _refuse("a datetime", value)
    if value.tzinfo is dt.UTC:
        return value
    if value.utcoffset() is None:
        raise InvalidValue("a timestamp needs a time zone")
    try:
        return value.astimezone(dt.UTC)
    except (OverflowError, ValueError):
        raise InvalidValue("the timestamp is out of range in UTC") from None


def truncated(value: object, precision: Precision) -> dt.datetime:
    """The moment in UTC without the digits that are finer than `precision`."""
    moment = utc(value)
    match precision:
        case "seconds":
            return moment.replace(microsecond=0)
        case "milliseconds":
            return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
        case "microseconds":
            return moment


def timestamp_text(value: object, precision: Precision = "milliseconds") -> str:
    """ISO 8601 in UTC with fixed digits and `Z`; finer digits are cut off."""
    # The base class's isoformat, whatever a subclass does: it pads years and truncates.
    return dt.datetime.isoformat(utc(value), "T", precision)[:-6] + "Z"


def timestamp_of_text(text: str, precision: Precision = "milliseconds") -> dt.datetime:
    """The moment that `timestamp_text` writes as `text`. Raises ValueError for any other text."""
    if _is_timestamp[precision](text) is None:
        raise ValueError("not a canonical timestamp")
    return _datetime_of_text(text)


def calendar_date(value: object) -> dt.date:
    """`value` if it is a date; a datetime is none."""
    if not isinstance(value, dt.date) or isinstance(value, dt.datetime):
        raise _refuse("a date", value)
    return value


def date_text(value: object) -> str:
    """The date as `YYYY-MM-DD`."""
    return dt.date.isoformat(calendar_date(value))


def date_of_text(text: str) -> dt.date:
    """The date written as `YYYY-MM-DD`. Raises ValueError for any other text."""
    if _is_date(text) is None:
        raise ValueError("not a canonical date")
    return dt.date.fromisoformat(text)
