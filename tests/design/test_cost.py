"""The cost model against the capacity rules, on items of known sizes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from dyngen.compile import compile_all
from dyngen.design import cost, writecost
from dyngen.design.itemsize import Bounds, allowed_size, always_in
from dyngen.design.plans import Design
from dyngen.design.traffic import traffic
from dyngen.design.writecost import WriteCost
from dyngen.runtime.capacity import (
    IndexShape,
    get_units,
    item_size,
    read_units,
    write_units,
)
from hypothesis import given
from hypothesis import strategies as st

SPEC = """\
dyngen: 1
service: shop
tables:
  Orders:
    partition_key: customer
    sort_key: number
    type_attribute: kind
    indexes:
      ByState: {partition_key: customer, sort_key: [state, placed], strategy: composite}
      Review: {partition_key: review, sort_key: queued, projection: keys_only}
      ByTotal: {type: local, sort_key: total, projection: [state]}
entities:
  Order:
    attributes:
      customer: {type: string, max_length: 64, charset: a-z}
      number: {type: integer, min: 1, max: 99999}
      state: [OPEN, HELD, SENT]
      placed: timestamp
      total: {type: decimal, digits: 8, places: 2, min: 0}
      queued: {type: timestamp, optional: true}
      note: {type: string, optional: true, max_length: 3000, charset: a-z}
      paid: boolean
    keys:
      review: {value: REVIEW, when: {state: HELD}}
access_patterns:
  order: {get: Order, where: {customer: eq, number: eq}}
  by_state: {query: Order, where: {customer: eq, state: eq}, order_by: placed}
  page: {query: Order, where: {customer: eq}, order_by: number, page_size: 25}
  filtered: {query: Order, where: {customer: eq}, filter: {where: {paid: true}, hit_rate: 0.5}}
  states: {query: Order, where: {customer: eq, state: {in: [OPEN, HELD]}}, order_by: placed}
  held: {query: Order, where: {state: HELD, queued: present}, order_by: queued, hydrate: true}
  pay: {update: Order, where: {customer: eq, number: eq}, set: {paid: true}}
  set_state: {update: Order, where: {customer: eq, number: eq}, set: {state: SENT}, guard: {placed: eq}}
  hold: {update: Order, where: {customer: eq, number: eq}, set: {state: HELD}, read_first: true}
  restate:
    update: Order
    where: {customer: eq, number: eq}
    set: {state: OPEN, placed: param, total: param, paid: param}
    remove: [queued, note]
    upsert: true
  forget: {delete: Order, where: {customer: eq, number: eq}}
  renumber: {move: Order, where: {customer: eq, number: eq}, set: {number: {param: new_number}}}
  settle:
    transact:
      - {update: Order, where: {customer: eq, number: eq}, set: {paid: true}}
"""
SHAPES = {
    "ByState": IndexShape(("customer", "state#placed"), ("customer", "number"), None),
    "Review": IndexShape(("review", "queued"), ("customer", "number")),
    "ByTotal": IndexShape(
        ("customer", "total"), ("customer", "number"), frozenset({"state"})
    ),
}


def compiled(more: str = "") -> Design:
    found = compile_all(SPEC + more, "shop.yaml")
    assert found.whole, found.diagnostics
    assert found.design is not None
    return found.design


PLAIN = compiled()


def order(**changes: Any) -> dict[str, Any]:
    """An item as the repository stores it."""
    values = {"customer": "ann", "number": 7, "state": "OPEN", "note": None}
    values |= {"queued": None, "total": "12.50", "paid": False} | changes
    placed = "2026-07-01T00:00:00.000Z"
    item = {
        "customer": {"S": values["customer"]},
        "number": {"N": str(values["number"])},
        "state": {"S": values["state"]},
        "placed": {"S": placed},
        "total": {"N": values["total"]},
        "paid": {"BOOL": values["paid"]},
        "kind": {"S": "Order"},
        "state#placed": {"S": f"{values['state']}#{placed}"},
    }
    if values["queued"] is not None:
        item["queued"] = {"S": values["queued"]}
    if values["note"] is not None:
        item["note"] = {"S": values["note"]}
    if values["queued"] is not None and values["state"] == "HELD":
        item["review"] = {"S": "REVIEW"}
    return item


def within(units: float, bounds: Bounds) -> bool:
    return bounds.least <= units <= (units if bounds.most is None else bounds.most)


NOW = "2026-07-02T00:00:00.000Z"
orders = st.builds(
    order,
    customer=st.text("az", min_size=1, max_size=64),
    number=st.integers(1, 99999),
    state=st.sampled_from(["OPEN", "HELD", "SENT"]),
    queued=st.sampled_from([None, NOW]),
    note=st.one_of(st.none(), st.text("x", max_size=3000)),
    total=st.decimals(0, Decimal("999999.99"), places=2).map(str),
    paid=st.booleans(),
)


def changed(item: dict[str, Any], **values: Any) -> dict[str, Any]:
    """The same order with other values."""
    kept = {
        "customer": item["customer"]["S"],
        "number": item["number"]["N"],
        "state": item["state"]["S"],
        "queued": item.get("queued", {}).get("S"),
        "note": item.get("note", {}).get("S"),
        "total": item["total"]["N"],
        "paid": item["paid"]["BOOL"],
    }
    return order(**kept | values)


def assert_counted(
    written: WriteCost,
    old: dict[str, Any] | None,
    new: dict[str, Any] | None,
    *,
    transactional: bool = False,
) -> None:
    """Each place's units lie within what the model says."""
    table = write_units(old, new, transactional=transactional)
    assert within(table, written.table)
    for name, shape in SHAPES.items():
        units = write_units(old, new, [shape], transactional=transactional) - table
        assert within(units, written.indexes[name]), name


# --- sizes ----------------------------------------------------------------------------------------


@given(orders)
def test_the_size_that_types_allow(item: dict[str, Any]) -> None:
    table = PLAIN.schema.table("Orders")
    assert within(item_size(item), allowed_size(PLAIN.schema.entity("Order"), table))


def test_the_greatest_and_the_least_size_are_reached() -> None:
    bounds = allowed_size(PLAIN.schema.entity("Order"), PLAIN.schema.table("Orders"))
    greatest = order(
        customer="a" * 64,
        number=99999,
        state="HELD",
        queued=NOW,
        note="x" * 3000,
        total="999999.99",
    )
    assert item_size(greatest) == bounds.most
    least = order(customer="", number=0, total="0")
    assert item_size(least) == bounds.least


def test_membership() -> None:
    entity, table = PLAIN.schema.entity("Order"), PLAIN.schema.table("Orders")
    certain = {i.name: always_in(entity, table, i) for i in table.indexes}
    assert certain == {"ByState": True, "Review": False, "ByTotal": True}


# --- reads ----------------------------------------------------------------------------------------


def read(design: Design, name: str) -> cost.ReadCost | None:
    plan = next(plan for plan in design.reads if plan.name == name)
    return cost.read_cost(design, plan, plan.alternatives[0].route)


@pytest.mark.parametrize("size", [1, 4095, 4096, 4097, 409600])
def test_a_get(size: int) -> None:
    found = read(compiled(f"sizes: {{Order: {size}}}\n"), "order")
    assert found == cost.ReadCost(1, 1, Bounds(get_units([size]), get_units([size])))


@pytest.mark.parametrize("size", [100, 450, 5000])
@pytest.mark.parametrize("items", [1, 7, 25, 400])
def test_a_query(size: int, items: int) -> None:
    text = f"sizes: {{Order: {size}}}\nrates: {{by_state: {{items: {items}}}}}\n"
    units = 0.0
    for start in range(0, items, cost.PAGE // size):
        end = min(items, start + cost.PAGE // size)
        units += read_units([size] * (end - start))
    found = read(compiled(text), "by_state")
    assert found is not None
    assert found.items == items
    # Requests of equal length may round otherwise than full ones and a rest.
    assert abs(found.units.least - units) <= 0.5 * (found.requests - 1)
    assert found.units.exact


def test_a_page_a_filter_and_two_streams() -> None:
    design = compiled(
        "sizes: {Order: 1000}\nrates: {filtered: {items: 40}, states: {items: 10}}\n"
    )
    page = read(design, "page")
    assert page == cost.ReadCost(25, 1, Bounds(*[read_units([1000] * 25)] * 2))
    filtered = read(design, "filtered")
    assert filtered == cost.ReadCost(80, 1, Bounds(*[read_units([1000] * 80)] * 2))
    states = read(design, "states")
    assert states == cost.ReadCost(10, 2, Bounds(*[read_units([1000] * 5) * 2] * 2))


def test_a_hydrated_read_of_keys() -> None:
    design = compiled("sizes: {Order: 5000}\nrates: {held: {items: 10}}\n")
    found = read(design, "held")
    assert found is not None
    assert (found.items, found.requests) == (10, 2)
    assert found.units.most == read_units([200] * 10) + get_units([5000] * 10)


def test_an_unknown_number_of_items_has_no_cost() -> None:
    assert read(PLAIN, "by_state") is None


def test_items_follow_from_the_partition() -> None:
    sizes = "{bytes: 100, per_partition: 40, indexes: {Review: {per_partition: 7}}}"
    design = compiled(f"sizes: {{Order: {sizes}}}\n")
    held = read(design, "held")
    assert held is not None
    assert held.items == 7
    assert read(design, "by_state") is None  # a range of a partition


# --- writes ---------------------------------------------------------------------------------------


def pattern(name: str) -> WriteCost:
    plans = (*PLAIN.updates, *PLAIN.deletes, *PLAIN.moves)
    return writecost.pattern_cost(PLAIN, next(p for p in plans if p.name == name))


ENTITY = PLAIN.schema.entity("Order")


@given(orders)
def test_create_and_delete(item: dict[str, Any]) -> None:
    assert_counted(writecost.create_cost(PLAIN, ENTITY), None, item)
    assert_counted(writecost.delete_cost(PLAIN, ENTITY), item, None)
    assert_counted(pattern("forget"), item, None)


@given(orders, orders)
def test_put_and_update(old: dict[str, Any], new: dict[str, Any]) -> None:
    key = {"customer": old["customer"]["S"], "number": old["number"]["N"]}
    new = changed(new, **key)
    assert_counted(writecost.put_cost(PLAIN, ENTITY), old, new)
    assert_counted(writecost.update_cost(PLAIN, ENTITY), old, new)


@given(orders)
def test_update_patterns(old: dict[str, Any]) -> None:
    paid = changed(old, paid=True)
    assert_counted(pattern("pay"), old, paid)
    sent = changed(old, state="SENT")
    assert_counted(pattern("set_state"), old, sent)
    [(_, member)] = writecost.transaction_cost(PLAIN, PLAIN.transactions[0])
    assert_counted(member, old, paid, transactional=True)


@given(orders)
def test_an_update_that_reads_first_changes_every_key_it_touches(
    old: dict[str, Any],
) -> None:
    assert_counted(pattern("hold"), old, changed(old, state="HELD"))


@given(orders)
def test_an_upsert_costs_a_new_item_or_a_change(old: dict[str, Any]) -> None:
    new = changed(old, state="OPEN", queued=None, note=None)
    assert_counted(pattern("restate"), old, new)
    assert_counted(pattern("restate"), None, new)


MEMBERS = """\
dyngen: 1
service: shop
tables: {Members: {partition_key: id}, Emails: {partition_key: email_pk}}
entities:
  Member:
    table: Members
    attributes: {id: string, email: {type: string, max_length: 20}, nick: {type: string, max_length: 20, optional: true}, age: integer}
    unique: [{email: Email}, [nick]]
  Email: {table: Emails, attributes: {email: {type: string, max_length: 20}, id: string}, keys: {email_pk: "EMAIL#{email}"}}
access_patterns:
  grow: {update: Member, where: {id: eq}, add: {age: 1}, read_first: true}
  rename: {update: Member, where: {id: eq}, set: [nick], read_first: true}
  invite: {transact: [{create: Member}, {update: Member, where: {id: {eq: {param: by}}}, add: {age: 1}}]}
  renumber: {move: Member, where: {id: eq}, set: {id: {param: to}}}
  renumber_and_rename: {move: Member, where: {id: eq}, set: {id: {param: to}, nick: param}}
"""


def test_markers_of_unique_values() -> None:
    """Each item and each marker of up to 1 KB; all of them twice, where there is a transaction."""
    found = compile_all(f"{MEMBERS}sizes: {{Member: 400, Email: 100}}\n", "shop.yaml")
    assert found.whole, found.diagnostics
    design = found.design
    assert design is not None
    member = design.schema.entity("Member")
    costs = {p.name: writecost.pattern_cost(design, p) for p in design.updates}
    costs |= {p.name: writecost.pattern_cost(design, p) for p in design.moves}

    assert writecost.create_cost(design, member).table == Bounds(4, 6)
    assert writecost.delete_cost(design, member).table == Bounds(4, 6)
    assert writecost.update_cost(design, member).table == Bounds(1, 10)
    created, changed_ = writecost.transaction_cost(design, design.transactions[0])
    assert (created[1].table, changed_[1].table) == (Bounds(4, 6), Bounds(2, 2))
    assert costs["grow"].table == Bounds(1, 1)
    assert costs["rename"].table == Bounds(1, 6)
    assert costs["renumber"].table == Bounds(4, 6)
    assert costs["renumber_and_rename"].table == Bounds(4, 10)


def test_markers_in_an_index_of_the_tables_own_keys() -> None:
    """They have its key attributes, too, and so does each a place in it."""
    found = compile_all(
        """\
dyngen: 1
service: shop
tables: {Cars: {partition_key: pk, sort_key: sk, indexes: {Inverted: {partition_key: sk, sort_key: pk}}}}
entities:
  Car:
    attributes: {firm: string, car: string, plate: {type: string, max_length: 9}}
    keys: {pk: "FIRM#{firm}", sk: "CAR#{car}"}
    unique: [[plate]]
access_patterns:
  of_car: {query: Car, where: {car: eq}}
sizes: {Car: 100}
""",
        "shop.yaml",
    )
    design = found.design
    assert design is not None
    car = design.schema.entity("Car")

    created = writecost.create_cost(design, car)
    assert (created.table, created.indexes["Inverted"]) == (Bounds(4, 4), Bounds(2, 2))
    updated = writecost.update_cost(design, car)
    assert (updated.table, updated.indexes["Inverted"]) == (Bounds(1, 6), Bounds(0, 4))


@given(orders, st.integers(1, 99999))
def test_a_move(old: dict[str, Any], number: int) -> None:
    new = changed(old, number=number)
    deleted, put = pattern("renumber"), {}
    for name, shape in SHAPES.items():
        put[name] = write_units(old, None, [shape]) - write_units(old, None)
        put[name] += write_units(None, new, [shape]) - write_units(None, new)
        assert within(put[name], deleted.indexes[name]), name
    units = write_units(old, None) + write_units(None, new)
    assert within(units * 2, deleted.table)


def test_what_an_update_leaves_alone_costs_nothing() -> None:
    paid = pattern("pay")
    assert paid.indexes["Review"] == Bounds(0, 0)  # keys only
    assert paid.indexes["ByTotal"] == Bounds(0, 0)  # `paid` is not projected
    assert paid.indexes["ByState"].least == 0
    assert pattern("set_state").indexes["Review"].most == 1  # it can only leave


def test_known_sizes_give_one_number() -> None:
    design = compiled("sizes: {Order: 2500}\n")
    created = writecost.create_cost(design, design.schema.entity("Order"))
    assert created.table == Bounds(3, 3)
    assert created.indexes["ByState"] == Bounds(3, 3)
    assert created.indexes["Review"] == Bounds(0, 1)


# --- traffic --------------------------------------------------------------------------------------


def test_traffic_counts_what_is_stated() -> None:
    design = compiled(
        "sizes:\n"
        "  Order: {bytes: 450, items: 1000, indexes: {Review: {items: 10}}}\n"
        "rates: {page: 20, Order.create: 5, Order.get: 100, pay: 2, settle: 1}\n"
    )
    found = {
        (each.source, each.index): (each.reads, each.writes)
        for each in traffic(design)
        if each.reads or each.writes
    }
    assert found == {
        ("page", None): (20 * read_units([450] * 25), 0),
        ("Order.get", None): (50, 0),
        ("Order.create", None): (0, 5),
        ("Order.create", "ByState"): (0, 5),
        ("Order.create", "ByTotal"): (0, 5),
        ("Order.create", "Review"): (0, 0.05),
        ("pay", None): (0, 2),
        ("pay", "ByState"): (0, 2),
        ("settle", None): (0, 2),
        ("settle", "ByState"): (0, 1),
    }


READING = """\
dyngen: 1
service: shop
tables: {Orders: {partition_key: order_id}}
entities:
  Order: {attributes: {order_id: ulid, text: string}}
access_patterns:
  both:
    transact:
      - {get: Order, where: {order_id: {eq: {param: one}}}}
      - {get: Order, where: {order_id: {eq: {param: other}}}}
sizes: {Order: 5000}
rates: {both: 10}
"""


def test_a_transaction_reads_each_item_twice() -> None:
    design = compile_all(READING, "shop.yaml").design
    assert design is not None
    read = cost.transaction_reads(design, design.transactions[0])
    counted = get_units([5000], transactional=True)
    assert [units for _, units in read] == [Bounds(counted, counted)] * 2
    assert sum(each.reads for each in traffic(design)) == 10 * 2 * counted
