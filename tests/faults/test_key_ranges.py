"""Ranges of keys that miss items, or hold others (faults 7 to 9, 16 and 30)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from running import Running, refusals

Build = Callable[[str], Running]

# --- 7: the last value of a range -------------------------------------------------------------------

DAYS = """\
tables: {Shifts: {partition_key: team, sort_key: sk}}
entities:
  Shift:
    attributes: {team: string, day: date, id: string}
    keys: {sk: "{day}#{id}"}
access_patterns:
  between: {query: Shift, where: {team: eq, day: between}}
  after: {query: Shift, where: {team: eq, day: gt}}
  before: {query: Shift, where: {team: eq, day: lt}}
"""


def test_a_range_holds_every_item_of_its_last_day(build: Build) -> None:
    running = build(DAYS)
    shifts, shift = running.db().shifts, running.package.Shift
    days = [dt.date(2026, 7, day) for day in (1, 2, 3, 4)]
    every = [
        shifts.create(shift(team="t", day=day, id=id)) for day in days for id in "!az~"
    ]

    found = shifts.between(team="t", day_from=days[1], day_to=days[2]).all()

    assert found == every[4:12]
    assert shifts.after(team="t", day_after=days[1]).all() == every[8:]
    assert shifts.before(team="t", day_before=days[1]).all() == every[:4]


TEXTS = DAYS.replace("day: date", "day: string").replace("Shift", "Step")


def test_greater_than_a_text_leaves_out_the_items_of_that_text(build: Build) -> None:
    running = build(TEXTS)
    steps, step = running.db().steps, running.package.Step
    names = ("a0", "a1", "a1 ", "a1#", "a10", "a2")
    every = [steps.create(step(team="t", day=n, id=i)) for n in names for i in "1~"]

    assert steps.after(team="t", day_after="a1").all() == every[4:]
    assert steps.before(team="t", day_before="a1").all() == every[:2]
    assert steps.between(team="t", day_from="a1", day_to="a1").all() == every[2:4]


# --- 8: numbers as text -----------------------------------------------------------------------------

NUMBERS = """\
tables: {Scores: {partition_key: game, sort_key: sk}}
entities:
  Score:
    attributes: {game: string, score: %s}
    keys: {sk: "SCORE#{score%s}"}
access_patterns:
  scores: {query: Score, where: {game: eq}, order_by: score%s}
  at_least: {query: Score, where: {game: eq, score: gte}}
"""
INTEGER = "{type: integer, min: -99, max: 999}"


@pytest.mark.parametrize("reversed_", [False, True])
def test_numbers_in_a_key_have_the_order_of_numbers(
    build: Build, reversed_: bool
) -> None:
    way = (":desc", " desc") if reversed_ else ("", "")
    running = build(NUMBERS % (INTEGER, *way))
    scores, score = running.db().scores, running.package.Score
    numbers = [9, 10, -5, -10, 0, 100, -99, 999]
    for number in numbers:
        scores.create(score(game="g", score=number))

    found = [found.score for found in scores.scores(game="g")]

    assert found == sorted(numbers, reverse=reversed_)
    at_least = scores.at_least(game="g", score_from=9)
    assert {found.score for found in at_least} == {9, 10, 100, 999}


@pytest.mark.parametrize("number", [1000, -100, True, 1.0, "7"])
def test_a_number_that_does_not_fit_its_key_is_refused(
    build: Build, number: Any
) -> None:
    running = build(NUMBERS % (INTEGER, "", ""))
    scores = running.db().scores

    with pytest.raises(running.package.InvalidValue):
        scores.create(running.package.Score(game="g", score=number))
    with pytest.raises(running.package.InvalidValue):
        scores.at_least(game="g", score_from=number).all()
    assert running.stored("Scores") == []


def test_a_number_without_width_is_refused() -> None:
    found = refusals(NUMBERS % ("integer", "", ""))

    assert [code for code, _, _ in found] == ["DG172"]
    assert "has no fixed width in a key" in found[0][1]
    assert "min: 0, max: 999999" in found[0][2]


# --- 9: timestamps in several spellings -------------------------------------------------------------

MOMENTS = """\
tables: {Events: {partition_key: device, sort_key: %s}}
entities:
  Event: {attributes: {device: string, at: {type: timestamp%s}}%s}
access_patterns:
  events: {query: Event, where: {device: eq}, order_by: at}
  from_moment: {query: Event, where: {device: eq, at: gte}}
"""


@pytest.mark.parametrize(
    "form",
    [
        ("at", "", ""),
        ("sk", "", ', keys: {sk: "AT#{at}"}'),
        ("at", ", stored: epoch_milliseconds", ""),
    ],
    ids=["text", "computed", "epoch"],
)
def test_moments_have_one_spelling_and_the_order_of_time(
    build: Build, form: tuple[str, str, str]
) -> None:
    running = build(MOMENTS % form)
    events, event = running.db().events, running.package.Event
    berlin, utc = dt.timezone(dt.timedelta(hours=2)), dt.UTC
    moments = [
        dt.datetime(
            2026, 7, 1, 1, 59, 59, 999_999, berlin
        ),  # 23:59:59.999, the day before
        dt.datetime(2026, 7, 1, tzinfo=utc),
        dt.datetime(2026, 7, 1, 2, 0, 0, 500_000, berlin),
        dt.datetime(2026, 7, 1, 0, 0, 1, tzinfo=utc),
    ]
    for moment in reversed(moments):
        events.create(event(device="d", at=moment))

    kept = [m.replace(microsecond=m.microsecond // 1000 * 1000) for m in moments]
    assert [found.at for found in events.events(device="d")] == kept
    midnight = dt.datetime(2026, 7, 1, 2, tzinfo=berlin)
    after = events.from_moment(device="d", at_from=midnight)
    assert [found.at for found in after] == kept[1:]
    with pytest.raises(running.package.ItemExists):
        events.create(event(device="d", at=midnight))
    with pytest.raises(running.package.InvalidValue):
        events.create(event(device="d", at=dt.datetime(2026, 7, 1)))


# --- 16: shards -------------------------------------------------------------------------------------

SHARDS = """\
tables: {Logs: {partition_key: id, indexes: {ByCode: {partition_key: code_pk, sort_key: at}}}}
entities:
  Log:
    attributes: {id: string, code: {type: integer, min: 0, max: 999}, at: integer}
    keys: {code_pk: {value: "CODE#{code}#{shard}", shards: {count: 10, by: [id]}}}
access_patterns:
  of_code: {query: Log, where: {code: eq}, order_by: at}
"""


def test_every_shard_that_is_written_is_read(build: Build) -> None:
    running = build(SHARDS)
    logs, log = running.db().logs, running.package.Log
    every = [log(id=f"{n:03}", code=404, at=n) for n in range(100)]
    logs.batch_write(put=every)

    with running.recorded() as recorder:
        found = logs.of_code(code=404).all()

    assert found == every
    written = {item["code_pk"]["S"] for item in running.stored("Logs")}
    read = {
        value["S"]
        for request in recorder.requests
        for value in request.params["ExpressionAttributeValues"].values()
    }
    assert written == read == {f"CODE#404#{shard}" for shard in range(10)}


# --- 30: values that Python takes for nothing -------------------------------------------------------

ZEROS = """\
tables: {Points: {partition_key: owner, sort_key: %s}}
entities:
  Point: {attributes: {owner: string, value: %s}%s}
access_patterns:
  exactly: {query: Point, where: {owner: eq, value: eq}}
  at_least: {query: Point, where: {owner: eq, value: gte}}
  at_most: {query: Point, where: {owner: eq, value: lte}}
  between: {query: Point, where: {owner: eq, value: between}}
"""
KINDS: dict[str, tuple[str, list[Any]]] = {
    "{type: integer, min: -9, max: 9}": ("integer", [-1, 0, 1]),
    "{type: decimal, digits: 3, places: 1, min: -9, max: 9}": (
        "decimal",
        [Decimal("-0.5"), Decimal("0.0"), Decimal("0.5")],
    ),
}


@pytest.mark.parametrize("kind", KINDS, ids=[name for name, _ in KINDS.values()])
@pytest.mark.parametrize("computed", [False, True])
def test_zero_is_a_bound(build: Build, kind: str, computed: bool) -> None:
    keys = ', keys: {sk: "V#{value}"}' if computed else ""
    running = build(ZEROS % ("sk" if computed else "value", kind, keys))
    points, point = running.db().points, running.package.Point
    below, zero, above = KINDS[kind][1]
    for value in (below, zero, above):
        points.create(point(owner="o", value=value))

    def values(query: Any) -> list[Any]:
        return [found.value for found in query]

    assert values(points.exactly(owner="o", value=zero)) == [zero]
    assert values(points.at_least(owner="o", value_from=zero)) == [zero, above]
    assert values(points.at_most(owner="o", value_to=zero)) == [below, zero]
    assert values(points.between(owner="o", value_from=zero, value_to=zero)) == [zero]


EMPTY = """\
tables: {Notes: {partition_key: owner, sort_key: title}}
entities:
  Note: {attributes: {owner: string, title: string}}
access_patterns:
  exactly: {query: Note, where: {owner: eq, title: eq}}
  at_most: {query: Note, where: {owner: eq, title: lte}}
  at_least: {query: Note, where: {owner: eq, title: gte}}
  beginning: {query: Note, where: {owner: eq, title: begins_with}}
"""


def test_empty_text_is_refused_as_a_bound(build: Build) -> None:
    running = build(EMPTY)
    notes = running.db().notes
    notes.create(running.package.Note(owner="o", title="t"))
    asked = {
        notes.exactly: {"title": ""},
        notes.at_most: {"title_to": ""},
        notes.at_least: {"title_from": ""},
        notes.beginning: {"title_prefix": ""},
    }

    with running.recorded() as recorder:
        for method, bound in asked.items():
            with pytest.raises(
                running.package.KeyValueError, match="must not be empty"
            ):
                method(owner="o", **bound).all()

    assert recorder.requests == []
