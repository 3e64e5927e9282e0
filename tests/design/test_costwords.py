"""The cost model as `dyngen explain` tells it."""

from __future__ import annotations

from typing import Any

import pytest
from dyngen.compile import compile_all
from dyngen.design import costwords
from dyngen.design.explain import explain
from dyngen.design.plans import Design

SPEC = """\
dyngen: 1
service: shop
tables:
  Orders:
    partition_key: customer
    sort_key: number
    indexes:
      Held: {partition_key: held, sort_key: number, projection: keys_only}
entities:
  Order:
    attributes: {customer: uuid, number: ulid, state: [OPEN, HELD], note: string}
    keys: {held: {value: HELD, when: {state: HELD}}}
access_patterns:
  orders: {query: Order, where: {customer: eq}}
  hold: {update: Order, where: {customer: eq, number: eq}, set: {state: HELD}}
  release: {update: Order, where: {customer: eq, number: eq}, set: {state: OPEN}}
  both:
    transact:
      - create: Order
      - {update: Order, where: {customer: eq, number: eq}, set: {state: OPEN}}
"""
SIZES = """\
sizes: {Order: {bytes: 1500, items: 3000000, per_partition: 20, indexes: {Held: {items: 90}}}}
rates: {orders: 10, Order.create: 4, hold: 2}
"""


def compiled(text: str) -> Design:
    found = compile_all(text, "shop.yaml")
    assert found.whole, found.diagnostics
    assert found.design is not None
    return found.design


def estimate(design: Design, pattern: str) -> dict[str, Any] | None:
    [found] = explain(design, pattern)
    [route] = found["routes"]
    return route.get("estimate")


PLAIN, SIZED = compiled(SPEC), compiled(SPEC + SIZES)


def test_a_read_is_estimated_where_sizes_say_enough() -> None:
    assert estimate(PLAIN, "orders") is None
    assert estimate(SIZED, "orders") == {
        "words": "4 read units a call: 20 items, 1 request",
        "items": 20,
        "requests": 1,
        "read_units": [4, 4],
    }


def test_a_write_is_told_per_kb_or_by_its_size() -> None:
    plain, sized = estimate(PLAIN, "hold"), estimate(SIZED, "hold")
    assert plain is not None
    assert plain["words"] == "write units per KB: 1 for Orders, 0 to 2 for Held"
    assert sized == {
        "words": "write units: 2 for Orders, 0 to 2 for Held",
        "write_units": {"Orders": [2, 2], "Held": [0, 2]},
        "per_kb": False,
    }


def test_a_transaction_adds_its_members_up() -> None:
    both = estimate(SIZED, "both")
    assert both is not None
    assert both["write_units"] == {"Orders": [8, 8], "Held": [0, 2]}


def test_the_writes_of_repositories() -> None:
    said = dict(costwords.entity_costs(SIZED))
    assert list(said) == [
        f"Order.{verb}" for verb in ("create", "put", "update", "delete")
    ]
    assert said["Order.create"]["words"] == "write units: 2 for Orders, 0 to 1 for Held"


def test_what_sizes_and_rates_come_to() -> None:
    assert list(costwords.loads(PLAIN)) == []
    assert list(costwords.loads(SIZED)) == [
        "Orders: 40.0 read units a second, 12.0 write units a second, 4.5 GB stored",
        "Held: 0.0002 write units a second, 16.2 KB stored",
    ]


@pytest.mark.parametrize(
    ("number", "shown"),
    [(1, "1 bytes"), (1023, "1,023 bytes"), (1536, "1.5 KB"), (1024**5, "1,024 TB")],
)
def test_bytes(number: int, shown: str) -> None:
    assert costwords._bytes(costwords.Bounds(number, number)) == shown
