"""A counter that `add` takes out of its bounds: the item could not be written again."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from running import Running, refusals

Build = Callable[[str], Running]

STOCK = """\
tables: {Stock: {partition_key: id, indexes: {ByPieces: {partition_key: shelf, sort_key: pieces}}}}
entities:
  Item:
    plural: items
    attributes:
      id: string
      shelf: {type: string, default: a}
      pieces: {type: integer, min: 0, max: 100}
      spare: {type: integer, min: 0, optional: true}
      value: {type: decimal, digits: 4, places: 2, default: 0}
access_patterns:
  of_shelf: {query: Item, where: {shelf: eq, pieces: {gte: param}}}
  change: {update: Item, where: {id: eq}, add: {pieces: {param: by}}}
  take_one: {update: Item, where: {id: eq}, add: {pieces: -1}}
  take_spare: {update: Item, where: {id: eq}, add: {spare: {param: by}}}
  revalue: {update: Item, where: {id: eq}, add: {value: {param: by}}}
  stock_up:
    transact:
      - {update: Item, where: {id: eq}, add: {pieces: {param: by}}}
"""


@pytest.mark.parametrize(
    ("pieces", "by"), [(3, -3), (3, 97), (0, 0), (100, -100), (0, 100)]
)
def test_a_sum_within_the_bounds_is_written(build: Build, pieces: int, by: int) -> None:
    running = build(STOCK)
    items = running.db().items
    items.create(running.package.Item(id="i", pieces=pieces))

    item = items.change(id="i", by=by)

    assert item.pieces == pieces + by
    assert items.of_shelf(shelf="a", pieces_from=pieces + by).all() == [item]
    assert items.update(item, shelf="b").pieces == pieces + by


@pytest.mark.parametrize(("pieces", "by"), [(3, -4), (3, 98), (0, -1), (100, 1)])
def test_a_sum_outside_is_refused_and_nothing_written(
    build: Build, pieces: int, by: int
) -> None:
    running = build(STOCK)
    package, db = running.package, running.db()
    item = db.items.create(package.Item(id="i", pieces=pieces))
    before = running.stored("Stock")

    with pytest.raises(package.GuardFailed) as refused:
        db.items.change(id="i", by=by)
    assert refused.value.current == item

    with pytest.raises(package.TransactionFailed) as failed:
        db.stock_up(id="i", by=by)
    assert failed.value.reasons[0].current == item

    assert running.stored("Stock") == before


def test_a_constant_needs_room_too(build: Build) -> None:
    running = build(STOCK)
    items = running.db().items
    items.create(running.package.Item(id="i", pieces=1))

    assert items.take_one(id="i").pieces == 0
    with pytest.raises(running.package.GuardFailed):
        items.take_one(id="i")


def test_an_absent_number_counts_as_nothing(build: Build) -> None:
    running = build(STOCK)
    items = running.db().items
    items.create(running.package.Item(id="i", pieces=1))

    with pytest.raises(running.package.GuardFailed):
        items.take_spare(id="i", by=-1)
    assert items.take_spare(id="i", by=2).spare == 2


def test_a_decimal_keeps_to_its_digits(build: Build) -> None:
    running = build(STOCK)
    items = running.db().items
    items.create(running.package.Item(id="i", pieces=1, value=Decimal("99.00")))

    with pytest.raises(running.package.GuardFailed):
        items.revalue(id="i", by=Decimal("1.00"))
    assert items.revalue(id="i", by=Decimal("0.99")).value == Decimal("99.99")
    assert items.revalue(id="i", by=Decimal("-99.99")).value == 0


def test_an_item_that_is_not_there_is_not_found(build: Build) -> None:
    running = build(STOCK)

    with pytest.raises(running.package.ItemNotFound):
        running.db().items.change(id="i", by=1)
    assert running.stored("Stock") == []


def _request(running: Running, call: Callable[[Any], Any]) -> dict[str, Any]:
    items = running.db().items
    items.create(running.package.Item(id="i", pieces=1))
    with running.recorded() as recorder:
        call(items)
    return recorder.requests[0].params


def test_a_guard_that_says_so_is_not_repeated(build: Build) -> None:
    guarded = STOCK.replace(
        "add: {pieces: -1}", "add: {pieces: -1}, guard: {pieces: {gt: 0}}"
    )
    params = _request(build(guarded), lambda items: items.take_one(id="i"))

    assert params["ConditionExpression"] == "(attribute_exists(#n1)) AND (#n0 > :v1)"


def test_what_only_grows_needs_no_room_below(build: Build) -> None:
    growing = STOCK.replace("add: {spare: {param: by}}", "add: {spare: 1}")
    params = _request(build(growing), lambda items: items.take_spare(id="i"))

    assert params["ConditionExpression"] == "attribute_exists(#n1)"


def test_text_is_still_nothing_to_add_to() -> None:
    [(code, message, _)] = refusals(
        STOCK.replace("add: {pieces: -1}", "add: {shelf: -1}")
    )

    assert (code, message) == ("DG207", "`add` does not work on `shelf`")
