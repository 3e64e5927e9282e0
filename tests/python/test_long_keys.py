"""Keys of several attributes: what counts is the sum of their lengths, in writes and in reads."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from built_packages import create_tables, designed, imported

SPEC = """\
dyngen: 1
service: tournaments
tables:
  Matches:
    partition_key: match_id
    indexes:
      ByPlace: {partition_key: [tournament, region], sort_key: [bracket, place]}
      ByDay: {partition_key: [kind, day], sort_key: round}
entities:
  Match:
    attributes:
      match_id: string
      tournament: string
      region: string
      bracket: string
      place: {type: string, optional: true}
      kind: [A, B]
      round: integer
      day: date
access_patterns:
  between: {query: Match, where: {tournament: eq, region: eq, bracket: eq, place: {gt: {param: low}, lt: {param: high}}}}
  through: {query: Match, where: {tournament: eq, region: eq, bracket: eq, place: lte}}
  below: {query: Match, where: {tournament: eq, region: eq, bracket: eq, place: begins_with}}
  of_day: {query: Match, where: {kind: eq, day: eq}}
  seat: {update: Match, where: {match_id: eq}, set: [tournament, region, bracket, place]}
  seats: {transact: [{update: Match, where: {match_id: eq}, set: [tournament, region, bracket, place]}]}
  rename: {update: Match, where: {match_id: eq}, set: [tournament]}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    with imported(designed(SPEC), tmp_path_factory.mktemp("tournaments")) as module:
        yield module


@pytest.fixture
def requests(package: ModuleType, client: Any) -> Iterator[list[dict[str, Any]]]:
    """The parameters of all requests; those of queries have keys that DynamoDB would take."""
    create_tables(client, designed(SPEC).schema)
    sent: list[dict[str, Any]] = []

    def remember(params: dict[str, Any], **_: object) -> None:
        sent.append(params)

    events = client.meta.events
    events.register("provide-client-params.dynamodb", remember)
    yield sent
    events.unregister("provide-client-params.dynamodb", remember)


@pytest.fixture
def db(package: ModuleType, client: Any, requests: list[Any]) -> Any:
    return package.Tournaments(client)


def match(package: ModuleType, **changes: Any) -> Any:
    given: dict[str, Any] = {
        "match_id": "m",
        "tournament": "t",
        "region": "r",
        "bracket": "b",
        "place": "p",
        "kind": package.MatchKind.A,
        "round": 1,
        "day": dt.date(2026, 7, 1),
        **changes,
    }
    return package.Match(**given)


LONG = {"tournament": "t" * 1024, "region": "r" * 1024, "bracket": "b" * 1000}


def test_a_key_of_exactly_its_limits_is_stored_and_found(
    db: Any, package: ModuleType
) -> None:
    stored = db.matches.put(match(package, **LONG, place="p" * 24))
    where = {**LONG, "low": "p" * 23, "high": "q"}
    assert list(db.matches.between(**where)) == [stored]
    assert db.matches.seat(match_id="m", **LONG, place="q" * 24).place == "q" * 24


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"tournament": "t" * 1025, "place": "p"},
            "the attributes of a partition key have 2049 bytes together, not at most 2048",
        ),
        (
            {"place": "p" * 25},
            "the attributes of a sort key have 1025 bytes together, not at most 1024",
        ),
    ],
)
def test_a_longer_one_is_not_written(
    db: Any,
    package: ModuleType,
    requests: list[Any],
    changes: dict[str, str],
    said: str,
) -> None:
    item = match(package, **(LONG | changes))
    place = {n: getattr(item, n) for n in ("tournament", "region", "bracket", "place")}
    for write in (
        lambda: db.matches.put(item),
        lambda: db.matches.create(item),
        lambda: db.matches.batch_write(put=[item]),
        lambda: db.matches.update(match(package, **LONG), **changes),
        lambda: db.matches.seat(match_id="m", **place),
        lambda: db.seats(match_id="m", **place),
    ):
        with pytest.raises(package.KeyValueError) as refused:
            write()
        assert str(refused.value) == said
    assert requests == []


def test_an_item_that_is_not_in_the_index_may_have_long_attributes(
    db: Any, package: ModuleType
) -> None:
    stored = db.matches.put(match(package, **LONG, place=None))
    moved = db.matches.seat(match_id="m", **{**LONG, "region": "r" * 1030}, place=None)
    assert stored.region == LONG["region"]
    assert moved.region == "r" * 1030


def test_a_read_for_keys_that_are_too_long_is_refused(
    db: Any, package: ModuleType, requests: list[Any]
) -> None:
    long = {**LONG, "region": "r" * 1025}
    with pytest.raises(package.KeyValueError, match="2049 bytes"):
        db.matches.through(**long, place_to="p")
    with pytest.raises(package.KeyValueError, match="leaves no room"):
        db.matches.below(**LONG, place_prefix="p" * 25)
    assert requests == []


def test_bounds_of_ranges_are_cut_to_what_other_attributes_leave(
    db: Any, package: ModuleType, requests: list[Any]
) -> None:
    """Below `q` is `p` and what fills up a key: 24 bytes here, since DynamoDB adds 1,000 others."""
    stored = db.matches.put(match(package, **LONG, place="p" * 24))
    assert list(db.matches.between(**LONG, low="o", high="q")) == [stored]
    assert list(db.matches.through(**LONG, place_to="p" * 25)) == [stored]
    assert list(db.matches.through(**LONG, place_to="p" * 23 + "o" * 9)) == []
    queries = [r for r in requests if "KeyConditionExpression" in r]
    assert len(queries) == 3
    for query in queries:
        bounds = [
            value["S"]
            for value in query["ExpressionAttributeValues"].values()
            if value["S"] not in LONG.values()
        ]
        assert all(len(bound.encode()) <= 24 for bound in bounds)
    first = queries[0]["ExpressionAttributeValues"].values()
    assert {"S": "p" + "\U0010ffff" * 5 + "\uffff"} in first


def test_nothing_is_measured_where_the_sum_cannot_be_too_long(
    package: ModuleType,
) -> None:
    path = Path(package.__file__ or "").with_name("match_repository.py")
    written = path.read_text(encoding="utf-8")
    assert written.count("keyparts.IndexKey(") == 2  # `_encode` and `seat`
    assert written.count(".fitting(") == 3  # all queries but `of_day`
