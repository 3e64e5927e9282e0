"""dyntastic."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from dyntastic import Dyntastic

from benchmarks import canned
from benchmarks.peers import CANNED, REGION, Peer, blocking


class Document(Dyntastic):
    """The entity."""

    __table_name__ = canned.TABLE
    __hash_key__ = "owner_id"
    __range_key__ = "document_id"
    __table_region__ = REGION

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


def peers(_url: str) -> list[Peer]:
    """The model's calls."""
    canned.answer(Document._dynamodb_resource().meta.client)
    documents = [Document(**document) for document in canned.DOCUMENTS]

    def batch() -> None:
        with Document.batch_writer():
            for document in documents[: canned.BATCH]:
                document.save()

    calls = blocking(
        query=lambda: list(Document.query(canned.OWNER)),
        get=lambda: Document.get(canned.OWNER, documents[0].document_id),
        put=documents[0].save,
        batch=batch,
    )
    return [Peer("dyntastic", CANNED, calls)]
