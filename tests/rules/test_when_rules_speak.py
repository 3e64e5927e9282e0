"""Where rules draw the line: pairs of specs that differ in what matters."""

from __future__ import annotations

import pytest
from linting import lint

HEAD = "dyngen: 1\nservice: shop\n"
ORDERS = """\
tables: {{Orders: {{partition_key: {partition}, sort_key: {sort}{table}}}}}
entities:
  Order:
    attributes: {{{attributes}}}{entity}
{more}"""
QUEUE = """\
tables:
  Jobs: {{partition_key: job_id, indexes: {{Queue: {{partition_key: queue, sort_key: due}}}}}}
entities:
  Job:
    attributes: {{job_id: ulid, due: timestamp, state: [NEW, OLD, BAD], {flag}}}
    keys: {{queue: {key}}}
access_patterns:
  jobs: {{query: Job, where: {{{where}}}, order_by: due}}
{more}"""
ITEM = """\
tables: {{Items: {{partition_key: item_id}}}}
entities:
  Item:
    attributes: {{item_id: ulid, {attributes}}}{entity}
access_patterns:
  change: {pattern}
{more}"""


def orders(**parts: str) -> str:
    defaults = {
        "partition": "customer",
        "sort": "number",
        "attributes": "customer: uuid, number: ulid",
        "table": "",
        "entity": "",
        "more": "",
    }
    return ORDERS.format(**defaults | parts)


def queue(**parts: str) -> str:
    return QUEUE.format(**{"where": "due: gte", "more": "", "flag": "n: uuid"} | parts)


def indexed(size: int, projection: str) -> str:
    indexes = ", ".join(
        f"By{n}: {{partition_key: customer, sort_key: n{n}, projection: {projection}}}"
        for n in range(3)
    )
    numbers = ", ".join(f"n{n}: integer" for n in range(3))
    return orders(
        attributes=f"customer: uuid, number: ulid, {numbers}",
        table=f", indexes: {{{indexes}}}",
        more=f"sizes: {{Order: {size}}}\n",
    )


def item(pattern: str, attributes: str, **parts: str) -> str:
    filled = {"entity": "", "more": ""} | parts
    return ITEM.format(pattern=pattern, attributes=attributes, **filled)


def update(changes: str) -> str:
    return f"{{update: Item, where: {{item_id: eq}}, {changes}}}"


DAYS = (
    "access_patterns:\n  days: {query: Order, where: {customer: eq}, order_by: day}\n"
)
STATE = "state: [NEW, OLD, BAD]"
PERIOD = "customer: uuid, at: timestamp, state: [NEW, OLD]"

CASES = [
    # a state in a table's key
    ("DG310", True, orders(sort="state", attributes="customer: uuid, state: {type: [A, B], default: A}")),
    ("DG310", False, orders(sort="s", attributes="customer: uuid, s: {type: [A, B], default: A}")),
    ("DG310", False, orders(sort="s", attributes="customer: uuid, s: [A, B]")),
    ("DG310", True, orders(sort="at", attributes="customer: uuid, at: {type: timestamp, on_write: now}")),
    ("DG310", True, orders(sort="[status, number]", attributes="customer: uuid, status: [A, B], number: ulid")),
    ("DG310", False, orders(sort="[status, at]", attributes="customer: uuid, status: [A, B], at: timestamp")),
    # what tells two items apart
    ("DG311", True, orders(sort="status", attributes="customer: uuid, status: [A, B]")),
    ("DG311", False, orders(sort="channel", attributes="customer: uuid, channel: [A, B]")),
    ("DG311", True, orders(sort="elo", attributes="customer: uuid, elo: integer")),
    ("DG311", True, orders(sort="points", attributes="customer: uuid, points: integer")),
    ("DG311", False, orders(sort="points", attributes="customer: uuid, points: integer", entity="\n    id: [customer, points]")),
    ("DG311", False, orders(sort="number", attributes="customer: uuid, number: integer")),
    ("DG312", True, orders(sort="at", attributes="customer: uuid, at: timestamp")),
    ("DG312", False, orders(sort="at", attributes="customer: uuid, at: date")),
    ("DG312", True, orders(sort="order_date", attributes="customer: uuid, order_date: date")),
    ("DG312", False, orders(sort="stay_date", attributes="customer: uuid, stay_date: date")),
    ("DG312", False, orders(sort="[at, number]", attributes="customer: uuid, at: timestamp, number: ulid")),
    ("DG312", True, orders(sort="[at, state]", attributes=PERIOD)),
    # a state behind a time
    ("DG313", True, orders(sort="[at, state]", attributes=PERIOD)),
    ("DG313", False, orders(sort="[state, at]", attributes=PERIOD)),
    ("DG313", False, orders(sort="[at, state]", attributes=PERIOD, more="access_patterns:\n  at: {query: Order, where: {customer: eq, at: eq}}\n")),
    # dates as text
    ("DG315", True, orders(sort="order_date", attributes="customer: uuid, order_date: string")),
    ("DG315", False, orders(attributes="customer: uuid, number: ulid, order_date: string")),
    ("DG315", False, orders(sort="[day_date, number]", attributes='customer: uuid, number: ulid, at: timestamp, day_date: {type: string, computed: "{at:%Y-%m-%d}"}')),
    ("DG315", True, orders(sort="birthday", attributes="customer: uuid, birthday: string")),
    ("DG315", True, orders(sort="[day, number]", attributes='customer: uuid, number: ulid, at: timestamp, day: {type: string, computed: "{at:%d.%m.%Y}"}', more=DAYS)),
    ("DG315", False, orders(sort="[day, number]", attributes='customer: uuid, number: ulid, at: timestamp, day: {type: string, computed: "{at:%Y.%m.%d}"}', more=DAYS)),
    ("DG318", True, orders(partition="organization_id", attributes="organization_id: uuid, number: ulid")),
    ("DG318", False, orders(attributes="customer: uuid, number: ulid")),
    # few partitions
    ("DG321", True, queue(key="JOBS")),
    ("DG321", False, queue(key="JOBS", more="rates: {Job.create: 3}\n")),
    ("DG321", False, queue(key='{value: "{shard}", shards: {count: 3, by: job_id}}')),
    ("DG321", False, queue(key="{value: JOBS, when: {state: NEW}}", where="state: NEW, due: gte")),
    ("DG321", False, "tables: {Config: {partition_key: PK}}\nentities:\n  Config: {plural: config, attributes: {text: string}, keys: {PK: CONFIG}}\n"),
    # hot partitions
    ("DG320", False, queue(key="JOBS", more="sizes: {Job: 120}\nrates: {Job.create: 1000}\n")),
    ("DG320", True, queue(key="JOBS", more="sizes: {Job: 120}\nrates: {Job.create: 1001}\n")),
    ("DG320", False, queue(key='{value: "{shard}", shards: {count: 2, by: job_id}}', more="sizes: {Job: 120}\nrates: {Job.create: 1001}\n")),
    # an index that is not sparse
    ("DG323", True, queue(key="{value: JOBS, when: {state: {in: [NEW, OLD]}}}", where="state: {in: [NEW, OLD]}, due: gte")),
    ("DG323", False, queue(key="{value: JOBS, when: {state: NEW}}", where="state: NEW, due: gte")),
    ("DG323", True, queue(key="{value: JOBS, when: {state: NEW}}", where="state: NEW, due: gte", more="sizes: {Job: {items: 10, indexes: {Queue: {items: 6}}}}\n")),
    ("DG323", False, queue(key="{value: JOBS, when: {state: {in: [NEW, OLD]}}}", where="state: {in: [NEW, OLD]}, due: gte", more="sizes: {Job: {items: 10, indexes: {Queue: {items: 5}}}}\n")),
    ("DG323", False, queue(key="{value: JOBS, when: {active: true, state: {in: [NEW, OLD]}}}", where="active: true, state: {in: [NEW, OLD]}, due: gte", flag="active: boolean")),
    ("DG323", True, queue(key="{value: JOBS, when: {deleted: false}}", where="deleted: false, due: gte", flag="deleted: boolean")),
    ("DG323", False, queue(key="{value: JOBS, when: {deleted: true}}", where="deleted: true, due: gte", flag="deleted: boolean")),
    ("DG323", False, queue(key="{value: JOBS, when: {active: true}}", where="active: true, due: gte", flag="active: boolean")),
    ("DG323", True, queue(key="{value: JOBS, when: {deleted_at: absent}}", where="deleted_at: absent, due: gte", flag="deleted_at: {type: timestamp, optional: true}")),
    ("DG323", False, queue(key="{value: JOBS, when: {deleted_at: present}}", where="deleted_at: present, due: gte", flag="deleted_at: {type: timestamp, optional: true}")),
    # units of a create
    ("DG344", True, indexed(size=40_000, projection="all")),
    ("DG344", False, indexed(size=40_000, projection="keys_only")),
    ("DG344", False, indexed(size=4_000, projection="all")),
    # values that nobody asks an index for
    ("DG342", True, queue(key='"{state}#{shard}"'.replace('"{state}#{shard}"', '{value: "{state}#{shard}", shards: {count: 2, by: job_id}}'), where="state: NEW, due: gte")),
    ("DG342", False, queue(key='{value: "{state}#{shard}", shards: {count: 2, by: job_id}}', where="state: eq, due: gte")),
    # protection
    ("DG350", True, orders(table=", point_in_time_recovery: true")),
    ("DG350", False, orders(table=", point_in_time_recovery: true, deletion_protection: false")),
    ("DG350", False, orders()),
    ("DG350", True, orders(table=", encryption: {kms_key: alias/shop}")),
    # states and guards
    ("DG370", True, item(update("set: {state: OLD}"), STATE)),
    ("DG370", False, item(update("set: {state: OLD}, guard: {state: NEW}"), STATE)),
    ("DG370", False, item(update("set: {state: OLD}, guard: {any: [{state: NEW}, {item_id: absent}]}"), STATE)),
    ("DG370", False, item(update("set: {state: param}"), STATE)),
    ("DG370", False, item(update("set: {state: OLD}"), "state: [NEW, OLD]")),
    # sums
    ("DG371", True, item(update("add: {sum: 1}"), "sum: {type: decimal, digits: 9, places: 2, default: 0}")),
    ("DG371", False, item(update("add: {sum: 1}"), "sum: {type: integer, default: 0}")),
    ("DG371", True, item(update("add: {credit: 1}"), "credit: {type: integer, default: 0}")),
    ("DG371", False, item(update("add: {credit: 1}"), "credit: {type: integer, default: 0}", entity="\n    version: true")),
    # collections inside items
    ("DG372", True, item(update("append: {notes: param}"), "notes: {type: list, of: string, default: []}")),
    ("DG372", False, item(update("append: {notes: param}, guard: {notes: {size: {lt: 9}}}"), "notes: {type: list, of: string, default: []}")),
    ("DG372", True, item(update("add: {tags: param}"), "tags: {type: set, of: string, optional: true}")),
    ("DG372", False, item(update("add: {tags: param}"), "tags: {type: set, of: [A, B], optional: true}")),
    # transactions of one
    ("DG373", True, item("{transact: [{create: Item}]}", STATE)),
    ("DG373", False, item("{transact: [{update: Item, where: {item_id: eq}, add: {n: 1}}]}", "n: {type: integer, default: 0}")),
    # large items
    ("DG374", True, item(update("add: {n: 1}"), "n: {type: integer, default: 0}, text: string", more="sizes: {Item: 8192}\n")),
    ("DG374", False, item(update("add: {n: 1}"), "n: {type: integer, default: 0}, text: string", more="sizes: {Item: 8191}\n")),
    ("DG374", False, item(update("add: {n: 1}"), "n: {type: integer, default: 0}, text: string")),
    # estimates
    ("DG380", True, orders(attributes="customer: uuid, number: ulid, text: string", more="sizes: {Order: 410000}\n")),
    ("DG380", False, orders(attributes="customer: uuid, number: ulid, text: string", more="sizes: {Order: 409600}\n")),
    ("DG380", True, orders(attributes="customer: uuid, number: ulid, text: string, at: date", table=", indexes: {ByAt: {type: local, sort_key: at}}", more="sizes: {Order: 300000}\n")),
    ("DG380", True, orders(attributes="customer: uuid, number: ulid, text: string", more="sizes: {Order: {items: 5, per_partition: 6}}\n")),
    ("DG380", False, orders(attributes="customer: uuid, number: ulid, text: string", more="sizes: {Order: {items: 6, per_partition: 6}}\n")),
]  # fmt: skip


@pytest.mark.parametrize(("code", "speaks", "body"), CASES)
def test_a_rule_speaks_or_is_silent(code: str, speaks: bool, body: str) -> None:
    found = {d.code for d in lint(HEAD + body)}
    assert "DG300" not in found
    assert (code in found) is speaks, body


TWO_INDEXES = """\
tables:
  Orders:
    partition_key: number
    indexes:
      Short: {{partition_key: customer{short}}}
      Long: {{partition_key: customer, sort_key: at{long}}}
entities:
  Order: {{attributes: {{number: ulid, customer: uuid, at: timestamp, note: string}}}}
access_patterns:
  orders: {{query: Order, where: {{customer: eq}}, index: Short{pattern}}}
  newest_orders: {{query: Order, where: {{customer: eq}}, order_by: at desc}}
"""


@pytest.mark.parametrize(
    ("short", "long", "pattern", "redundant"),
    [
        ("", "", "", True),
        ("", ", projection: keys_only", "", False),  # holds less than is read
        (", projection: keys_only", "", ", select: [number]", False),  # cheaper
        (", projection: [note]", ", projection: [note]", "", True),
        (", sort_key: note", "", ", order_by: note", False),
    ],
)
def test_an_index_is_redundant_if_another_is_as_good(
    short: str, long: str, pattern: str, redundant: bool
) -> None:
    body = TWO_INDEXES.format(short=short, long=long, pattern=pattern)
    assert ("DG340" in {d.code for d in lint(HEAD + body)}) is redundant


def test_of_two_indexes_that_are_alike_one_stays() -> None:
    body = TWO_INDEXES.format(short=", sort_key: at", long="", pattern="")
    found = [d for d in lint(HEAD + body) if d.code == "DG340"]
    assert ["`Short` can be left out" in d.message for d in found] == [True]


FILTERED = """\
tables:
  Parcels:
    partition_key: depot
    sort_key: parcel
    indexes: {{ByState: {{partition_key: depot, sort_key: [state, parcel]}}}}
entities:
  Parcel: {{attributes: {{depot: uuid, parcel: ulid, state: [NEW, SENT], note: string}}}}
access_patterns:
  parcels_in_state: {{query: Parcel, where: {{depot: eq, state: eq}}}}
  some_parcels: {{query: Parcel, where: {{depot: eq}}, filter: {{where: {{{filter}}}, at_most: 9}}{more}}}
"""


@pytest.mark.parametrize(
    ("filter", "more", "needless"),
    [
        ("state: NEW", "", True),
        ("state: NEW", ", consistent: true", False),
        ("state: NEW, note: eq", "", False),
        ("any: [{state: NEW}, {note: eq}]", "", False),
    ],
)
def test_a_filter_is_needless_if_a_key_serves(
    filter: str, more: str, needless: bool
) -> None:
    body = FILTERED.format(filter=filter, more=more)
    assert ("DG329" in {d.code for d in lint(HEAD + body)}) is needless


COLLECTION = """\
tables: {{Things: {{partition_key: pk, sort_key: sk, ttl: ends}}}}
entities:
  Owner: {{attributes: {{owner: string}}, keys: {{pk: "{{owner}}", sk: "#"}}}}
  Visit:
    attributes: {{owner: string, at: timestamp, ends: {{type: timestamp, stored: epoch_seconds}}}}
    keys: {{pk: "{{owner}}", sk: "VISIT#{{at}}"}}
access_patterns:
  page: {{query: [Owner, Visit], where: {{owner: eq}}{more}}}
"""


def test_the_remedies_for_expired_items_of_a_collection_can_be_followed() -> None:
    """`expired: exclude` is refused there, so nothing may say it of the pattern itself."""
    [found] = [d for d in lint(HEAD + COLLECTION.format(more="")) if d.code == "DG337"]
    assert found.help == (
        "a query of several entities returns them: drop those whose `ends` is past, and say so"
        " here: `expired: include`",
        "or read each entity by a pattern of its own, with `expired: exclude`",
    )
    followed = COLLECTION.format(more=", expired: include")
    apart = (
        "  visits: {query: Visit, where: {owner: eq}, expired: exclude}\n"
        "  owner: {get: Owner, where: {owner: eq}}\n"
    )
    assert "DG337" not in {d.code for d in lint(HEAD + followed + apart)}


INVERTED = """\
tables:
  Users:
    partition_key: PK
    sort_key: SK
    indexes: {Inverted: {partition_key: SK, sort_key: PK}}
entities:
  User:
    attributes: {user_id: string, name: string}
    keys: {PK: "USER#{user_id}", SK: PROFILE}
  Membership:
    attributes: {user_id: string, team: string}
    keys: {PK: "USER#{user_id}", SK: "TEAM#{team}"}
access_patterns:
  user: {get: User, where: {user_id: eq}}
  team: {query: Membership, where: {team: eq}}
"""


def test_no_shard_is_advised_for_a_key_of_the_table() -> None:
    """The table's sort key is the partition key of an inverted index."""
    [found] = [d for d in lint(HEAD + INVERTED) if d.code == "DG321"]
    assert "`User` are in one partition of `Inverted`" in found.message
    assert found.help[1] == (
        "or give `Inverted` a partition key of its own, which only the items have that are read"
        " there"
    )


def test_a_state_is_told_by_its_name() -> None:
    """Not by the text that is stored for it."""
    levels = "level: {values: {LOW: 10-low, MID: 20-mid, TOP: 30-top}}"
    body = item(update("set: {level: TOP}"), levels)
    [found] = [d for d in lint(HEAD + body) if d.code == "DG370"]
    assert found.message == "`change` makes `level` TOP from any other value"
