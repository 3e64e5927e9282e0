"""Pages that end too early, lose items, or lead elsewhere (faults 11, 21 and 23 to 25)."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from running import Running, refusals

Build = Callable[[str], Running]

LOGS = """\
tables: {Logs: {partition_key: pk, sort_key: id, indexes: {ByLevel: {partition_key: level, sort_key: day}}}}
entities:
  Log:
    attributes: {tenant: string, id: {type: integer}, level: string, day: integer, open: boolean}
    keys: {pk: "TENANT#{tenant}"}
access_patterns:
  logs: {query: Log, where: {tenant: eq}, page_size: {default: 10, max: 100}}
  of_level: {query: Log, where: {level: eq}, order_by: day}
  open_logs: {query: Log, where: {tenant: eq}%s}
"""
RARE = ", filter: {where: {open: true}, %s}"


def filled(running: Running, count: int, **of: Any) -> list[Any]:
    """Items of which only the last is open; all under one key of the index."""
    items = [
        running.package.Log(
            **{"tenant": "t", "id": n, "level": "l", "day": 1, "open": n == count - 1}
            | of
        )
        for n in range(count)
    ]
    running.db().logs.batch_write(put=items)
    return items


class Cut:
    """A client that reads so many items in one request, as DynamoDB does 1 MB."""

    def __init__(self, client: Any, most: int) -> None:
        self._client, self._most = client, most

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def query(self, **params: Any) -> Any:
        limit = min(params.get("Limit", self._most), self._most)
        return self._client.query(**{**params, "Limit": limit})


# --- 11: a page that a filter empties ---------------------------------------------------------------


def test_a_page_that_a_filter_empties_is_not_the_end(build: Build) -> None:
    running = build(LOGS % (RARE % "hit_rate: 0.5"))
    *_, last = filled(running, 30)
    logs = running.db(Cut(running.client, most=4)).logs

    assert logs.open_logs(tenant="t").all() == [last]
    assert logs.open_logs(tenant="t").first() == last
    page = logs.open_logs(tenant="t").page(limit=5)
    assert (page.items, page.cursor) == ([last], None)


# --- 21: a limit with a filter that rarely matches --------------------------------------------------


def test_a_filter_without_a_bound_is_refused() -> None:
    undeclared = ", filter: {where: {open: true}}"
    [(code, message, _)] = refusals(LOGS % undeclared)

    assert code == "DG021"
    assert "at_most" in message


def test_no_more_is_read_than_was_promised(build: Build) -> None:
    running = build(LOGS % (RARE % "at_most: 20"))
    filled(running, 200)

    with (
        running.recorded() as recorder,
        pytest.raises(
            running.package.TooManyItems,
            match="open_logs: more than 20 items were read",
        ),
    ):
        running.db().logs.open_logs(tenant="t").page(limit=10)

    assert recorder.scanned <= 21


# --- 23: cursors of an index ------------------------------------------------------------------------


def test_pages_of_an_index_hold_each_item_once(build: Build) -> None:
    """All items have one index key, so only the table's key tells them apart."""
    running = build(LOGS % "")
    items = filled(running, 25)
    logs = running.db().logs

    found: list[Any] = []
    cursor: str | None = None
    while page := logs.of_level(level="l").page(limit=4, cursor=cursor):
        found += page.items
        cursor = page.cursor
        if cursor is None:
            break

    assert len(found) == 25
    assert {log.id for log in found} == {log.id for log in items}


# --- 24: a limit smaller than a page ----------------------------------------------------------------


def test_a_cursor_stands_behind_the_last_item_that_was_returned(build: Build) -> None:
    running = build(LOGS % "")
    items = filled(running, 25)
    logs = running.db().logs

    first = logs.logs(tenant="t").page(limit=3)
    rest = logs.logs(tenant="t").page(limit=100, cursor=first.cursor)

    assert first.items == items[:3]
    assert rest.items == items[3:]
    assert rest.cursor is None


def test_a_short_page_of_a_filter_loses_nothing(build: Build) -> None:
    """What was read behind the last item of a page is read again by the next one."""
    running = build(LOGS % (RARE % "hit_rate: 0.9"))
    items = filled(running, 20, open=True)
    logs = running.db(Cut(running.client, most=7)).logs

    pages: list[list[Any]] = []
    cursor: str | None = None
    while True:
        page = logs.open_logs(tenant="t").page(limit=3, cursor=cursor)
        pages.append(page.items)
        cursor = page.cursor
        if cursor is None:
            break

    assert [log for page in pages for log in page] == items
    assert all(len(page) <= 3 for page in pages)


# --- 25: cursors that were not given out ------------------------------------------------------------


def test_a_forged_cursor_does_not_lead_into_another_tenants_partition(
    build: Build,
) -> None:
    running = build(LOGS % "")
    filled(running, 9)
    filled(running, 9, tenant="other")
    logs = running.db().logs
    theirs = logs.logs(tenant="other").page(limit=3).cursor
    mine = logs.logs(tenant="t").page(limit=3).cursor
    assert theirs
    assert mine

    forged = base64.urlsafe_b64encode(
        decoded(mine).replace(b"TENANT#t", b"TENANT#other")
    ).decode()

    for cursor in (theirs, forged, forged.rstrip("="), "x", ""):
        with pytest.raises(running.package.InvalidCursor):
            logs.logs(tenant="t").page(limit=3, cursor=cursor)


def test_a_signed_cursor_cannot_be_made_by_others(build: Build) -> None:
    """Not even one that would lead to another place in the same partition."""
    running = build(LOGS % "")
    filled(running, 9)
    logs = running.package.Shop(running.client, cursor_secret=b"s" * 32).logs
    cursor = logs.logs(tenant="t").page(limit=3).cursor

    assert logs.logs(tenant="t").page(limit=3, cursor=cursor).items[0].id == 3
    plain = running.db().logs.logs(tenant="t").page(limit=5).cursor
    with pytest.raises(running.package.InvalidCursor):
        logs.logs(tenant="t").page(limit=3, cursor=plain)


def decoded(cursor: str) -> bytes:
    """What a cursor says; it is JSON, and holds the key."""
    text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    assert json.loads(text)
    assert b"TENANT#t" in text
    return text
