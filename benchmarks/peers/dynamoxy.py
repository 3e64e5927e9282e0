"""dynamoxy; its core is compiled."""

from __future__ import annotations

import asyncio
import datetime as dt
from decimal import Decimal

import dynamoxy
from dynamoxy import Attr, field, partition_key, sort_key

from benchmarks import canned
from benchmarks.peers import LOOPBACK, REGION, Peer, awaited


class Document(dynamoxy.Model, table=canned.TABLE, datetime_format="iso_z"):
    """The entity."""

    owner_id: Attr[str] = partition_key()
    document_id: Attr[str] = sort_key()
    title: Attr[str]
    summary: Attr[str]
    status: Attr[canned.Status]
    created_at: Attr[dt.datetime]
    folder: Attr[str]
    size: Attr[int]
    price: Attr[Decimal]
    shared: Attr[bool]
    revision: Attr[int]
    reviewer: Attr[str | None] = field(default=None)


def peers(url: str) -> list[Peer]:
    """The repository's calls."""
    loop = asyncio.new_event_loop()
    client = dynamoxy.Client(
        region=REGION,
        endpoint_url=url,
        credentials=dynamoxy.Credentials("benchmark", "benchmark"),
        telemetry=None,
    )
    documents = client.repository(Document)
    made = [Document(**document) for document in canned.DOCUMENTS]
    calls = awaited(
        loop.run_until_complete,
        query=lambda: documents.query(owner_id=canned.OWNER).all(),
        get=lambda: documents.get(canned.OWNER, made[0].document_id),
        put=lambda: documents.put(made[0]),
        batch=lambda: documents.batch_put(made[: canned.BATCH]),
    )
    return [Peer("dynamoxy (compiled core)", LOOPBACK, calls)]
