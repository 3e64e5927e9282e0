"""Faults happen when they are asked for, and leave the tables as AWS would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from dyngen.testkit.engine import Engine, Tables
from dyngen.testkit.faults import Faults

ADD_ONE: dict[str, Any] = {
    "UpdateExpression": "ADD #won :one",
    "ExpressionAttributeNames": {"#won": "won"},
    "ExpressionAttributeValues": {":one": {"N": "1"}},
}


@pytest.fixture
def faults(running: Engine) -> Iterator[Faults]:
    yield running.faults
    running.faults.clear()


def key(at: int) -> dict[str, Any]:
    return {"id": {"S": "g"}, "at": {"N": str(at)}}


def name(tables: Tables) -> str:
    return f"{tables.prefix}Games"


def add_one(tables: Tables) -> Any:
    return tables.engine.client.update_item(
        TableName=name(tables), Key=key(1), **ADD_ONE
    )


def add_one_in_a_transaction(tables: Tables, token: str) -> Any:
    action = {"Update": {"TableName": name(tables), "Key": key(1), **ADD_ONE}}
    return tables.engine.client.transact_write_items(
        TransactItems=[action], ClientRequestToken=token
    )


def won(tables: Tables) -> int:
    (item,) = tables.items("Games")
    return int(item["won"]["N"])


def attempts(response: Any) -> int:
    return int(response["ResponseMetadata"]["RetryAttempts"])


def test_a_throttled_request_is_repeated_and_done_once(
    tables: Tables, faults: Faults
) -> None:
    faults.throttled = 2

    assert attempts(add_one(tables)) == 2

    assert won(tables) == 1
    assert faults.repeated


def test_a_write_whose_response_is_lost_is_done_twice(
    tables: Tables, faults: Faults
) -> None:
    faults.lost = 1

    assert attempts(add_one(tables)) == 1

    assert won(tables) == 2


def test_a_transaction_whose_response_is_lost_is_done_once_a_token(
    tables: Tables, faults: Faults
) -> None:
    faults.lost = 1
    with pytest.raises(ClientError, match="TransactionInProgress"):
        add_one_in_a_transaction(tables, "one")

    add_one_in_a_transaction(tables, "one")
    assert won(tables) == 1

    add_one_in_a_transaction(tables, "another")
    assert won(tables) == 2


def test_a_transaction_that_conflicts_is_not_done(
    tables: Tables, faults: Faults
) -> None:
    faults.conflicts = 1

    with pytest.raises(ClientError) as cancelled:
        add_one_in_a_transaction(tables, "a conflict")

    reasons = cancelled.value.response["CancellationReasons"]
    assert [each["Code"] for each in reasons] == ["TransactionConflict"]
    assert tables.items("Games") == []


def test_half_of_a_batch_is_left(tables: Tables, faults: Faults) -> None:
    faults.halved = 1
    puts = [{"PutRequest": {"Item": key(at)}} for at in range(3)]

    response = tables.engine.client.batch_write_item(RequestItems={name(tables): puts})

    assert tables.items("Games") == [key(0), key(1)]
    assert response["UnprocessedItems"] == {name(tables): puts[2:]}


def test_a_whole_batch_is_left(tables: Tables, faults: Faults) -> None:
    faults.unprocessed = 1
    asked = {name(tables): {"Keys": [key(1)]}}
    tables.put("Games", key(1))

    response = tables.engine.client.batch_get_item(RequestItems=asked)

    assert response["UnprocessedKeys"] == asked
    assert response["Responses"] == {}


def test_someone_else_writes_after_a_read(tables: Tables, faults: Faults) -> None:
    tables.put("Games", key(1))
    faults.meanwhile = lambda: tables.put("Games", key(2))

    response = tables.engine.client.get_item(TableName=name(tables), Key=key(2))

    assert "Item" not in response
    assert tables.items("Games") == [key(1), key(2)]
