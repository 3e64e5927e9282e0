"""Units that others measured on DynamoDB itself (eu-west-2, August 2026) and published.

The table has the key `pk`, `sk`; a global index on `gsiPk` includes `proj`; a local index on `lsiSk`
holds whole items, or in the captures beyond 1 KB also only `proj`.
"""

from __future__ import annotations

from typing import Any

import pytest
from dyngen.runtime.capacity import IndexShape, read_units, write_units

Item = dict[str, Any]

GLOBAL = IndexShape(("gsiPk",), ("pk", "sk"), frozenset({"proj"}))
LOCAL = IndexShape(("pk", "lsiSk"), ("pk", "sk"), None)
SMALL_LOCAL = IndexShape(("pk", "lsiSk"), ("pk", "sk"), frozenset({"proj"}))


def item(**attributes: str) -> Item:
    key = {"pk": "a1", "sk": "1"}
    return {name: {"S": text} for name, text in (key | attributes).items()}


G = {"gsiPk": "g1"}
L = {"lsiSk": "L1"}
BOTH = item(**G, **L, proj="p", other="o")
LONG = "x" * 3000
HALF = "x" * 1500

Arms = tuple[int, int, int]


def arms(
    old: Item | None, new: Item | None, local: IndexShape, *, transactional: bool
) -> Arms:
    """The units of the table, of the global and of the local index."""
    table = write_units(old, new, transactional=transactional)
    with_global = write_units(old, new, [GLOBAL], transactional=transactional)
    with_local = write_units(old, new, [local], transactional=transactional)
    return table, with_global - table, with_local - table


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (None, item(**G), (1, 1, 0)),
        (None, item(other="o"), (1, 0, 0)),
        (None, item(**L), (1, 0, 1)),
        (None, item(**G, **L), (1, 1, 1)),
        (item(**G, proj="p"), item(**G, proj="p"), (1, 0, 0)),
        (BOTH, {**BOTH, "other": {"S": "o2"}}, (1, 0, 1)),
        (BOTH, {**BOTH, "proj": {"S": "p2"}}, (1, 1, 1)),
        (BOTH, {**BOTH, "gsiPk": {"S": "g2"}}, (1, 2, 1)),
        (BOTH, item(**L, proj="p", other="o"), (1, 1, 1)),
        (BOTH, {**BOTH, "lsiSk": {"S": "L2"}}, (1, 0, 2)),
        (BOTH, None, (1, 1, 1)),
        (item(other="o"), None, (1, 0, 0)),
    ],
)
def test_single_writes(old: Item | None, new: Item | None, expected: Arms) -> None:
    assert arms(old, new, LOCAL, transactional=False) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (None, item(**G, proj="p", other=LONG), (3, 1, 0)),
        (item(**G, proj=LONG), item(**G, proj="p"), (3, 3, 0)),
        (item(**G, proj="p"), item(**G, proj=LONG), (3, 3, 0)),
        (item(**G, proj=HALF), item(**G, proj="y" * 1500), (2, 2, 0)),
        (item(**G, proj=HALF), item(gsiPk="g9", proj=HALF), (2, 4, 0)),
    ],
)
def test_entries_are_charged_by_their_own_size(
    old: Item | None, new: Item | None, expected: Arms
) -> None:
    assert arms(old, new, SMALL_LOCAL, transactional=False) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (None, item(**G), (2, 1, 0)),  # A1
        (None, item(other="o"), (2, 0, 0)),  # A2
        (None, item(**G, **L, proj="p"), (2, 1, 1)),  # A3
        (item(**G, **L), item(**G, **L), (2, 0, 0)),  # A4; A12, a condition check
        (item(**G, **L, other="o"), item(**G, **L, other="o2"), (2, 0, 1)),  # A5
        (item(**G, **L), item(**L, gsiPk="g2"), (2, 2, 1)),  # A7
        (item(**G, **L), None, (2, 1, 1)),  # A10
        (item(other=LONG), item(), (6, 0, 0)),  # B3
        (item(**G, proj=LONG), None, (6, 3, 0)),  # B5
        (item(**G, proj=HALF), item(gsiPk="g9", proj=HALF), (4, 4, 0)),  # B7
        (item(other=LONG), item(other=LONG), (6, 0, 0)),  # F1, a condition check
        (item(**G, proj=LONG), item(**G, proj="p"), (6, 3, 0)),  # J3
        (None, None, (2, 0, 0)),  # K1, a delete of nothing
    ],
)
def test_a_transaction_doubles_the_table_alone(
    old: Item | None, new: Item | None, expected: Arms
) -> None:
    assert arms(old, new, LOCAL, transactional=True) == expected


def test_a_read_is_charged_for_what_it_evaluates() -> None:
    rows = [3000 + len("pksktagfillerps0000many")] * 4
    assert read_units(rows) == 1.5
    assert read_units(rows, consistent=True) == 3
    assert read_units(rows[:1]) == 0.5
