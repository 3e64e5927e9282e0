"""What a batch leaves behind (fault 10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from running import Running

Build = Callable[[str], Running]

ORDERS = """\
tables: {Orders: {partition_key: id, indexes: {ByShop: {partition_key: shop}}}}
entities:
  Order: {attributes: {id: string, shop: string}}
access_patterns:
  of_shop: {query: Order, where: {shop: eq}}
  clear: {delete: Order, where: {shop: eq}, each: true}
"""


@dataclass
class Busy:
    """A client of a table that has no room for more than a few items of each batch."""

    client: Any
    room: int
    requests: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)

    def batch_write_item(self, **params: Any) -> Any:
        [(table, asked)] = params["RequestItems"].items()
        self.requests += 1
        taken, left = asked[: self.room], asked[self.room :]
        if taken:
            self.client.batch_write_item(RequestItems={table: taken})
        return {"UnprocessedItems": {table: left} if left else {}}

    def batch_get_item(self, **params: Any) -> Any:
        [(table, asked)] = params["RequestItems"].items()
        self.requests += 1
        taken, left = asked["Keys"][: self.room], asked["Keys"][self.room :]
        found: Any = {"Responses": {}}
        if taken:
            found = self.client.batch_get_item(RequestItems={table: {"Keys": taken}})
        return {**found, "UnprocessedKeys": {table: {"Keys": left}} if left else {}}


def test_everything_is_written_however_little_at_a_time(build: Build) -> None:
    running = build(ORDERS)
    busy = Busy(running.client, room=4)
    orders, order = running.db(busy).orders, running.package.Order
    many = [order(id=f"{number:03}", shop="s") for number in range(60)]

    orders.batch_write(put=many)

    assert busy.requests == 60 / 4
    assert {item["id"]["S"] for item in running.stored("Orders", "ByShop")} == {
        each.id for each in many
    }
    keys = [running.package.OrderKey(id=each.id) for each in reversed(many)]
    assert orders.batch_get(keys) == many[::-1]
    assert orders.clear(shop="s") == 60
    assert running.stored("Orders") == []


def test_what_is_not_written_in_the_end_is_named(build: Build) -> None:
    running = build(ORDERS)
    full = Busy(running.client, room=0)
    orders, package = running.db(full).orders, running.package
    many = [package.Order(id=f"{number:03}", shop="s") for number in range(30)]

    with pytest.raises(package.BatchIncomplete) as written:
        orders.batch_write(put=many)
    with pytest.raises(package.BatchIncomplete) as read:
        orders.batch_get([package.OrderKey(id=each.id) for each in many])

    assert set(written.value.not_written) == set(many)
    assert len(read.value.not_read) == 30
    assert (
        str(written.value) == "30 items not written, 0 keys not read after all retries"
    )
    assert running.stored("Orders") == []
