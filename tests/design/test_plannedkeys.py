"""Every write and the keys it computes, in words."""

from __future__ import annotations

from dyngen.compile import compile_spec
from dyngen.design.describe import write_plans
from dyngen.design.plannedkeys import PlannedKey, pattern_keys, repository_keys
from dyngen.design.plans import Design

ORDERS = """\
dyngen: 1
service: shop
tables:
  Orders:
    partition_key: id
    indexes:
      ByState: {partition_key: state_pk, sort_key: state_sk}
      Recent: {partition_key: recent_pk, sort_key: changed}
entities:
  Order:
    attributes:
      id: string
      state: [NEW, PAID, SENT]
      shop: string
      note: {type: string, optional: true}
      changed: {type: timestamp, on_write: now}
    keys:
      state_pk: "{shop}"
      state_sk:
        - {value: "A#{note}", when: {state: NEW}}
        - {value: "B#{id}", when: {state: PAID}}
      recent_pk: "{changed:%Y}"
    operations: [get, put, update]
VERSION
access_patterns:
  pay: {update: Order, where: {id: eq}, set: {state: PAID}, guard: {shop: eq}}
  send: {update: Order, where: {id: eq}, set: {state: SENT}}
  reopen: {update: Order, where: {id: eq}, set: {state: NEW}, read_first: true, guard: {state: PAID}}
  swap:
    transact:
      - {put: Order}
      - {update: Order, where: {id: {eq: {param: other}}}, set: {state: SENT}}
  rename: {move: Order, where: {id: eq}, set: {id: {param: to}}}
  forget: {delete: Order, where: {id: eq}}
"""


def designed(version: str = "") -> Design:
    design, found = compile_spec(ORDERS.replace("VERSION", version), "shop.yaml")
    assert design is not None, [(d.code, d.message) for d in found]
    return design


def rows(design: Design, pattern: str) -> list[PlannedKey]:
    [plan] = [plan for plan in write_plans(design) if plan.name == pattern]
    return list(pattern_keys(design, plan))


def test_methods_of_a_repository() -> None:
    found = list(repository_keys(designed()))

    assert {row.write for row in found} == {"Order.put", "Order.update"}
    whole = [row for row in found if row.write == "Order.put"]
    assert [row.key for row in whole] == [
        "state_pk = {shop}; with state_sk only",
        "state_sk = A#{note} if {note} present and {state} = NEW; "
        "B#{id} if {state} = PAID; else it is removed",
        "recent_pk = {changed}",
    ]
    assert {(row.inputs, row.condition) for row in whole} == {("the item", "")}


def test_an_update_of_a_copy() -> None:
    state_pk, state_sk, recent = (
        row for row in repository_keys(designed()) if row.write == "Order.update"
    )

    assert state_pk.inputs == "the changes, and the copy that was read"
    assert state_pk.condition == (
        "the item exists, with `shop`, `note` and `state` as in the copy unless changed"
    )
    assert "`note` and `state`" in state_sk.condition
    assert recent.inputs == "the changes, and the clock and the copy that was read"
    assert recent.condition == "the item exists"


def test_a_version_is_all_that_is_compared() -> None:
    found = [
        r for r in repository_keys(designed("    version: true")) if "up" in r.write
    ]

    assert {row.condition for row in found} == {"its version is the copy's"}


def test_what_the_call_and_the_guard_give() -> None:
    state_pk, state_sk, recent = rows(designed(), "pay")

    assert state_pk.key == "state_pk = {shop}"
    assert state_pk.inputs == "`shop` from the guard; `state` set by the call"
    assert state_sk.key == "state_sk = B#{id}"
    assert state_sk.inputs == "`state` set by the call; `id` from the item's key"
    assert recent.inputs == "`changed` from the clock"
    assert {row.condition for row in (state_pk, state_sk, recent)} == {
        "the item exists, and shop = {shop}"
    }


def test_what_is_removed_needs_nothing_else() -> None:
    found = rows(designed(), "send")

    assert [row.key for row in found][:2] == [
        "state_pk is removed",
        "state_sk is removed",
    ]
    assert found[0].inputs == "`state` set by the call"
    assert found[0].condition == "the item exists"


def test_an_item_that_is_read_first() -> None:
    found = rows(designed(), "reopen")

    assert {row.inputs for row in found} == {
        "the item that was read, changed as the call says"
    }
    assert {row.condition for row in found} == {
        "the item is still as it was read, and state = PAID"
    }


def test_a_move_computes_every_key() -> None:
    found = rows(designed(), "rename")

    assert len(found) == 3
    assert found[0].condition == (
        "the item is still as it was read, and no item has the new key"
    )


def test_members_of_a_transaction() -> None:
    found = rows(designed(), "swap")

    assert {row.write for row in found} == {
        "swap: put of Order",
        "swap: update of Order",
    }


def test_a_delete_computes_none() -> None:
    assert rows(designed(), "forget") == []


MEMBERS = """\
dyngen: 1
service: shop
tenant: team
tables: {Members: {partition_key: pk}, Phones: {partition_key: pk}}
entities:
  Member:
    table: Members
    attributes: {team: string, id: string, nick: {type: string, optional: true}, phone: string, room: string}
    keys: {pk: "{team}#{id}"}
    unique: [[nick], {phone: Phone}]
  Phone: {table: Phones, attributes: {team: string, phone: string, room: string}, keys: {pk: "{team}#{phone}"}}
access_patterns:
  seat: {update: Member, where: {team: eq, id: eq}, set: [room], read_first: true}
  join: {transact: [{create: Member}]}
"""
NICK = "$Member#nick#{team}#{nick}, a marker if there is {nick},"
PHONE = "Phone of {team}#{phone}, a marker,"


def test_markers_of_unique_values() -> None:
    design, found = compile_spec(MEMBERS, "shop.yaml")
    assert design is not None, [(d.code, d.message) for d in found]
    moved = "is put, and that of the old value deleted, where they differ"
    free = "no other item has the value"
    same = "the item is still as it was read"
    read = "the item that was read, changed as the call says"
    changed = ("the changes, and the copy that was read", f"{same}, and {free}")

    assert list(repository_keys(design)) == [
        PlannedKey("Member.create", f"{NICK} is put", "the item", free),
        PlannedKey("Member.create", f"{PHONE} is put", "the item", free),
        PlannedKey("Member.update", f"{NICK} {moved}", *changed),
        PlannedKey("Member.update", f"{PHONE} {moved}", *changed),
        PlannedKey(
            "Member.delete", f"{NICK} is deleted", "the copy that was read", same
        ),
        PlannedKey(
            "Member.delete", f"{PHONE} is deleted", "the copy that was read", same
        ),
    ]
    assert rows(design, "seat") == [
        PlannedKey("seat", f"{PHONE} {moved}", read, f"{same}, and {free}")
    ]
    assert rows(design, "join") == [
        PlannedKey("join: create of Member", f"{key} is put", "the item", free)
        for key in (NICK, PHONE)
    ]
