"""boto3's client, which returns untyped dicts; and its resource, which makes Python values of them."""

from __future__ import annotations

from typing import Any

from boto3.dynamodb.conditions import Key

from benchmarks import canned
from benchmarks.peers import CANNED, LOOPBACK, Peer, Times, blocking, quiet, session

RAW = "boto3 client (untyped dicts)"
_FIRST = canned.DOCUMENTS[0]
_KEY = {name: _FIRST[name] for name in ("owner_id", "document_id")}


def peers(url: str) -> list[Peer]:
    """The client over both transports, and the resource."""
    client = session().client("dynamodb", config=quiet())
    canned.answer(client)
    over_http = session().client("dynamodb", endpoint_url=url, config=quiet())
    return [
        Peer(RAW, CANNED, _client_calls(client)),
        Peer(RAW, LOOPBACK, _client_calls(over_http)),
        Peer("boto3 resource Table", CANNED, _resource_calls()),
    ]


def _client_calls(client: Any) -> dict[str, Times]:
    items = [canned.stored(document) for document in canned.DOCUMENTS]
    key = canned.stored(_KEY)
    requests = [{"PutRequest": {"Item": item}} for item in items[: canned.BATCH]]
    return blocking(
        query=lambda: client.query(
            TableName=canned.TABLE,
            KeyConditionExpression="#owner = :owner",
            ExpressionAttributeNames={"#owner": "owner_id"},
            ExpressionAttributeValues={":owner": key["owner_id"]},
        )["Items"],
        get=lambda: client.get_item(TableName=canned.TABLE, Key=key)["Item"],
        put=lambda: client.put_item(TableName=canned.TABLE, Item=items[0]),
        batch=lambda: client.batch_write_item(RequestItems={canned.TABLE: requests}),
    )


def _resource_calls() -> dict[str, Times]:
    resource = session().resource("dynamodb", config=quiet())
    canned.answer(resource.meta.client)
    table = resource.Table(canned.TABLE)
    documents = [
        {
            **document,
            "status": str(document["status"]),
            "created_at": canned.iso(document["created_at"]),
        }
        for document in canned.DOCUMENTS
    ]

    def batch() -> None:
        with table.batch_writer() as writer:
            for document in documents[: canned.BATCH]:
                writer.put_item(Item=document)

    return blocking(
        query=lambda: table.query(
            KeyConditionExpression=Key("owner_id").eq(canned.OWNER)
        )["Items"],
        get=lambda: table.get_item(Key=_KEY)["Item"],
        put=lambda: table.put_item(Item=documents[0]),
        batch=batch,
    )
