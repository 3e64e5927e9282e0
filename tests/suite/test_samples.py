"""Sample values are valid, distinct, near each other, and written as they are."""

from __future__ import annotations

import datetime as dt
import decimal

import pytest
from dyngen.python.suite import samples
from dyngen.python.suite.sources import source
from dyngen.python.suite.stored import form
from dyngen.testkit.ids import at, ulid, uuid
from dyngen.types import model as types

STATE = types.Enum(
    "State", (types.Member("OPEN", "open"), types.Member("SHUT", "shut"))
)
TYPES = {
    "text": types.String(),
    "short text": types.String(max_length=2),
    "one of few characters": types.String(1, 1, "ab"),
    "code": types.String(min_length=8, max_length=12, charset="A-Z0-9"),
    "folded": types.String(fold="upper"),
    "integer": types.Integer(),
    "month": types.Integer(1, 12),
    "signed": types.Integer(-500, 99999),
    "far": types.Integer(10**9, 10**10),
    "money": types.Decimal(12, 2),
    "percent": types.Decimal(None, 0, decimal.Decimal(0), decimal.Decimal(100)),
    "number": types.Decimal(),
    "float": types.Float(),
    "boolean": types.Boolean(),
    "bytes": types.Binary(2, 4),
    "moment": types.Timestamp(),
    "second": types.Timestamp(types.Precision.SECONDS, types.Stored.EPOCH_SECONDS),
    "date": types.Date(),
    "uuid": types.Uuid(),
    "ulid": types.Ulid(),
    "enum": STATE,
    "document": types.Json(),
    "list": types.List(types.String()),
    "set": types.Set(types.Integer()),
    "map": types.Map(types.Boolean()),
    "object": types.Object("Place", (types.Field("street", "street", types.String()),)),
}
NAMES = {"dt": dt, "Decimal": decimal.Decimal, "at": at, "ulid": ulid, "uuid": uuid}


@pytest.mark.parametrize("of", TYPES.values(), ids=TYPES)
def test_pools_hold_valid_values_each_once(of: types.ValueType) -> None:
    found = samples.pool(of, "p")

    assert found
    assert all(samples.valid(of, value) for value in found)
    assert all(a != b for n, a in enumerate(found) for b in found[n + 1 :])
    for value in found:
        form(of, value)


@pytest.mark.parametrize("of", TYPES.values(), ids=TYPES)
def test_neighbours_are_valid_and_other_values(of: types.ValueType) -> None:
    for value in samples.pool(of, "p"):
        near = samples.near(of, value)

        assert value not in near
        assert all(samples.valid(of, each) for each in near)


def test_text_has_neighbours_that_extend_it_and_that_it_extends() -> None:
    assert {"p1", "p10", "p1#x", "p"} <= {"p1", *samples.near(types.String(), "p1")}


def test_ordered_values_have_both_neighbours() -> None:
    assert samples.near(types.Integer(1, 12), 9) == (8, 10)
    assert samples.near(types.Integer(1, 12), 12) == (11,)
    assert samples.near(types.Decimal(12, 2), decimal.Decimal("1.50")) == (
        decimal.Decimal("1.49"),
        decimal.Decimal("1.51"),
    )


@pytest.mark.parametrize("of", TYPES.values(), ids=TYPES)
def test_a_series_is_written_as_what_it_is(of: types.ValueType) -> None:
    series = samples.series(of, "p")
    if series is None:
        return
    values = [series.value(number) for number in range(10, 130)]

    assert all(samples.valid(of, value) for value in values)
    assert len(set(map(repr, values))) == len(values)
    assert [
        eval(series.source("n"), {**NAMES, "n": n}) for n in range(10, 130)
    ] == values


@pytest.mark.parametrize("of", TYPES.values(), ids=TYPES)
def test_values_are_written_as_what_they_are(of: types.ValueType) -> None:
    if isinstance(of, types.Enum | types.Object):
        return  # written by names of the package; the generated suites show them
    for value in samples.pool(of, "p"):
        assert eval(source(of, value), dict(NAMES)) == value


@pytest.mark.parametrize("of", TYPES.values(), ids=TYPES)
def test_ends_are_valid(of: types.ValueType) -> None:
    assert all(samples.valid(of, end) for end in samples.ends(of))


def test_the_last_moment_is_whole() -> None:
    assert samples.ends(TYPES["moment"])[1] == at("9999-12-31T23:59:59.999Z")
    assert samples.ends(TYPES["second"])[1] == at("9999-12-31T23:59:59Z")
