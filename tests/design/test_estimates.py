"""`sizes` and `rates`: what is read of them, and names that nothing answers to."""

from __future__ import annotations

import pytest
from dyngen.compile import compile_all
from dyngen.design.dump import dump
from dyngen.design.estimates import Calls, EntitySize, Estimates, Held

SPEC = """\
dyngen: 1
service: shop
tables:
  Orders: {partition_key: customer, sort_key: number, indexes: {ByAt: {partition_key: customer, sort_key: at}}}
entities:
  Order:
    attributes: {customer: uuid, number: ulid, at: timestamp, state: [A, B]}
access_patterns:
  order: {get: Order, where: {customer: eq, number: eq}}
  orders: {query: Order, where: {customer: eq}}
  newest: {query: Order, where: {customer: eq}, order_by: at desc}
  change: {update: Order, where: {customer: eq, number: eq}, set: [state]}
"""


def estimates(text: str) -> Estimates:
    found = compile_all(SPEC + text, "shop.yaml")
    assert found.whole, found.diagnostics
    assert found.design is not None
    return found.design.estimates


def problems(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    found = compile_all(SPEC + text, "shop.yaml")
    return [(d.code, d.message, d.help) for d in found.diagnostics]


def test_nothing_said() -> None:
    assert estimates("") == Estimates()
    assert estimates("").size("Order") == EntitySize()
    assert estimates("").calls("order") == Calls()


def test_bytes_alone() -> None:
    assert estimates("sizes: {Order: 450}\n").size("Order") == EntitySize(
        450, {None: Held()}
    )


def test_all_that_can_be_said_of_items() -> None:
    said = estimates(
        "sizes:\n  Order: {bytes: 450, items: 100, per_partition: 40, "
        "indexes: {ByAt: {items: 90, per_partition: 30}}}\n"
    ).size("Order")
    assert said.bytes == 450
    assert said.held(None) == Held(100, 40)
    assert said.held("ByAt") == Held(90, 30)
    assert said.held("Other") == Held()


def test_rates() -> None:
    said = estimates(
        "rates: {order: 20, orders: {calls: 0.5, items: 12}, newest: {items: 3}, "
        "Order.create: 5, Order.delete: 0}\n"
    )
    assert said.calls("order") == Calls(20)
    assert said.calls("orders") == Calls(0.5, 12)
    assert said.calls("newest") == Calls(None, 3)
    assert said.operations == {"Order": {"create": 5, "delete": 0}}


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("sizes: {Oder: 5}", "there is no entity `Oder`", "did you mean `Order`?"),
        (
            "sizes: {Order: {indexes: {ByAtt: {items: 5}}}}",
            "there is no index `ByAtt`",
            "did you mean `ByAt`?",
        ),
        (
            "rates: {ordr: 5}",
            "there is no pattern or method `ordr`",
            "did you mean `order`?",
        ),
        (
            "rates: {Order.creat: 5}",
            "there is no pattern or method `Order.creat`",
            "did you mean `Order.create`?",
        ),
        (
            "rates: {change: {calls: 5, items: 2}}",
            "`change` does not return a number of items",
            "write its calls a second alone: `change: 20`",
        ),
    ],
)
def test_names_that_nothing_answers_to(text: str, message: str, help: str) -> None:
    assert problems(f"{text}\n") == [("DG162", message, (help,))]


@pytest.mark.parametrize(
    "text",
    [
        "sizes: {Order: 0}",
        "sizes: {Order: {}}",
        "sizes: {Order: {byte: 5}}",
        "rates: {order: -1}",
        "rates: {orders: {calls: 5}}",
        "rates: {orders: {items: 0}}",
    ],
)
def test_shapes_that_are_refused(text: str) -> None:
    codes = {code for code, _, _ in problems(f"{text}\n")}
    assert codes
    assert all(code.startswith("DG02") for code in codes)


def test_estimates_are_no_part_of_the_design_that_is_locked() -> None:
    plain = compile_all(SPEC, "shop.yaml").design
    known = compile_all(f"{SPEC}sizes: {{Order: 450}}\n", "shop.yaml").design
    assert plain != known
    assert dump(plain) == dump(known)
