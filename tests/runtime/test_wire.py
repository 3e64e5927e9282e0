"""DynamoDB's order of key values, and the neighbours of a value in it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from dyngen.runtime.streams import KeyRange, between
from dyngen.runtime.wire import (
    ClockValue,
    comparable,
    greatest_within,
    least_within,
    next_value,
    previous_value,
)
from hypothesis import given
from hypothesis import strategies as st

characters = st.sampled_from(
    list("\0\x01\x7f\x80az\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff")
)
short_texts = st.text(characters, min_size=1, max_size=4)
full_texts = st.builds(
    lambda start, filler: fit(start + filler * 1024), short_texts, characters
)
texts = short_texts | full_texts
binaries = st.lists(st.sampled_from([0, 1, 254, 255]), min_size=1, max_size=4).map(
    bytes
) | st.builds(
    lambda start, last: start.ljust(1024, bytes([last])),
    st.binary(min_size=1, max_size=2),
    st.sampled_from([0, 1, 255]),
)


def fit(text: str) -> str:
    """As much of the text as a sort key holds."""
    while len(text.encode()) > 1024:
        text = text[:-1]
    return text


@given(st.data())
def test_text_is_ordered_by_its_bytes(data: Any) -> None:
    one, two = data.draw(texts), data.draw(texts)
    by_bytes = one.encode() < two.encode()
    assert (comparable({"S": one}) < comparable({"S": two})) == by_bytes


@given(texts, texts)
def test_no_text_lies_between_neighbours(value: str, other: str) -> None:
    above = next_value({"S": value})["S"]
    below = previous_value({"S": value})["S"]
    assert below < value < above
    assert (other > value) == (other >= above)
    assert (other < value) == (other <= below)
    assert len(below.encode()) <= 1024
    assert len(above.encode()) <= 1024 or value == "\U0010ffff" * 256


def test_nothing_is_below_the_least_text() -> None:
    assert previous_value({"S": "\0"}) == {"S": ""}
    assert previous_value({"S": ""}) == {"S": ""}


@given(binaries, binaries)
def test_no_binary_lies_between_neighbours(value: bytes, other: bytes) -> None:
    above = next_value({"B": value})["B"]
    below = previous_value({"B": value})["B"]
    assert below < value < above
    assert (other > value) == (other >= above)
    assert (other < value) == (other <= below)
    assert len(above) <= 1024 or value == b"\xff" * 1024
    assert len(below) <= 1024


@pytest.mark.parametrize(
    ("value", "above"),
    [
        ("0", "1E-130"),
        ("-1E-130", "0"),
        ("1", "1." + "0" * 36 + "1"),
        ("9" * 38, "1" + "0" * 38),
        ("-1" + "0" * 38, "-" + "9" * 38),
        ("1E-130", "1." + "0" * 36 + "1E-130"),
    ],
)
def test_numbers_have_neighbours_of_38_digits(value: str, above: str) -> None:
    assert Decimal(next_value({"N": value})["N"]) == Decimal(above)
    assert Decimal(previous_value({"N": above})["N"]) == Decimal(value)


def test_nothing_is_above_the_greatest_number() -> None:
    greatest = {"N": "9." + "9" * 37 + "E+125"}
    assert between("n", greatest, greatest, low_exclusive=True).empty


def test_bounds_can_be_excluded() -> None:
    range_ = between("s", {"S": "a"}, {"S": "b"}, low_exclusive=True)
    assert range_ == KeyRange("s", "BETWEEN", ({"S": "a\0"}, {"S": "b"}))
    assert between("s", {"S": "b"}, {"S": "b"}, high_exclusive=True).empty
    assert between("s", {"S": "b"}, {"S": "b"}, low_exclusive=True).empty
    assert not between("s", {"S": "b"}, {"S": "b"}).empty
    assert between("s", {"S": ""}, {"S": ""}).empty


def test_a_neighbour_of_the_clock_is_of_the_clock() -> None:
    assert isinstance(next_value(ClockValue({"S": "a"})), ClockValue)
    assert isinstance(previous_value(ClockValue({"N": "1"})), ClockValue)
    assert not isinstance(next_value({"S": "a"}), ClockValue)


@given(texts, texts, st.integers(1, 1024))
def test_no_text_that_fits_lies_between_a_bound_and_the_one_within(
    bound: str, other: str, most: int
) -> None:
    other = other.encode()[:most].decode(errors="ignore")
    low, high = least_within({"S": bound}, most), greatest_within({"S": bound}, most)
    assert (other >= bound) == (low is not None and other >= low["S"])
    assert (other <= bound) == (other <= high["S"])
    assert len(high["S"].encode()) <= most
    assert low is None or len(low["S"].encode()) <= most


@given(binaries, binaries, st.integers(1, 1024))
def test_no_binary_that_fits_lies_between_a_bound_and_the_one_within(
    bound: bytes, other: bytes, most: int
) -> None:
    other = other[:most]
    low, high = least_within({"B": bound}, most), greatest_within({"B": bound}, most)
    assert (other >= bound) == (low is not None and other >= low["B"])
    assert (other <= bound) == (other <= high["B"])
    assert len(high["B"]) <= most
    assert low is None or len(low["B"]) <= most
