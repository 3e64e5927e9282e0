"""What DynamoDB would refuse of a request is refused before it is sent."""

from __future__ import annotations

from typing import Any

import pytest
from dyngen.runtime import limits, transactions
from dyngen.runtime.batches import batch_write
from dyngen.runtime.client import run
from dyngen.runtime.clock import Environment
from dyngen.runtime.conditions import (
    Condition,
    all_of,
    contains,
    eq,
    exists,
    in_,
    missing,
    not_,
)
from dyngen.runtime.errors import InvalidRequest, InvalidValue
from dyngen.runtime.streams import Read, Stream
from dyngen.runtime.writing import (
    Change,
    add_to,
    append_to,
    default_to,
    delete_request,
    put_request,
    set_to,
    update_request,
)
from recorded import Engine

KEY = {"customer": {"S": "c1"}, "id": {"S": "o1"}}  # 8 + 2 + 2 + 2 bytes
FILLED = 409600 - 14 - len("note")


def number(value: int) -> dict[str, str]:
    return {"N": str(value)}


def sets(count: int) -> list[Change]:
    return [set_to(f"a{i}", number(i)) for i in range(count)]


def read(filter_: Condition, select: tuple[str, ...] | None = None) -> dict[str, Any]:
    of = Read(
        pattern="orders",
        table="Orders",
        index=None,
        key_types={"customer": "S", "id": "S"},
        streams=(),
        filter=filter_,
        select=select,
    )
    stream = Stream({"customer": {"S": "c1"}})
    return dict(of.request(stream, start=None, limit=None).arguments)


# --- items ----------------------------------------------------------------------------------------


def test_an_item_of_400_kb_is_put_and_a_larger_one_is_refused() -> None:
    full = {**KEY, "note": {"S": "x" * FILLED}}
    assert put_request("Orders", full)["Item"] == full
    with pytest.raises(InvalidValue) as refused:
        put_request("Orders", {**KEY, "note": {"S": "x" * FILLED + "x"}})
    assert str(refused.value) == (
        "the item would have 409601 bytes; DynamoDB stores at most 409600"
    )


def test_what_an_update_sets_must_fit_into_an_item() -> None:
    update_request("Orders", KEY, [set_to("note", {"S": "x" * FILLED})])
    with pytest.raises(InvalidValue, match="409601 bytes"):
        update_request("Orders", KEY, [set_to("note", {"S": "x" * FILLED + "x"})])
    # Not stored for certain: the attribute may be there.
    update_request("Orders", KEY, [default_to("note", {"S": "x" * FILLED + "x"})])


def test_a_batch_is_not_begun_where_an_item_is_too_large(engine: Engine) -> None:
    small, large = KEY, {**KEY, "id": {"S": "o2"}, "note": {"S": "x" * 409600}}
    with pytest.raises(InvalidValue):
        batch_write(
            engine.client,
            "Orders",
            tuple(KEY),
            put=[small, large],
            encode=dict,
            encode_key=dict,
        )
    assert engine.requests == []


def test_lists_and_maps_lie_32_levels_deep() -> None:
    """Documents (`json`) are counted from where they stand."""
    deep: dict[str, Any] = {"S": "x"}
    for level in range(32):
        deep = {"L": [deep]} if level % 2 else {"M": {"a": deep}}
    put_request("Orders", {**KEY, "note": deep})
    update_request("Orders", KEY, [set_to("note", deep)])
    with pytest.raises(InvalidValue, match="`note` would have 33 levels"):
        put_request("Orders", {**KEY, "note": {"L": [{"S": "x"}, deep]}})
    with pytest.raises(InvalidValue, match="`note` would have 33 levels"):
        update_request("Orders", KEY, [set_to("note", {"M": {"b": deep}})])


# --- expressions ----------------------------------------------------------------------------------


def test_an_update_expression_has_at_most_4096_bytes() -> None:
    # `#n10 = :v10, ` and the like: 10 of 11 characters, 90 of 13, the others of 15.
    longest = 4 + 10 * 11 + 90 * 13 + 187 * 15 - 2
    text = update_request("Orders", KEY, sets(287))["UpdateExpression"]
    assert len(text) == longest == 4087
    with pytest.raises(InvalidRequest) as refused:
        update_request("Orders", KEY, sets(288))
    assert str(refused.value) == (
        "the UpdateExpression would have 4102 bytes; DynamoDB takes at most"
        " 4096: write or ask for less at once"
    )


def test_a_condition_has_at_most_300_operators() -> None:
    tests = [eq(f"a{i}", number(i)) for i in range(151)]
    text = delete_request("Orders", KEY, all_of(*tests[:150]))["ConditionExpression"]
    assert limits.operators("ConditionExpression", text) == 150 + 149
    with pytest.raises(InvalidRequest, match="301 operators"):
        delete_request("Orders", KEY, all_of(*tests))


@pytest.mark.parametrize(
    ("condition", "operators"),
    [
        (eq("a", number(1)), 1),
        (not_(contains("a", number(1))), 2),
        (in_("a", map(number, range(100))), 1),
        (in_("a", map(number, range(101))), 3),  # two INs, joined by OR
        (all_of(exists("a"), missing("b"), eq("c", number(1))), 5),
    ],
)
def test_operators_of_conditions(condition: Condition, operators: int) -> None:
    text = put_request("Orders", KEY, condition)["ConditionExpression"]
    assert limits.operators("ConditionExpression", text) == operators


def test_operators_of_updates() -> None:
    changes = [
        set_to("a", number(1)),
        add_to("b", number(1)),
        add_to(("c", "d"), number(1)),  # if_not_exists and +
        append_to("e", {"L": []}),  # list_append and if_not_exists
    ]
    text = update_request("Orders", KEY, changes)["UpdateExpression"]
    assert limits.operators("UpdateExpression", text) == 4


def test_a_filter_and_a_selection_have_at_most_4096_bytes() -> None:
    assert "FilterExpression" in read(in_("a", map(number, range(500))))
    with pytest.raises(InvalidRequest, match="FilterExpression"):
        read(in_("a", map(number, range(600))))
    with pytest.raises(InvalidRequest, match="ProjectionExpression"):
        read(exists("a"), tuple(f"a{i}" for i in range(700)))


def test_placeholders_stand_for_at_most_2_mb() -> None:
    values = [{"S": str(i) * 300_000} for i in range(7)]
    read(in_("a", values[:6]))
    with pytest.raises(InvalidRequest, match="2097152"):
        read(in_("a", values))


@pytest.mark.parametrize("key", ["", "k" * 65536])
def test_the_key_of_an_entry_of_a_map_is_a_name(key: str) -> None:
    with pytest.raises(InvalidValue, match="key of an entry of a map"):
        update_request("Orders", KEY, [add_to(("counts", key), number(1))])


@pytest.mark.parametrize(
    "paths",
    [
        [("counts", "a"), ("counts", "a")],
        [("counts", "a"), ("sizes", "b"), ("counts",)],
        [("counts", "a"), ("counts", "a", "b"), ("counts", "aa")],
    ],
)
def test_changes_of_one_place_are_refused(paths: list[tuple[str, ...]]) -> None:
    """AWS: "Two document paths overlap with each other"."""
    update_request("Orders", KEY, [add_to(paths[0], number(1)), add_to("n", number(1))])
    with pytest.raises(InvalidRequest) as refused:
        update_request("Orders", KEY, [set_to(path, number(1)) for path in paths])
    assert str(refused.value) == (
        "two changes of one update are of the same place inside `counts`"
    )


def test_changes_side_by_side_are_sent(engine: Engine) -> None:
    engine.put("Orders", {**KEY, "counts": {"M": {"a": {"M": {}}}}})
    changes = [
        set_to(("counts", "b"), number(1)),
        add_to(("counts", "a", "b"), number(1)),
    ]
    engine.client.update_item(**update_request("Orders", KEY, changes))
    stored = engine.client.get_item(TableName="Orders", Key=KEY)["Item"]
    assert stored["counts"] == {"M": {"a": {"M": {"b": number(1)}}, "b": number(1)}}


# --- transactions ---------------------------------------------------------------------------------


def put_many(engine: Engine, count: int, size: int) -> None:
    environment = Environment()
    members = [
        [
            transactions.put(
                "Orders",
                {**KEY, "id": {"S": f"o{i}"}},
                {**KEY, "id": {"S": f"o{i}"}, "note": {"S": "x" * size}},
            )
        ]
        for i in range(count)
    ]
    run(engine.client, transactions.write(members, environment), environment)


def test_a_transaction_stores_at_most_4_mb(engine: Engine) -> None:
    with pytest.raises(InvalidRequest) as refused:
        put_many(engine, 11, 400_000)
    size = 11 * (400_000 + 14 + 4) + 1  # `o10` is longer
    assert str(refused.value) == (
        f"the items of the transaction have {size} bytes; DynamoDB takes at most 4194304"
    )
    assert engine.requests == []


def test_a_transaction_has_at_most_100_actions(engine: Engine) -> None:
    put_many(engine, 100, 1)
    with pytest.raises(InvalidRequest, match="101 actions"):
        put_many(engine, 101, 1)
