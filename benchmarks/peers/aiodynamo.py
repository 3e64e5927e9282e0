"""aiodynamo, which returns untyped dicts of Python values, over aiohttp."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import aiohttp
from aiodynamo.client import Client
from aiodynamo.credentials import Key, StaticCredentials
from aiodynamo.expressions import HashKey
from aiodynamo.http.aiohttp import AIOHTTP
from aiodynamo.models import BatchWriteRequest
from yarl import URL

from benchmarks import canned
from benchmarks.peers import LOOPBACK, REGION, Peer, awaited


def peers(url: str) -> list[Peer]:
    """The client's calls."""
    loop = asyncio.new_event_loop()
    client = loop.run_until_complete(_client(url))
    documents: list[dict[str, Any]] = [
        {
            **document,
            "status": str(document["status"]),
            "created_at": canned.iso(document["created_at"]),
        }
        for document in canned.DOCUMENTS
    ]
    key = {name: documents[0][name] for name in ("owner_id", "document_id")}
    batch = {canned.TABLE: BatchWriteRequest(items_to_put=documents[: canned.BATCH])}

    async def query() -> list[Any]:
        found = client.query(canned.TABLE, HashKey("owner_id", canned.OWNER))
        return [item async for item in found]

    calls = awaited(
        loop.run_until_complete,
        query=query,
        get=lambda: client.get_item(canned.TABLE, key),
        put=lambda: client.put_item(canned.TABLE, documents[0]),
        batch=lambda: client.batch_write(batch),
    )
    return [Peer("aiodynamo (untyped dicts)", LOOPBACK, calls)]


async def _client(url: str) -> Client:
    http = AIOHTTP(aiohttp.ClientSession())
    credentials = StaticCredentials(Key("benchmark", "benchmark"))
    return Client(http, credentials, REGION, URL(url), numeric_type=Decimal)
