"""Key texts that collide, lose their order, or stand for nothing (faults 5 to 9, 13, 16 and 30)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from running import Running, refusals

Build = Callable[[str], Running]

# --- 5: a value that holds the delimiter ------------------------------------------------------------

TENANTS = """\
tables: {Files: {partition_key: pk, sort_key: sk%s}}
entities:
  File:
    attributes: {tenant: string, drive: string, folder: string, name: string}
    keys: {pk: "{tenant}#{drive}", sk: "{folder}#{name}"}
access_patterns:
  of_drive: {query: File, where: {tenant: eq, drive: eq}}
  in_folder: {query: File, where: {tenant: eq, drive: eq, folder: eq}}
"""


def test_a_value_cannot_hold_the_delimiter_of_its_key(build: Build) -> None:
    """`("p#q", "r")` and `("p", "q#r")` are two keys, in two partitions."""
    running = build(TENANTS % "")
    files, file = running.db().files, running.package.File
    pairs = [("p#q", "r"), ("p", "q#r"), ("p%23q", "r"), ("p", "q%23r")]
    every = [
        files.create(file(tenant=tenant, drive=drive, folder=folder, name=name))
        for tenant, drive in pairs
        for folder, name in pairs
    ]

    assert len(running.stored("Files")) == len(every) == 16
    for tenant, drive in pairs:
        own = [f for f in every if (f.tenant, f.drive) == (tenant, drive)]
        assert set(files.of_drive(tenant=tenant, drive=drive)) == set(own)
        for folder, name in pairs:
            found = files.in_folder(tenant=tenant, drive=drive, folder=folder)
            assert set(found) == {f for f in own if f.folder == folder}
            assert file(tenant=tenant, drive=drive, folder=folder, name=name) in own


def test_a_raw_key_refuses_its_delimiter(build: Build) -> None:
    """Where keys are as somebody else wrote them, nothing is escaped: the value is refused."""
    running = build(TENANTS % ", key_encoding: raw, delimiter: '#'")
    files, file = running.db().files, running.package.File

    with pytest.raises(
        running.package.KeyValueError, match="before '#' in a key must not hold it"
    ):
        files.create(file(tenant="p#q", drive="r", folder="f", name="n"))
    with pytest.raises(
        running.package.KeyValueError, match="before '#' in a key must not hold it"
    ):
        files.of_drive(tenant="p#q", drive="r").all()
    assert running.stored("Files") == []


# --- 6: keys in lower case --------------------------------------------------------------------------

CASES = """\
tables: {Things: {partition_key: pk, indexes: {Keys: {partition_key: kind, sort_key: id_key, projection: keys_only}}}}
entities:
  Thing:
    attributes: {id: %s, kind: [THING]}
    keys: {pk: "THING#{id}", id_key: "{id}"}
access_patterns:
  ids: {query: Thing, where: {kind: THING}}
"""


def test_keys_keep_their_case(build: Build) -> None:
    running = build(CASES % "string")
    things, package = running.db().things, running.package
    kind = package.ThingKind.THING

    for name in ("AbC", "aBc", "abc"):
        things.create(package.Thing(id=name, kind=kind))

    assert things.get(id="aBc").id == "aBc"
    assert things.get(id="ABC") is None
    assert [found.id for found in things.ids()] == ["AbC", "aBc", "abc"]


def test_what_is_folded_says_so_and_is_folded_everywhere(build: Build) -> None:
    """The value itself is: nothing else was ever there to be recovered."""
    running = build(CASES % "{type: string, fold: lower}")
    things, package = running.db().things, running.package

    created = things.create(package.Thing(id="AbC", kind=package.ThingKind.THING))

    assert created.id == "abc"
    assert things.get(id="aBC") == created
    with pytest.raises(package.ItemExists):
        things.create(package.Thing(id="aBc", kind=package.ThingKind.THING))


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


# --- 13: a part that is missing ---------------------------------------------------------------------

PETS = """\
tables: {Papers: {partition_key: owner, sort_key: sk, indexes: {ByVet: {partition_key: owner, sort_key: vet_key}}}}
entities:
  Paper:
    attributes: {owner: string, pet: {type: string, optional: true}, id: string, vet: {type: string, optional: true}}
    keys: {sk: "PET#{pet%s}#{id}", vet_key: "VET#{vet}#{id}"}
access_patterns:
  of_pet: {query: Paper, where: {owner: eq, pet: eq}}
  of_no_pet: {query: Paper, where: {owner: eq, pet: absent}}
"""


def test_what_may_be_missing_cannot_stand_in_a_tables_key() -> None:
    found = refusals(PETS % "")

    assert found[0][:2] == (
        "DG124",
        "`pet` is optional, but the table's key `sk` needs it",
    )
    assert "`{pet|none}`" in found[0][2]


def test_no_value_is_taken_for_a_missing_one(build: Build) -> None:
    running = build(PETS % "|none")
    papers, paper = running.db().papers, running.package.Paper
    nobody = papers.create(paper(owner="o", id="1"))
    names = ["none", "None", "!none", "null", "undefined"]
    named = [papers.create(paper(owner="o", id="1", pet=name)) for name in names]

    assert papers.of_no_pet(owner="o").all() == [nobody]
    for each in named:
        assert papers.of_pet(owner="o", pet=each.pet).all() == [each]
    keys = sorted(item["sk"]["S"] for item in running.stored("Papers"))
    assert keys[0] == "PET#!none#1"
    assert "PET#none#1" in keys
    assert "PET#%21none#1" in keys


def test_a_missing_part_leaves_no_key_behind(build: Build) -> None:
    running = build(PETS % "|none")
    papers, paper = running.db().papers, running.package.Paper

    papers.create(paper(owner="o", id="1"))
    seen = papers.create(paper(owner="o", id="2", vet="v"))
    papers.update(seen, vet=None)
    papers.put(paper(owner="o", id="3"))

    assert running.stored("Papers", "ByVet") == []
    for item in running.stored("Papers"):
        assert set(item) == {"owner", "sk", "id"}


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
