"""The asynchronous package does what the blocking one does, on aiobotocore and a server."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from built_packages import create_tables, designed, imported
from moto.server import ThreadedMotoServer

SPEC = (Path(__file__).parent / "library.yaml").read_text(encoding="utf-8") + """
  register:
    transact:
      - create: Reader
      - update: Wish
        where: {isbn: eq, reader: reader.reader}
        add: {votes: 1}
        upsert: true
      - check: Book
        where: {isbn: eq}
        guard: {copies: {gte: 1}}
  both: {transact: [{get: Book, where: {isbn: eq}}, {get: Wish, where: {isbn: eq, reader: eq}}]}
  by_title: {query: Book, where: {title: eq}, one: true}
output: {client: both}
"""
TODAY = dt.date(2026, 7, 1)
NOW = dt.datetime(2026, 7, 1, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)

Test = Callable[[Any], Awaitable[None]]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    with imported(designed(SPEC), tmp_path_factory.mktemp("library")) as module:
        yield module


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def on_server(package: ModuleType, endpoint: str) -> Iterator[Callable[[Test], None]]:
    """Runs a test with the asynchronous service object, on empty tables."""
    schema = designed(SPEC).schema
    blocking = package.connect(endpoint_url=endpoint)
    create_tables(blocking, schema)
    environment = package._runtime.clock.Environment(clock=lambda: NOW)

    def run(test: Test) -> None:
        async def main() -> None:
            async with package.connect_async(endpoint_url=endpoint) as client:
                await test(package.AsyncLibrary(client, environment=environment))

        asyncio.run(main())

    yield run
    for table in schema.tables:
        blocking.delete_table(TableName=table.name)


def test_items_by_their_key(on_server: Any, package: ModuleType) -> None:
    async def test(db: Any) -> None:
        copy = await db.copies.create(package.Copy(isbn="1", number=1))
        with pytest.raises(package.ItemExists) as refused:
            await db.copies.create(copy)
        assert refused.value.current == copy
        assert await db.copies.get(isbn="1", number=1) == copy
        changed = await db.copies.update(copy, state="LENT", due_on=TODAY)
        assert changed == await db.copies.copy(isbn="1", number=1)
        assert await db.copies.put(copy) == copy
        assert await db.copies.delete(isbn="1", number=1) == copy
        assert await db.copies.delete(isbn="1", number=1) is None
        copies = [package.Copy(isbn="1", number=number) for number in range(1, 200)]
        await db.copies.batch_write(put=copies)
        keys = [package.CopyKey(isbn="1", number=number) for number in (5, 999)]
        assert await db.copies.batch_get(keys) == [copies[4], None]

    on_server(test)


def test_reads(on_server: Any, package: ModuleType) -> None:
    async def test(db: Any) -> None:
        await db.books.create(package.Book(isbn="1", title="A", tags=frozenset("x")))
        for number in (1, 2, 3):
            await db.copies.create(package.Copy(isbn="1", number=number))
            await db.copies.lend(isbn="1", number=number, reader="r", due_on=TODAY)
        found = await db.book_with_copies(isbn="1").all()
        assert [type(item).__name__ for item in found] == ["Book", *["Copy"] * 3]
        overdue = db.copies.overdue(due_on_before=TODAY + DAY)
        assert isinstance(overdue, package.AsyncQuery)
        numbers = {copy.number async for copy in overdue}
        assert numbers == {1, 2, 3}
        page = await db.copies.copies(isbn="1").page(limit=2)
        assert [copy.number for copy in page.items] == [3, 2]
        rest = await db.copies.copies(isbn="1").page(limit=2, cursor=page.cursor)
        assert [copy.number for copy in rest.items] == [1]
        assert (await db.books.by_title(title="A")).isbn == "1"

    on_server(test)


def test_patterns_that_write(on_server: Any, package: ModuleType) -> None:
    async def test(db: Any) -> None:
        copy = await db.copies.create(package.Copy(isbn="1", number=1))
        lent = await db.copies.lend(isbn="1", number=1, reader="r", due_on=TODAY)
        with pytest.raises(package.GuardFailed) as refused:
            await db.copies.lend(isbn="1", number=1, reader="r", due_on=TODAY)
        assert refused.value.current == lent
        back = await db.copies.give_back(isbn="1", number=1, note="torn")
        assert (back.lent, back.notes) == (1, ("torn",))
        moved = await db.copies.renumber(isbn="1", number=1, new_number=2)
        assert moved.number == 2
        assert await db.copies.get(isbn="1", number=copy.number) is None
        for reader in map(str, range(230)):
            await db.wishes.vote(isbn="1", reader=reader, votes=1)
        told: list[int] = []
        deleted = await db.wishes.forget_wishes(isbn="1", progress=told.append)
        assert deleted == told[-1] == 230
        assert await db.wishes.wishes(isbn="1").count() == 0

    on_server(test)


def test_unique_values_and_transactions(on_server: Any, package: ModuleType) -> None:
    async def test(db: Any) -> None:
        book = await db.books.create(
            package.Book(isbn="1", title="A", tags=frozenset("x"))
        )
        ann = await db.register(
            reader=package.Reader(reader="ann", name="Ann", email="A@x"), isbn="1"
        )
        assert ann == await db.readers.get(reader="ann")
        assert (await db.email_lookups.get(email="a@x")).reader == "ann"
        found = await db.both(isbn="1", reader="ann")
        assert found[0] == book
        assert found[1].votes == 1
        eve = package.Reader(reader="eve", name="Eve", email="a@x")
        with pytest.raises(package.TransactionFailed) as failed:
            await db.register(reader=eve, isbn="2")
        reasons = failed.value.reasons
        assert list(map(type, reasons)) == [
            package.UniqueTaken,
            type(None),
            package.ItemNotFound,
        ]
        assert await db.both(isbn="1", reader="eve") == (book, None)
        changed = await db.readers.update(ann, email="new@x")
        assert await db.email_lookups.get(email="a@x") is None
        assert await db.readers.delete(changed) == changed
        assert await db.email_lookups.get(email="new@x") is None

    on_server(test)


def test_requests_of_a_fan_out_are_sent_side_by_side(
    on_server: Any, package: ModuleType
) -> None:
    """As many as there may be, however many one call asks for."""

    async def test(db: Any) -> None:
        going = most = 0
        send = db.copies._client.batch_write_item

        class Counting:
            async def batch_write_item(self, **request: Any) -> Any:
                nonlocal going, most
                going += 1
                most = max(most, going)
                try:
                    return await send(**request)
                finally:
                    going -= 1

        copies = package.AsyncCopyRepository(Counting(), "Library")
        written = [package.Copy(isbn="1", number=number) for number in range(1, 500)]
        await copies.batch_write(put=written)
        assert most == 8
        assert await db.copies.copies(isbn="1").count() == 499

    on_server(test)
