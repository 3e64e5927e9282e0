"""PynamoDB."""

from __future__ import annotations

import datetime as dt
from typing import Any

from pynamodb.attributes import (
    BooleanAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UTCDateTimeAttribute,
)
from pynamodb.models import Model

from benchmarks import canned
from benchmarks.peers import CANNED, REGION, Peer, blocking


class Document(Model):
    """The entity. PynamoDB has no enum and no decimal of its own."""

    class Meta:
        """Where it is stored."""

        table_name = canned.TABLE
        region = REGION
        aws_access_key_id = "benchmark"
        aws_secret_access_key = "benchmark"

    owner_id = UnicodeAttribute(hash_key=True)
    document_id = UnicodeAttribute(range_key=True)
    title = UnicodeAttribute()
    summary = UnicodeAttribute()
    status = UnicodeAttribute()
    created_at = UTCDateTimeAttribute()
    folder = UnicodeAttribute()
    size = NumberAttribute()
    price = NumberAttribute()
    shared = BooleanAttribute()
    revision = NumberAttribute()
    reviewer = UnicodeAttribute(null=True)


def peers(_url: str) -> list[Peer]:
    """The model's calls."""
    connection: Any = Document._get_connection().connection
    canned.answer(connection.client, _moment)
    documents = [
        Document(
            **{
                **document,
                "status": str(document["status"]),
                "price": float(document["price"]),
            }
        )
        for document in canned.DOCUMENTS
    ]

    def batch() -> None:
        with Document.batch_write() as writer:
            for document in documents[: canned.BATCH]:
                writer.save(document)

    calls = blocking(
        query=lambda: list(Document.query(canned.OWNER)),
        get=lambda: Document.get(canned.OWNER, documents[0].document_id),
        put=documents[0].save,
        batch=batch,
    )
    return [Peer("PynamoDB", CANNED, calls)]


def _moment(moment: dt.datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f+0000")
