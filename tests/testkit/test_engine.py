"""The engine gives fresh tables, records what is read, and shows faults on demand."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from dyngen.testkit.engine import Engine, Tables
from dyngen.testkit.expressions import IllegalRequest
from dyngen.testkit.reads import (
    By,
    assert_in_order,
    assert_reads_only,
    assert_same_items,
    walk,
)

from .test_guard import GAMES


def game(at: int, **attributes: str) -> dict[str, Any]:
    texts = {name: {"S": value} for name, value in attributes.items()}
    return {"id": {"S": "g"}, "at": {"N": str(at)}, **texts}


def query(tables: Tables, **changes: Any) -> Any:
    return tables.engine.client.query(
        TableName=f"{tables.prefix}Games",
        KeyConditionExpression="#id = :id",
        ExpressionAttributeNames={"#id": "id", **changes.pop("names", {})},
        ExpressionAttributeValues={":id": {"S": "g"}, **changes.pop("values", {})},
        **changes,
    )


def test_each_test_has_tables_of_its_own(running: Engine) -> None:
    with running.tables([GAMES]) as first, running.tables([GAMES]) as second:
        first.put("Games", game(1))

        assert first.items("Games") == [game(1)]
        assert second.items("Games") == []
    assert running.raw.list_tables()["TableNames"] == []


def test_the_client_is_guarded(tables: Tables) -> None:
    with pytest.raises(IllegalRequest):
        query(tables, ConsistentRead=True, IndexName="Keys")


def test_reads_are_counted(tables: Tables) -> None:
    for at in range(3):
        tables.put("Games", game(at))

    found = query(tables)["Items"]

    recorder = tables.engine.recorder
    assert recorder.operations == ["Query"]
    assert_reads_only(recorder, found)
    with pytest.raises(AssertionError, match="2 items returned"):
        assert_reads_only(recorder, found[:2])


def test_a_filter_is_noticed(tables: Tables) -> None:
    tables.put("Games", game(1))
    query(
        tables,
        FilterExpression="#t = :t",
        names={"#t": "title"},
        values={":t": {"S": "x"}},
    )

    with pytest.raises(AssertionError, match="FilterExpression"):
        assert_reads_only(tables.engine.recorder, [])


def test_indexes_of_an_item(tables: Tables) -> None:
    tables.put("Games", game(1, round="r"))
    tables.put("Games", game(2))

    assert tables.indexes_of("Games", game(1)) == {"Keys"}
    assert tables.indexes_of("Games", game(2)) == frozenset()
    assert tables.item("Games", game(1)) == game(1, round="r")
    assert tables.item("Games", game(9)) is None


def test_an_entry_is_what_the_index_holds(tables: Tables) -> None:
    definition = tables.definitions["Games"]
    item = game(1, round="r", title="t")

    assert definition.entry(definition.view("Keys"), item) == game(1, round="r")
    assert definition.entry(definition.view("ByMap"), item) is None
    assert definition.entry(definition.table, item) == item


def test_tables_can_be_emptied(tables: Tables) -> None:
    for at in range(30):
        tables.put("Games", game(at))

    tables.empty()

    assert tables.items("Games") == []


def test_a_batch_can_be_left_unprocessed(tables: Tables) -> None:
    name = f"{tables.prefix}Games"
    requests = {name: [{"PutRequest": {"Item": game(1)}}]}
    tables.engine.faults.unprocessed = 1

    first = tables.engine.client.batch_write_item(RequestItems=requests)
    assert first["UnprocessedItems"] == requests
    assert tables.items("Games") == []

    second = tables.engine.client.batch_write_item(RequestItems=requests)
    assert second["UnprocessedItems"] == {}
    assert tables.items("Games") == [game(1)]


def test_a_response_can_get_lost(tables: Tables) -> None:
    tables.engine.faults.lost = 1

    with pytest.raises(tables.engine.client.exceptions.ConditionalCheckFailedException):
        tables.engine.client.put_item(
            TableName=f"{tables.prefix}Games",
            Item=game(1),
            ConditionExpression="attribute_not_exists(#id)",
            ExpressionAttributeNames={"#id": "id"},
        )
    assert tables.items("Games") == [game(1)]


class Pages:
    """A read of 1 to `last`, with one empty page at the end if `last` fills the last page."""

    def __init__(self, last: int) -> None:
        self.last = last

    def page(self, *, limit: int, cursor: str | None) -> Any:
        start = int(cursor or 0)
        items = list(range(start + 1, min(start + limit, self.last) + 1))
        more = start + limit <= self.last
        return SimpleNamespace(items=items, cursor=str(start + limit) if more else None)


@pytest.mark.parametrize("last", [0, 1, 4, 5])
def test_a_walk_takes_every_page(last: int) -> None:
    assert walk(Pages(last), limit=2) == list(range(1, last + 1))


def test_a_walk_without_an_end_is_stopped() -> None:
    with pytest.raises(AssertionError, match="no end"):
        walk(Pages(1000), limit=2, most=10)


def test_order_is_compared_up_to_ties() -> None:
    items = [(2, "b"), (2, "a"), (None, "c")]

    assert_in_order(items, [By(lambda item: item[0], descending=True)])
    with pytest.raises(AssertionError):
        assert_in_order(items, [By(lambda item: item[0])])
    with pytest.raises(AssertionError):
        assert_in_order(
            items, [By(lambda i: i[0], descending=True), By(lambda i: i[1])]
        )


def test_items_are_compared_with_their_number() -> None:
    assert_same_items([1, 2], [2, 1])
    with pytest.raises(AssertionError):
        assert_same_items([1, 1], [1])


def test_maps_and_sets_within_items_have_no_order() -> None:
    one = {"a": (1, {"b": 2, "c": frozenset({"x", "y"})}), "d": Decimal(1)}
    other = {"d": Decimal(1), "a": (1, {"c": frozenset({"y", "x"}), "b": 2})}
    assert_same_items([one], [other])
    with pytest.raises(AssertionError):
        assert_same_items([{"d": 1}], [{"d": Decimal(1)}])
