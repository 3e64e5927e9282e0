"""Types with values that are hard on encodings, and what their order is."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal as Number
from typing import Any

from dyngen.types.model import (
    Binary,
    Boolean,
    Date,
    Decimal,
    Enum,
    Integer,
    Member,
    Precision,
    Stored,
    String,
    Timestamp,
    Ulid,
    Uuid,
    ValueType,
)
from hypothesis import strategies as st

NASTY = "\0\x1f !\"#$%&'/09:AZ_az~\x7f\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"
ULID_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

text = st.one_of(
    st.text(alphabet=NASTY, min_size=1, max_size=4),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6),
    st.sampled_from(
        ["p1", "p10", "p1#x", "p1$", "p", "%", "%23", "#", "none", "!none"]
    ),
)
zones = st.sampled_from(
    [
        dt.UTC,
        *(
            dt.timezone(dt.timedelta(hours=h, minutes=m))
            for h, m in ((14, 0), (-11, 30), (5, 45))
        ),
    ]
)
moments = st.one_of(
    st.datetimes(
        min_value=dt.datetime(1, 1, 3),
        max_value=dt.datetime(9999, 12, 29),
        timezones=zones,
    ),
    st.sampled_from(
        [
            dt.datetime(1, 1, 1, tzinfo=dt.UTC),
            dt.datetime(999, 12, 31, 23, 59, 59, 999999, tzinfo=dt.UTC),
            dt.datetime(2024, 2, 29, 12, tzinfo=dt.UTC),
            dt.datetime(2024, 3, 1, tzinfo=dt.timezone(dt.timedelta(hours=2))),
            dt.datetime.max.replace(tzinfo=dt.UTC),
        ]
    ),
    st.integers(0, 5000).map(
        lambda n: dt.datetime(2026, 7, 1, tzinfo=dt.UTC)
        + n * dt.timedelta(microseconds=400)
    ),
)


@dataclass(frozen=True)
class Kind:
    """A type, values of it, and the key that Python orders its values by."""

    type: ValueType
    values: st.SearchStrategy[Any]
    desc: bool = False

    def order(self, value: Any) -> Any:
        """What orders values; equal for values that are stored alike."""
        match self.type:
            case Enum(members=members):
                return [member.stored for member in members].index(value)
            case Timestamp():
                unit = {"seconds": 10**6, "milliseconds": 1000}.get(self.type.kept, 1)
                moment = value.astimezone(dt.UTC) - dt.datetime(1, 1, 1, tzinfo=dt.UTC)
                return moment // dt.timedelta(microseconds=unit)
            case String(fold="upper"):
                return "".join(c.upper() if c.isascii() else c for c in value)
            case String(fold="lower"):
                return "".join(c.lower() if c.isascii() else c for c in value)
            case _:
                return value


def enum(*texts: str) -> Enum:
    return Enum("E", tuple(Member(f"M{at}", stored) for at, stored in enumerate(texts)))


def _integers(low: int, high: int, *, desc: bool = False) -> Kind:
    near = st.one_of(st.integers(low, high), st.integers(max(low, -11), min(high, 11)))
    return Kind(Integer(low, high), near, desc)


def _decimals(low: str, high: str, places: int, *, desc: bool = False) -> Kind:
    least, most = Number(low), Number(high)
    values = st.decimals(least, most, places=places, allow_nan=False)
    return Kind(Decimal(None, places, least, most), values, desc)


TEXT = Kind(String(), text)
ORDERED = {
    "integer": _integers(1, 99999999),
    "integer desc": _integers(0, 1000, desc=True),
    "signed": _integers(-105, 2000),
    "signed desc": _integers(-105, 2000, desc=True),
    "negative": _integers(-500, -3),
    "negative desc": _integers(-500, -3, desc=True),
    "wide": _integers(-(10**37), 10**38 - 1),
    "decimal": _decimals("0", "9999.99", 2),
    "decimal desc": _decimals("0", "9999.99", 2, desc=True),
    "signed decimal": _decimals("-99.5", "10.25", 3),
    "signed decimal desc": _decimals("-99.5", "10.25", 3, desc=True),
    "whole decimal": _decimals("-20", "300", 0),
    "seconds": Kind(Timestamp(Precision.SECONDS), moments),
    "milliseconds": Kind(Timestamp(), moments),
    "microseconds": Kind(Timestamp(Precision.MICROSECONDS), moments),
    "microseconds desc": Kind(Timestamp(Precision.MICROSECONDS), moments, desc=True),
    "milliseconds desc": Kind(Timestamp(), moments, desc=True),
    "epoch": Kind(Timestamp(Precision.MICROSECONDS, Stored.EPOCH_SECONDS), moments),
    "date": Kind(Date(), st.dates()),
    "date desc": Kind(Date(), st.dates(), desc=True),
    "boolean": Kind(Boolean(), st.booleans()),
    "uuid": Kind(Uuid(), st.uuids().map(str)),
    "ulid": Kind(
        Ulid(),
        st.tuples(
            st.sampled_from("01234567"), st.text(ULID_LETTERS, min_size=25, max_size=25)
        ).map("".join),
    ),
    "enum": Kind(enum("A", "B#b", "C%"), st.sampled_from(["A", "B#b", "C%"])),
    "nested enum": Kind(
        enum("DONE", "DONE#X", "DONE_LATE", "OPEN"),
        st.sampled_from(["DONE", "DONE#X", "DONE_LATE", "OPEN"]),
    ),
}
"""Types whose values have neighbours, by a name for the test's id."""

FREE = {
    "text": TEXT,
    "upper": Kind(String(fold="upper"), text),
    "lower": Kind(String(fold="lower"), text),
    "charset": Kind(
        String(charset="A-Za-z0-9_", max_length=5),
        st.text("AZaz09_", min_size=1, max_size=5),
    ),
    "binary": Kind(Binary(), st.binary(min_size=1, max_size=4)),
}
"""Types whose values begin one another."""

ALL = ORDERED | FREE
