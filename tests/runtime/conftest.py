"""A DynamoDB client of moto, with a table and what it was asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from moto import mock_aws
from recorded import Engine, key, new_client


@pytest.fixture(scope="module")
def mocked() -> Iterator[None]:
    with mock_aws():
        yield


@pytest.fixture
def engine(mocked: None) -> Iterator[Engine]:
    client = new_client()
    client.create_table(
        TableName="Orders",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in [("customer", "S"), ("id", "S"), ("total", "N")]
        ],
        KeySchema=key("customer", "id"),
        GlobalSecondaryIndexes=[
            {
                "IndexName": "ByTotal",
                "KeySchema": key("customer", "total"),
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    )
    engine = Engine(client)
    client.meta.events.register("provide-client-params.dynamodb", engine.on_request)
    client.meta.events.register("after-call.dynamodb", engine.on_response)
    yield engine
    client.delete_table(TableName="Orders")
