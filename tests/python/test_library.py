"""A package with shared tables, collections, completed and expiring items, moves and unique values."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from built_packages import create_tables, designed, imported

SPEC = (Path(__file__).parent / "library.yaml").read_text(encoding="utf-8")
TODAY = dt.date(2026, 7, 1)
NOW = dt.datetime(2026, 7, 1, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    with imported(designed(SPEC), tmp_path_factory.mktemp("library")) as module:
        yield module


@pytest.fixture
def db(package: ModuleType, client: Any) -> Any:
    create_tables(client, designed(SPEC).schema)
    clock = package._runtime.clock
    return package.Library(client, environment=clock.Environment(clock=lambda: NOW))


@pytest.fixture
def shelf(db: Any, package: ModuleType) -> Any:
    """A book with three copies, and another book beside it."""
    tags = frozenset({"x"})
    db.books.create(package.Book(isbn="1", title="Alpha", tags=tags))
    db.books.create(package.Book(isbn="10", title="Beta", tags=tags))
    for number in (1, 2, 3):
        db.copies.create(package.Copy(isbn="1", number=number))
    db.copies.create(package.Copy(isbn="10", number=1))
    return db


def scanned(client: Any, table: str) -> list[Any]:
    items: list[Any] = client.scan(TableName=table)["Items"]
    return items


# --- shared tables --------------------------------------------------------------------------------


def test_a_collection_returns_members_of_all(shelf: Any, package: ModuleType) -> None:
    shelf.wishes.create(package.Wish(isbn="1", reader="r"))

    found = shelf.book_with_copies(isbn="1").all()

    assert [type(item).__name__ for item in found] == ["Book", "Copy", "Copy", "Copy"]
    assert [copy.number for copy in found[1:]] == [1, 2, 3]
    assert shelf.copies.copies(isbn="1").all() == found[:0:-1]
    page = shelf.book_with_copies(isbn="1").page(limit=2)
    rest = shelf.book_with_copies(isbn="1").page(limit=5, cursor=page.cursor)
    assert page.items + rest.items == found


def test_an_item_that_no_entity_accounts_for_is_an_error(
    shelf: Any, package: ModuleType, client: Any
) -> None:
    copy = client.get_item(
        TableName="Library", Key={"pk": {"S": "BOOK#1"}, "sk": {"S": "COPY#001"}}
    )["Item"]
    client.put_item(TableName="Library", Item={**copy, "sk": {"S": "COPY#0001"}})

    with pytest.raises(package.UnknownItem) as unknown:
        shelf.book_with_copies(isbn="1").all()
    assert unknown.value.key == {"pk": {"S": "BOOK#1"}, "sk": {"S": "COPY#0001"}}


def test_the_type_attribute_is_written_and_checked(
    shelf: Any, package: ModuleType, client: Any
) -> None:
    [book] = [i for i in scanned(client, "Library") if i["pk"]["S"] == "BOOK#10"][:1]
    assert book["kind"] == {"S": "Book"}
    client.put_item(TableName="Library", Item={**book, "kind": {"S": "Other"}})

    with pytest.raises(package.UnknownItem):
        shelf.books.get(isbn="10")


# --- what comes back ------------------------------------------------------------------------------


def test_a_selection_has_its_own_type(shelf: Any, package: ModuleType) -> None:
    [title] = shelf.books.titles(title_prefix="Al").all()

    assert title == package.Titles(isbn="1", title="Alpha")


def test_completed_items_are_whole_and_still_match(
    shelf: Any, package: ModuleType, client: Any
) -> None:
    for number in (2, 1):
        shelf.copies.lend(
            isbn="1", number=number, reader="r", due_on=TODAY - number * DAY
        )
    shelf.copies.lend(isbn="10", number=1, reader="r", due_on=TODAY)

    keys = shelf.copies.overdue_keys(due_on_before=TODAY).all()
    whole = shelf.copies.overdue(due_on_before=TODAY).all()

    assert [(k.isbn, k.number, k.due_on) for k in keys] == [
        ("1", 2, TODAY - 2 * DAY),
        ("1", 1, TODAY - DAY),
    ]
    assert [(c.number, c.reader, c.state) for c in whole] == [
        (2, "r", package.State.LENT),
        (1, "r", package.State.LENT),
    ]


def test_items_are_completed_from_another_table(
    shelf: Any, package: ModuleType
) -> None:
    ann = shelf.readers.create(package.Reader(reader="ann", name="Ann"))
    bob = shelf.readers.create(package.Reader(reader="bob", name="Bob"))
    for reader in ("ann", "bob", "gone"):
        shelf.wishes.create(package.Wish(isbn="1", reader=reader))

    assert shelf.wishes.readers_wishing(isbn="1").all() == [ann, bob]


def test_expired_items_are_left_out(shelf: Any, package: ModuleType) -> None:
    past, later = NOW - DAY, NOW + DAY
    shelf.wishes.create(package.Wish(isbn="1", reader="a", expires=past))
    shelf.wishes.create(package.Wish(isbn="1", reader="b", expires=later))
    shelf.wishes.create(package.Wish(isbn="1", reader="c"))

    assert [w.reader for w in shelf.wishes.wishes(isbn="1")] == ["b", "c"]
    assert shelf.wishes.wish(isbn="1", reader="a") is None
    assert shelf.wishes.wish(isbn="1", reader="b").expires == later
    assert shelf.wishes.wish(isbn="1", reader="d") is None
    ended = shelf.sessions.create(package.Session(reader="a", expires=NOW))
    assert shelf.sessions.session(session=ended.session) is None


# --- writes ---------------------------------------------------------------------------------------


def test_an_upsert_creates_a_whole_item_or_changes_one(
    shelf: Any, package: ModuleType
) -> None:
    first = shelf.wishes.vote(isbn="1", reader="r", votes=2)
    second = shelf.wishes.vote(isbn="1", reader="r", votes=3)

    assert first == package.Wish(isbn="1", reader="r", votes=2, since=NOW)
    assert second.votes == 5
    assert shelf.wishes.wishes(isbn="1").all() == [second]


def test_a_delete_is_guarded(shelf: Any, package: ModuleType) -> None:
    wish = shelf.wishes.vote(isbn="1", reader="r", votes=10)

    with pytest.raises(package.GuardFailed) as refused:
        shelf.wishes.withdraw(isbn="1", reader="r")
    with pytest.raises(package.ItemNotFound):
        shelf.wishes.withdraw(isbn="1", reader="s")
    assert refused.value.current == wish
    wish = shelf.wishes.vote(isbn="1", reader="r", votes=-9)
    assert shelf.wishes.withdraw(isbn="1", reader="r") == wish


def test_what_a_query_finds_is_deleted(shelf: Any, package: ModuleType) -> None:
    for number in range(60):
        shelf.wishes.create(package.Wish(isbn="1", reader=str(number)))
    told: list[int] = []

    assert shelf.wishes.forget_wishes(isbn="1", progress=told.append) == 60
    assert told == [25, 50, 60]
    assert shelf.wishes.wishes(isbn="1").all() == []
    assert len(shelf.book_with_copies(isbn="1").all()) == 4


def test_an_update_that_reads_first_keeps_keys_true(
    shelf: Any, package: ModuleType
) -> None:
    shelf.copies.lend(isbn="1", number=1, reader="r", due_on=TODAY)
    assert len(shelf.copies.overdue_keys(due_on_before=TODAY + DAY).all()) == 1

    back = shelf.copies.give_back(isbn="1", number=1, note="torn")

    assert (back.reader, back.lent, back.notes) == (None, 1, ("torn",))
    assert back == shelf.copies.get(isbn="1", number=1)
    assert shelf.copies.overdue_keys(due_on_before=TODAY + DAY).all() == []
    with pytest.raises(package.GuardFailed):
        shelf.copies.give_back(isbn="1", number=1, note="again")
    with pytest.raises(package.ItemNotFound):
        shelf.copies.give_back(isbn="1", number=9, note="")


def test_a_move_changes_the_key(shelf: Any, package: ModuleType) -> None:
    moved = shelf.copies.renumber(isbn="1", number=3, new_number=30)

    assert moved.number == 30
    assert [c.number for c in shelf.copies.copies(isbn="1")] == [30, 2, 1]
    with pytest.raises(package.ItemExists):
        shelf.copies.renumber(isbn="1", number=30, new_number=2)
    shelf.copies.lend(isbn="1", number=1, reader="r", due_on=TODAY)
    with pytest.raises(package.GuardFailed):
        shelf.copies.renumber(isbn="1", number=1, new_number=9)


# --- unique values --------------------------------------------------------------------------------


def test_unique_values(db: Any, package: ModuleType, client: Any) -> None:
    ann = db.readers.create(
        package.Reader(reader="ann", name="Ann", email="A@X", card="7#")
    )
    assert ann.email == "a@x"
    with pytest.raises(package.UniqueTaken) as card:
        db.readers.create(package.Reader(reader="bob", name="Bob", card="7#"))
    with pytest.raises(package.UniqueTaken) as email:
        db.readers.create(package.Reader(reader="bob", name="Bob", email="a@X"))
    assert card.value.attributes == ("card",)
    assert email.value.attributes == ("email",)
    assert db.readers.get(reader="bob") is None
    lookup = db.email_lookups.get(email="A@x")
    assert lookup == package.EmailLookup(email="a@x", reader="ann")

    ann = db.readers.update(ann, email="new@x", name="Anna")
    assert db.email_lookups.get(email="a@x") is None
    assert db.email_lookups.get(email="new@x").reader == "ann"
    bob = db.readers.create(package.Reader(reader="bob", name="Bob", email="a@x"))
    with pytest.raises(package.StaleItem):
        db.readers.update(bob.__class__(**{**fields(bob), "version": "old"}), card="1")

    moved = db.readers.rename_reader(reader="ann", new_reader="anna")
    assert db.email_lookups.get(email="new@x").reader == "anna"
    assert db.readers.delete(moved) == moved
    assert db.email_lookups.get(email="new@x") is None
    assert sorted(i["reader"]["S"] for i in scanned(client, "Readers")) == ["bob"]


def fields(of: Any) -> dict[str, Any]:
    return {name: getattr(of, name) for name in of.__dataclass_fields__}


def test_keys_of_markers_are_not_to_be_had(db: Any, package: ModuleType) -> None:
    with pytest.raises(package.KeyValueError):
        db.readers.create(package.Reader(reader="$Reader#card#7", name="Eve"))
    assert not hasattr(db.readers, "put")
    assert not hasattr(db.readers, "batch_write")
