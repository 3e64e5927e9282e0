"""Single values as DynamoDB stores them, and back; `containers` holds those made of others.

The functions named after a type turn a Python value into its stored form and raise InvalidValue, with the
name of what it was given for, for one that cannot be stored; decoding that form again gives the value in its normal form, which is what
every read returns. The `parse_` functions turn a stored form back and raise StoredValueError, with
the attribute's name, for one they cannot decode. Text forms are accepted only as they are written
here: the conditions of later writes compare stored forms, and would fail on any other. The commonest of
them look at the content themselves, as a page of items takes thousands of calls.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from decimal import Context, Decimal, DecimalException, Inexact, InvalidOperation
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from . import scalars
from .errors import InvalidValue, StoredValueError
from .scalars import EpochUnit, Precision, date_text, decimal_text, timestamp_text
from .wire import AttributeValue, Item

__all__ = [
    "binary",
    "boolean",
    "content",
    "date",
    "date_text",
    "decimal",
    "decimal_text",
    "enum",
    "epoch",
    "floating",
    "integer",
    "parse_binary",
    "parse_boolean",
    "parse_date",
    "parse_decimal",
    "parse_enum",
    "parse_epoch",
    "parse_floating",
    "parse_integer",
    "parse_text",
    "parse_timestamp",
    "parse_ulid",
    "parse_uuid",
    "text",
    "timestamp",
    "timestamp_text",
    "ulid",
    "undecodable",
    "uuid",
]

V = TypeVar("V")
E = TypeVar("E", bound=StrEnum)

_PLAIN = {"S": "text", "BOOL": "a boolean"}
_EXACT = Context(prec=300, traps=[Inexact, InvalidOperation])


# --- text ---------------------------------------------------------------------------------------------


def text(
    value: str,
    name: str = "",
    *,
    min_length: int = 0,
    max_length: int | None = None,
    charset: str | None = None,
    fold: str | None = None,
) -> AttributeValue:
    """A string; lengths count characters. Raises InvalidValue."""
    found = value
    try:
        if type(value) is not str or not value.isascii():
            found = scalars.plain_text(value)
        if (
            min_length
            or max_length is not None
            or charset is not None
            or fold is not None
        ):
            found = scalars.limited_text(
                found,
                min_length=min_length,
                max_length=max_length,
                charset=charset,
                fold=fold,
            )
    except InvalidValue as error:
        raise error.of(name) from None
    return {"S": found}


def parse_text(value: AttributeValue, name: str, fold: str | None = None) -> str:
    """The string stored as attribute `name`. Raises StoredValueError."""
    try:
        found: str = value["S"]
    except KeyError:
        raise _other_type(name, "text", "S") from None
    if fold is not None and scalars.folded(found, fold) != found:
        raise StoredValueError(name, f"text in {fold} case")
    return found


def uuid(value: str, name: str = "") -> AttributeValue:
    """A UUID in canonical text. Raises InvalidValue."""
    try:
        return {"S": scalars.uuid_text(value)}
    except InvalidValue as error:
        raise error.of(name) from None


def parse_uuid(value: AttributeValue, name: str) -> str:
    """The UUID stored as attribute `name`. Raises StoredValueError."""
    try:
        found: str = value["S"]
    except KeyError:
        raise _other_type(name, "a UUID", "S") from None
    if scalars.is_uuid(found) is None:
        raise StoredValueError(name, "a UUID")
    return found


def ulid(value: str, name: str = "") -> AttributeValue:
    """A ULID in canonical text. Raises InvalidValue."""
    try:
        return {"S": scalars.ulid_text(value)}
    except InvalidValue as error:
        raise error.of(name) from None


def parse_ulid(value: AttributeValue, name: str) -> str:
    """The ULID stored as attribute `name`. Raises StoredValueError."""
    try:
        found: str = value["S"]
    except KeyError:
        raise _other_type(name, "a ULID", "S") from None
    if scalars.is_ulid(found) is None:
        raise StoredValueError(name, "a ULID")
    return found


def enum(value: E, name: str, kind: type[E]) -> AttributeValue:
    """A member of the enum `kind`, by its stored text. Raises InvalidValue."""
    if type(value) is not kind:
        try:
            value = kind(value)
        except ValueError:
            why = f"expected a member of {kind.__name__}"
            raise InvalidValue(why).of(name) from None
    return {"S": str.__str__(value)}  # `value.value` takes three times as long


def parse_enum(value: AttributeValue, name: str, members: Mapping[str, E]) -> E:
    """The member stored as attribute `name`; `members` by stored text. Raises StoredValueError."""
    try:
        return members[value["S"]]
    except KeyError:
        if "S" not in value:
            raise _other_type(name, "text", "S") from None
        raise StoredValueError(name, f"one of {', '.join(members)}") from None


# --- numbers ------------------------------------------------------------------------------------------


def integer(
    value: int,
    name: str = "",
    *,
    minimum: int | None = None,
    maximum: int | None = None,
) -> AttributeValue:
    """A whole number; a bool is none. Raises InvalidValue."""
    try:
        number = scalars.plain_integer(value)
        if minimum is not None or maximum is not None:
            _check_range(number, minimum, maximum)
    except InvalidValue as error:
        raise error.of(name) from None
    return {"N": str(number)}


def parse_integer(value: AttributeValue, name: str) -> int:
    """The whole number stored as attribute `name`. Raises StoredValueError."""
    try:
        return int(value["N"])
    except KeyError:
        raise _other_type(name, "a number", "N") from None
    except ValueError:
        return _parsed(scalars.integer_of_text, value["N"], name, "a whole number")


def decimal(
    value: Decimal,
    name: str = "",
    *,
    places: int | None = None,
    digits: int | None = None,
    minimum: Decimal | None = None,
    maximum: Decimal | None = None,
) -> AttributeValue:
    """A decimal number of at most `digits` digits, `places` of them after the point.

    Nothing is rounded. Raises InvalidValue.
    """
    try:
        number = scalars.plain_decimal(value)
        found = format(number, "f")
        if places is not None or digits is not None:
            _check_digits(found, places, digits)
        if minimum is not None or maximum is not None:
            _check_range(number, minimum, maximum)
    except InvalidValue as error:
        raise error.of(name) from None
    return {"N": found}


def _check_digits(number: str, places: int | None, digits: int | None) -> None:
    whole, _, fraction = number.partition(".")
    if places is not None and len(fraction) > places:
        raise InvalidValue(f"the number must have at most {places} decimal places")
    if digits is not None:
        before_point = len(whole.lstrip("-0"))
        after_point = max(len(fraction), places or 0)
        if number != "0" and before_point + after_point > digits:
            raise InvalidValue(
                f"the number must have at most {digits} digits,"
                f" {places or 0} after the point"
            )


def _check_range(number: Any, minimum: Any, maximum: Any) -> None:
    if minimum is not None and number < minimum:
        raise InvalidValue(f"the number must not be less than {minimum}")
    if maximum is not None and number > maximum:
        raise InvalidValue(f"the number must not be greater than {maximum}")


def parse_decimal(
    value: AttributeValue, name: str, places: int | None = None
) -> Decimal:
    """The number stored as attribute `name`, with exactly `places` places. Raises StoredValueError."""
    try:
        number = Decimal(value["N"])
        if places is None:
            return number
        return number.quantize(_unit_of(places), None, _EXACT)
    except KeyError:
        raise _other_type(name, "a number", "N") from None
    except DecimalException:
        most = "" if places is None else f" of at most {places} decimal places"
        raise StoredValueError(name, f"a number{most}") from None


@cache
def _unit_of(places: int) -> Decimal:
    """One in the last of these decimal places."""
    return Decimal((0, (1,), -places))


def floating(value: float, name: str = "") -> AttributeValue:
    """A floating-point number: finite and within DynamoDB's range. Raises InvalidValue."""
    if isinstance(value, bool) or not isinstance(value, float | int):
        raise InvalidValue(
            f"expected a number, not a value of type {type(value).__name__}"
        ).of(name)
    try:
        return {"N": decimal_text(Decimal(repr(float(value))))}
    except OverflowError:
        raise InvalidValue("the number is out of range").of(name) from None
    except InvalidValue as error:
        raise error.of(name) from None


def parse_floating(value: AttributeValue, name: str) -> float:
    """The number stored as attribute `name`. Raises StoredValueError."""
    return _parsed(float, content(value, "N", name, "a number"), name, "a number")


def boolean(value: bool, name: str = "") -> AttributeValue:
    """true or false. Raises InvalidValue."""
    if not isinstance(value, bool):
        raise InvalidValue(
            f"expected a bool, not a value of type {type(value).__name__}"
        ).of(name)
    return {"BOOL": value}


def parse_boolean(value: AttributeValue, name: str) -> bool:
    """The bool stored as attribute `name`. Raises StoredValueError."""
    try:
        return bool(value["BOOL"])
    except KeyError:
        raise _other_type(name, "a boolean", "BOOL") from None


def binary(
    value: bytes,
    name: str = "",
    *,
    min_length: int = 0,
    max_length: int | None = None,
) -> AttributeValue:
    """Bytes; lengths count bytes. Raises InvalidValue."""
    if not isinstance(value, bytes):
        why = f"expected bytes, not a value of type {type(value).__name__}"
    elif len(value) < min_length:
        why = f"at least {min_length} bytes are needed, not {len(value)}"
    elif max_length is not None and len(value) > max_length:
        why = f"at most {max_length} bytes are allowed, not {len(value)}"
    else:
        return {"B": bytes(value)}
    raise InvalidValue(why).of(name)


def parse_binary(value: AttributeValue, name: str) -> bytes:
    """The bytes stored as attribute `name`. Raises StoredValueError."""
    return bytes(content(value, "B", name, "binary"))


# --- time ---------------------------------------------------------------------------------------------


def timestamp(
    value: dt.datetime, name: str = "", precision: Precision = "milliseconds"
) -> AttributeValue:
    """A moment as ISO 8601 text in UTC; finer digits are cut off. Raises InvalidValue."""
    try:
        return {"S": timestamp_text(value, precision)}
    except InvalidValue as error:
        raise error.of(name) from None


def parse_timestamp(
    value: AttributeValue, name: str, precision: Precision = "milliseconds"
) -> dt.datetime:
    """The moment, in UTC, stored as attribute `name`. Raises StoredValueError."""
    try:
        return scalars.timestamp_of_text(value["S"], precision)
    except KeyError:
        raise _other_type(name, "a timestamp", "S") from None
    except ValueError:
        raise StoredValueError(name, f"a timestamp in UTC with {precision}") from None


def epoch(
    value: dt.datetime,
    name: str = "",
    unit: EpochUnit = "seconds",
    precision: Precision = "milliseconds",
) -> AttributeValue:
    """A moment as a number of units since 1970, cut off to `precision` first. Raises InvalidValue."""
    try:
        moment = scalars.truncated(value, precision)
    except InvalidValue as error:
        raise error.of(name) from None
    return {"N": str((moment - scalars.EPOCH) // scalars.UNITS[unit])}


def parse_epoch(
    value: AttributeValue, name: str, unit: EpochUnit = "seconds"
) -> dt.datetime:
    """The moment, in UTC, stored as a number of units since 1970. Raises StoredValueError."""
    count = parse_integer(value, name)
    try:
        return scalars.EPOCH + count * scalars.UNITS[unit]
    except OverflowError:
        raise StoredValueError(name, "a moment of the years 1 to 9999") from None


def date(value: dt.date, name: str = "") -> AttributeValue:
    """A calendar day as `YYYY-MM-DD`; a datetime is none. Raises InvalidValue."""
    try:
        return {"S": date_text(value)}
    except InvalidValue as error:
        raise error.of(name) from None


def parse_date(value: AttributeValue, name: str) -> dt.date:
    """The day stored as attribute `name`. Raises StoredValueError."""
    return _parsed(
        scalars.date_of_text, content(value, "S", name, "a date"), name, "a date"
    )


# --- reading ------------------------------------------------------------------------------------------


def content(value: AttributeValue, kind: str, name: str, expected: str) -> Any:
    """What the stored form holds, if it is of this type. Raises StoredValueError."""
    try:
        return value[kind]
    except KeyError:
        raise _other_type(name, expected, kind) from None


def undecodable(
    item: Item, missing: KeyError, plain: Mapping[str, str]
) -> StoredValueError:
    """Why an item cannot be decoded: an attribute is missing, or has another type.

    `plain` are the types of the attributes that were taken as they are stored.
    """
    for name, kind in plain.items():
        if name in item and kind not in item[name]:
            return _other_type(name, _PLAIN[kind], kind)
    return StoredValueError(missing.args[0], "there")


def _other_type(name: str, expected: str, kind: str) -> StoredValueError:
    return StoredValueError(name, f"{expected} (type {kind})")


def _parsed(parse: Callable[[str], V], found: str, name: str, expected: str) -> V:
    try:
        return parse(found)
    except (ValueError, ArithmeticError):
        raise StoredValueError(name, expected) from None
