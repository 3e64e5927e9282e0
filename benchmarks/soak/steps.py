"""What readers and writers do, one step at a time."""

from __future__ import annotations

import datetime as dt
import random
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from benchmarks.soak.history import History
from benchmarks.soak.orders import Orders

CUSTOMERS = 40
START = dt.datetime(2026, 7, 1, tzinfo=dt.UTC)


@dataclass(slots=True)
class Soak:
    """What readers and writers share."""

    package: Any
    orders: Orders
    history: History
    operations: int
    end: float
    done: Counter[str] = field(default_factory=Counter)
    failures: list[BaseException] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def goes_on(self) -> bool:
        """Whether there is more to do."""
        return (
            not self.failures
            and self.done.total() < self.operations
            and time.monotonic() < self.end
        )

    def count(self, what: str) -> None:
        """Note one operation."""
        with self.lock:
            self.done[what] += 1


Step = Callable[[Soak, random.Random], Awaitable[str]]


async def work(soak: Soak, seed: int, steps: Mapping[Step, int]) -> None:
    """Do steps, each as often as its weight says, to the end or until one fails."""
    chance = random.Random(seed)
    functions, weights = list(steps), list(steps.values())
    try:
        while soak.goes_on():
            (step,) = chance.choices(functions, weights)
            soak.count(await step(soak, chance))
    except BaseException as failure:
        soak.failures.append(failure)


async def create(soak: Soak, chance: random.Random) -> str:
    """A new order."""
    order = soak.package.Order(
        customer_id=f"c{chance.randrange(CUSTOMERS)}",
        status=chance.choice(list(soak.package.OrderStatus)),
        order_date=START + dt.timedelta(seconds=chance.randrange(10**7)),
        total=Decimal(chance.randrange(10**6)).scaleb(-2),
    )
    soak.history.create(await soak.orders.create(order))
    return "create"


async def update(soak: Soak, chance: random.Random) -> str:
    """Change an order as it is now."""
    order = await stored(soak, chance)
    if order is None:
        return "get"
    changes: dict[str, Any] = {"status": chance.choice(list(soak.package.OrderStatus))}
    if chance.random() < 0.5:
        changes["tracking"] = chance.choice([None, "t1", "t2"])
    try:
        after = await soak.orders.update(order, **changes)
    except soak.package.StaleItem as refused:
        if not refused.outcome_unknown:
            return "update refused as stale"
        soak.history.perhaps(order, deleted=False)
        return "update whose outcome is unknown"
    soak.history.write(order, after)
    return "update"


async def delete(soak: Soak, chance: random.Random) -> str:
    """Delete an order as it is now."""
    order = await stored(soak, chance)
    if order is None:
        return "get"
    try:
        gone = await soak.orders.delete(order)
    except soak.package.StaleItem:
        return "delete refused as stale"
    if gone is None:  # the response was lost, and nobody knows whose request it was
        soak.history.perhaps(order, deleted=True)
        return "delete whose response was lost"
    soak.history.write(order, None)
    return "delete"


async def stored(soak: Soak, chance: random.Random) -> Any:
    """Some order, as it is stored."""
    key = soak.history.some_key(chance)
    if key is None:
        return None
    return await soak.orders.get(customer_id=key[0], order_id=key[1])


async def page(soak: Soak, chance: random.Random) -> str:
    """One customer's orders of one status in a period, page by page."""
    status = chance.choice(list(soak.package.OrderStatus))
    since = START + dt.timedelta(seconds=chance.randrange(10**7))
    until = since + dt.timedelta(days=10)
    found = await soak.orders.page(
        "orders_by_status_between",
        customer_id=f"c{chance.randrange(CUSTOMERS)}",
        status=status,
        order_date_from=since,
        order_date_to=until,
    )
    assert all(o.status is status and since <= o.order_date <= until for o in found)
    dates = [order.order_date for order in found]
    assert dates == sorted(dates) or dates == sorted(dates, reverse=True)
    return "query of an index"


async def newest(soak: Soak, chance: random.Random) -> str:
    """A customer's newest orders."""
    customer = f"c{chance.randrange(CUSTOMERS)}"
    found = await soak.orders.page("newest_orders", customer_id=customer)
    assert all(order.customer_id == customer for order in found)
    dates = [order.order_date for order in found]
    assert dates == sorted(dates, reverse=True)
    return "query of the newest"


WRITER: Mapping[Step, int] = {create: 3, update: 6, delete: 1}
READER: Mapping[Step, int] = {page: 2, newest: 1}
