"""The texts inside computed keys, by example; tests/keys tries their properties."""

from __future__ import annotations

import copy
import datetime as dt
import pickle
from decimal import Decimal
from typing import Any

import pytest
from dyngen.runtime import keytext
from dyngen.runtime.errors import InvalidValue, KeyValueError
from dyngen.runtime.keytext import (
    Binary,
    Boolean,
    Bucket,
    Choice,
    Date,
    Integer,
    Shards,
    Text,
    Timestamp,
    Ulid,
    Uuid,
)
from dyngen.runtime.unset import UNSET

MOMENT = dt.datetime(
    2026, 7, 1, 1, 30, 59, 999999, tzinfo=dt.timezone(dt.timedelta(hours=2))
)
UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
SIGNED = keytext.Decimal(2, Decimal("-10"), Decimal("999.99"))


@pytest.mark.parametrize(
    ("encoder", "value", "text"),
    [
        (Text(), "p 1#x%", "p%201%23x%25"),
        (Text(), "\0\x1f$!\"&'~é\U0001f600", "%00%1F%24%21%22&'~é\U0001f600"),
        (Text("#"), "p 1%", "p 1%"),
        (Text(""), "p#1", "p#1"),
        (Text(fold="upper"), "straße é", "STRAßE%20é"),
        (Text(fold="lower"), "ÀB", "Àb"),
        (Integer(0, 999), 7, "007"),
        (Integer(-99, 1000), 7, "0007"),
        (Integer(-99, 1000), -5, "-9995"),
        (Integer(-99, 99), -99, "-01"),
        (Integer(0, 999, True), 7, "992"),
        (Integer(-99, 99, True), -5, "05"),
        (Integer(-99, 99, True), 3, "-97"),
        (SIGNED, Decimal("1.5"), "001.50"),
        (SIGNED, Decimal("-0.05"), "-999.95"),
        (SIGNED, Decimal("-0"), "000.00"),
        (SIGNED, Decimal("5E+1"), "050.00"),
        (SIGNED, 3, "003.00"),
        (keytext.Decimal(0, Decimal(0), Decimal(50)), Decimal(7), "07"),
        (keytext.Decimal(3, Decimal(0), Decimal("0.5")), Decimal("0.25"), "0.250"),
        (keytext.Decimal(2, Decimal(0), Decimal("9.99"), True), Decimal("1.5"), "8.49"),
        (Timestamp("seconds"), MOMENT, "2026-06-30T23:30:59Z"),
        (Timestamp(), MOMENT, "2026-06-30T23:30:59.999Z"),
        (Timestamp("microseconds"), MOMENT, "2026-06-30T23:30:59.999999Z"),
        (
            Timestamp(),
            dt.datetime(999, 1, 2, tzinfo=dt.UTC),
            "0999-01-02T00:00:00.000Z",
        ),
        (Timestamp("seconds", True), MOMENT, "7973-93-69T76:69:40Z"),
        (Date(), dt.date(31, 2, 3), "0031-02-03"),
        (Date(True), dt.date(2026, 7, 1), "7973-92-98"),
        (Boolean(), True, "true"),
        (Binary(), b"\x00\xff", "00ff"),
        (Uuid(), UUID, UUID),
        (Ulid(), ULID, ULID),
        (Choice(("A#1", "B")), "A#1", "A%231"),
        (Choice(("A#1", "B"), raw=True), "A#1", "A#1"),
        (Bucket("%Y-%m-%dT%H:%M:%S"), MOMENT, "2026-06-30T23:30:59"),
        (Bucket("%G-W%V/%j"), dt.date(2027, 1, 1), "2026-W53/001"),
        (Bucket("%Y"), "2026", "2026"),
        (Bucket("%m"), 7, "07"),
    ],
)
def test_texts(encoder: Any, value: object, text: str) -> None:
    assert encoder.text(value) == text
    assert encoder.text(encoder.parse(text)) == text


@pytest.mark.parametrize(
    ("encoder", "value"),
    [
        (Text(), ""),
        (Text(), "\ud800"),
        (Text(), 5),
        (Text(), None),
        (Text("#"), "a#b"),
        (Text(charset="a-z"), "aB"),
        (Text(min_length=2), "a"),
        (Text(max_length=2), "abc"),
        (Integer(0, 9), 10),
        (Integer(0, 9), -1),
        (Integer(0, 9), True),
        (Integer(0, 9), 1.0),
        (Integer(0, 9), Decimal(1)),
        (SIGNED, Decimal("1.234")),
        (SIGNED, Decimal("NaN")),
        (SIGNED, Decimal("sNaN")),
        (SIGNED, Decimal("Infinity")),
        (SIGNED, Decimal("1000")),
        (SIGNED, Decimal("1E-999999")),
        (SIGNED, 1.5),
        (SIGNED, False),
        (Timestamp(), dt.datetime(2026, 7, 1)),
        (Timestamp(), dt.date(2026, 7, 1)),
        (Timestamp(), dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1)))),
        (
            Timestamp(),
            dt.datetime.max.replace(tzinfo=dt.timezone(-dt.timedelta(hours=1))),
        ),
        (Timestamp(), "2026-07-01T00:00:00.000Z"),
        (Date(), dt.datetime(2026, 7, 1, tzinfo=dt.UTC)),
        (Boolean(), 1),
        (Boolean(), "true"),
        (Binary(), b""),
        (Binary(), "00"),
        (Uuid(), UUID.upper()),
        (Uuid(), UUID.replace("-", "")),
        (Ulid(), ULID.lower()),
        (Ulid(), "8" + ULID[1:]),
        (Ulid(), ULID[:-1] + "U"),
        (Choice(("A", "B")), "C"),
        (Choice(("A", "B")), None),
        (Bucket("%Y-%m"), dt.datetime(2026, 7, 1)),
        (Bucket("%Y-%m"), "2026-7"),
        (Bucket("%m"), 100),
        (Bucket("%m"), True),
    ],
)
def test_what_no_key_can_hold(encoder: Any, value: object) -> None:
    with pytest.raises(KeyValueError) as refused:
        encoder.text(value)
    assert isinstance(refused.value, InvalidValue)
    assert isinstance(refused.value, ValueError)


@pytest.mark.parametrize(
    ("encoder", "text"),
    [
        (Text(), "a b"),
        (Text(), "%41"),
        (Text(), "%2"),
        (Text(), "%2f"),
        (Text(), "%1f"),
        (Integer(0, 999), "7"),
        (Integer(0, 999), "0007"),
        (Integer(0, 999), "+07"),
        (Integer(0, 999), " 07"),
        (Integer(0, 999), "0_7"),
        (Integer(-99, 99), "-00"),
        (Integer(0, 50), "99"),
        (SIGNED, "01.500"),
        (SIGNED, "001,50"),
        (Timestamp(), "2026-07-01T00:00:00Z"),
        (Timestamp(), "2026-07-01T00:00:00,000Z"),
        (Timestamp(), "2026-07-01T00:00:00.000+00:00"),
        (Timestamp(), "2026-07-01 00:00:00.000Z"),
        (Timestamp(), "2026-07-01T24:00:00.000Z"),
        (Timestamp(), "2026-02-30T00:00:00.000Z"),
        (Timestamp(), "0000-01-01T00:00:00.000Z"),
        (Date(), "20260701"),
        (Date(), "2026-W27-3"),
        (Date(True), "2026-07-01"),
        (Boolean(), "True"),
        (Binary(), "00FF"),
        (Binary(), "00 ff"),
        (Choice(("A#1", "B")), "A#1"),
        (Choice(("A#1", "B"), raw=True), "A%231"),
        (Bucket("%Y-%m"), "2026_07"),
        (Uuid(), UUID.upper()),
        (Ulid(), ULID + "0"),
    ],
)
def test_only_canonical_texts_are_parsed(encoder: Any, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  any ValueError will do
        encoder.parse(text)


def test_below_fills_the_key_to_its_limit() -> None:
    for prefix in ("", "P#", "P##", "P###"):
        for value in ("b", "a&", "\ue000", "é"):
            key = prefix + Text().below(value, prefix)
            assert len(key.encode()) == 1024
            assert key < prefix + Text().text(value)
    assert Text().below("a\0", "P#") == "a"
    assert Text().below("\0", "") == "\0"
    with pytest.raises(KeyValueError):
        Text("").below("\0", "")
    assert Text().below("a" * 1021 + "&", "P#") == "a" * 1021


def test_the_ends_of_bounds_give_way_to_the_limit() -> None:
    assert keytext.through("a", "$") == "a$"
    assert keytext.through("a" * 1024, "$") == "a" * 1024
    assert keytext.after("a", "$") == "a$"
    assert keytext.after("a" * 1024, "$") == "a" * 1023 + "b"
    assert keytext.after("a" * 1023 + "\x7f", "$") == "a" * 1022 + "b"
    assert keytext.after("a" + "\U0010ffff" * 255 + "xyz", "$") == (
        "a" + "\U0010ffff" * 255 + "xy{"
    )
    assert keytext.after("b" * 1020 + "\U0010ffff", "$") == "b" * 1019 + "c"
    assert keytext.after("\ud7ff" * 341, "\U0010ffff") == "\ud7ff" * 340 + "\ue000"
    for end in (keytext.through, keytext.after):
        with pytest.raises(KeyValueError):
            end("a" * 1025, "$")
    with pytest.raises(KeyValueError):
        keytext.after("\U0010ffff" * 256, "$")


def test_the_length_of_keys_is_checked_in_bytes() -> None:
    assert keytext.partition("a" * 2048) == {"S": "a" * 2048}
    assert keytext.sort("é" * 512) == {"S": "é" * 512}
    for check, text in (
        (keytext.partition, "a" * 2049),
        (keytext.sort, "é" * 513),
        (keytext.sort, ""),
        (keytext.partition, ""),
    ):
        with pytest.raises(KeyValueError):
            check(text)
    for binary, limit in (
        (keytext.partition_binary, 2048),
        (keytext.sort_binary, 1024),
    ):
        assert binary({"B": b"x" * limit}) == {"B": b"x" * limit}
        for content in (b"", b"x" * (limit + 1)):
            with pytest.raises(KeyValueError):
                binary({"B": content})


def test_shards_are_spread_the_same_everywhere() -> None:
    shards = Shards(12)
    assert shards.all == tuple(f"{n:02d}" for n in range(12))
    assert Shards(10).all == tuple("0123456789")
    assert Shards(1).of("x") == "0"
    assert (
        Shards(1000).of("123456789") == "262"
    )  # the check value of CRC-32, 0xCBF43926
    assert shards.of("a", "b") == shards.of("a#b")
    assert {shards.of(str(n)) for n in range(500)} == set(shards.all)


def test_encoders_are_values() -> None:
    assert Integer(0, 9) == Integer(0, 9)
    assert hash(Timestamp()) == hash(Timestamp("milliseconds"))
    assert repr(Integer(0, 9)) == "Integer(minimum=0, maximum=9, desc=False)"


def test_unset_is_one_value() -> None:
    assert repr(UNSET) == "UNSET"
    assert copy.deepcopy(UNSET) is UNSET
    assert pickle.loads(pickle.dumps(UNSET)) is UNSET
