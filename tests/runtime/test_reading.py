"""Queries against an engine: pages, counts, filters, bounds, completion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from dyngen.runtime import keytext
from dyngen.runtime.conditions import eq
from dyngen.runtime.errors import InvalidCursor, MultipleItems, TooManyItems
from dyngen.runtime.reading import Hydration, Query
from dyngen.runtime.streams import (
    Read,
    Stream,
    above,
    at_least,
    at_most,
    begins_with,
    below,
    between,
    equals,
)
from dyngen.runtime.wire import ClockValue, Item
from recorded import Engine

TABLE = Read(
    pattern="orders",
    table="Orders",
    index=None,
    key_types={"customer": "S", "id": "S"},
    streams=(Stream({"customer": {"S": "c1"}}),),
)
INDEX = replace(
    TABLE,
    pattern="orders_by_total",
    index="ByTotal",
    key_types={"customer": "S", "total": "N", "id": "S"},
)


def order(number: int, customer: str = "c1", **attributes: Any) -> dict[str, Any]:
    return {
        "customer": {"S": customer},
        "id": {"S": f"o{number:02}"},
        "total": {"N": str(number * 10)},
        "status": {"S": "OPEN" if number % 5 == 0 else "CLOSED"},
        "text": {"S": "x" * 50},
    } | attributes


def identifier(item: Any) -> str:
    text: str = item["id"]["S"]
    return text


def query(engine: Engine, read: Read = TABLE, **options: Any) -> Query[str]:
    return Query(engine.client, read, decode=identifier, **options)


def numbered(*numbers: int) -> list[str]:
    return [f"o{number:02}" for number in numbers]


@pytest.fixture
def orders(engine: Engine) -> Engine:
    engine.put(
        "Orders",
        *(order(number) for number in range(12)),
        order(5, "c10"),
        order(6, "c"),
    )
    return engine


# --- iteration ------------------------------------------------------------------------------------


def test_iterating_follows_every_page(orders: Engine) -> None:
    orders.limit = 5
    assert list(query(orders)) == query(orders).all() == numbered(*range(12))
    assert orders.operations == ["Query"] * 6
    assert orders.read == 24


def test_iterating_takes_as_few_requests_as_it_can(orders: Engine) -> None:
    query(orders, page_size=2).all()
    assert orders.requests == [
        (
            "Query",
            {
                "TableName": "Orders",
                "KeyConditionExpression": "#n0 = :v0",
                "ExpressionAttributeNames": {"#n0": "customer"},
                "ExpressionAttributeValues": {":v0": {"S": "c1"}},
                "ScanIndexForward": True,
            },
        )
    ]


def test_nothing_is_read_before_it_is_asked_for(orders: Engine) -> None:
    iterator = iter(query(orders))
    assert orders.requests == []
    orders.limit = 3
    assert next(iterator) == "o00"
    assert orders.read == 3


def test_an_iteration_can_be_capped(orders: Engine) -> None:
    orders.limit = 3
    assert query(orders, max_items=7).all() == numbered(*range(7))
    assert orders.read == 7
    assert query(orders, max_items=70).all() == numbered(*range(12))


@pytest.mark.parametrize(
    ("range_", "expected"),
    [
        (equals("total", {"N": "30"}), [3]),
        (between("total", {"N": "30"}, {"N": "50"}), [3, 4, 5]),
        (between("total", {"N": "30"}, {"N": "50"}, low_exclusive=True), [4, 5]),
        (between("total", {"N": "30"}, {"N": "50"}, high_exclusive=True), [3, 4]),
        (at_least("total", {"N": "100"}), [10, 11]),
        (above("total", {"N": "100"}), [11]),
        (at_most("total", {"N": "10"}), [0, 1]),
        (below("total", {"N": "10"}), [0]),
    ],
)
def test_ranges_of_numbers(orders: Engine, range_: Any, expected: list[int]) -> None:
    read = replace(INDEX, streams=(Stream({"customer": {"S": "c1"}}, range_),))
    assert query(orders, read).all() == numbered(*expected)
    backward = replace(read, forward=False)
    assert query(orders, backward).all() == numbered(*reversed(expected))
    assert orders.read == 2 * len(expected)


def test_begins_with(orders: Engine) -> None:
    stream = Stream({"customer": {"S": "c1"}}, begins_with("id", {"S": "o1"}))
    assert query(orders, replace(TABLE, streams=(stream,))).all() == numbered(10, 11)


def test_a_range_that_holds_nothing_is_not_asked_for(orders: Engine) -> None:
    nothing = between("id", {"S": "b"}, {"S": "a"})
    read = replace(TABLE, streams=(Stream({"customer": {"S": "c1"}}, nothing),))
    for empty in (read, replace(TABLE, streams=())):
        found = query(orders, empty)
        assert (found.all(), found.first(), found.count()) == ([], None, 0)
        assert (found.page(limit=1).items, found.page(limit=1).cursor) == ([], None)
    assert orders.requests == []


@pytest.mark.parametrize(
    ("stream", "condition"),
    [
        (Stream({"customer": {"S": "c1"}}, begins_with("id", {"S": ""})), "#n0 = :v0"),
        (Stream({"customer": {"S": "c1"}}, at_least("id", {"S": ""})), "#n0 = :v0"),
        (Stream({"customer": {"S": "c1"}}, above("id", {"S": ""})), "#n0 = :v0"),
        (
            Stream({"customer": {"S": "c1"}}, between("id", {"S": ""}, {"S": "p"})),
            "#n0 = :v0 AND #n1 <= :v1",
        ),
    ],
)
def test_a_bound_without_text_is_no_bound(
    orders: Engine, stream: Stream, condition: str
) -> None:
    found = query(orders, replace(TABLE, streams=(stream,)))
    assert found.all() == numbered(*range(12))
    assert orders.requests[0][1]["KeyConditionExpression"] == condition
    page = found.page(limit=1)
    assert found.page(cursor=page.cursor).items == numbered(*range(1, 12))


@pytest.mark.parametrize(
    "stream",
    [
        Stream({"customer": {"S": ""}}),
        Stream({"customer": {"S": "c1"}}, equals("id", {"S": ""})),
        Stream({"customer": {"S": "c1"}}, at_most("id", {"S": ""})),
        Stream({"customer": {"S": "c1"}}, below("id", {"S": ""})),
        Stream({"customer": {"S": "c1"}}, below("id", {"B": b""})),
    ],
)
def test_no_key_is_empty(orders: Engine, stream: Stream) -> None:
    assert query(orders, replace(TABLE, streams=(stream,))).all() == []
    assert orders.requests == []


def test_the_parts_of_a_key_stand_in_its_order() -> None:
    stream = Stream(
        {"tenant": {"S": "t"}, "region": {"S": "r"}, "state": {"S": "t"}},
        between("time", {"N": "1"}, {"N": "2"}),
    )
    request = replace(TABLE, streams=(stream,)).request(stream, start=None, limit=None)
    assert request.arguments["KeyConditionExpression"] == (
        "#n0 = :v0 AND #n1 = :v1 AND #n2 = :v0 AND #n3 BETWEEN :v2 AND :v3"
    )


def test_a_scan(orders: Engine) -> None:
    read = replace(TABLE, streams=(Stream({}),), scan=True)
    orders.limit = 4
    assert len(query(orders, read).all()) == 14
    assert set(orders.operations) == {"Scan"}
    page = query(orders, read).page(limit=10)
    rest = query(orders, read).page(limit=10, cursor=page.cursor)
    assert sorted(page.items + rest.items) == sorted(query(orders, read))
    assert len(page.items) == 10
    with pytest.raises(TooManyItems):
        query(orders, read, at_most=13).all()


def test_a_selection_brings_the_key_along(orders: Engine) -> None:
    read = replace(TABLE, select=("text", ("address", "city"), "id"))
    found = Query(orders.client, read, decode=set).first()
    assert found == {"customer", "id", "text"}
    assert query(orders, read).count() == 12


def test_strongly_consistent(orders: Engine) -> None:
    query(orders, replace(TABLE, consistent=True)).first()
    assert orders.requests[0][1]["ConsistentRead"] is True


# --- pages ----------------------------------------------------------------------------------------


def test_pages_hold_just_what_was_asked_for(orders: Engine) -> None:
    found = query(orders, page_size=5)
    first = found.page()
    second = found.page(cursor=first.cursor)
    third = found.page(cursor=second.cursor)
    assert [first.items, second.items, third.items] == [
        numbered(*range(5)),
        numbered(*range(5, 10)),
        numbered(10, 11),
    ]
    assert third.cursor is None
    assert orders.read == 12


def test_a_page_that_dynamodb_cuts_short_is_filled_up(orders: Engine) -> None:
    def cut(params: dict[str, Any], **_: object) -> None:
        params["Limit"] = min(params["Limit"], 3)

    orders.client.meta.events.register("provide-client-params.dynamodb.Query", cut)
    page = query(orders).page(limit=10)
    assert page.items == numbered(*range(10))
    assert query(orders).page(limit=10, cursor=page.cursor).items == numbered(10, 11)


def test_without_a_limit_a_page_is_what_one_request_brings(orders: Engine) -> None:
    orders.limit = 7
    page = query(orders).page()
    assert page.items == numbered(*range(7))
    assert query(orders).page(cursor=page.cursor).cursor is None


@pytest.mark.parametrize("limit", [0, -1, 21])
def test_a_page_of_another_size_is_refused(orders: Engine, limit: int) -> None:
    with pytest.raises(ValueError, match="allowed: 1 to 20"):
        query(orders, page_size=10, max_page_size=20).page(limit=limit)
    assert orders.requests == []


def test_a_page_needs_at_least_one_item(orders: Engine) -> None:
    with pytest.raises(ValueError, match="allowed: at least 1"):
        query(orders).page(limit=0)


def test_a_cursor_survives_the_deletion_of_its_item(orders: Engine) -> None:
    page = query(orders, INDEX).page(limit=4)
    orders.client.delete_item(
        TableName="Orders", Key={"customer": {"S": "c1"}, "id": {"S": "o03"}}
    )
    rest = query(orders, INDEX).page(limit=100, cursor=page.cursor)
    assert rest.items == numbered(*range(4, 12))


def test_cursors_can_be_signed(orders: Engine) -> None:
    signed = query(orders, cursor_secret=b"secret").page(limit=4).cursor
    assert query(orders, cursor_secret=b"secret").page(cursor=signed).items
    with pytest.raises(InvalidCursor):
        query(orders).page(cursor=signed)
    with pytest.raises(InvalidCursor):
        query(orders, cursor_secret=b"secret").page(cursor="")


@pytest.mark.parametrize("forward", [True, False])
def test_pages_follow_a_bound_that_the_clock_moves(
    orders: Engine, forward: bool
) -> None:
    def since(total: int) -> Query[str]:
        bound = at_least("total", ClockValue({"N": str(total)}))
        stream = Stream({"customer": {"S": "c1"}}, bound)
        return query(orders, replace(INDEX, streams=(stream,), forward=forward))

    page = since(20).page(limit=3)
    rest = since(60).page(limit=100, cursor=page.cursor).items
    if forward:
        assert (page.items, rest) == (numbered(2, 3, 4), numbered(*range(6, 12)))
    else:
        assert (page.items, rest) == (numbered(11, 10, 9), numbered(8, 7, 6))
        orders.forget()
        assert since(100).page(limit=9, cursor=page.cursor).items == []
        assert orders.requests == []


# --- the first, the only one, how many ------------------------------------------------------------


def test_the_first(orders: Engine) -> None:
    assert query(orders, page_size=10, max_page_size=20).first() == "o00"
    assert query(orders, replace(TABLE, forward=False)).first() == "o11"
    assert orders.read == 2


def test_the_only_one(orders: Engine) -> None:
    only = Stream({"customer": {"S": "c10"}})
    assert query(orders, replace(TABLE, streams=(only,))).one() == "o05"
    none = Stream({"customer": {"S": "c100"}})
    assert query(orders, replace(TABLE, streams=(none,))).one() is None
    orders.forget()
    with pytest.raises(MultipleItems, match="orders: more than one item"):
        query(orders).one()
    assert orders.read == 2


def test_counting_decodes_nothing(orders: Engine) -> None:
    orders.limit = 5

    def refuse(item: Any) -> Any:
        raise AssertionError

    assert Query(orders.client, TABLE, decode=refuse).count() == 12
    assert {params["Select"] for _, params in orders.requests} == {"COUNT"}
    assert query(orders, max_items=7).count() == 7


# --- filters and bounds ---------------------------------------------------------------------------

OPEN = replace(TABLE, filter=eq("status", {"S": "OPEN"}))


def test_a_page_that_a_filter_empties_is_not_the_end(orders: Engine) -> None:
    orders.limit = 1
    assert query(orders, OPEN).all() == numbered(0, 5, 10)
    assert query(orders, OPEN).count() == 3


def test_pages_of_a_filtered_query_are_full(orders: Engine) -> None:
    found = query(orders, OPEN)
    first = found.page(limit=2)
    assert first.items == numbered(0, 5)
    second = found.page(limit=2, cursor=first.cursor)
    assert (second.items, second.cursor) == (numbered(10), None)


def test_what_is_rare_takes_few_requests(engine: Engine) -> None:
    rare = [order(number, status={"S": "CLOSED"}) for number in range(99)]
    engine.put("Orders", *rare, order(99, status={"S": "OPEN"}))
    assert query(engine, OPEN).first() == "o99"
    assert len(engine.requests) == 7


def test_a_read_that_is_bounded_raises_instead_of_truncating(orders: Engine) -> None:
    assert query(orders, OPEN, at_most=12).all() == numbered(0, 5, 10)
    assert orders.requests[-1][1]["Limit"] == 13
    bounded = query(orders, OPEN, at_most=11)
    for read_all in (bounded.all, bounded.count, lambda: bounded.page(limit=5)):
        orders.forget()
        with pytest.raises(TooManyItems, match="orders: more than 11 items"):
            read_all()
        assert orders.read <= 12


# --- several streams ------------------------------------------------------------------------------

MERGED = replace(
    INDEX,
    streams=tuple(Stream({"customer": {"S": name}}) for name in ("c1", "c2", "c3")),
    merge_by=("total",),
)


@pytest.mark.parametrize("forward", [True, False])
def test_streams_are_merged_by_number(engine: Engine, forward: bool) -> None:
    engine.put(
        "Orders",
        *(order(number, f"c{number % 3 + 1}") for number in (1, 2, 3, 5, 8, 10, 11)),
    )
    found = query(engine, replace(MERGED, forward=forward), page_size=3)
    expected = numbered(1, 2, 3, 5, 8, 10, 11)[:: 1 if forward else -1]
    assert found.all() == expected
    assert engine.read == 7
    first = found.page()
    second = found.page(cursor=first.cursor)
    third = found.page(cursor=second.cursor)
    assert first.items + second.items + third.items == expected
    assert len(first.items) == len(second.items) == 3
    assert found.first() == expected[0]
    assert found.count() == 7


# --- completion -----------------------------------------------------------------------------------


def whole(item: Any) -> tuple[str, str]:
    return item["id"]["S"], item["status"]["S"]


def hydrated(engine: Engine, **options: Any) -> Query[tuple[str, str]]:
    hydration = Hydration[tuple[str, str]](
        table="Orders",
        key=lambda entry: {"customer": entry["customer"], "id": entry["id"]},
        matches=lambda found: found[1] == "CLOSED",
    )
    return Query(engine.client, INDEX, decode=whole, hydrate=hydration, **options)


CLOSED = [(name, "CLOSED") for name in numbered(1, 2, 3, 4, 6, 7, 8, 9, 11)]


def test_items_are_completed_in_the_order_of_the_index(orders: Engine) -> None:
    assert hydrated(orders).all() == CLOSED
    assert orders.operations == ["Query", "BatchGetItem"]


def test_pages_of_completed_items_are_full_too(orders: Engine) -> None:
    first = hydrated(orders).page(limit=5)
    assert first.items == CLOSED[:5]
    assert hydrated(orders).page(limit=9, cursor=first.cursor).items == CLOSED[5:]
    assert hydrated(orders).first() == CLOSED[0]
    assert hydrated(orders, max_items=3).all() == CLOSED[:3]


def test_what_has_vanished_is_dropped(orders: Engine) -> None:
    def vanish(params: dict[str, Any], **_: object) -> None:
        keys = params["RequestItems"]["Orders"]["Keys"]
        keys[:] = [key for key in keys if key["id"]["S"] != "o02"]

    orders.client.meta.events.register(
        "provide-client-params.dynamodb.BatchGetItem", vanish
    )
    assert hydrated(orders).all() == [CLOSED[0], *CLOSED[2:]]


def test_one_whole_item_may_complete_several_entries(orders: Engine) -> None:
    hydration = Hydration[str](
        table="Orders",
        key=lambda _: {"customer": {"S": "c10"}, "id": {"S": "o05"}},
        matches=lambda _: True,
    )
    found = Query(orders.client, INDEX, decode=identifier, hydrate=hydration)
    assert found.all() == ["o05"] * 12
    assert len(orders.requests[1][1]["RequestItems"]["Orders"]["Keys"]) == 1


def test_entries_that_lead_nowhere_are_dropped(orders: Engine) -> None:
    """One lacks what would be the key, of another no key can hold it: the others are read."""

    def key(entry: Item) -> Item | None:
        number = identifier(entry)
        if number == "o02":
            return None
        return {
            "customer": keytext.partition("" if number == "o03" else "c1"),
            "id": {"S": number},
        }

    hydration = Hydration[str](table="Orders", key=key, matches=lambda _: True)
    found = Query(orders.client, INDEX, decode=identifier, hydrate=hydration)
    everything = Query(orders.client, INDEX, decode=identifier).all()
    assert found.all() == [each for each in everything if each not in ("o02", "o03")]
    assert len(everything) == len(found.all()) + 2


def test_where_nothing_leads_anywhere_nothing_is_fetched(orders: Engine) -> None:
    hydration = Hydration[str](
        table="Orders", key=lambda _: None, matches=lambda _: True
    )
    found = Query(orders.client, INDEX, decode=identifier, hydrate=hydration)
    assert found.all() == []
    assert orders.operations == ["Query"]
