"""Stored forms: what goes in comes out in its normal form, and nothing else gets in."""

from __future__ import annotations

import copy
import datetime as dt
import json
import pickle
from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest
from dyngen.runtime import containers, errors, stored
from dyngen.runtime.errors import InvalidValue, StoredValueError
from hypothesis import given, settings
from hypothesis import strategies as st

SAMOA = dt.timezone(dt.timedelta(hours=-11, minutes=-30))
UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


class State(StrEnum):
    OPEN = "1_OPEN"
    CLOSED = "2_CLOSED"


STATES = {state.value: state for state in State}
moments = st.datetimes(
    dt.datetime(1, 1, 2), dt.datetime(9999, 12, 30), timezones=st.just(SAMOA)
)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (stored.text(""), {"S": ""}),
        (stored.text("aÉ", fold="upper"), {"S": "AÉ"}),
        (stored.text("ab", min_length=2, max_length=2, charset="a-b"), {"S": "ab"}),
        (stored.integer(-5), {"N": "-5"}),
        (stored.integer(10**38 - 1), {"N": "9" * 38}),
        (stored.integer(10**125), {"N": "1" + "0" * 125}),
        (stored.decimal(Decimal("30.40")), {"N": "30.4"}),
        (stored.decimal(Decimal("-0.00")), {"N": "0"}),
        (stored.decimal(Decimal("1E+3")), {"N": "1000"}),
        (stored.decimal(Decimal("12.30"), places=2, digits=4), {"N": "12.3"}),
        (stored.floating(0.1), {"N": "0.1"}),
        (stored.floating(1e21), {"N": "1" + "0" * 21}),
        (stored.floating(-0.0), {"N": "0"}),
        (stored.boolean(False), {"BOOL": False}),
        (stored.binary(b""), {"B": b""}),
        (
            stored.timestamp(
                dt.datetime(1999, 12, 31, 23, 59, 59, 999999, tzinfo=SAMOA)
            ),
            {"S": "2000-01-01T11:29:59.999Z"},
        ),
        (
            stored.epoch(dt.datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=dt.UTC)),
            {"N": "-1"},
        ),
        (
            stored.epoch(
                dt.datetime(1970, 1, 1, 0, 0, 1, 234567, tzinfo=dt.UTC),
                "a",
                "milliseconds",
            ),
            {"N": "1234"},
        ),
        (
            stored.epoch(
                dt.datetime(1970, 1, 1, 0, 0, 1, 234567, tzinfo=dt.UTC),
                "a",
                "milliseconds",
                "seconds",
            ),
            {"N": "1000"},
        ),
        (stored.date(dt.date(7, 1, 2)), {"S": "0007-01-02"}),
        (stored.uuid(UUID), {"S": UUID}),
        (stored.ulid(ULID), {"S": ULID}),
        (stored.enum(State.OPEN, "a", State), {"S": "1_OPEN"}),
        (
            containers.list_([1, 2], "a", stored.integer),
            {"L": [{"N": "1"}, {"N": "2"}]},
        ),
        (containers.set_({"b", "a"}, "a", stored.text), {"SS": ["a", "b"]}),
        (
            containers.set_(
                frozenset({State.OPEN}),
                "a",
                lambda s, name: stored.enum(s, name, State),
            ),
            {"SS": ["1_OPEN"]},
        ),
        (containers.set_({3, 1}, "a", stored.integer), {"NS": ["1", "3"]}),
        (
            containers.map_({"a": True}, "a", stored.boolean),
            {"M": {"a": {"BOOL": True}}},
        ),
    ],
)
def test_stored_forms(made: Any, expected: Any) -> None:
    assert made == expected
    assert all(
        type(content) in (str, bool, bytes, list, dict) for content in made.values()
    )


@pytest.mark.parametrize(
    "store",
    [
        lambda: stored.text(5, "a"),
        lambda: stored.text("\udfff", "a"),
        lambda: stored.text("a", "a", min_length=2),
        lambda: stored.text("abc", "a", max_length=2),
        lambda: stored.text("é", "a", charset="\\w"),
        lambda: stored.integer(True, "a"),
        lambda: stored.integer(1.0, "a"),
        lambda: stored.integer(10**38 + 1, "a"),
        lambda: stored.integer(10**126, "a"),
        lambda: stored.integer(10**5000, "a"),
        lambda: stored.integer(5, "a", maximum=4),
        lambda: stored.integer(5, "a", minimum=6),
        lambda: stored.decimal(1.5, "a"),
        lambda: stored.decimal(Decimal("NaN"), "a"),
        lambda: stored.decimal(Decimal("-Infinity"), "a"),
        lambda: stored.decimal(Decimal("1E-131"), "a"),
        lambda: stored.decimal(Decimal("1E+126"), "a"),
        lambda: stored.decimal(Decimal("1." + "1" * 38), "a"),
        lambda: stored.decimal(Decimal("1.234"), "a", places=2),
        lambda: stored.decimal(Decimal("123.4"), "a", places=2, digits=4),
        lambda: stored.decimal(Decimal("1.5"), "a", maximum=Decimal(1)),
        lambda: stored.floating(float("nan"), "a"),
        lambda: stored.floating(float("inf"), "a"),
        lambda: stored.floating(1e200, "a"),
        lambda: stored.floating(1e-200, "a"),
        lambda: stored.floating(True, "a"),
        lambda: stored.floating(10**400, "a"),
        lambda: stored.boolean(1, "a"),
        lambda: stored.binary(bytearray(b"x"), "a"),
        lambda: stored.binary(b"xy", "a", max_length=1),
        lambda: stored.binary(b"", "a", min_length=1),
        lambda: stored.timestamp(dt.datetime(2026, 7, 1), "a"),
        lambda: stored.timestamp(
            dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))), "a"
        ),
        lambda: stored.epoch(dt.datetime(2026, 7, 1), "a"),
        lambda: stored.date(dt.datetime(2026, 7, 1), "a"),
        lambda: stored.uuid(UUID.upper(), "a"),
        lambda: stored.ulid(ULID.lower(), "a"),
        lambda: stored.enum("3_OTHER", "a", State),
        lambda: containers.list_("ab", "a", stored.text),
        lambda: containers.set_(set(), "a", stored.text),
        lambda: containers.set_(["a"], "a", stored.text),
        lambda: containers.map_([], "a", stored.text),
        lambda: containers.map_({"\ud800": "x"}, "a", stored.text),
        lambda: containers.map_({1: "x"}, "a", stored.text),
        lambda: containers.json({"a": object()}, "a"),
        lambda: containers.json({"a", 1}, "a"),
        lambda: containers.json(frozenset(), "a"),
        lambda: containers.json([float("nan")], "a"),
    ],
)
def test_what_cannot_be_stored_is_named(store: Any) -> None:
    with pytest.raises(InvalidValue) as refused:
        store()
    assert refused.value.attribute == "a"
    assert str(refused.value).startswith("`a`: ")


@pytest.mark.parametrize(
    "parse",
    [
        lambda: stored.parse_text({"N": "1"}, "a"),
        lambda: stored.parse_text({"S": "Ab"}, "a", "upper"),
        lambda: stored.parse_integer({"S": "1"}, "a"),
        lambda: stored.parse_integer({"N": "1.5"}, "a"),
        lambda: stored.parse_integer({"N": "x"}, "a"),
        lambda: stored.parse_decimal({"N": "1.234"}, "a", 2),
        lambda: stored.parse_decimal({"N": "x"}, "a"),
        lambda: stored.parse_floating({"N": "x"}, "a"),
        lambda: stored.parse_boolean({"S": "true"}, "a"),
        lambda: stored.parse_binary({"S": "00"}, "a"),
        lambda: stored.parse_timestamp({"S": "2026-07-01T00:00:00Z"}, "a"),
        lambda: stored.parse_timestamp({"S": "2026-07-01T00:00:00.000+00:00"}, "a"),
        lambda: stored.parse_epoch({"N": "1" + "0" * 20}, "a"),
        lambda: stored.parse_date({"S": "2026-7-1"}, "a"),
        lambda: stored.parse_uuid({"S": UUID.upper()}, "a"),
        lambda: stored.parse_ulid({"S": "x"}, "a"),
        lambda: stored.parse_enum({"S": "OPEN"}, "a", STATES),
        lambda: containers.parse_list({"L": [{"N": "1"}]}, "a", stored.parse_text),
        lambda: containers.parse_list({"SS": ["x"]}, "a", stored.parse_text),
        lambda: containers.parse_set({"L": []}, "a", stored.parse_text),
        lambda: containers.parse_map(
            {"M": {"k": {"S": "x"}}}, "a", stored.parse_integer
        ),
        lambda: containers.parse_json({"X": 1}, "a"),
    ],
)
def test_what_cannot_be_decoded_names_its_attribute(parse: Any) -> None:
    with pytest.raises(StoredValueError) as refused:
        parse()
    assert refused.value.attribute == "a"
    assert "'a'" in str(refused.value)


@settings(max_examples=300, deadline=None)
@given(moments, st.sampled_from(["seconds", "milliseconds", "microseconds"]))
def test_moments(moment: dt.datetime, precision: Any) -> None:
    value = stored.timestamp(moment, precision=precision)
    back = stored.parse_timestamp(value, "at", precision)
    assert back.tzinfo is dt.UTC
    assert dt.timedelta(0) <= moment - back < dt.timedelta(seconds=1)
    assert stored.timestamp(back, precision=precision) == value
    for unit in ("seconds", "milliseconds"):
        number = stored.epoch(moment, "", unit, precision)
        counted = stored.parse_epoch(number, "at", unit)
        assert stored.epoch(counted, "", unit, precision) == number
        assert dt.timedelta(0) <= moment - counted < dt.timedelta(seconds=1)


@settings(max_examples=300, deadline=None)
@given(st.decimals(-(10**20), 10**20, allow_nan=False, places=3), st.integers(3, 6))
def test_decimals_have_their_places(number: Decimal, places: int) -> None:
    value = stored.decimal(number, places=places)
    back = stored.parse_decimal(value, "n", places)
    assert back == number
    assert back.as_tuple().exponent == -places
    assert stored.decimal(back, places=places) == value
    assert stored.parse_decimal(value, "n") == number


@settings(max_examples=300, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_come_back_as_they_were(number: float) -> None:
    if number == 0 or 1e-130 <= abs(number) < 1e126:
        assert stored.parse_floating(stored.floating(number), "f") == number


documents = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.decimals(-(10**9), 10**9, places=4, allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
    | st.binary(max_size=4)
    | st.frozensets(st.text("ab", max_size=2), min_size=1, max_size=2)
    | st.frozensets(st.integers(0, 9), min_size=1, max_size=3),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text("kl", min_size=1, max_size=2), inner, max_size=3),
    max_leaves=8,
)


def frozen(document: Any) -> Any:
    """A document as it is read: containers that cannot be changed."""
    if isinstance(document, list):
        return tuple(frozen(element) for element in document)
    if isinstance(document, dict):
        return {key: frozen(value) for key, value in document.items()}
    return document


@settings(max_examples=300, deadline=None)
@given(documents)
def test_documents(document: Any) -> None:
    value = containers.json(document)
    back = containers.parse_json(value, "d")
    assert back == frozen(document)
    assert containers.json(back) == value
    assert copy.deepcopy(back) == pickle.loads(pickle.dumps(back)) == back


def test_numbers_of_documents_are_decimals_that_print_alike() -> None:
    back = containers.parse_json(containers.json({"a": [0.1, 5]}), "d")
    assert back == {"a": (Decimal("0.1"), Decimal(5))}
    assert all(type(number) is Decimal for number in back["a"])


def test_documents_nest_32_levels_deep() -> None:
    deep: Any = "x"
    for _ in range(32):
        deep = [deep]
    assert containers.parse_json(containers.json(deep), "d")
    with pytest.raises(InvalidValue, match="32 levels"):
        containers.json([deep])


def test_containers_cannot_be_changed() -> None:
    back = containers.parse_map(
        containers.map_({"a": 1}, "", stored.integer), "m", stored.parse_integer
    )
    assert back == {"a": 1}
    assert json.dumps(back) == '{"a": 1}'
    changed: Any = back
    for change in (
        lambda: changed.update(b=2),
        lambda: changed.pop("a"),
        lambda: changed.setdefault("b", 2),
        changed.clear,
        lambda: changed.__setitem__("b", 2),
        lambda: changed.__ior__({"b": 2}),
    ):
        with pytest.raises(TypeError, match="cannot be changed"):
            change()
    assert containers.parse_list({"L": []}, "l", stored.parse_text) == ()
    assert containers.parse_set(
        {"NS": ["1", "2"]}, "s", stored.parse_integer
    ) == frozenset({1, 2})


def test_whole_numbers_are_read_however_they_are_written() -> None:
    assert stored.parse_integer({"N": "100"}, "n") == 100
    assert stored.parse_integer({"N": "1E+2"}, "n") == 100
    assert stored.parse_integer({"N": "-7.0"}, "n") == -7


def test_errors_say_what_happened_but_not_what_is_stored() -> None:
    secret = {"card": "4000-0000"}
    raised = [
        errors.ItemExists(secret),
        errors.StaleItem(secret, outcome_unknown=True),
        errors.GuardFailed(secret),
        errors.BatchIncomplete(not_written=[secret]),
        errors.UniqueTaken("owner", "title"),
        errors.MultipleItems("by_email"),
        errors.StoredValueError("at", "a timestamp"),
        errors.TransactionConflict(),
        errors.TransactionFailed(None, errors.GuardFailed(secret)),
    ]
    for error in raised:
        assert isinstance(error, errors.RepositoryError)
        assert str(error)
        assert "4000" not in str(error)
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert raised[0].current is secret
    assert raised[1].outcome_unknown
    assert "pk" in str(errors.UnknownItem({"pk": "A"}))


@pytest.mark.parametrize("document", [{"": 1}, {"a": {"": 1}}, {"é" * 32768: 1}])
def test_an_entry_of_a_map_has_a_name(document: object) -> None:
    with pytest.raises(errors.InvalidValue, match="key of an entry of a map"):
        containers.json(document)
