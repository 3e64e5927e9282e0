"""Sample values of every type: a plain one, and others that lie as near to it as can be."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from dyngen.python.literals import value as literal
from dyngen.python.suite.sources import source
from dyngen.runtime import scalars, stored
from dyngen.runtime.errors import InvalidValue
from dyngen.testkit.ids import ulid, uuid
from dyngen.types.model import (
    Binary,
    Boolean,
    Date,
    Decimal,
    Enum,
    Float,
    Integer,
    Json,
    List,
    Map,
    Object,
    Set,
    String,
    Timestamp,
    Ulid,
    Uuid,
    ValueType,
)

MOMENT = dt.datetime(2026, 7, 10, 9, 30, tzinfo=dt.UTC)
"""The plain moment."""

_DAY = dt.timedelta(days=1)
_HOUR = dt.timedelta(hours=1)
LEAST_OF_SERIES = 200
"""How many values every series has at least."""

_POOL = 9  # more values prove little and make the suite long
_PRINTABLE = tuple(map(chr, range(0x20, 0x7F)))
_NUMBERS = (10, 9, 100, 11, 99, 1, 2, 0, 20, -1, -10)


@cache
def pool(of: ValueType, stem: str) -> tuple[object, ...]:
    """A few valid values, all different; the first is plain.

    Text begins with `stem`. Numbers and moments include the ends of their range.
    """
    return _distinct(of, _candidates(of, stem))[:_POOL]


def plain(of: ValueType, stem: str) -> object:
    """The plain value of a type."""
    return pool(of, stem)[0]


def near(of: ValueType, value: object) -> tuple[object, ...]:
    """Valid values next to `value`: below, above, beginning with it, begun by it."""
    return tuple(
        each for each in _distinct(of, _neighbours(of, value)) if each != value
    )


def sized(of: ValueType, size: int) -> object | None:
    """A value with so many characters, elements or entries, if the type can have one."""
    match of:
        case String() | Binary():
            text = "p" * size
            value: object = text.encode() if isinstance(of, Binary) else text
        case List(of=element) | Set(of=element) | Map(of=element):
            elements = series(element, "p")
            if elements is not None:
                found = [elements.value(number) for number in range(size)]
            elif isinstance(of, Set):
                return None
            else:
                found = [plain(element, "p")] * size
            match of:
                case List():
                    value = tuple(found)
                case Set():
                    value = frozenset(found) or None
                case _:
                    value = {f"p{number}": each for number, each in enumerate(found)}
        case _:
            return None
    return value if valid(of, value) else None


def ends(of: ValueType) -> tuple[object, ...]:
    """The least and the greatest value of a type that has them."""
    match of:
        case Integer() | Decimal():
            found: tuple[object, ...] = of.bounds
        case Timestamp():
            tick = _tick(of)
            first = dt.datetime.min.replace(tzinfo=dt.UTC)
            found = (first, first + (dt.datetime.max - dt.datetime.min) // tick * tick)
        case Date():
            found = (dt.date.min, dt.date.max)
        case Ulid():
            found = (ulid(0), ulid(2**128 - 1))
        case Uuid():
            found = (uuid(0), uuid(2**128 - 1))
        case _:
            found = ()
    return tuple(end for end in found if end is not None)


def valid(of: ValueType, value: object) -> bool:
    """Whether a value is of the type, and in its normal form; of containers, no more than their kind."""
    match of, value:
        case (_, None) | (Integer() | Decimal() | Float(), bool()):
            return False
        case String(), str():
            return bool(value) and _fits(of, value)
        case Integer(), int():
            return _within(value, of.minimum, of.maximum)
        case Decimal(), decimal.Decimal():
            return _fits_number(of, value)
        case Binary(), bytes():
            longest = math.inf if of.max_length is None else of.max_length
            return bool(value) and of.min_length <= len(value) <= longest
        case Enum(members=members), str():
            return value in [member.stored for member in members]
        case Uuid(), str():
            return scalars.is_uuid(value) is not None
        case Ulid(), str():
            return scalars.is_ulid(value) is not None
        case Date(), dt.date():
            return not isinstance(value, dt.datetime)
        case Json(), _:
            return True
        case _:
            return isinstance(value, _PYTHON.get(type(of), ()))


_PYTHON: Mapping[type, type | tuple[type, ...]] = {
    Boolean: bool,
    Float: (int, float),
    Timestamp: dt.datetime,
    List: tuple,
    Set: frozenset,
    Map: Mapping,
    Object: Mapping,
}


@dataclass(frozen=True, slots=True)
class Series:
    """Ever more values of one type: the nth, and the Python expression of the nth."""

    value: Callable[[int], object]
    source: Callable[[str], str]


def series(of: ValueType, stem: str) -> Series | None:
    """Values of a type that has enough of them, or None."""
    match of:
        case String():
            return _texts(of, stem)
        case Integer():
            least = of.minimum if of.minimum is not None else 1
            if of.maximum is not None and of.maximum < least + LEAST_OF_SERIES:
                return None
            return Series(lambda n: least + n, lambda name: f"{least} + {name}")
        case Timestamp():
            minute = dt.timedelta(minutes=1)
            start = source(of, MOMENT)
            return Series(
                lambda n: MOMENT + n * minute,
                lambda name: f"{start} + {name} * dt.timedelta(minutes=1)",
            )
        case Date():
            day = MOMENT.date()
            return Series(
                lambda n: day + n * _DAY,
                lambda name: f"{literal(day)} + {name} * dt.timedelta(days=1)",
            )
        case Ulid():
            return Series(ulid, lambda name: f"ulid({name})")
        case Uuid():
            return Series(uuid, lambda name: f"uuid({name})")
        case _:
            return None


def _texts(of: String, stem: str) -> Series | None:
    head, zero = _letters(of, stem), "0"
    width = max(3, of.min_length - len(head))
    found = Series(
        lambda n: f"{head}{n:0{width}d}",
        lambda name: f"f{literal(f'{head}{{{name}:0{width}d}}')}",
    )
    return (
        found
        if _fits(of, head + zero * width) and _fits(of, head + "9" * width)
        else None
    )


def walks(of: ValueType) -> Iterator[Sequence[object]]:
    """Moments in order: hour by hour around the plain one, then day by day.

    Of days, two months before it to fourteen months after.
    """
    if isinstance(of, Timestamp):
        yield [MOMENT + number * _HOUR for number in range(-24, 25)]
        yield [MOMENT + number * _DAY for number in range(-60, 430)]
    elif isinstance(of, Date):
        yield [MOMENT.date() + number * _DAY for number in range(-60, 430)]


def away(of: ValueType, moment: object) -> dt.timedelta:
    """How far one of the moments lies from the plain one."""
    distance: dt.timedelta = moment - plain(of, "x")  # type: ignore[operator]
    return abs(distance)


# --- candidates, most telling first ---------------------------------------------------------------


def _candidates(of: ValueType, stem: str) -> Iterator[object]:
    match of:
        case String():
            yield from _some_texts(of, stem)
        case Integer():
            yield from (n for n in _NUMBERS if _within(n, of.minimum, of.maximum))
            yield from (end for end in (of.minimum, of.maximum) if end is not None)
        case Decimal():
            yield from _some_decimals(of)
        case Float():
            yield from (1.5, 1.25, 10.0, 9.5, -1.5, 0.0)
        case Boolean():
            yield from (True, False)
        case Binary():
            yield from _some_bytes(of)
        case Timestamp():
            yield from _moments(of)
        case Date():
            day = MOMENT.date()
            yield from (
                day,
                day + _DAY,
                day - _DAY,
                dt.date(2026, 9, 30),
                dt.date(2027, 7, 10),
            )
            yield from (dt.date(2024, 2, 29), dt.date.min, dt.date.max)
        case Uuid():
            yield from map(uuid, (1, 2, 3, 2**128 - 1, 0))
        case Ulid():
            yield from map(ulid, (1, 2, 3, 2**128 - 1, 0))
        case Enum(members=members):
            yield from (member.stored for member in members)
        case Json():
            yield from (
                {"note": stem, "count": decimal.Decimal(1)},
                {},
                {"list": (None, True)},
            )
        case List(of=element):
            yield from _of_one_and_more(element, stem, tuple)
        case Set(of=element):
            yield from list(_of_one_and_more(element, stem, frozenset))[:2]
        case Map(of=element):
            values = pool(element, stem)
            yield from (
                {"first": values[0]},
                {},
                {"first": values[0], "se.cond": values[-1]},
            )
        case Object(fields=fields):
            yield {f.stored: plain(f.type, f.name[0]) for f in fields}
            yield {
                f.stored: pool(f.type, f.name[0])[-1] for f in fields if not f.optional
            }


def _of_one_and_more(
    element: ValueType, stem: str, container: Callable[[Iterable[object]], object]
) -> Iterator[object]:
    values = pool(element, stem)
    yield container(values[:1])
    yield container(values[:3])
    yield container(())


def _some_texts(of: String, stem: str) -> Iterator[str]:
    head = _letters(of, stem)
    alphabet = _alphabet(of)
    one = _padded(of, head, "1")
    yield one
    yield from (one + "0", one + "#x", one + " ", one + "%23x")
    yield from (_padded(of, head, "2"), one[:-1], one.swapcase())
    yield from (one + "é", one + "\U0001f600", one + "$", one + "/")
    yield from (char * max(of.min_length, 1) for char in alphabet)


def _padded(of: String, head: str, number: str) -> str:
    alphabet = _alphabet(of)
    zero = "0" if "0" in alphabet else alphabet[0]
    digits = number if number in alphabet else alphabet[int(number) % len(alphabet)]
    text = head + digits.rjust(of.min_length - len(head), zero)
    return text if of.max_length is None else text[-of.max_length :]


def _letters(of: String, stem: str) -> str:
    """`stem`, in letters that the type allows."""
    alphabet = _alphabet(of)
    for text in (stem, stem.upper(), stem.lower()):
        if all(char in alphabet for char in text):
            return text
    return alphabet[-1]


@cache
def _alphabet(of: String) -> tuple[str, ...]:
    """The printable ASCII characters that the type allows; any at all if there are none."""
    return tuple(c for c in _PRINTABLE if _allowed(of, c)) or _PRINTABLE


def _allowed(of: String, char: str) -> bool:
    return _accepts(String(charset=of.charset, fold=of.fold), char)


@cache
def _fits(of: String, text: str) -> bool:
    return _accepts(of, text)


def _accepts(of: String, text: str) -> bool:
    try:
        normal = scalars.limited_text(
            text,
            min_length=of.min_length,
            max_length=of.max_length,
            charset=of.charset,
            fold=of.fold,
        )
    except InvalidValue:
        return False
    return normal == text


def _fits_number(of: Decimal, number: decimal.Decimal) -> bool:
    try:
        stored.decimal(
            number,
            places=of.places,
            digits=of.digits,
            minimum=of.minimum,
            maximum=of.maximum,
        )
    except InvalidValue:
        return False
    return True


def _some_decimals(of: Decimal) -> Iterator[decimal.Decimal]:
    step = _step(of)
    plain_number = decimal.Decimal("10.5") if (of.places is None or of.places) else 10
    yield from map(decimal.Decimal, (plain_number, decimal.Decimal(10), 9, 100, 11))
    yield decimal.Decimal(10) + step
    yield from map(decimal.Decimal, (0, -1, 1))
    yield from (end for end in of.bounds if end is not None)


def _some_bytes(of: Binary) -> Iterator[bytes]:
    fill = b"\x01" * max(of.min_length, 1)
    yield fill
    yield from (
        fill + b"\x00",
        fill[:-1] + b"\x02",
        fill + b"\xff",
        fill[:-1],
        fill[:-1] + b"\xff",
    )


def _moments(of: Timestamp) -> Iterator[dt.datetime]:
    tick = _tick(of)
    yield from (MOMENT, MOMENT + tick, MOMENT - tick, MOMENT + _DAY)
    yield dt.datetime(2026, 9, 30, tzinfo=dt.UTC)
    yield from (MOMENT.replace(year=2027), MOMENT.replace(month=8))
    yield dt.datetime(2024, 2, 29, 23, 59, 59, tzinfo=dt.UTC)
    yield dt.datetime(999, 12, 31, tzinfo=dt.UTC)


# --- neighbours --------------------------------------------------------------------------------------


def _neighbours(of: ValueType, value: object) -> Iterator[object]:
    match of, value:
        case String(), str():
            yield from (value + "0", value + "#x", value + " ", value[:-1])
            yield value[:-1] + chr(ord(value[-1]) + 1)
            yield from (
                value[:-1] + chr(max(ord(value[-1]) - 1, 0x20)),
                value.swapcase(),
            )
        case (Integer(), int()):
            yield from (value - 1, value + 1)
        case (Decimal(), decimal.Decimal()):
            yield from (value - _step(of), value + _step(of))
        case (Float(), float()):
            yield from (value - 0.25, value + 0.25)
        case (Timestamp(), dt.datetime()):
            yield from _around(value, _tick(of))
        case (Date(), dt.date()):
            yield from _around(value, _DAY)
        case (Binary(), bytes()):
            yield from (value + b"\x00", value[:-1], value[:-1] + b"\x02")
        case (Ulid() | Uuid(), str()):
            changed = "3" if value.endswith("2") else "2"
            yield from (value[:-1] + changed, changed + value[1:])
        case _:
            yield from pool(of, "x")


def _around(value: dt.date, step: dt.timedelta) -> Iterator[dt.date]:
    """The values a step before and after, in the years that Python knows."""
    for each in (-step, step):
        with suppress(OverflowError):
            yield value + each


def _distinct(of: ValueType, values: Iterable[object]) -> tuple[object, ...]:
    found: list[object] = []
    for value in values:
        if valid(of, value) and value not in found:
            found.append(value)
    return tuple(found)


def _within(value: object, least: object, greatest: object) -> bool:
    return (least is None or value >= least) and (  # type: ignore[operator]
        greatest is None or value <= greatest  # type: ignore[operator]
    )


def _step(of: Decimal) -> decimal.Decimal:
    return decimal.Decimal((0, (1,), -(2 if of.places is None else of.places)))


def _tick(of: Timestamp) -> dt.timedelta:
    return scalars.UNITS[of.kept.value]
