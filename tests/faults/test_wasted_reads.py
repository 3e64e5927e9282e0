"""Reads of what nobody asked for (faults 17 to 20 and 22)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from dyngen.testkit.reads import assert_reads_only
from running import Running, refusals

Build = Callable[[str], Running]

# --- 17: two entities in one partition --------------------------------------------------------------

SHARED = """\
tables: {Shop: {partition_key: pk, sort_key: sk}}
entities:
  Order:
    attributes: {customer: string, at: {type: integer, min: 0, max: 999}}
    keys: {pk: "CUSTOMER#{customer}", sk: "%s{at}"}
  Payment:
    attributes: {customer: string, at: {type: integer, min: 0, max: 999}}
    keys: {pk: "CUSTOMER#{customer}", sk: "PAYMENT#{at}"}
access_patterns:
  orders_from: {query: Order, where: {customer: eq, at: gte}}
  orders_to: {query: Order, where: {customer: eq, at: lte}}
  orders: {query: Order, where: {customer: eq}, order_by: at desc}
"""


def test_a_range_of_one_entity_reads_nothing_of_another(build: Build) -> None:
    running = build(SHARED % "ORDER#")
    db, package = running.db(), running.package
    orders = [package.Order(customer="c", at=at) for at in (1, 50, 999)]
    db.orders.batch_write(put=orders)
    many = [package.Payment(customer="c", at=at) for at in range(40)]
    db.payments.batch_write(put=many)

    reads = {
        db.orders.orders_from(customer="c", at_from=50): orders[1:],
        db.orders.orders_to(customer="c", at_to=50): orders[:2],
        db.orders.orders(customer="c"): orders[::-1],
    }
    for query, expected in reads.items():
        with running.recorded() as recorder:
            found = query.all()
        assert found == expected
        assert_reads_only(recorder, found)


def test_ranges_that_meet_are_refused() -> None:
    """All orders lie between `P000` and `P999`, but those who ask for all ask for what begins with P."""
    found = refusals(SHARED % "P")

    assert {code for code, _, _ in found} == {"DG201"}
    remedies = "\n".join(remedy for _, _, remedy in found)
    assert (
        "it would read `Payment` too, e.g. `pk` = `CUSTOMER#a`, `sk` = `PAYMENT#000`"
        in remedies
    )


# --- 18: prefixes -----------------------------------------------------------------------------------

PREFIXES = """\
tables: {Files: {partition_key: pk, sort_key: sk, indexes: {ByState: {partition_key: pk, sort_key: state_key}}}}
entities:
  File:
    attributes: {drive: string, user: string, id: string, state: [DONE, DONE_LATE, OPEN]}
    keys: {pk: "DRIVE#{drive}", sk: "USER#{user}#{id}", state_key: "{state}#{id}"}
access_patterns:
  of_user: {query: File, where: {drive: eq, user: eq}}
  of_users: {query: File, where: {drive: eq, user: begins_with}}
  in_state: {query: File, where: {drive: eq, state: eq}}
"""


def test_equality_is_no_prefix(build: Build) -> None:
    running = build(PREFIXES)
    files, package = running.db().files, running.package
    state = package.FileState
    of = {"drive": "d", "id": "i"}
    one = files.create(package.File(user="1", state=state.DONE, **of))
    ten = files.create(package.File(user="10", state=state.DONE_LATE, **of))
    odd = files.create(package.File(user="1#0", state=state.OPEN, **of))

    assert files.of_user(drive="d", user="1").all() == [one]
    assert set(files.of_users(drive="d", user_prefix="1")) == {one, ten, odd}
    assert files.in_state(drive="d", state=state.DONE).all() == [one]
    assert files.in_state(drive="d", state=state.DONE_LATE).all() == [ten]


def test_a_number_has_no_prefix() -> None:
    spec = SHARED.replace("at: gte", "at: begins_with") % "ORDER#"
    [(code, message, remedy)] = refusals(spec)

    assert code == "DG140"
    assert message == "`begins_with` does not work on an integer"
    assert "between" in remedy


# --- 19: filters ------------------------------------------------------------------------------------

FILTERS = """\
tables: {Orders: {partition_key: customer, sort_key: at}}
entities:
  Order: {attributes: {customer: string, at: integer, state: [NEW, OLD]}}
access_patterns:
  orders_from: {query: Order, where: {customer: eq, at: gte}%s}
"""


def test_a_read_has_no_filter_but_a_declared_one(build: Build) -> None:
    running = build(FILTERS % "")
    orders = running.db().orders

    with running.recorded() as recorder:
        assert orders.orders_from(customer="c", at_from=1).all() == []

    [request] = recorder.requests
    assert "FilterExpression" not in request.params
    assert request.params["KeyConditionExpression"] == "#n0 = :v0 AND #n1 >= :v1"


def test_a_filter_does_not_ask_what_the_key_says() -> None:
    again = ", filter: {where: {at: {lt: {param: until}}}, at_most: 9}"
    [(code, _, remedies)] = refusals(FILTERS % again)

    assert code == "DG201"
    assert (
        "`at` is part of its key, and DynamoDB filters by other attributes only"
        in remedies
    )


# --- 20: an empty partition value -------------------------------------------------------------------


@pytest.mark.parametrize("customer", ["", None, 7])
def test_no_partition_no_request(build: Build, customer: Any) -> None:
    running = build(FILTERS % "")
    orders, package = running.db().orders, running.package
    orders.create(package.Order(customer="c", at=1, state=package.OrderState.NEW))

    with running.recorded() as recorder, pytest.raises(package.InvalidValue):
        orders.orders_from(customer=customer, at_from=1).all()

    assert recorder.requests == []


# --- 22: incomplete items ---------------------------------------------------------------------------

TEAMS = """\
tables: {Tasks: {partition_key: id, indexes: {ByTeam: {partition_key: team_pk, sort_key: due}}}}
entities:
  Task:
    attributes: {id: string, team: {type: string, optional: true}, due: {type: integer, optional: true}}
    keys: {team_pk: "TEAM#{team}"}
access_patterns:
  of_team: {query: Task, where: {team: eq, due: present}, order_by: due}
"""


def test_incomplete_items_share_no_partition(build: Build) -> None:
    """They are in no partition of the index at all."""
    running = build(TEAMS)
    tasks, task = running.db().tasks, running.package.Task
    whole = tasks.create(task(id="1", team="t", due=1))
    tasks.batch_write(put=[task(id="2", due=1), task(id="3", team="t"), task(id="4")])

    [entry] = running.stored("Tasks", "ByTeam")
    assert entry["id"] == {"S": "1"}
    assert tasks.of_team(team="t").all() == [whole]
    with pytest.raises(running.package.KeyValueError):
        tasks.create(task(id="5", team="", due=1))
    assert len(running.stored("Tasks")) == 4
