"""Our sizes and units are those that dynoxide reports, to the byte.

An item is padded so that by our count it fills its units exactly; one byte more must cost one more.
Numbers are those on which both agree: AWS calls its own rule approximate, and while we pair digits
from the decimal point (10750 is 1, 07, 50), dynoxide pairs them from the first one that counts.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import boto3
import pytest
from dyngen.runtime.capacity import (
    READ_UNIT,
    WRITE_UNIT,
    IndexShape,
    get_units,
    item_size,
    read_units,
    value_size,
    write_units,
)
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

Item = dict[str, Any]

QUICK = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

SHAPES = {
    "Whole": IndexShape(("whole", "sort"), ("id", "sort"), None),
    "Keys": IndexShape(("keys", "sort"), ("id", "sort")),
    "Named": IndexShape(("named", "sort"), ("id", "sort"), frozenset({"n"})),
    "Local": IndexShape(("id", "local"), ("id", "sort")),
}

_PAD = "p"


def _index(name: str, shape: IndexShape) -> dict[str, Any]:
    projection = {"ProjectionType": "KEYS_ONLY"}
    if shape.included is None:
        projection = {"ProjectionType": "ALL"}
    elif shape.included:
        projection = {"ProjectionType": "INCLUDE"}
    return {
        "IndexName": name,
        "KeySchema": [
            {"AttributeName": key, "KeyType": kind}
            for key, kind in zip(shape.key, ("HASH", "RANGE"), strict=True)
        ],
        "Projection": projection
        | ({"NonKeyAttributes": sorted(shape.included)} if shape.included else {}),
    }


class Table:
    """A table with an index of each kind."""

    def __init__(self, url: str) -> None:
        session = boto3.Session("dyngen", "dyngen", region_name="eu-west-1")
        self.client: Any = session.client("dynamodb", endpoint_url=url)
        self.name = f"dyngen-{uuid.uuid4().hex[:12]}"
        names = {"id", *(name for shape in SHAPES.values() for name in shape.key)}
        self.client.create_table(
            TableName=self.name,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[
                {"AttributeName": name, "AttributeType": "S"} for name in sorted(names)
            ],
            KeySchema=[
                {"AttributeName": "id", "KeyType": "HASH"},
                {"AttributeName": "sort", "KeyType": "RANGE"},
            ],
            GlobalSecondaryIndexes=[
                _index(name, shape) for name, shape in SHAPES.items() if name != "Local"
            ],
            LocalSecondaryIndexes=[_index("Local", SHAPES["Local"])],
        )

    def put(self, item: Item) -> Mapping[str, Any]:
        response = self.client.put_item(
            TableName=self.name, Item=item, ReturnConsumedCapacity="INDEXES"
        )
        consumed: Mapping[str, Any] = response["ConsumedCapacity"]
        return consumed

    def get(self, item: Item, *, consistent: bool) -> float:
        response = self.client.get_item(
            TableName=self.name,
            Key=key(item),
            ConsistentRead=consistent,
            ReturnConsumedCapacity="TOTAL",
        )
        units: float = response["ConsumedCapacity"]["CapacityUnits"]
        return units

    def query(self, index: str | None, consistent: bool) -> tuple[list[Item], float]:
        """What one request reads of the partition `i`, and its units."""
        shape = SHAPES[index] if index else None
        request: dict[str, Any] = {"IndexName": index} if index else {}
        response = self.client.query(
            TableName=self.name,
            KeyConditionExpression="#k = :k",
            ExpressionAttributeNames={"#k": shape.key[0] if shape else "id"},
            ExpressionAttributeValues={":k": {"S": "i"}},
            ConsistentRead=consistent,
            ReturnConsumedCapacity="TOTAL",
            **request,
        )
        return response["Items"], response["ConsumedCapacity"]["CapacityUnits"]

    def empty(self) -> None:
        for item in self.client.scan(TableName=self.name)["Items"]:
            self.client.delete_item(TableName=self.name, Key=key(item))


@pytest.fixture(scope="module")
def shared(dynoxide: str) -> Iterator[Table]:
    table = Table(dynoxide)
    yield table
    table.client.delete_table(TableName=table.name)


@pytest.fixture
def table(shared: Table) -> Table:
    shared.empty()
    return shared


def key(item: Item) -> Item:
    return {name: item[name] for name in ("id", "sort")}


def place(item: Item) -> str:
    text: str = item["sort"]["S"]
    return text


def padded(item: Item, size: int) -> Item:
    """The item with as much text as makes it so large."""
    filled = {**item, _PAD: {"S": ""}}
    return {**filled, _PAD: {"S": "x" * (size - item_size(filled))}}


def _agreed(number: str) -> bool:
    """Whether a number takes the same bytes however its digits are paired."""
    sign, digits, _ = Decimal(number).as_tuple()
    significant = "".join(map(str, digits)).strip("0")
    least = 1 + -(-len(significant) // 2) + sign
    return not significant or value_size({"N": number}) == least


NUMBERS = (
    st.integers(-(10**38) + 1, 10**38 - 1).map(str)
    | st.decimals(-(10**6), 10**6, places=3).map(str)
    | st.sampled_from(["0", "-0.5", "1E+20", "-1E-20", "100.001", "1E125", "1e-130"])
).filter(_agreed)
LEAVES = (
    st.text(st.characters(codec="utf-8"), max_size=20).map(lambda v: {"S": v})
    | NUMBERS.map(lambda v: {"N": v})
    | st.binary(max_size=20).map(lambda v: {"B": v})
    | st.booleans().map(lambda v: {"BOOL": v})
    | st.just({"NULL": True})
    | st.sets(st.text(max_size=5), min_size=1, max_size=4).map(
        lambda v: {"SS": sorted(v)}
    )
    | st.sets(
        st.integers(-(10**6), 10**6).map(str).filter(_agreed), min_size=1, max_size=4
    ).map(lambda v: {"NS": sorted(v)})
    | st.sets(st.binary(min_size=1, max_size=5), min_size=1, max_size=4).map(
        lambda v: {"BS": sorted(v)}
    )
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda v: {"L": v})
        | st.dictionaries(st.text(min_size=1, max_size=5), inner, max_size=4).map(
            lambda v: {"M": v}
        )
    ),
    max_leaves=12,
)
NAMES = st.sampled_from(["n", "other", "größe", "x" * 40])
KEYED = st.fixed_dictionaries(
    {"id": st.just({"S": "i"}), "sort": st.just({"S": "s"})},
    optional={
        name: st.sampled_from([{"S": "i"}, {"S": "jj"}])
        for name in ("whole", "keys", "named", "local")
    },
)
ITEMS = st.builds(
    lambda keyed, rest: keyed | rest,
    KEYED,
    st.dictionaries(NAMES, VALUES, max_size=4),
)


@QUICK
@given(item=ITEMS, units=st.integers(1, 4))
def test_an_item_has_this_many_bytes(table: Table, item: Item, units: int) -> None:
    least = -(-item_size({**item, _PAD: {"S": ""}}) // WRITE_UNIT)
    size = (least + units) * WRITE_UNIT
    for bytes_, expected in ((size, least + units), (size + 1, least + units + 1)):
        written = padded(item, bytes_)
        table.empty()
        assert table.put(written)["Table"]["CapacityUnits"] == expected
        assert write_units(None, written) == expected


SIZES = st.integers(0, 5000)
"""How much longer an item is made, so that its units differ."""


@QUICK
@given(old=st.none() | ITEMS, new=ITEMS, more=st.tuples(SIZES, SIZES))
def test_a_write_costs_what_it_changes_in_table_and_indexes(
    table: Table, old: Item | None, new: Item, more: tuple[int, int]
) -> None:
    table.empty()
    if old is not None:
        old = longer(old, more[0])
        table.put(old)
    new = longer(new, more[1])

    consumed = table.put(new)

    assert consumed["CapacityUnits"] == write_units(old, new, SHAPES.values())
    for name, shape in SHAPES.items():
        expected = write_units(old, new, [shape]) - write_units(old, new)
        kind = "Local" if name == "Local" else "Global"
        reported = consumed.get(f"{kind}SecondaryIndexes", {})
        assert reported.get(name, {"CapacityUnits": 0})["CapacityUnits"] == expected


@QUICK
@given(items=st.lists(st.tuples(ITEMS, SIZES), max_size=5), consistent=st.booleans())
def test_a_query_costs_the_entries_that_it_reads(
    table: Table, items: list[tuple[Item, int]], consistent: bool
) -> None:
    table.empty()
    stored = [
        {**longer(item, more), "sort": {"S": str(number)}}
        for number, (item, more) in enumerate(items)
    ]
    for item in stored:
        table.put(item)

    for name, shape in {None: None, **SHAPES}.items():
        strongly = consistent and name in (None, "Local")
        found, units = table.query(name, strongly)
        entries = [shape.view(item) if shape else item for item in stored]
        read = [
            entry
            for entry in entries
            if entry is not None and (shape is None or entry[shape.key[0]]["S"] == "i")
        ]
        assert sorted(map(place, found)) == [place(entry) for entry in read]
        assert units == read_units(map(item_size, read), consistent=strongly)


@QUICK
@given(item=ITEMS, units=st.integers(1, 2), consistent=st.booleans())
def test_a_get_costs_the_whole_item(
    table: Table, item: Item, units: int, consistent: bool
) -> None:
    for size in (units * READ_UNIT, units * READ_UNIT + 1):
        written = padded(item, size)
        table.put(written)
        expected = get_units([size], consistent=consistent)
        assert table.get(written, consistent=consistent) == expected


@QUICK
@given(old=ITEMS, new=ITEMS)
def test_a_transaction_costs_twice_as_much(table: Table, old: Item, new: Item) -> None:
    table.empty()
    table.put(old)

    written = table.client.transact_write_items(
        TransactItems=[{"Put": {"TableName": table.name, "Item": new}}],
        ReturnConsumedCapacity="TOTAL",
    )
    read = table.client.transact_get_items(
        TransactItems=[{"Get": {"TableName": table.name, "Key": key(new)}}],
        ReturnConsumedCapacity="TOTAL",
    )

    [consumed] = written["ConsumedCapacity"]
    expected = write_units(old, new, SHAPES.values(), transactional=True)
    assert consumed["CapacityUnits"] == expected
    [consumed] = read["ConsumedCapacity"]
    assert consumed["CapacityUnits"] == get_units([item_size(new)], transactional=True)


def test_a_key_that_is_not_there_costs_as_much_as_a_small_item(table: Table) -> None:
    missing = {"id": {"S": "i"}, "sort": {"S": "none"}}
    assert table.get(missing, consistent=False) == get_units([0]) == 0.5
    assert table.query(None, False) == ([], read_units([]))


def longer(item: Item, more: int) -> Item:
    """The item with so much more text."""
    return {**item, _PAD: {"S": "x" * more}}
