"""The asynchronous side: the same answers, with requests side by side up to a bound."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiobotocore.session import get_session
from botocore.exceptions import ClientError
from dyngen.runtime.batches import batch_get_async, batch_write_async
from dyngen.runtime.client import run_async
from dyngen.runtime.clock import Environment
from dyngen.runtime.errors import BatchIncomplete, InvalidCursor, MultipleItems
from dyngen.runtime.reading import AsyncQuery
from dyngen.runtime.steps import Request, Steps
from dyngen.runtime.streams import Read, Stream
from moto.server import ThreadedMotoServer
from recorded import key

KEY_TYPES = {"customer": "S", "id": "S"}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@asynccontextmanager
async def orders(endpoint: str) -> AsyncIterator[Any]:
    """A client and an empty table."""
    async with get_session().create_client(
        "dynamodb",
        region_name="eu-west-1",
        endpoint_url=endpoint,
        aws_access_key_id="testing",
        aws_secret_access_key="testing",
    ) as client:
        await client.create_table(
            TableName="Orders",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[
                {"AttributeName": name, "AttributeType": kind}
                for name, kind in KEY_TYPES.items()
            ],
            KeySchema=key("customer", "id"),
        )
        try:
            yield client
        finally:
            await client.delete_table(TableName="Orders")


def encode_key(key: tuple[str, str]) -> dict[str, Any]:
    return {"customer": {"S": key[0]}, "id": {"S": key[1]}}


def decode(item: Any) -> tuple[str, str]:
    return item["customer"]["S"], item["id"]["S"]


def on_server(endpoint: str, test: Callable[[Any], Awaitable[None]]) -> None:
    async def main() -> None:
        async with orders(endpoint) as client:
            await test(client)

    asyncio.run(main())


async def put(client: Any, *items: tuple[str, str], **options: Any) -> None:
    await batch_write_async(
        client,
        "Orders",
        KEY_TYPES,
        put=items,
        encode=encode_key,
        encode_key=encode_key,
        **options,
    )


def query(
    client: Any, *customers: str, merge_by: tuple[str, ...] = (), **options: Any
) -> AsyncQuery[tuple[str, str]]:
    streams = tuple(Stream({"customer": {"S": name}}) for name in customers)
    read = Read("orders", "Orders", None, KEY_TYPES, streams, merge_by)
    return AsyncQuery(client, read, decode=decode, **options)


def test_a_query_answers_as_the_blocking_one(endpoint: str) -> None:
    items = [("c1", f"o{number:03}") for number in range(60)]

    async def test(client: Any) -> None:
        await put(client, *items, ("c2", "o"))
        assert await query(client, "c1").all() == items
        assert [item async for item in query(client, "c1", max_items=7)] == items[:7]
        assert await query(client, "c1").first() == items[0]
        assert await query(client, "c1").count() == 60
        assert await query(client, "c2").one() == ("c2", "o")
        assert await query(client, "c3").one() is None
        with pytest.raises(MultipleItems):
            await query(client, "c1").one()
        page = await query(client, "c1").page(limit=50)
        assert page.items == items[:50]
        rest = await query(client, "c1").page(limit=50, cursor=page.cursor)
        assert rest.items == items[50:]
        with pytest.raises(InvalidCursor):
            await query(client, "c2").page(limit=50, cursor=page.cursor)

    on_server(endpoint, test)


def test_several_streams_are_merged(endpoint: str) -> None:
    async def test(client: Any) -> None:
        items = [(f"c{number % 3}", f"o{number:03}") for number in range(30)]
        await put(client, *items)
        merged = query(client, "c0", "c1", "c2", merge_by=("id",))
        assert await merged.all() == items

    on_server(endpoint, test)


def test_batches_of_any_size(endpoint: str) -> None:
    async def test(client: Any) -> None:
        items = [("c1", f"o{number:03}") for number in range(230)]
        await put(client, *items)
        asked = [*items[::-1], ("c2", "none")]
        found = await batch_get_async(
            client, "Orders", asked, encode_key=encode_key, decode=decode
        )
        assert found == [*items[::-1], None]

    on_server(endpoint, test)


# --- side by side -------------------------------------------------------------------------------------


@dataclass
class Slow:
    """A client whose requests take a while, and that says how many there were at a time."""

    fail: Callable[[int], bool] = lambda number: False
    started: int = 0
    going: int = 0
    most: int = 0
    ended: list[int] = field(default_factory=list)

    async def batch_write_item(self, **request: Any) -> dict[str, Any]:
        number, self.started = self.started, self.started + 1
        self.going += 1
        self.most = max(self.most, self.going)
        await asyncio.sleep(0.001 * (5 - number % 5))
        self.going -= 1
        self.ended.append(number)
        if self.fail(number):
            error = {"Error": {"Code": "ThrottlingException", "Message": "slow down"}}
            raise ClientError(error, "BatchWriteItem")
        return {"UnprocessedItems": {}}


def test_no_more_requests_at_a_time_than_allowed() -> None:
    client = Slow()
    items = [("c1", f"o{number}") for number in range(25 * 20)]
    asyncio.run(put(client, *items, environment=Environment(concurrency=3)))
    assert client.started == 20
    assert client.most == 3


def test_an_error_waits_for_the_requests_beside_it() -> None:
    client = Slow(fail=lambda number: number == 1)
    items = [("c1", f"o{number}") for number in range(25 * 6)]
    with pytest.raises(BatchIncomplete) as incomplete:
        asyncio.run(put(client, *items, environment=Environment(concurrency=3)))
    assert sorted(client.ended) == [0, 1, 2]
    assert incomplete.value.not_written == tuple(items)


def test_responses_come_in_the_order_of_their_requests() -> None:
    class Echo:
        async def query(self, number: int) -> dict[str, int]:
            await asyncio.sleep(0.001 * (3 - number))
            return {"number": number}

    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    def steps() -> Steps[list[int]]:
        responses = yield [Request("query", {"number": n}, n / 10) for n in range(3)]
        return [response["number"] for response in responses]

    client: Any = Echo()
    answers = asyncio.run(
        run_async(client, steps(), Environment(sleep_async=sleep, concurrency=5))
    )
    assert answers == [0, 1, 2]
    assert waited == [0.1, 0.2]
