"""A soak: many read and write through one generated repository while faults are injected.

It ends after `--operations` or `--seconds`, whichever comes first; threads take one half, and tasks on
aiobotocore the other. Then every write that succeeded must be found: for each item the writes form one
chain of version tokens, none started twice from the same version (a lost update), and the table holds
just the ends of the chains. Runs on dynoxide, on the loopback interface alone.

python -m benchmarks.soak [--operations N] [--seconds N] [--workers N]
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import os
import platform
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3
from aiobotocore.awsrequest import AioAWSResponse
from aiobotocore.config import AioConfig
from aiobotocore.session import get_session
from botocore.awsrequest import AWSResponse
from botocore.config import Config
from dyngen.compile import compile_spec
from dyngen.render.project import render

from benchmarks.soak.faults import Faults
from benchmarks.soak.history import History, key_of
from benchmarks.soak.orders import Awaited, Blocking
from benchmarks.soak.steps import CUSTOMERS, READER, WRITER, Soak, work

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "specs" / "customer_orders.yaml"
SERVICE = "customer_orders"

sys.path.insert(0, str(ROOT / "tests"))

from engines import installed, servers  # noqa: E402

_CONNECTION = {
    "region_name": "eu-west-1",
    "aws_access_key_id": "dyngen",
    "aws_secret_access_key": "dyngen",
}

Run = Callable[[Soak, Faults, str, int], None]


def in_threads(soak: Soak, faults: Faults, url: str, workers: int) -> None:
    """Half of the threads write, half read."""
    client = _client(url, workers)
    client.meta.events.register_first("before-send.dynamodb.*", faults.before_send)
    soak.orders = Blocking(soak.package.CustomerOrders(client).orders)

    def one(number: int) -> None:
        asyncio.run(work(soak, number, READER if number % 2 else WRITER))

    threads = [threading.Thread(target=one, args=(n,)) for n in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def in_tasks(soak: Soak, faults: Faults, url: str, workers: int) -> None:
    """Half of the tasks write, half read."""

    async def all_of_them() -> None:
        config = AioConfig(max_pool_connections=workers + 1)
        made = get_session().create_client(
            "dynamodb", endpoint_url=url, config=config, **_CONNECTION
        )
        async with made as client:
            client.meta.events.register_first(
                "before-send.dynamodb.*", faults.before_send
            )
            soak.orders = Awaited(soak.package.AsyncCustomerOrders(client).orders)
            await asyncio.gather(
                *(work(soak, n, READER if n % 2 else WRITER) for n in range(workers))
            )

    asyncio.run(all_of_them())


def _client(url: str, workers: int) -> Any:
    config = Config(max_pool_connections=workers + 1)
    return boto3.client("dynamodb", endpoint_url=url, config=config, **_CONNECTION)


@contextmanager
def built() -> Iterator[Any]:
    """The generated package, imported."""
    spec = SPEC.read_text(encoding="utf-8") + "\noutput: {client: both}\n"
    design, found = compile_spec(spec, SPEC.name)
    assert design is not None, found
    with tempfile.TemporaryDirectory() as folder:
        for path, text in render(design, SPEC.name).items():
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_text(text, encoding="utf-8")
        sys.path[:0] = [folder, str(Path(folder) / "tests")]
        yield importlib.import_module(SERVICE)


def run(package: Any, how: Run, operations: int, seconds: float, workers: int) -> str:
    """One soak on an engine of its own; its figures, as Markdown.

    Raises AssertionError, or what a worker has raised.
    """
    with servers.dynoxide() as url:
        client = _client(url, 1)
        (arguments,) = importlib.import_module(f"{SERVICE}_support").TABLES
        client.create_table(**arguments)
        orders = package.CustomerOrders(client).orders
        response = AioAWSResponse if how is in_tasks else AWSResponse
        faults = Faults(random.Random(0), response)
        start = time.monotonic()
        soak = Soak(package, Blocking(orders), History(), operations, start + seconds)
        how(soak, faults, url, workers)
        took = time.monotonic() - start
        if soak.failures:
            raise soak.failures[0]
        found = {
            key_of(order): order
            for number in range(CUSTOMERS)
            for order in orders.newest_orders(customer_id=f"c{number}")
        }
        pages = client.get_paginator("scan").paginate(
            TableName=arguments["TableName"], Select="COUNT"
        )
        assert sum(page["Count"] for page in pages) == len(found)
        left = len(found)
        created = soak.history.check(found)
        total = soak.done.total()
        lines = [
            f"{total:,} operations in {took:.0f} s ({total / took:.0f} a second). {created:,} items"
            f" created, {left:,} left; the table equals the model, and no update was lost.",
            "",
            "| what | times |",
            "|---|--:|",
        ]
        lines += [
            f"| {n} | {c:,} |"
            for n, c in sorted({**soak.done, **faults.counts}.items())
        ]
        return "\n".join(lines)


def main() -> None:
    """Read the options, start the engine, run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--operations", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--workers", type=int, default=8)
    options = parser.parse_args()
    if not installed.dynoxide().is_file():
        parser.error("dynoxide is not installed: `make engines` installs it")
    print(
        f"{options.workers} workers, dynoxide {installed.DYNOXIDE_VERSION}, "
        f"Python {platform.python_version()}, {os.cpu_count()} cores."
    )
    with built() as package:
        for name, how in (("Threads", in_threads), ("Tasks on aiobotocore", in_tasks)):
            figures = run(
                package,
                how,
                options.operations // 2,
                options.seconds / 2,
                options.workers,
            )
            print(f"\n## {name}\n\n{figures}", flush=True)


if __name__ == "__main__":
    main()
