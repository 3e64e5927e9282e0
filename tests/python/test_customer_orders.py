"""The package of customer_orders, built and used as its users do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from built_packages import create_tables, designed, imported

SPEC = Path(__file__).parents[2] / "specs" / "customer_orders.yaml"
START = dt.datetime(2026, 7, 1, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    design = designed(SPEC.read_text(encoding="utf-8"))
    with imported(design, tmp_path_factory.mktemp("orders")) as module:
        yield module


@pytest.fixture
def db(package: ModuleType, client: Any) -> Any:
    create_tables(client, designed(SPEC.read_text(encoding="utf-8")).schema)
    return package.CustomerOrders(client)


def order(package: ModuleType, **changes: Any) -> Any:
    given = {
        "customer_id": "c1",
        "order_date": START,
        "total": Decimal("1.5"),
        **changes,
    }
    return package.Order(**given)


def test_create_fills_in_and_returns_what_is_read(db: Any, package: ModuleType) -> None:
    created = db.orders.create(
        order(package, order_date=START.replace(microsecond=1_999))
    )

    assert len(created.order_id) == 26
    assert created.order_date.microsecond == 1_000
    assert created.total == Decimal("1.50")
    assert created.version
    assert db.orders.get(customer_id="c1", order_id=created.order_id) == created
    assert db.orders.order(customer_id="c1", order_id=created.order_id) == created


def test_create_refuses_an_item_that_exists(db: Any, package: ModuleType) -> None:
    created = db.orders.create(order(package))

    with pytest.raises(package.ItemExists) as refused:
        db.orders.create(order(package, order_id=created.order_id, total=Decimal(9)))

    assert refused.value.current == created


def test_put_refuses_what_is_not_set(db: Any, package: ModuleType) -> None:
    with pytest.raises(package.InvalidValue):
        db.orders.put(order(package))


def test_a_query_reads_one_status_in_a_period(db: Any, package: ModuleType) -> None:
    cancelled = package.OrderStatus.CANCELLED
    wanted = [
        db.orders.create(
            order(package, status=cancelled, order_date=START + DAY * number)
        )
        for number in range(12)
    ]
    db.orders.create(order(package, order_date=START + DAY))
    db.orders.create(order(package, customer_id="c10", status=cancelled))

    query = db.orders.orders_by_status_between(
        customer_id="c1",
        status=cancelled,
        order_date_from=START,
        order_date_to=START + 10 * DAY,
    )
    page = query.page()

    assert query.all() == wanted[10::-1]
    assert page.items == wanted[10:0:-1]
    assert query.page(cursor=page.cursor).items == [wanted[0]]
    with pytest.raises(ValueError, match="100"):
        query.page(limit=101)


def test_ranges_exclude_what_they_say(db: Any, package: ModuleType) -> None:
    for number in range(4):
        db.orders.create(
            order(
                package,
                order_date=START + DAY * number,
                status=package.OrderStatus.CANCELLED,
            )
        )

    within = db.orders.orders_in_period(
        customer_id="c1", since=START + DAY, until=START + 3 * DAY
    )
    after = db.orders.cancelled_orders_after(
        customer_id="c1", order_date_after=START + DAY
    )

    assert [o.order_date - START for o in within] == [DAY, 2 * DAY]
    assert [o.order_date - START for o in after] == [2 * DAY, 3 * DAY]


def test_update_moves_the_index_key(db: Any, package: ModuleType, client: Any) -> None:
    created = db.orders.create(order(package))

    updated = db.orders.update(created, status=package.OrderStatus.SHIPPED)

    [item] = client.scan(TableName="CustomerOrders")["Items"]
    assert item["status#order_date"] == {"S": "SHIPPED#2026-07-01T00:00:00.000Z"}
    assert updated.version != created.version
    assert db.orders.get(customer_id="c1", order_id=created.order_id) == updated


def test_update_refuses_a_stale_copy(db: Any, package: ModuleType) -> None:
    created = db.orders.create(order(package))
    updated = db.orders.update(created, tracking="T1")

    with pytest.raises(package.StaleItem) as refused:
        db.orders.update(created, tracking="T2")
    with pytest.raises(package.StaleItem):
        db.orders.delete(created)

    assert refused.value.current == updated
    assert db.orders.update(updated, tracking=None).tracking is None


def test_update_refuses_the_key_and_unknown_names(db: Any, package: ModuleType) -> None:
    created = db.orders.create(order(package))

    with pytest.raises(TypeError, match="customer_id"):
        db.orders.update(created, customer_id="c2")


def test_an_item_without_a_version_can_be_updated_once(
    db: Any, package: ModuleType, client: Any
) -> None:
    created = db.orders.create(order(package))
    client.update_item(
        TableName="CustomerOrders",
        Key={"customer_id": {"S": "c1"}, "order_id": {"S": created.order_id}},
        UpdateExpression="REMOVE version",
    )
    old = db.orders.get(customer_id="c1", order_id=created.order_id)

    updated = db.orders.update(old, tracking="T1")

    assert old.version is None
    assert updated.version
    with pytest.raises(package.StaleItem):
        db.orders.update(old, tracking="T2")


def test_delete_returns_the_item_as_it_was(db: Any, package: ModuleType) -> None:
    created = db.orders.create(order(package))

    assert db.orders.delete(created) == created
    assert db.orders.get(customer_id="c1", order_id=created.order_id) is None


def test_batches(db: Any, package: ModuleType) -> None:
    orders = [db.orders.create(order(package)) for _ in range(3)]
    keys = [package.OrderKey(customer_id="c1", order_id=o.order_id) for o in orders]

    db.orders.batch_write(put=[orders[0]], delete=keys[1:2])

    first, second, third = db.orders.batch_get(keys)
    assert first.total == orders[0].total
    assert first.version != orders[0].version
    assert second is None
    assert third == orders[2]


def test_bad_stored_values_are_named(db: Any, package: ModuleType, client: Any) -> None:
    created = db.orders.create(order(package))
    for name, value in (
        ("total", {"S": "1.5"}),
        ("order_date", {"S": "2026-07-01T00:00:00Z"}),
    ):
        client.update_item(
            TableName="CustomerOrders",
            Key={"customer_id": {"S": "c1"}, "order_id": {"S": created.order_id}},
            UpdateExpression="SET #name = :value",
            ExpressionAttributeNames={"#name": name},
            ExpressionAttributeValues={":value": value},
        )
        with pytest.raises(package.StoredValueError):
            db.orders.get(customer_id="c1", order_id=created.order_id)


def test_a_missing_attribute_is_named(
    db: Any, package: ModuleType, client: Any
) -> None:
    created = db.orders.create(order(package))
    client.update_item(
        TableName="CustomerOrders",
        Key={"customer_id": {"S": "c1"}, "order_id": {"S": created.order_id}},
        UpdateExpression="REMOVE #total",
        ExpressionAttributeNames={"#total": "total"},
    )

    with pytest.raises(package.StoredValueError, match="total"):
        db.orders.get(customer_id="c1", order_id=created.order_id)


@pytest.mark.parametrize("customer", ["", "c" * 65, "\ud800"])
def test_keys_that_no_item_can_have_are_refused(
    db: Any, package: ModuleType, customer: str
) -> None:
    with pytest.raises(package.KeyValueError):
        db.orders.newest_orders(customer_id=customer)
