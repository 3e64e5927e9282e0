"""Memory of one decoded item, and of the dict that it came from: `python -m benchmarks.memory`.

Both are measured with tracemalloc, each alone: a hundred items are made, and what is still allocated
afterwards is divided by their number. Prints JSON.
"""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Callable

from benchmarks import canned
from benchmarks.peers import dyngen


def main() -> None:
    """Measure, and print {"dict": bytes, "item": bytes}."""
    module = dyngen.package("documents_memory", json)
    decode = sys.modules[f"{module.__name__}.document_repository"]._decode
    body = canned.bodies()["Query"]

    def dicts() -> object:
        return json.loads(body)["Items"]

    def items() -> object:
        return [decode(item) for item in json.loads(body)["Items"]]

    json.dump({"dict": _each(dicts), "item": _each(items)}, sys.stdout)


def _each(make: Callable[[], object]) -> int:
    """Bytes that one of the hundred things made takes."""
    make()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = make()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return round((after - before) / canned.ITEMS)


if __name__ == "__main__":
    main()
