"""One embedded engine for each module, and tables for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from dyngen.testkit.engine import Engine, Tables, engine

from .test_guard import GAMES


@pytest.fixture(scope="module")
def running() -> Iterator[Engine]:
    with engine() as started:
        yield started


@pytest.fixture
def tables(running: Engine) -> Iterator[Tables]:
    running.recorder.clear()
    with running.tables([GAMES]) as tables:
        yield tables
