"""A soak: threads read and write through one generated repository while faults are injected.

It ends after `--operations` or `--seconds`, whichever comes first. Then every write that succeeded
must be found: for each item the writes form one chain of version tokens, none started twice from the
same version (a lost update), and the table holds just the ends of the chains. Runs on dynoxide, on the
loopback interface alone.

python benchmarks/soak.py [--operations N] [--seconds N] [--threads N]
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib
import os
import platform
import random
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import boto3
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.config import Config
from botocore.httpsession import URLLib3Session
from dyngen.compile import compile_spec
from dyngen.render.project import render

ROOT = Path(__file__).parents[1]
SPEC = ROOT / "specs" / "customer_orders.yaml"
SERVICE = "customer_orders"
CUSTOMERS = 40
CONTENDED = 30  # items that are written at a time: few, so that writers meet
FAULTS = 0.02  # of all requests; half are lost after the engine did its work
START = dt.datetime(2026, 7, 1, tzinfo=dt.UTC)

sys.path.insert(0, str(ROOT / "tests"))

from engines import installed, servers  # noqa: E402

Key = tuple[str, str]


# --- faults ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Faults:
    """Loses responses and refuses requests, at random; botocore then tries again."""

    random: random.Random
    active: bool = True
    counts: Counter[str] = field(default_factory=Counter)
    session: URLLib3Session = field(default_factory=URLLib3Session)

    def before_send(self, request: Any, **_: object) -> AWSResponse | None:
        """Handle botocore's `before-send.dynamodb.*`: what is returned is the response."""
        if not self.active or self.random.random() >= FAULTS:
            return None
        if self.random.random() < 0.5:
            self.session.send(request)
            self.counts["responses lost"] += 1
            return _failure(request.url, 500, "InternalServerError")
        self.counts["requests throttled"] += 1
        return _failure(request.url, 400, "ProvisionedThroughputExceededException")


class _Body:
    def __init__(self, content: bytes) -> None:
        self.content = content

    def stream(self, **_: object) -> list[bytes]:
        return [self.content]


def _failure(url: str, status: int, kind: str) -> AWSResponse:
    body = f'{{"__type": "com.amazonaws.dynamodb.v20120810#{kind}"}}'
    return AWSResponse(url, status, HTTPHeaders(), _Body(body.encode()))


# --- what must be true ----------------------------------------------------------------------------


@dataclass(slots=True)
class History:
    """What was written, item by item.

    `writes` leads from a version to the item that was made of it, None once it was deleted. `unknown`
    holds versions from which there may have been another write, and whether that may be a delete.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    created: dict[Key, Any] = field(default_factory=dict)
    recent: deque[Key] = field(default_factory=lambda: deque(maxlen=CONTENDED))
    writes: dict[Key, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))
    unknown: dict[Key, dict[str, bool]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def create(self, order: Any) -> None:
        """A new item."""
        with self.lock:
            self.created[key_of(order)] = order
            self.recent.append(key_of(order))

    def write(self, before: Any, after: Any) -> None:
        """One write that succeeded. Raises AssertionError if that version was written before."""
        with self.lock:
            writes = self.writes[key_of(before)]
            assert before.version not in writes, f"a lost update of {key_of(before)}"
            writes[before.version] = after

    def perhaps(self, before: Any, *, deleted: bool) -> None:
        """A write that may have been made although it was refused, or was another's."""
        with self.lock:
            known = self.unknown[key_of(before)]
            known[before.version] = deleted or known.get(before.version, False)

    def some_key(self, chance: random.Random) -> Key | None:
        """The key of an item that was created lately."""
        with self.lock:
            return chance.choice(self.recent) if self.recent else None

    def check(self, stored: dict[Key, Any]) -> int:
        """Compare with everything that is stored; the number of items. Raises AssertionError."""
        for key, order in self.created.items():
            ends = list(self._ends(key, order, frozenset()))
            assert ends, f"writes of {key} that form no chain"
            found = stored.pop(key, None)
            assert found in ends, f"{key} is {found}, not {ends}"
        assert not stored, f"{len(stored)} items that nobody created"
        return len(self.created)

    def _ends(self, key: Key, order: Any, visited: frozenset[str]) -> Iterator[Any]:
        """What may be there at the end, going on from this item: every write must have been made.

        A write may have been made although it was refused: its response got lost, somebody else
        wrote the item, and then it was repeated. It leads to a version that only others know.
        """
        writes = self.writes[key]
        current = order
        while current is not None and current.version in writes:
            visited |= {current.version}
            current = writes[current.version]
        if current is None or current.version not in self.unknown[key]:
            if len(visited) == len(writes):
                yield current
            return
        if len(visited) == len(writes):
            yield current
            if self.unknown[key][current.version]:
                yield None
        reached = {each.version for each in writes.values() if each is not None}
        for version in writes.keys() - visited - reached:
            yield from self._ends(key, writes[version], visited | {version})


def key_of(order: Any) -> Key:
    """The key of an order."""
    return order.customer_id, order.order_id


# --- the threads ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Soak:
    """What the threads share."""

    package: Any
    orders: Any
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


def thread(soak: Soak, seed: int, steps: dict[Callable[..., str], int]) -> None:
    """Do steps, each as often as its weight says, to the end or until one fails."""
    chance = random.Random(seed)
    functions, weights = list(steps), list(steps.values())
    try:
        while soak.goes_on():
            (step,) = chance.choices(functions, weights)
            soak.count(step(soak, chance))
    except BaseException as failure:
        soak.failures.append(failure)


def create(soak: Soak, chance: random.Random) -> str:
    """A new order."""
    order = soak.package.Order(
        customer_id=f"c{chance.randrange(CUSTOMERS)}",
        status=chance.choice(list(soak.package.OrderStatus)),
        order_date=START + dt.timedelta(seconds=chance.randrange(10**7)),
        total=Decimal(chance.randrange(10**6)).scaleb(-2),
    )
    soak.history.create(soak.orders.create(order))
    return "create"


def update(soak: Soak, chance: random.Random) -> str:
    """Change an order as it is now."""
    order = stored(soak, chance)
    if order is None:
        return "get"
    changes: dict[str, Any] = {"status": chance.choice(list(soak.package.OrderStatus))}
    if chance.random() < 0.5:
        changes["tracking"] = chance.choice([None, "t1", "t2"])
    try:
        after = soak.orders.update(order, **changes)
    except soak.package.StaleItem:
        soak.history.perhaps(order, deleted=False)
        return "update refused as stale"
    soak.history.write(order, after)
    return "update"


def delete(soak: Soak, chance: random.Random) -> str:
    """Delete an order as it is now."""
    order = stored(soak, chance)
    if order is None:
        return "get"
    try:
        gone = soak.orders.delete(order)
    except soak.package.StaleItem:
        return "delete refused as stale"
    if gone is None:  # the response was lost, and nobody knows whose request it was
        soak.history.perhaps(order, deleted=True)
        return "delete whose response was lost"
    soak.history.write(order, None)
    return "delete"


def stored(soak: Soak, chance: random.Random) -> Any:
    """Some order, as it is stored."""
    key = soak.history.some_key(chance)
    return None if key is None else soak.orders.get(customer_id=key[0], order_id=key[1])


def page(soak: Soak, chance: random.Random) -> str:
    """One customer's orders of one status in a period, page by page."""
    status = chance.choice(list(soak.package.OrderStatus))
    since = START + dt.timedelta(seconds=chance.randrange(10**7))
    until = since + dt.timedelta(days=10)
    query = soak.orders.orders_by_status_between(
        customer_id=f"c{chance.randrange(CUSTOMERS)}",
        status=status,
        order_date_from=since,
        order_date_to=until,
    )
    found = query.page(limit=20).items
    assert all(o.status is status and since <= o.order_date <= until for o in found)
    dates = [order.order_date for order in found]
    assert dates == sorted(dates) or dates == sorted(dates, reverse=True)
    return "query of an index"


def newest(soak: Soak, chance: random.Random) -> str:
    """A customer's newest orders."""
    customer = f"c{chance.randrange(CUSTOMERS)}"
    found = soak.orders.newest_orders(customer_id=customer).page(limit=20).items
    assert all(order.customer_id == customer for order in found)
    dates = [order.order_date for order in found]
    assert dates == sorted(dates, reverse=True)
    return "query of the newest"


WRITER = {create: 3, update: 6, delete: 1}
READER = {page: 2, newest: 1}


# --- all of it ------------------------------------------------------------------------------------


@contextmanager
def built() -> Iterator[Any]:
    """The generated package, imported."""
    design, found = compile_spec(SPEC.read_text(encoding="utf-8"), SPEC.name)
    assert design is not None, found
    with tempfile.TemporaryDirectory() as folder:
        for path, text in render(design, SPEC.name).items():
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_text(text, encoding="utf-8")
        sys.path[:0] = [folder, str(Path(folder) / "tests")]
        yield importlib.import_module(SERVICE)


def run(operations: int, seconds: float, threads: int, url: str) -> None:
    """The soak itself. Raises AssertionError, or what a thread has raised."""
    with built() as package:
        config = Config(max_pool_connections=threads + 1)
        session = boto3.Session("dyngen", "dyngen", region_name="eu-west-1")
        client: Any = session.client("dynamodb", endpoint_url=url, config=config)
        tables = importlib.import_module(f"{SERVICE}_support").TABLES
        for arguments in tables:
            client.create_table(**arguments)
        faults = Faults(random.Random(0))
        client.meta.events.register_first("before-send.dynamodb.*", faults.before_send)
        orders = package.CustomerOrders(client).orders
        soak = Soak(package, orders, History(), operations, time.monotonic() + seconds)
        workers = [
            threading.Thread(
                target=thread, args=(soak, number, READER if number % 2 else WRITER)
            )
            for number in range(threads)
        ]
        start = time.monotonic()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        took = time.monotonic() - start
        faults.active = False
        if soak.failures:
            raise soak.failures[0]
        found = {
            key_of(order): order
            for number in range(CUSTOMERS)
            for order in orders.newest_orders(customer_id=f"c{number}")
        }
        assert sum(
            page["Count"]
            for page in client.get_paginator("scan").paginate(
                TableName=tables[0]["TableName"], Select="COUNT"
            )
        ) == len(found)
        left = len(found)
        created = soak.history.check(found)
        report(soak, faults, took=took, threads=threads, created=created, left=left)


def report(
    soak: Soak, faults: Faults, *, took: float, threads: int, created: int, left: int
) -> None:
    """Print the figures as a table in Markdown."""
    total = soak.done.total()
    print(
        f"{total:,} operations in {took:.0f} s ({total / took:.0f} a second), {threads} threads, "
        f"dynoxide {installed.DYNOXIDE_VERSION}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores. {created:,} items created, {left:,} left; "
        "the table equals the model, and no update was lost.\n"
    )
    print("| what | times |\n|---|--:|")
    for name, count in sorted({**soak.done, **faults.counts}.items()):
        print(f"| {name} | {count:,} |")


def main() -> None:
    """Read the options, start the engine, run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--operations", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--threads", type=int, default=8)
    options = parser.parse_args()
    if not installed.dynoxide().is_file():
        parser.error("dynoxide is not installed: `make engines` installs it")
    with servers.dynoxide() as url:
        run(
            min(options.operations, 1_000_000),
            min(options.seconds, 600),
            options.threads,
            url,
        )


if __name__ == "__main__":
    main()
