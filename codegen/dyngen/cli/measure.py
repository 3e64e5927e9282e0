"""Notes what the reads of a generated suite cost while pytest runs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_PLAIN_READS = frozenset(
    {
        "test_reads_nothing_but_what_it_returns",
        "test_reads_only_what_the_filter_is_declared_for",
        "test_returns_the_item_with_this_key",
        "test_returns_the_first_match",
        "test_returns_the_only_match",
    }
)
"""The tests of `dyngen.testkit` that end with one plain read, which is still on record then."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One read of a pattern among the suite's sample items.

    Attributes:
        test: the name of the test class.
        place: the index that was read, or the table.
        read, returned: items that the engine read and returned.
        units: the read units of that (AWS: read-write-operations.html).
        stored: all items of the table, which a Scan with a filter reads; `stored_units` for them.
    """

    test: str
    place: str
    read: int
    returned: int
    units: float
    stored: int
    stored_units: float


@dataclass(slots=True)
class Measure:
    """A pytest plugin."""

    reads: list[Measured] = field(default_factory=list)

    def pytest_runtest_teardown(self, item: Any) -> None:
        """Look at what was recorded, before the tables are removed."""
        if item.originalname not in _PLAIN_READS:
            return
        store = item.funcargs.get("seeded") or item.funcargs.get("store")
        table = item.cls.table
        recorder = store.tables.engine.recorder
        stored = [i for i in store.items if store.suite.kind(i).table == table]
        self.reads.append(
            Measured(
                test=item.cls.__name__,
                place=item.funcargs["call"].index or table,
                read=recorder.scanned,
                returned=recorder.count,
                units=store.read_units(recorder),
                stored=len(stored),
                stored_units=store.least_read_units(stored, table, None),
            )
        )
