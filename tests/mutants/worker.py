"""A process that runs one suite after another, each in a fork of itself.

What suites import (pytest, boto3, moto, hypothesis) is imported once, before the first fork, so that a
suite that fails soon costs a second and not five. Requests and replies are lines of JSON.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import hypothesis
import moto.dynamodb.models
import moto.dynamodb.responses
import pytest
import yaml

PRELOADED = (boto3, hypothesis, moto, yaml)
_PLUGINS = ("no:cacheprovider", "_hypothesis_pytestplugin")


@dataclass(eq=False)
class Order:
    """A pytest plugin: tests of `classes` go first, and of these and the others those that have one
    of the `words` in their names."""

    classes: Sequence[str]
    words: Sequence[str]
    failed: str = ""
    passed: int = 0
    broken: str = field(default="")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Order the tests; those of one class that are alike stay together."""
        items.sort(key=lambda item: (not self._near(item), not self._asked(item)))

    def _near(self, item: pytest.Item) -> bool:
        return item.parent is not None and item.parent.name in self.classes

    def _asked(self, item: pytest.Item) -> bool:
        return any(word in item.name for word in self.words)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember what failed."""
        if report.failed and not self.failed:
            self.failed = report.nodeid.partition("::")[2]
        self.passed += report.when == "call" and report.passed

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remember what could not even be collected."""
        if report.failed:
            self.broken = str(report.longrepr)[-500:]


def _suite(request: dict[str, Any]) -> dict[str, Any]:
    """Run the suite in the working folder until its first failure."""
    order = Order(request["classes"], request["words"])
    plugins = [part for name in _PLUGINS for part in ("-p", name)]
    arguments = [
        "tests",
        "-x",
        "-q",
        "--tb=no",
        "--assert=plain",
        "-c",
        os.devnull,
        "--rootdir",
        ".",
        *plugins,
    ]
    code = pytest.main(arguments, [order])
    return {
        "code": int(code),
        "failed": order.failed,
        "passed": order.passed,
        "broken": order.broken,
    }


def _forked(request: dict[str, Any]) -> dict[str, Any]:
    """Run the suite in a fork; nothing if it takes longer than it may."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(request["seconds"])
        os.chdir(request["folder"])
        with Path(os.devnull).open("w", encoding="utf-8") as nothing:
            sys.stdout = sys.stderr = nothing
            reply = json.dumps(_suite(request)).encode()
        os.write(writing, reply)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        reply = pipe.read()
    os.waitpid(child, 0)
    found: dict[str, Any] = json.loads(reply or b"{}")
    return found


def main() -> None:
    """Answer requests until there are no more."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    gc.freeze()
    for line in sys.stdin:
        print(json.dumps(_forked(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
