"""A call that writes more than what it changes, or than was estimated, is noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from dyngen.runtime import capacity
from dyngen.testkit.charges import Estimate, charged
from dyngen.testkit.engine import engine

from .test_engine import game
from .test_guard import GAMES

Write = Callable[[Any], None]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.delenv("DYNGEN_ENDPOINT_URL", raising=False)
    with engine() as running, running.tables([GAMES]) as tables:
        yield SimpleNamespace(
            tables=tables,
            suite=SimpleNamespace(capacity=capacity),
            watch=lambda: running.recorder.clear() or running.recorder,
            contents=lambda: {"Games": tables.items("Games")},
            client=running.client,
            name=f"{tables.prefix}Games",
        )


def key(at: int) -> dict[str, Any]:
    return {name: game(at)[name] for name in ("id", "at")}


def put(at: int, **attributes: str) -> Write:
    item = game(at, **attributes)
    return lambda s: s.client.put_item(TableName=s.name, Item=item)


def delete(at: int) -> Write:
    return lambda s: s.client.delete_item(TableName=s.name, Key=key(at))


def batch(*items: dict[str, Any]) -> Write:
    requests = [{"PutRequest": {"Item": item}} for item in items]
    return lambda s: s.client.batch_write_item(RequestItems={s.name: requests})


def transact(*items: dict[str, Any], checked: int | None = None) -> Write:
    def write(store: Any) -> None:
        members: list[Any] = [
            {"Put": {"TableName": store.name, "Item": item}} for item in items
        ]
        if checked is not None:
            check = {
                "TableName": store.name,
                "Key": key(checked),
                "ConditionExpression": "attribute_exists(#n0)",
                "ExpressionAttributeNames": {"#n0": "id"},
            }
            members.append({"ConditionCheck": check})
        store.client.transact_write_items(TransactItems=members)

    return write


def do(store: Any, *writes: Write, **options: Any) -> None:
    with charged(store, **options):
        for write in writes:
            write(store)


def test_what_has_to_be_written(store: Any) -> None:
    do(store, put(1, round="r"))
    do(store, put(1, round="s"))
    do(store, put(1, round="s"))  # changes nothing
    do(store, transact(game(1), game(2)))
    do(store, batch(game(2, round="r"), game(3)))
    do(store, delete(1))
    do(store, transact(game(9)), transactional=True)


def test_a_second_write_of_the_same_item(store: Any) -> None:
    with pytest.raises(AssertionError, match="4 write units for what 2"):
        do(store, put(1, round="r"), put(1, round="r"))


def test_a_transaction_of_one_item(store: Any) -> None:
    with pytest.raises(AssertionError, match="3 write units for what 2"):
        do(store, transact(game(1, round="r")))


def test_a_write_beside_the_one_that_changes_something(store: Any) -> None:
    put(1)(store)
    with pytest.raises(AssertionError, match="2 write units for what 1"):
        do(store, put(1), put(2))


def test_items_that_are_not_written_together(store: Any) -> None:
    with pytest.raises(AssertionError, match="2 write units for what 4"):
        do(store, put(1), put(2))


ITEM_AND_ENTRY: Estimate = {None: (1, 1), "Keys": (0, 1)}


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (put(1, round="s"), "2 writes of Keys, which are estimated as 0 to 1"),
        (transact(game(1, round="r"), checked=2), "4 writes of items"),
        (put(3, round="r", map="m"), None),
        (delete(1), None),
    ],
)
def test_what_was_estimated(store: Any, write: Write, said: str | None) -> None:
    put(1, round="r")(store)
    put(2)(store)
    if said is None:
        do(store, write, estimate=ITEM_AND_ENTRY)
        return
    with pytest.raises(AssertionError, match=said):
        do(store, write, estimate=ITEM_AND_ENTRY, transactional="items" in said)


def test_an_engine_that_counts_units_must_report_them(store: Any) -> None:
    store.tables.engine.counts_units = True
    with pytest.raises(AssertionError):
        do(store, put(1, round="r"))  # nobody has asked moto for any


def test_an_index_that_the_estimate_leaves_out(store: Any) -> None:
    with pytest.raises(AssertionError, match=r"1 writes of Keys, .* 0 to 0"):
        do(store, put(1, round="r"), estimate={None: (1, 1)})


def test_an_estimate_may_have_no_upper_bound(store: Any) -> None:
    do(store, put(1, round="r"), estimate={None: (1, None), "Keys": (1, None)})
    with pytest.raises(AssertionError, match="estimated as 2 to None"):
        do(store, put(1, round="s"), estimate={None: (2, None), "Keys": (0, None)})
