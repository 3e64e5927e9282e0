"""The fixtures of a suite. Its conftest.py imports them and says which `suite` they serve."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .engine import Engine
from .engine import engine as start
from .store import Store, Suite


@pytest.fixture(scope="session")
def engine(suite: Suite) -> Iterator[Engine]:
    """The engine, for the whole session."""
    with start(suite.scans, suite.policy) as running:
        yield running


@pytest.fixture(scope="session")
def kept(suite: Suite, engine: Engine) -> Iterator[Store]:
    """Tables for one test after another."""
    with suite.store(engine) as fresh:
        yield fresh


@pytest.fixture
def store(kept: Store) -> Iterator[Store]:
    """Empty tables for one test."""
    yield kept
    kept.clear()


@pytest.fixture(scope="class")
def seeded(
    request: pytest.FixtureRequest, suite: Suite, engine: Engine
) -> Iterator[Store]:
    """Tables that hold the `items` of a test class; its tests only read."""
    with suite.store(engine) as fresh:
        added = fresh.add(*request.cls.items)
        assert len(added) == len(
            request.cls.items
        ), "two sample items share a key, or a value that must be unique"
        yield fresh
