"""Sizes and units, with figures from AWS's pages and by hand."""

from __future__ import annotations

from typing import Any

import pytest
from dyngen.runtime.capacity import (
    IndexShape,
    get_units,
    item_size,
    read_units,
    value_size,
    write_units,
)


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": ""}, 0),
        ({"S": "text"}, 4),
        ({"S": "é€\U0001f600"}, 2 + 3 + 4),
        ({"B": b"\x00\x01"}, 2),
        ({"BOOL": True}, 1),
        ({"NULL": True}, 1),
        ({"N": "0"}, 1),
        ({"N": "-0.00"}, 1),
        ({"N": "5"}, 2),
        ({"N": "-5"}, 3),
        ({"N": "27"}, 2),
        ({"N": "123"}, 3),
        ({"N": "100"}, 2),
        ({"N": "1000"}, 2),
        ({"N": "0.5"}, 2),
        ({"N": "0.05"}, 2),
        ({"N": "0.005"}, 2),
        ({"N": "1.5"}, 3),
        ({"N": "10.01"}, 3),
        ({"N": "1000.0001"}, 5),
        ({"N": "1E+20"}, 2),
        ({"N": "12345678901234567890123456789012345678"}, 20),
        ({"N": "-1.2345678901234567890123456789012345678"}, 22),
        ({"SS": ["a", "bc"]}, 3),
        ({"NS": ["1", "123"]}, 5),
        ({"BS": [b"a", b"bc"]}, 3),
        ({"L": []}, 3),
        ({"L": [{"S": "ab"}, {"N": "1"}]}, 3 + 3 + 3),
        ({"M": {}}, 3),
        ({"M": {"key": {"S": "ab"}}}, 3 + 1 + 3 + 2),
        ({"L": [{"M": {"k": {"L": []}}}]}, 3 + 1 + 3 + 1 + 1 + 3),
    ],
)
def test_sizes(value: dict[str, Any], size: int) -> None:
    assert value_size(value) == size


def test_an_item_counts_its_names() -> None:
    assert item_size({"pk": {"S": "a"}, "ö": {"N": "12"}}) == 2 + 1 + 2 + 2


def test_a_query_adds_up_before_it_rounds() -> None:
    # AWS: ten items of 40.8 KB are 44 KB, 5.5 units (read-write-operations.html)
    assert read_units([4178] * 10) == 5.5
    assert read_units([4178] * 10, consistent=True) == 11
    # AWS: eight index entries of 2,000 bytes are 2 units (GSI.html)
    assert read_units([2000] * 8) == 2
    assert read_units([4096]) == 0.5
    assert read_units([4097]) == 1
    assert read_units([]) == 0.5


def test_reads_by_key_round_each_item() -> None:
    assert get_units([1, 1, 4097]) == 0.5 + 0.5 + 1
    assert get_units([0], consistent=True) == 1
    assert get_units([500], transactional=True) == 2
    assert get_units([]) == 0


def item(**attributes: str) -> dict[str, Any]:
    return {name: {"S": text} for name, text in attributes.items()}


KEYS_ONLY = IndexShape(("gsi",), ("id",))
WITH_NAME = IndexShape(("gsi",), ("id",), frozenset({"name"}))
WHOLE = IndexShape(("gsi",), ("id",), None)


def test_what_an_index_holds() -> None:
    whole = item(id="1", gsi="g", name="n", other="o")
    assert KEYS_ONLY.view(whole) == item(id="1", gsi="g")
    assert WITH_NAME.view(whole) == item(id="1", gsi="g", name="n")
    assert WHOLE.view(whole) == whole
    assert WHOLE.view(item(id="1", name="n")) is None
    assert WHOLE.view(None) is None


def test_a_write_costs_the_larger_of_before_and_after() -> None:
    small, large = item(id="1"), item(id="1", text="x" * 2048)
    assert write_units(None, small) == 1
    assert write_units(None, large) == 3
    assert write_units(large, small) == 3
    assert write_units(small, large) == 3
    assert write_units(large, None) == 3
    assert write_units(None, None) == 1
    assert write_units(small, large, transactional=True) == 6


@pytest.mark.parametrize(
    ("old", "new", "index", "units"),
    [
        (None, item(id="1"), WHOLE, 0),  # never in the index
        (None, item(id="1", gsi="g"), WHOLE, 1),  # enters
        (item(id="1"), item(id="1", gsi="g"), WHOLE, 1),
        (item(id="1", gsi="g"), item(id="1"), WHOLE, 1),  # leaves
        (item(id="1", gsi="g"), None, WHOLE, 1),
        (item(id="1", gsi="g"), item(id="1", gsi="h"), WHOLE, 2),  # moves
        (item(id="1", gsi="g"), item(id="1", gsi="g", name="n"), WITH_NAME, 1),
        (item(id="1", gsi="g"), item(id="1", gsi="g", name="n"), KEYS_ONLY, 0),
        (item(id="1", gsi="g"), item(id="1", gsi="g"), WHOLE, 0),
    ],
)
def test_an_index_costs_what_changes_in_it(
    old: dict[str, Any] | None,
    new: dict[str, Any] | None,
    index: IndexShape,
    units: int,
) -> None:
    assert write_units(old, new, [index]) == 1 + units
    assert write_units(old, new, [index, index], transactional=True) == 2 + 2 * units
