"""dynantic."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from dynantic import DynamoModel, Key, SortKey

from benchmarks import canned
from benchmarks.peers import CANNED, Peer, blocking, quiet, session


class Document(DynamoModel):
    """The entity."""

    owner_id: str = Key()
    document_id: str = SortKey()
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

    class Meta:
        """Where it is stored."""

        table_name = canned.TABLE


def peers(_url: str) -> list[Peer]:
    """The model's calls."""
    client = session().client("dynamodb", config=quiet())
    canned.answer(client)
    Document.set_client(client)
    documents = [Document(**document) for document in canned.DOCUMENTS]
    calls = blocking(
        query=lambda: Document.query(canned.OWNER).all(),
        get=lambda: Document.get(canned.OWNER, documents[0].document_id),
        put=documents[0].save,
        batch=lambda: Document.batch_save(documents[: canned.BATCH]),
    )
    return [Peer("dynantic", CANNED, calls)]
