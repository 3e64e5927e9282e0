"""A value that cannot be stored is told by the attribute or the parameter that it was given for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from built_packages import designed, imported

SPEC = """\
dyngen: 1
service: shop
types:
  Line: {type: object, attributes: {sku: {type: string, max_length: 3}, count: integer}}
tables:
  Shop:
    partition_key: PK
    sort_key: SK
    indexes: {ByState: {partition_key: state, sort_key: at}}
entities:
  Order:
    attributes:
      customer: string
      number: {type: integer, min: 0, max: 99}
      state: [OPEN, CLOSED]
      at: {type: timestamp, stored: epoch_seconds}
      price: {type: decimal, digits: 5, places: 2}
      line: Line
      more: {type: list, of: Line, default: []}
      tags: {type: set, of: {type: string, max_length: 3}}
      notes: {type: map, of: {type: string, max_length: 3}, default: {}}
      extra: {type: json, optional: true}
    keys: {PK: "ORDER#{customer}", SK: "{number}"}
access_patterns:
  orders: {query: Order, where: {customer: eq, number: {between: [{param: first}, {param: last}]}}}
  in_state: {query: Order, where: {state: eq, at: {gte: {param: since}}}}
  reprice: {update: Order, where: {customer: eq, number: eq}, set: [price], guard: {at: {lt: {param: before}}}}
  tag: {update: Order, where: {customer: eq, number: eq}, append: {more: {param: line}}}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with imported(designed(SPEC), tmp_path_factory.mktemp("shop")) as found:
        yield found


@pytest.mark.parametrize(
    ("attribute", "value", "named"),
    [
        ("customer", 5, "customer"),
        ("customer", "", "customer"),
        ("number", 100, "number"),
        ("state", "LOST", "state"),
        ("at", dt.datetime(2026, 1, 1), "at"),
        ("price", Decimal("1.001"), "price"),
        ("line", ("abcd", 1), "line.sku"),
        ("line", ("abc", True), "line.count"),
        ("more", [("abc", 1), ("abcd", 1)], "more.sku"),
        ("more", "abc", "more"),
        ("tags", {"abcd"}, "tags"),
        ("tags", ["abc"], "tags"),
        ("notes", {"a": "abcd"}, "notes"),
        ("notes", {"": "abc"}, "notes"),
        ("extra", [object()], "extra"),
    ],
)
def test_of_an_item(
    package: Any, client: Any, attribute: str, value: Any, named: str
) -> None:
    def made(given: Any) -> Any:
        if isinstance(given, list) and attribute == "more":
            return [made(each) for each in given]
        return (
            package.Line(sku=given[0], count=given[1])
            if isinstance(given, tuple)
            else given
        )

    good = {
        "customer": "c",
        "number": 1,
        "state": package.OrderState.OPEN,
        "at": dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        "price": Decimal(1),
        "line": package.Line(sku="abc", count=1),
        "tags": frozenset({"a"}),
    }
    order = package.Order(**{**good, attribute: made(value)})

    with pytest.raises(package.InvalidValue) as refused:
        package.Shop(client).orders.create(order)

    assert refused.value.attribute == named
    assert str(refused.value).startswith(f"`{named}`: ")


@pytest.mark.parametrize(
    ("method", "arguments", "named"),
    [
        ("orders", {"customer": "c", "first": 1, "last": "2"}, "number"),
        (
            "in_state",
            {"state": "OPEN", "since": dt.datetime(2026, 1, 1)},
            "since",
        ),
        (
            "reprice",
            {
                "customer": "c",
                "number": 1,
                "price": 1.5,
                "before": dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
            },
            "price",
        ),
        (
            "reprice",
            {
                "customer": "c",
                "number": 1,
                "price": Decimal(1),
                "before": dt.datetime(2026, 1, 1),
            },
            "before",
        ),
    ],
)
def test_of_a_call(
    package: Any, client: Any, method: str, arguments: dict[str, Any], named: str
) -> None:
    with pytest.raises(package.InvalidValue) as refused:
        getattr(package.Shop(client).orders, method)(**arguments)

    assert refused.value.attribute == named


def test_the_element_of_a_list(package: Any, client: Any) -> None:
    with pytest.raises(package.InvalidValue) as refused:
        package.Shop(client).orders.tag(
            customer="c", number=1, line=package.Line(sku="abcd", count=1)
        )

    assert refused.value.attribute == "line.sku"
