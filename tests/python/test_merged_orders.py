"""Reads of several requests give the order asked for, or are refused."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from built_packages import create_tables, designed, imported
from dyngen.compile import compile_all
from dyngen.python.limits import check

SPEC = """\
dyngen: 1
service: merged
tables:
  Orders: {{partition_key: pk, sort_key: sk}}
entities:
  Order:
    attributes: {{customer: string, status: [A, B, C], date: date, id: string}}
    keys: {{pk: "{pk}", sk: "{sk}"}}
access_patterns:
  some: {{query: Order, where: {{customer: eq, status: in}}, order_by: {order}}}
  any: {{query: Order, where: {{customer: eq, status: eq}}, optional: [status], order_by: {order}}}
"""

KEYS = [
    ("{customer}#{status}", "{date}#{id}"),
    ("{customer}", "{status}#{date}#{id}"),
    ("{customer}", "{status}#{date:desc}#{id}"),
]


@pytest.mark.parametrize(("pk", "sk"), KEYS)
@pytest.mark.parametrize(
    ("order", "descending"),
    [
        ("[status, date]", False),
        ("[status desc, date desc]", True),
        ("date", False),
        ("date desc", True),
    ],
)
def test_the_order_is_that_of_the_values(
    pk: str, sk: str, order: str, descending: bool, tmp_path: Path, client: Any
) -> None:
    design = designed(SPEC.format(pk=pk, sk=sk, order=order))
    if check(design):
        assert "desc}" in sk
        assert "status" in order
        return
    with imported(design, tmp_path) as package:
        create_tables(client, design.schema)
        orders = package.Merged(client).orders
        for number in range(30):
            orders.create(
                package.Order(
                    customer="c",
                    status=list(package.OrderStatus)[number * 7 % 3],
                    date=dt.date(2026, 1, 1 + number * 11 % 5),
                    id=str(number),
                )
            )
        wanted = {package.OrderStatus.A, package.OrderStatus.C}
        for query, among in (
            (orders.some(customer="c", status_in=wanted), wanted),
            (orders.any(customer="c"), set(package.OrderStatus)),
        ):
            found = query.all()
            assert {o.status for o in found} == among
            assert len(found) == 10 * len(among)
            places = [place(o, order) for o in found]
            assert places == sorted(places, reverse=descending)
            paged, page = [], query.page(limit=4)
            while page.cursor is not None:
                paged += page.items
                page = query.page(limit=4, cursor=page.cursor)
            assert paged + page.items == found


def place(order: Any, by: str) -> tuple[Any, ...]:
    return (order.status, order.date) if "status" in by else (order.date,)


@pytest.mark.parametrize(("pk", "sk"), KEYS[:2])
@pytest.mark.parametrize("order", ["[date, status]", "[status, date desc]"])
def test_orders_that_keys_cannot_give_are_refused(pk: str, sk: str, order: str) -> None:
    found = check(designed(SPEC.format(pk=pk, sk=sk, order=order)))

    assert [d.code for d in found] == ["DG290", "DG290"]


SHARDED = """\
dyngen: 1
service: sharded
tables:
  Orders: {partition_key: id, indexes: {Due: {partition_key: pk, sort_key: sk}}}
entities:
  Order:
    attributes: {id: string, status: STATES, kind: [A, B], date: date}
    keys: {pk: {value: "PK", shards: {count: 2, by: id}}, sk: "SK"}
access_patterns:
  by_state: {query: Order, where: {status: eq}, optional: [status], order_by: [status, date]}
  by_date: {query: Order, where: {status: in}, order_by: date}
"""


def sharded(pk: str, sk: str, states: str = "[A, B, C]") -> str:
    return SHARDED.replace("PK", pk).replace("SK", sk).replace("STATES", states)


def test_shards_are_merged_by_what_their_sort_keys_begin_with(
    tmp_path: Path, client: Any
) -> None:
    design = designed(sharded("X#{shard}", "{status}#{date}"))
    assert not check(design)
    with imported(design, tmp_path) as package:
        create_tables(client, design.schema)
        orders = package.Sharded(client).orders
        states = list(package.OrderStatus)
        for number in range(24):
            orders.create(
                package.Order(
                    id=str(number),
                    status=states[number * 7 % 3],
                    kind=package.OrderKind.A,
                    date=dt.date(2026, 1, 1 + number * 11 % 8),
                )
            )
        found = orders.by_state().all()
        assert len(found) == 24
        assert found == sorted(found, key=lambda order: (order.status, order.date))
        paged, page = [], orders.by_state().page(limit=5)
        while page.cursor is not None:
            paged += page.items
            page = orders.by_state().page(limit=5, cursor=page.cursor)
        assert paged + page.items == found
        assert len(orders.by_state(status=states[1]).all()) == 8


def test_no_order_is_advised_that_the_keys_cannot_give() -> None:
    """`shard` is no attribute, and stands before `status` in the partition key."""
    [state] = check(designed(sharded("X#{shard}#{status}", "{date}")))
    assert "each `shard` and `status`" in state.message
    assert state.help == (
        "leave `order_by` out: requests are then made one after another",
    )


def test_values_that_are_not_stored_in_order_are_not_merged_by_their_texts() -> None:
    found = compile_all(sharded("X#{shard}", "{status}#{date}", "[B, A]"), "spec.yaml")
    [state] = [d for d in found.diagnostics if d.code == "DG201"]
    assert "not the order declared" in " ".join(state.help)
