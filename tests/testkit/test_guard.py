"""The guard lets every legal request pass and stops each kind of illegal one."""

from __future__ import annotations

from typing import Any

import pytest
from dyngen.testkit.expressions import IllegalRequest
from dyngen.testkit.guard import Guard
from dyngen.testkit.tables import definition_of


def key(*names: str, hashes: int = 1) -> list[dict[str, str]]:
    return [
        {"AttributeName": name, "KeyType": "HASH" if n < hashes else "RANGE"}
        for n, name in enumerate(names)
    ]


ALL = {"ProjectionType": "ALL"}
GAMES = {
    "TableName": "Games",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "id", "AttributeType": "S"},
        {"AttributeName": "at", "AttributeType": "N"},
        {"AttributeName": "map", "AttributeType": "S"},
        {"AttributeName": "round", "AttributeType": "S"},
        {"AttributeName": "seat", "AttributeType": "N"},
    ],
    "KeySchema": key("id", "at"),
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "ByMap",
            "KeySchema": key("map", "round", "seat"),
            "Projection": ALL,
        },
        {
            "IndexName": "Keys",
            "KeySchema": key("round"),
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        },
    ],
}


@pytest.fixture
def guard() -> Guard:
    return Guard(frozenset({("Games", "Keys")}), {"p-Games": definition_of(GAMES)})


def query(condition: str, names: str, **changes: Any) -> dict[str, Any]:
    """A Query; `#a` is the first of `names`, `:a` its value, and so on."""
    values = {"id": {"S": "g"}, "at": {"N": "9"}, "seat": {"N": "1"}}
    used = names.split()
    letters = "abcdef"
    return {
        "TableName": "p-Games",
        "KeyConditionExpression": condition,
        "ExpressionAttributeNames": {
            f"#{letters[n]}": name for n, name in enumerate(used)
        },
        "ExpressionAttributeValues": {
            f":{letters[n]}": values.get(name, {"S": "x"})
            for n, name in enumerate(used)
        },
        **changes,
    }


LEGAL = {
    "partition": query("#a = :a", "id"),
    "sort": query("#a = :a AND #b >= :b", "id at"),
    "index": query(
        "#a = :a AND #b = :b AND #c < :c", "map round seat", IndexName="ByMap"
    ),
    "between": query(
        "#a = :a AND #b BETWEEN :b AND :c",
        "id at",
        ExpressionAttributeValues={
            ":a": {"S": "g"},
            ":b": {"N": "9"},
            ":c": {"N": "10"},
        },
    ),
    "cursor": query(
        "#a = :a",
        "map",
        IndexName="ByMap",
        ExclusiveStartKey={
            "id": {"S": "g"},
            "at": {"N": "9"},
            "map": {"S": "x"},
            "round": {"S": "r"},
            "seat": {"N": "1"},
        },
    ),
    "filter on a table key in an index": query(
        "#a = :a", "map id", IndexName="ByMap", FilterExpression="#b = :b"
    ),
}


@pytest.mark.parametrize("request_", LEGAL.values(), ids=LEGAL)
def test_a_legal_query_passes(guard: Guard, request_: dict[str, Any]) -> None:
    guard.check("Query", request_)


ILLEGAL = {
    "no key condition": {"TableName": "p-Games"},
    "foreign table": query("#a = :a", "id", TableName="Games"),
    "unknown index": query("#a = :a", "id", IndexName="Nothing"),
    "partition by a range": query("#a > :a", "id"),
    "no partition": query("#a = :a", "at"),
    "sort part skipped": query("#a = :a AND #b = :b", "map seat", IndexName="ByMap"),
    "range before the last part": query(
        "#a = :a AND #b > :b AND #c = :c", "map round seat", IndexName="ByMap"
    ),
    "sort before partition": query("#a = :a AND #b = :b", "at id"),
    "between not last": query(
        "#a = :a AND #b BETWEEN :b AND :c AND #c = :c",
        "map round seat",
        IndexName="ByMap",
    ),
    "wrong type": query("#a = :a", "id", ExpressionAttributeValues={":a": {"N": "1"}}),
    "empty key": query("#a = :a", "id", ExpressionAttributeValues={":a": {"S": ""}}),
    "long key": query(
        "#a = :a", "id", ExpressionAttributeValues={":a": {"S": "é" * 1025}}
    ),
    "reversed bounds": query(
        "#a = :a AND #b BETWEEN :b AND :c",
        "id at",
        ExpressionAttributeValues={
            ":a": {"S": "g"},
            ":b": {"N": "10"},
            ":c": {"N": "9"},
        },
    ),
    "begins_with on a number": query("#a = :a AND begins_with(#b, :b)", "id at"),
    "not equal": query("#a <> :a", "id"),
    "or": query("#a = :a OR #b = :b", "id at"),
    "function": query("#a = :a AND contains(#b, :b)", "id at"),
    "unfinished": query("#a = :a AND", "id"),
    "unaliased name": query("#a = :a AND at = :b", "id at"),
    "unused name": query("#a = :a AND #a = :b", "id at"),
    "undefined value": query("#a = :z", "id"),
    "unused value": query("#a = :a", "id id"),
    "filter on a key": query("#a = :a", "id at", FilterExpression="#b > :b"),
    "filter on what is not projected": query(
        "#a = :a", "round title", IndexName="Keys", FilterExpression="#b = :b"
    ),
    "projection of what is not projected": query(
        "#a = :a",
        "round",
        IndexName="Keys",
        ProjectionExpression="#b",
        ExpressionAttributeNames={"#a": "round", "#b": "title"},
    ),
    "consistent read of a global index": query(
        "#a = :a", "map", IndexName="ByMap", ConsistentRead=True
    ),
    "limit 0": query("#a = :a", "id", Limit=0),
    "all attributes of a keys-only index": query(
        "#a = :a", "round", IndexName="Keys", Select="ALL_ATTRIBUTES"
    ),
    "cursor without the index's keys": query(
        "#a = :a",
        "map",
        IndexName="ByMap",
        ExclusiveStartKey={"id": {"S": "g"}, "at": {"N": "1"}},
    ),
    "cursor of another partition": query(
        "#a = :a", "id", ExclusiveStartKey={"id": {"S": "h"}, "at": {"N": "1"}}
    ),
}


@pytest.mark.parametrize("request_", ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_query_is_stopped(guard: Guard, request_: dict[str, Any]) -> None:
    with pytest.raises(IllegalRequest):
        guard.check("Query", request_)


def test_only_declared_scans_pass(guard: Guard) -> None:
    guard.check("Scan", {"TableName": "p-Games", "IndexName": "Keys"})
    with pytest.raises(IllegalRequest, match="which no pattern declares"):
        guard.check("Scan", {"TableName": "p-Games"})


def test_control_plane_calls_are_stopped(guard: Guard) -> None:
    with pytest.raises(IllegalRequest, match="DeleteTable"):
        guard.check("DeleteTable", {"TableName": "p-Games"})


KEY = {"id": {"S": "g"}, "at": {"N": "1"}}


def put(**attributes: dict[str, Any]) -> dict[str, Any]:
    return {"TableName": "p-Games", "Item": {**KEY, **attributes}}


def test_a_legal_put_passes(guard: Guard) -> None:
    guard.check("PutItem", put(map={"S": "m"}, seat={"N": "2"}, title={"S": ""}))


@pytest.mark.parametrize(
    "request_",
    [
        {"TableName": "p-Games", "Item": {"id": {"S": "g"}}},
        put(map={"S": ""}),
        put(map={"NULL": True}),
        put(seat={"S": "1"}),
        put(round={"S": "r" * 1025}),
        put(tags={"SS": []}),
    ],
    ids=["no sort key", "empty", "null", "type", "long", "empty set"],
)
def test_an_illegal_put_is_stopped(guard: Guard, request_: dict[str, Any]) -> None:
    with pytest.raises(IllegalRequest):
        guard.check("PutItem", request_)


def update(expression: str, names: str, **values: dict[str, Any]) -> dict[str, Any]:
    return {
        "TableName": "p-Games",
        "Key": KEY,
        "UpdateExpression": expression,
        "ExpressionAttributeNames": {
            f"#{'abc'[n]}": name for n, name in enumerate(names.split())
        },
        **(
            {"ExpressionAttributeValues": {f":{n}": v for n, v in values.items()}}
            if values
            else {}
        ),
    }


@pytest.mark.parametrize(
    "request_",
    [
        update(
            "SET #a = :a, #b.#c = :a REMOVE #a.#c", "title address city", a={"S": ""}
        )
        | {"UpdateExpression": "SET #a = :a, #b.#c = :a"},
        update("SET #a = if_not_exists(#a, :a) + :b", "n", a={"N": "0"}, b={"N": "1"}),
        update("ADD #a :a REMOVE #b", "n map", a={"N": "1"}),
        update("REMOVE #a.#b, #a.#c", "address city street"),
    ],
    ids=["set", "counter", "add and remove", "remove"],
)
def test_a_legal_update_passes(guard: Guard, request_: dict[str, Any]) -> None:
    guard.check("UpdateItem", request_)


@pytest.mark.parametrize(
    "request_",
    [
        update("SET #a = :a", "at", a={"N": "1"}),
        update("SET #a = :a", "map", a={"S": ""}),
        update("SET #a = :a", "seat", a={"S": "1"}),
        update("ADD #a.#b :a", "counts likes", a={"N": "1"}),
        update("SET #a = :a REMOVE #a.#b", "address city", a={"S": ""}),
        update("SET #a = :a SET #b = :a", "x y", a={"S": ""}),
        update("SET #a = :a", "title", a={"S": ""}) | {"Key": {"id": {"S": "g"}}},
        update("#a = :a", "title", a={"S": ""}),
    ],
    ids=[
        "table key",
        "empty key",
        "key of another type",
        "nested add",
        "overlap",
        "clause twice",
        "half a key",
        "no clause",
    ],
)
def test_an_illegal_update_is_stopped(guard: Guard, request_: dict[str, Any]) -> None:
    with pytest.raises(IllegalRequest):
        guard.check("UpdateItem", request_)


def batch(count: int) -> dict[str, Any]:
    puts = [
        {"PutRequest": {"Item": {**KEY, "at": {"N": str(n)}}}} for n in range(count)
    ]
    return {"RequestItems": {"p-Games": puts}}


def test_batches_keep_to_their_limits(guard: Guard) -> None:
    guard.check("BatchWriteItem", batch(25))
    for illegal in (batch(0), batch(26), batch(3)):
        if len(illegal["RequestItems"]["p-Games"]) == 3:
            illegal["RequestItems"]["p-Games"].append({"DeleteRequest": {"Key": KEY}})
        with pytest.raises(IllegalRequest):
            guard.check("BatchWriteItem", illegal)


def test_a_batch_get_may_not_name_an_item_twice(guard: Guard) -> None:
    guard.check("BatchGetItem", {"RequestItems": {"p-Games": {"Keys": [KEY]}}})
    with pytest.raises(IllegalRequest, match="twice"):
        guard.check("BatchGetItem", {"RequestItems": {"p-Games": {"Keys": [KEY, KEY]}}})


def test_a_transaction_may_not_touch_an_item_twice(guard: Guard) -> None:
    members = [
        {"Put": put()},
        {"ConditionCheck": {"TableName": "p-Games", "Key": KEY}},
    ]
    guard.check("TransactWriteItems", {"TransactItems": members[:1]})
    with pytest.raises(IllegalRequest, match="twice"):
        guard.check("TransactWriteItems", {"TransactItems": members})
