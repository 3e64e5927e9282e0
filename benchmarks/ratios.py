"""CPU time of one call, as a ratio to that of boto3's client: `python -m benchmarks.ratios TRANSPORT`.

All packages of one transport take turns in one process, in many short rounds, so that what else the
machine does touches all alike; those with threads of their own are all on the same side. The ratio is
taken within each round; its median is printed, as JSON. Run in the environment of the benchmarks;
packages that are not there are left out.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import logging
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable

from benchmarks import loopback
from benchmarks.peers import OPERATIONS, Peer
from benchmarks.peers.raw import RAW

MODULES = {
    "boto3": "raw",
    "pydantic": "resource_pydantic",
    "pynamodb": "pynamodb",
    "dynantic": "dynantic",
    "dyntastic": "dyntastic",
    "aiodynamo": "aiodynamo",
    "pydynox": "pydynox",
    "dynamoxy": "dynamoxy",
    "orjson": "dyngen",
}
"""The module that measures, by the package that it needs."""

ROUNDS = 30
_ROUND_SECONDS = 0.015


def main() -> None:
    """Measure, and print {name: {operation: ratio}}."""
    transport = sys.argv[1]
    logging.disable(logging.CRITICAL)
    # For those that take them from nowhere else; they open nothing.
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "benchmark",
        "AWS_SECRET_ACCESS_KEY": "benchmark",
    }
    with loopback.server() as url:
        peers = [peer for peer in _peers(url) if peer.transport == transport]
        measured = {operation: _ratios(peers, operation) for operation in OPERATIONS}
    rows = {
        peer.name: {each: measured[each][number] for each in OPERATIONS}
        for number, peer in enumerate(peers)
    }
    json.dump(rows, sys.stdout)


def _peers(url: str) -> Iterable[Peer]:
    for needed, module in MODULES.items():
        if importlib.util.find_spec(needed) is not None:
            yield from importlib.import_module(f"benchmarks.peers.{module}").peers(url)


def _ratios(peers: list[Peer], operation: str) -> list[float]:
    """The median ratio of each to the raw client."""
    calls = [(peer.calls[operation], _count(peer.calls[operation])) for peer in peers]
    raw = [peer.name for peer in peers].index(RAW)
    found: list[list[float]] = [[] for _ in peers]
    for _ in range(ROUNDS):
        seconds = [_seconds(call, count) / count for call, count in calls]
        for each, ratios in zip(seconds, found, strict=True):
            ratios.append(each / seconds[raw])
    return [round(statistics.median(ratios), 3) for ratios in found]


def _count(call: Callable[[int], object]) -> int:
    """How many calls make a round."""
    call(3)
    return max(1, round(_ROUND_SECONDS / (_seconds(call, 5) / 5)))


def _seconds(call: Callable[[int], object], count: int) -> float:
    """CPU seconds of this process, its threads included."""
    gc.collect(1)
    call(1)  # so that caches are warm
    started = time.process_time()
    call(count)
    return time.process_time() - started


if __name__ == "__main__":
    main()
