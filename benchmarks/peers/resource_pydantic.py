"""What AWS's own generator emits: boto3's resource, and pydantic models made of what it returns.

That is, `Entity(**item)` on the way in and `entity.model_dump()` on the way out.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from boto3.dynamodb.conditions import Key
from pydantic import BaseModel

from benchmarks import canned
from benchmarks.peers import CANNED, Peer, blocking, quiet, session


class Document(BaseModel):
    """The entity."""

    owner_id: str
    document_id: str
    title: str
    summary: str
    status: canned.Status
    created_at: dt.datetime
    folder: str
    size: int
    price: Decimal
    shared: bool
    revision: int
    reviewer: str | None = None

    def stored(self) -> dict[str, object]:
        """What goes into the table: the resource knows no datetime and no enum."""
        values = self.model_dump(exclude_none=True)
        values["status"] = self.status.value
        values["created_at"] = canned.iso(self.created_at)
        return values


def peers(_url: str) -> list[Peer]:
    """The repository's calls."""
    resource = session().resource("dynamodb", config=quiet())
    canned.answer(resource.meta.client)
    table = resource.Table(canned.TABLE)
    documents = [Document(**document) for document in canned.DOCUMENTS]
    key = {"owner_id": canned.OWNER, "document_id": documents[0].document_id}

    def query() -> list[Document]:
        found = table.query(KeyConditionExpression=Key("owner_id").eq(canned.OWNER))
        return [Document(**item) for item in found["Items"]]

    def batch() -> None:
        with table.batch_writer() as writer:
            for document in documents[: canned.BATCH]:
                writer.put_item(Item=document.stored())

    calls = blocking(
        query=query,
        get=lambda: Document(**table.get_item(Key=key)["Item"]),
        put=lambda: table.put_item(Item=documents[0].stored()),
        batch=batch,
    )
    return [Peer("boto3 resource + pydantic", CANNED, calls)]
