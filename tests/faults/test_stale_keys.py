"""Index keys that no longer say what the item says (faults 1 to 4, 12, 14 and 15)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from running import Running, refusals

Build = Callable[[str], Running]

DAY = dt.date(2026, 7, 1)


# --- 1: a sparse index on a flag --------------------------------------------------------------------

FLAGS = """\
tables: {Orders: {partition_key: id, indexes: {Flagged: {partition_key: flag_pk, sort_key: at}}}}
entities:
  Order:
    attributes: {id: string, at: integer, flagged: boolean, note: {type: string, optional: true}}
    keys: {flag_pk: {value: FLAGGED, when: {flagged: true}}}
access_patterns:
  flagged: {query: Order, where: {flagged: true}, order_by: at}
  unflag: {update: Order, where: {id: eq}, set: {flagged: false}}
  set_flag: {update: Order, where: {id: eq}, set: [flagged]}
"""

UNFLAGGED: dict[str, Callable[[Any, Any], Any]] = {
    "a constant": lambda orders, order: orders.unflag(id="o"),
    "a parameter": lambda orders, order: orders.set_flag(id="o", flagged=False),
    "a copy": lambda orders, order: orders.update(order, flagged=False),
}


@pytest.mark.parametrize("how", UNFLAGGED)
def test_an_item_leaves_the_index_with_its_flag(build: Build, how: str) -> None:
    running = build(FLAGS)
    orders = running.db().orders
    order = orders.create(running.package.Order(id="o", at=1, flagged=True))
    assert orders.flagged().all() == [order]

    UNFLAGGED[how](orders, order)

    assert orders.flagged().all() == []
    assert running.stored("Orders", "Flagged") == []
    assert running.stored("Orders") == [
        {"id": {"S": "o"}, "at": {"N": "1"}, "flagged": {"BOOL": False}}
    ]
    again = orders.set_flag(id="o", flagged=True)
    assert orders.flagged().all() == [again] == [order]


# --- 2: half of a key changes -----------------------------------------------------------------------

HALVES = """\
tables: {Orders: {partition_key: id, indexes: {ByNumber: {partition_key: shop, sort_key: number_key}}}}
entities:
  Order:
    attributes: {id: string, shop: string, number: {type: integer, min: 0, max: 999}, date: date}
    keys: {number_key: "{number}#{date}"}
access_patterns:
  by_number: {query: Order, where: {shop: eq, number: eq}}
"""
RENUMBER = "  renumber: {update: Order, where: {id: eq}, set: [number]%s}\n"


def test_half_of_a_key_cannot_be_written_alone() -> None:
    [(code, message, remedies)] = refusals(HALVES + RENUMBER % "")

    assert code == "DG204"
    assert message == "this update cannot compute the key `number_key`"
    assert "guard: {date: eq}" in remedies
    assert "read_first: true" in remedies


@pytest.mark.parametrize("how", [", guard: {date: eq}", ", read_first: true"])
def test_both_halves_of_a_key_are_written_together(build: Build, how: str) -> None:
    running = build(HALVES + RENUMBER % how)
    orders, order = running.db().orders, running.package.Order
    orders.create(order(id="o", shop="s", number=1, date=DAY))

    guard = {"date": DAY} if "guard" in how else {}
    renumbered = orders.renumber(id="o", number=20, **guard)

    assert orders.by_number(shop="s", number=20).all() == [renumbered]
    assert orders.by_number(shop="s", number=1).all() == []
    [stored] = running.stored("Orders")
    assert stored["number_key"] == {"S": "020#2026-07-01"}


def test_the_half_that_is_not_written_must_be_as_it_was_read(build: Build) -> None:
    """A copy whose other half has changed meanwhile would write a key that is no longer true."""
    running = build(HALVES + RENUMBER % ", guard: {date: eq}")
    orders, order = running.db().orders, running.package.Order
    copy = orders.create(order(id="o", shop="s", number=1, date=DAY))
    moved = orders.update(copy, date=dt.date(2026, 8, 1))

    with pytest.raises(running.package.StaleItem) as stale:
        orders.update(copy, number=2)
    with pytest.raises(running.package.GuardFailed) as failed:
        orders.renumber(id="o", number=2, date=DAY)

    assert stale.value.current == failed.value.current == moved
    [stored] = running.stored("Orders")
    assert stored["number_key"] == {"S": "001#2026-08-01"}


# --- 3: the attribute behind a partition key goes ---------------------------------------------------

STATES = """\
tables: {Orders: {partition_key: id, indexes: {ByState: {partition_key: state_pk, sort_key: state_sk}}}}
entities:
  Order:
    attributes: {id: string, state: {type: string, optional: true}, at: date}
    keys: {state_pk: "ST#{state}", state_sk: "{at}"}
access_patterns:
  of_state: {query: Order, where: {state: eq}, order_by: at}
  forget: {update: Order, where: {id: eq}, remove: [state]}
"""


@pytest.mark.parametrize("how", ["pattern", "copy"])
def test_a_removed_attribute_takes_the_whole_key_along(build: Build, how: str) -> None:
    running = build(STATES)
    orders = running.db().orders
    order = orders.create(running.package.Order(id="o", state="NEW", at=DAY))
    [stored] = running.stored("Orders", "ByState")
    assert stored["state_pk"] == {"S": "ST#NEW"}

    if how == "pattern":
        orders.forget(id="o")
    else:
        orders.update(order, state=None)

    plain = {"id": {"S": "o"}, "at": {"S": "2026-07-01"}}
    [stored] = running.stored("Orders")
    assert "state_pk" not in stored
    assert {name: stored[name] for name in plain} == plain
    assert "null" not in repr(stored).lower()
    assert running.stored("Orders", "ByState") == []


# --- 4: a counter behind a key ----------------------------------------------------------------------

COUNTERS = """\
tables: {Photos: {partition_key: id, indexes: {ByLikes: {partition_key: album, sort_key: %s}}}}
entities:
  Photo:
    attributes: {id: string, album: string, likes: {type: integer, min: 0, max: 9999, default: 0}}
%s
access_patterns:
  by_likes: {query: Photo, where: {album: eq, likes: eq}}
  like: {update: Photo, where: {id: eq}, add: {likes: 1}%s}
"""
COMPUTED = "    keys: {likes_key: '{likes}'}"


def test_a_counter_does_not_feed_a_computed_key() -> None:
    [(code, message, remedies)] = refusals(COUNTERS % ("likes_key", COMPUTED, ""))

    assert code == "DG204"
    assert message == "this update cannot compute the key `likes_key`"
    assert "use `likes` as key, which DynamoDB then keeps true" in remedies


@pytest.mark.parametrize(
    ("key", "keys", "how"),
    [("likes", "", ""), ("likes_key", COMPUTED, ", read_first: true")],
    ids=["native", "read first"],
)
def test_a_key_holds_the_sum(build: Build, key: str, keys: str, how: str) -> None:
    running = build(COUNTERS % (key, keys, how))
    photos = running.db().photos
    photos.create(running.package.Photo(id="p", album="a", likes=41))

    photo = photos.like(id="p")

    assert photo.likes == 42
    assert photos.by_likes(album="a", likes=42).all() == [photo]
    assert photos.by_likes(album="a", likes=1).all() == []
    [stored] = running.stored("Photos", "ByLikes")
    assert stored[key] == ({"N": "42"} if key == "likes" else {"S": "0042"})


# --- 12: a unique value that does not change --------------------------------------------------------

UNIQUE = """\
tables: {Users: {partition_key: id}}
entities:
  User: {attributes: {id: string, email: string, name: string}, unique: [[email]]}
access_patterns:
  rename: {update: User, where: {id: eq}, set: [name, email], read_first: true}
"""


@pytest.mark.parametrize("how", ["pattern", "copy"])
def test_an_unchanged_unique_value_is_left_alone(build: Build, how: str) -> None:
    running = build(UNIQUE)
    users, user = running.db().users, running.package.User
    ann = users.create(user(id="a", email="ann@x", name="Ann"))
    markers = [item for item in running.stored("Users") if "name" not in item]

    if how == "pattern":
        renamed = users.rename(id="a", name="Anna", email="ann@x")
    else:
        renamed = users.update(ann, name="Anna", email="ann@x")

    assert renamed == user(id="a", email="ann@x", name="Anna")
    assert [i for i in running.stored("Users") if "name" not in i] == markers
    assert len(markers) == 1
    with pytest.raises(running.package.UniqueTaken) as taken:
        users.create(user(id="b", email="ann@x", name="Bob"))
    assert taken.value.attributes == ("email",)


# --- 14: a put as an update -------------------------------------------------------------------------

PARTS = """\
tables:
  Orders:
    partition_key: id
    sort_key: part
    indexes: {ByShop: {partition_key: shop, sort_key: part, projection: keys_only}}
entities:
  Order:
    attributes: {id: string, part: string, shop: string, note: {type: string, optional: true}}
access_patterns:
  of_shop: {query: Order, where: {shop: eq}}
  annotate: {update: Order, where: {id: eq, part: eq}, set: [note]}
  annotate_read: {update: Order, where: {id: eq, part: eq}, set: [note], read_first: true}
  repart: {move: Order, where: {id: eq, part: eq}, set: {part: {param: to}}}
"""


def test_an_update_leaves_what_it_does_not_name(build: Build) -> None:
    """Attributes that the spec does not know stay, through updates of each kind and a move."""
    running = build(PARTS)
    orders = running.db().orders
    old = {"id": "o", "part": "1", "shop": "s", "legacy": "kept"}
    item = {name: {"S": value} for name, value in old.items()}
    running.client.put_item(TableName="Orders", Item=item)

    orders.annotate(id="o", part="1", note="a")
    orders.annotate_read(id="o", part="1", note="b")
    orders.update(orders.get(id="o", part="1"), note="c")
    orders.repart(id="o", part="1", to="2")

    assert running.stored("Orders") == [
        {**item, "part": {"S": "2"}, "note": {"S": "c"}}
    ]


def test_what_an_index_returns_in_part_cannot_be_stored(build: Build) -> None:
    running = build(PARTS)
    orders, package = running.db().orders, running.package
    whole = orders.create(package.Order(id="o", part="1", shop="s", note="n"))

    [part] = orders.of_shop(shop="s")

    assert not isinstance(part, package.Order)
    for write in (orders.put, orders.create):
        with pytest.raises(AttributeError, match="note"):
            write(part)
    assert orders.get(id="o", part="1") == whole


# --- 15: every way to store an item fills every index -----------------------------------------------

STAFF = """\
tables:
  Staff:
    partition_key: id
    indexes:
      ByTeam: {partition_key: team_pk, sort_key: [role, name], strategy: composite}
      ByName: {partition_key: name}
entities:
  Member:
    attributes: {id: string, team: string, role: string, name: string}
    keys: {team_pk: "TEAM#{team}"}
access_patterns:
  of_team: {query: Member, where: {team: eq, role: eq}, order_by: name}
  named: {query: Member, where: {name: eq}}
  hire: {update: Member, where: {id: eq}, set: [team, role, name], upsert: true}
  exchange: {transact: [{create: Member}, {delete: Member, where: {id: {eq: {param: old}}}}]}
"""


def test_however_an_item_is_stored_every_index_holds_it(build: Build) -> None:
    running = build(STAFF)
    db, package = running.db(), running.package
    members = [package.Member(id=i, team="t", role="r", name=f"n{i}") for i in "123456"]
    created, put, batched, replaced, second, _ = members

    db.members.create(created)
    db.members.put(put)
    db.members.batch_write(put=[batched, replaced])
    db.exchange(member=second, old=replaced.id)
    db.members.hire(id="6", team="t", role="r", name="n6")

    members.remove(replaced)
    assert db.members.of_team(team="t", role="r").all() == members
    for member in members:
        assert db.members.named(name=member.name).all() == [member]
    for index in ("ByTeam", "ByName"):
        assert len(running.stored("Staff", index)) == len(members)
