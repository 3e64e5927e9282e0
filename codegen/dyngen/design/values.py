"""Constants of a spec as the values that are stored and compared."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Context, Decimal

from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.runtime.scalars import charset_pattern
from dyngen.source.nodes import Mapping, Node, Scalar, ScalarValue, Sequence
from dyngen.types import model as types
from dyngen.types.model import Precision, ValueType

Value = str | int | Decimal | float | bool | dt.datetime | dt.date
"""A normalised scalar: enums by stored text, timestamps aware and in UTC."""

MAX_DIGITS = 38
"""Significant digits of a number (I-2; AWS: Constraints.html)."""

_EXACT = Context(prec=200)  # more than any number of a spec has
_TIMESTAMP = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)", re.ASCII
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", re.ASCII)
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_UPPER = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_STEP = {
    Precision.SECONDS: 1_000_000,
    Precision.MILLISECONDS: 1_000,
    Precision.MICROSECONDS: 1,
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a constant is not a value of the type, and what to write instead."""

    message: str
    help: tuple[str, ...] = ()


def normalise(value: ScalarValue, of: ValueType) -> Value | Problem:
    """The constant `value` as a value of the type, in the form that comparisons and keys use."""
    match of:
        case types.String():
            return _string(value, of)
        case types.Enum():
            return _enum(value, of)
        case types.Boolean():
            if isinstance(value, bool):
                return value
            return Problem(f"`{value}` is no boolean", ("write true or false",))
        case types.Integer():
            return _integer(value, of)
        case types.Decimal():
            return _decimal(value, of)
        case types.Float():
            return _float(value)
        case types.Timestamp():
            return _timestamp(value, of)
        case types.Date():
            return _date(value)
        case types.Uuid():
            return _canonical(value, "UUID", _UUID, _LOWER)
        case types.Ulid():
            return _canonical(value, "ULID", _ULID, _UPPER)
        case types.Json():
            if isinstance(value, int) and not isinstance(value, bool):
                return Decimal(value)
            return value
        case types.Binary():
            return Problem("a binary value cannot be written in a spec")
        case types.List() | types.Set() | types.Map() | types.Object():
            return Problem(f"a constant cannot be {describe(of)}")


def normalise_default(node: Node, of: ValueType) -> object | Problem:
    """A `default`: a constant, or an empty `[]` (a tuple) or `{}` (a mapping)."""
    match node:
        case Scalar(value=value) if not isinstance(of, types.Object):
            return normalise(value, of)
        case Sequence(items=()) if isinstance(of, types.List | types.Set | types.Json):
            return ()
        case Mapping(entries=()) if isinstance(of, types.Map | types.Json):
            return {}
        case Mapping(entries=()) if isinstance(of, types.Object):
            required = [f.name for f in of.fields if not f.optional]
            if required:
                return Problem(
                    f"{listed(required, 'and')} of this object "
                    f"{'has' if len(required) == 1 else 'have'} to be given",
                    ("make the attribute `optional: true` instead",),
                )
            return {}
        case _:
            empty = {types.List: "[]", types.Set: "[]"}.get(type(of), "{}")
            return Problem(
                f"this is no default of {describe(of)}",
                (
                    (f"only an empty one can be a default: `default: {empty}`",)
                    if isinstance(of, types.List | types.Set | types.Map | types.Object)
                    else ()
                ),
            )


def describe(of: ValueType) -> str:
    """The type in words, with its article: "an integer", "a list"."""
    match of:
        case types.Enum(name=name):
            return f"a value of {name}"
        case types.Object(name=name):
            return f"an object {name}"
        case types.Json():
            return "a json document"
        case types.Uuid():
            return "a UUID"
        case types.Ulid():
            return "a ULID"
        case types.Integer():
            return "an integer"
        case _:
            return f"a {type(of).__name__.lower()}"


def _string(value: ScalarValue, of: types.String) -> str | Problem:
    if not isinstance(value, str):
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return Problem(f"`{text}` is no text", (f'write it in quotes: "{text}"',))
    folds = {"upper": _UPPER, "lower": _LOWER}
    text = value.translate(folds[of.fold]) if of.fold in folds else value
    if len(text) < of.min_length:
        return Problem(f"this text is shorter than {of.min_length} characters")
    if of.max_length is not None and len(text) > of.max_length:
        return Problem(f"this text is longer than {of.max_length} characters")
    if of.charset is not None and not charset_pattern(of.charset).fullmatch(text):
        return Problem(f"this text has a character outside `[{of.charset}]`")
    return text


def _enum(value: ScalarValue, of: types.Enum) -> str | Problem:
    for member in of.members:
        if value == member.name:
            return member.stored
    names = [m.name for m in of.members]
    by_stored = next((m.name for m in of.members if m.stored == value), None)
    guess = (
        f"`{value}` is the stored text; write the name, `{by_stored}`"
        if by_stored is not None
        else did_you_mean(str(value), names)
    )
    return Problem(
        f"`{value}` is no value of {of.name}",
        (guess or f"its values are {listed(names, 'and')}",),
    )


def _integer(value: ScalarValue, of: types.Integer) -> int | Problem:
    if isinstance(value, bool) or not isinstance(value, int):
        return Problem(f"`{_shown(value)}` is no integer")
    if len(str(abs(value))) > MAX_DIGITS:
        return Problem(f"an integer has at most {MAX_DIGITS} digits")
    return _within(value, of.minimum, of.maximum) or value


def _decimal(value: ScalarValue, of: types.Decimal) -> Decimal | Problem:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return Problem(f"`{_shown(value)}` is no number")
    number = Decimal(value)
    most = MAX_DIGITS if of.digits is None else of.digits
    whole = max(0, number.adjusted() + 1) if number else 0
    if of.places is None:
        used = max(whole, len(number.normalize(_EXACT).as_tuple().digits))
    else:
        used = whole + of.places
    if used > most:
        return Problem(f"`{value}` has more than {most} digits")
    if of.places is not None:
        rounded = number.quantize(Decimal(1).scaleb(-of.places), context=_EXACT)
        if rounded != number:
            return Problem(f"`{value}` has more than {of.places} decimal places")
        number = rounded
    return _within(number, of.minimum, of.maximum) or number


def _within(
    value: int | Decimal, low: int | Decimal | None, high: int | Decimal | None
) -> Problem | None:
    if low is not None and value < low:
        return Problem(f"{value} is less than the least value, {low}")
    if high is not None and value > high:
        return Problem(f"{value} is more than the greatest value, {high}")
    return None


def _float(value: ScalarValue) -> float | Problem:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return Problem(f"`{_shown(value)}` is no number")
    return float(value)


def _timestamp(value: ScalarValue, of: types.Timestamp) -> dt.datetime | Problem:
    problem = Problem(
        f"`{_shown(value)}` is no timestamp",
        ("write date, time and zone: `2026-07-01T00:00:00Z`",),
    )
    if not isinstance(value, str) or not _TIMESTAMP.fullmatch(value):
        return problem
    try:
        moment = dt.datetime.fromisoformat(value).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return problem
    step = _STEP[of.precision]
    return moment.replace(microsecond=moment.microsecond // step * step)


def _date(value: ScalarValue) -> dt.date | Problem:
    if isinstance(value, str) and _DATE.fullmatch(value):
        try:
            return dt.date.fromisoformat(value)
        except ValueError:
            pass  # such as 30 February: falls through to the message
    return Problem(f"`{_shown(value)}` is no date", ("write it as `2026-07-01`",))


def _canonical(
    value: ScalarValue, kind: str, form: re.Pattern[str], fold: dict[int, int]
) -> str | Problem:
    text = value.translate(fold) if isinstance(value, str) else ""
    if not form.fullmatch(text):
        return Problem(f"`{_shown(value)}` is no {kind}")
    return text


def _shown(value: ScalarValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
