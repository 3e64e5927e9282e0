"""Constants of a spec as values of a type."""

import datetime as dt
from decimal import Decimal

import pytest
from dyngen.design.values import Problem, describe, normalise, normalise_default
from dyngen.diagnostics.model import Span
from dyngen.source.nodes import Mapping, Node, Scalar, ScalarValue, Sequence
from dyngen.types import model as types
from dyngen.types.model import Precision, ValueType
from hypothesis import given
from hypothesis import strategies as st

AT = Span("spec.yaml", 1, 1, 1, 2)
EMPTY_LIST, EMPTY_MAPPING = Sequence((), AT), Mapping((), AT)


@pytest.mark.parametrize(
    ("value", "of", "expected"),
    [
        ("Ab", types.String(fold="lower"), "ab"),
        ("ÄB", types.String(fold="lower"), "Äb"),  # ASCII alone is folded
        ("", types.String(), ""),
        (Decimal("1.50"), types.Decimal(), Decimal("1.50")),
        (0, types.Decimal(digits=2, places=2), Decimal("0.00")),
        (10**38 - 1, types.Integer(), 10**38 - 1),
        (1, types.Float(), 1.0),
        (5, types.Json(), Decimal(5)),
        (True, types.Json(), True),
        (
            "9999-12-31T23:59:59.9Z",
            types.Timestamp(Precision.SECONDS),
            dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC),
        ),
        (
            "6FA459EA-EE8A-3CA4-894E-DB77E160355E",
            types.Uuid(),
            "6fa459ea-ee8a-3ca4-894e-db77e160355e",
        ),
    ],
)
def test_a_value(value: ScalarValue, of: ValueType, expected: object) -> None:
    assert normalise(value, of) == expected


@pytest.mark.parametrize(
    ("value", "of"),
    [
        (10**38, types.Integer()),
        (Decimal("0.5"), types.Integer()),
        (10**10, types.Decimal(digits=12, places=2)),
        (Decimal("123.4"), types.Decimal(digits=3)),
        ("1", types.Float()),
        ("2026-07-01 00:00:00Z", types.Timestamp()),
        ("2026-07-01T00:00:00", types.Timestamp()),
        ("2026-07-01T24:00:00Z", types.Timestamp()),
        ("2026-07-01T00:00:00.1234567Z", types.Timestamp()),
        ("0001-01-01T00:00:00+01:00", types.Timestamp()),
        ("２０２６-07-01", types.Date()),
        ("20260701", types.Date()),
        ("81ARZ3NDEKTSV4RRFFQ69G5FAV", types.Ulid()),
        ("6fa459eaee8a3ca4894edb77e160355e", types.Uuid()),
        ("a", types.String(min_length=2)),
        ("ab-", types.String(charset="a-z")),
        (1, types.Boolean()),
        ("x", types.List(types.String())),
    ],
)
def test_no_value(value: ScalarValue, of: ValueType) -> None:
    assert isinstance(normalise(value, of), Problem)


@given(st.datetimes(timezones=st.timezones()), st.sampled_from(Precision))
def test_timestamps_are_cut_off_in_utc(
    moment: dt.datetime, precision: Precision
) -> None:
    try:
        utc = moment.astimezone(dt.UTC)
    except OverflowError:
        return
    found = normalise(utc.isoformat(), types.Timestamp(precision))
    assert isinstance(found, dt.datetime)
    assert dt.timedelta() <= utc - found < dt.timedelta(seconds=1)
    if precision is Precision.MICROSECONDS:
        assert found == utc


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_decimals_keep_their_value_or_are_refused(number: Decimal) -> None:
    found = normalise(number, types.Decimal(digits=12, places=2))
    if not isinstance(found, Problem):
        assert found == number
        assert isinstance(found, Decimal)
        assert found.as_tuple().exponent == -2
        assert abs(found) < 10**10


@pytest.mark.parametrize(
    ("node", "of", "expected"),
    [
        (EMPTY_LIST, types.List(types.String()), ()),
        (EMPTY_LIST, types.Set(types.String()), ()),
        (EMPTY_LIST, types.Json(), ()),
        (EMPTY_MAPPING, types.Map(types.String()), {}),
        (EMPTY_MAPPING, types.Json(), {}),
        (
            EMPTY_MAPPING,
            types.Object("O", (types.Field("a", "a", types.Date(), optional=True),)),
            {},
        ),
        (Scalar("x", AT), types.String(), "x"),
    ],
)
def test_a_default(node: Node, of: ValueType, expected: object) -> None:
    assert normalise_default(node, of) == expected


@pytest.mark.parametrize(
    ("node", "of"),
    [
        (EMPTY_LIST, types.Map(types.String())),
        (EMPTY_MAPPING, types.List(types.String())),
        (EMPTY_MAPPING, types.String()),
        (EMPTY_MAPPING, types.Object("O", (types.Field("a", "a", types.Date()),))),
        (Sequence((Scalar("x", AT),), AT), types.List(types.String())),
        (Scalar("x", AT), types.Object("O", ())),
    ],
)
def test_no_default(node: Node, of: ValueType) -> None:
    assert isinstance(normalise_default(node, of), Problem)


def test_types_in_words() -> None:
    assert describe(types.Integer()) == "an integer"
    assert describe(types.Enum("State", ())) == "a value of State"
    assert describe(types.Set(types.Date())) == "a set"
