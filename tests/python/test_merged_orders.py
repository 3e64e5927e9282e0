"""Reads of several requests give the order asked for, or are refused."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from built_packages import create_tables, designed, imported
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
