"""What dynoxide gets wrong is still wrong, and what is done about it is right."""

from __future__ import annotations

import uuid
from typing import Any

import boto3
import pytest
from dyngen.testkit import known
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize("prefix", ["", "a", "ö#", "\U0001f600" * 255 + "abc"])
def test_the_greatest_text_fills_a_sort_key(prefix: str) -> None:
    greatest = known.greatest(prefix)
    assert greatest.startswith(prefix)
    assert len(greatest.encode()) == 1024


@given(st.text(max_size=4), st.text(max_size=4))
def test_between_means_begins_with(prefix: str, text: str) -> None:
    low, high = prefix.encode(), known.greatest(prefix).encode()
    assert (low <= text.encode() <= high) == text.startswith(prefix)


def test_begins_with_ignores_case(dynoxide: str) -> None:
    """Once this fails, `known.correct_prefix` has no more use."""
    session = boto3.Session("dyngen", "dyngen", region_name="eu-west-1")
    client: Any = session.client("dynamodb", endpoint_url=dynoxide)
    table = f"dyngen-{uuid.uuid4().hex[:12]}"
    client.create_table(
        TableName=table,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("id", "sort")
        ],
        KeySchema=[
            {"AttributeName": "id", "KeyType": "HASH"},
            {"AttributeName": "sort", "KeyType": "RANGE"},
        ],
    )
    try:
        for sort in ("ab", "AB"):
            client.put_item(
                TableName=table, Item={"id": {"S": "i"}, "sort": {"S": sort}}
            )
        found = client.query(
            TableName=table,
            KeyConditionExpression="#id = :id AND begins_with(#sort, :a)",
            ExpressionAttributeNames={"#id": "id", "#sort": "sort"},
            ExpressionAttributeValues={":id": {"S": "i"}, ":a": {"S": "a"}},
        )
        assert found["Count"] == 2
    finally:
        client.delete_table(TableName=table)
