"""Values that come back as others, or that DynamoDB refuses (faults 26 to 29 and 31)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from running import NOW, Running, refusals

Build = Callable[[str], Running]

# --- 26 and 27: index keys without a value ----------------------------------------------------------

KEYS = """\
tables:
  Users:
    partition_key: id
    indexes:
      ByNick: {partition_key: nick, sort_key: rank}
      ByCode: {partition_key: code}
entities:
  User:
    attributes:
      id: string
      nick: {type: string, optional: true}
      rank: {type: integer, optional: true}
      code: {type: binary, optional: true}
      name: {type: string, optional: true}
access_patterns:
  by_nick: {query: User, where: {nick: eq, rank: present}}
  rename: {update: User, where: {id: eq}, set: [nick]}
"""


def test_no_empty_value_reaches_an_index_key(build: Build) -> None:
    """Refused before the call, for moto takes what DynamoDB does not. Elsewhere empty text is a value."""
    running = build(KEYS)
    users, package = running.db().users, running.package
    ann = users.create(package.User(id="a", nick="n", rank=1, name=""))

    with running.recorded() as recorder:
        for write in (
            lambda: users.create(package.User(id="b", nick="", rank=1)),
            lambda: users.put(package.User(id="b", code=b"")),
            lambda: users.batch_write(put=[package.User(id="b", nick="")]),
            lambda: users.update(ann, nick=""),
            lambda: users.rename(id="a", nick=""),
            lambda: users.create(package.User(id="")),
            lambda: users.by_nick(nick="").all(),
        ):
            with pytest.raises(package.KeyValueError, match=r"empty|not 0"):
                write()

    assert recorder.requests == []
    assert users.get(id="a") == ann
    assert ann.name == ""


@pytest.mark.parametrize("keys", ["", ', keys: {nick_pk: "NICK#{nick}"}'])
@pytest.mark.parametrize(
    "pattern",
    [
        "{query: User, where: {nick: {eq: ''}}}",
        "{update: User, where: {id: eq}, set: {nick: {value: ''}}}",
        "{update: User, where: {id: eq}, set: [name], guard: {nick: {eq: ''}}}",
    ],
)
def test_no_constant_is_an_empty_index_key(keys: str, pattern: str) -> None:
    [(code, message, remedy)] = refusals(f"""\
tables: {{Users: {{partition_key: id, indexes: {{ByNick: {{partition_key: {"nick_pk" if keys else "nick"}}}}}}}}}
entities: {{User: {{attributes: {{id: string, nick: string, name: string}}{keys}}}}}
access_patterns: {{pattern: {pattern}}}
""")

    assert (code, message) == ("DG142", "no User has an empty `nick`")
    assert "no key is empty" in remedy


def test_no_default_is_an_empty_index_key() -> None:
    spec = KEYS.replace(
        "nick: {type: string, optional: true}", "nick: {type: string, default: ''}"
    )
    [(code, message, _)] = refusals(spec)

    assert (code, message) == ("DG104", "`nick` cannot be empty by default")


def test_none_is_never_stored(build: Build) -> None:
    running = build(KEYS)
    users, user = running.db().users, running.package.User

    users.create(user(id="a", rank=1))
    ann = users.create(user(id="b", nick="n", rank=1))
    bob = users.create(user(id="c", nick="n", rank=1, code=b"c"))
    users.put(user(id="d", nick="n"))
    users.update(ann, nick=None)
    users.rename(id="c", nick=None)

    assert users.by_nick(nick="n").all() == []
    assert running.stored("Users", "ByNick") == []
    assert [i["id"]["S"] for i in running.stored("Users", "ByCode")] == [bob.id]
    assert "NULL" not in repr(running.stored("Users"))
    with pytest.raises(running.package.InvalidValue):
        users.create(user(id=None))


# --- 28: numbers ------------------------------------------------------------------------------------

NUMBERS = """\
tables: {Bills: {partition_key: id}}
entities:
  Bill:
    attributes:
      id: string
      total: {type: decimal, digits: 38, places: 2}
      ratio: {type: float, optional: true}
      lines: {type: list, of: {type: object, attributes: {count: integer, price: {type: decimal, places: 2}}}, default: []}
      counts: {type: map, of: integer, default: {}}
      payload: {type: json, optional: true}
"""


def test_numbers_come_back_as_they_were(build: Build) -> None:
    running = build(NUMBERS)
    bills, package = running.db().bills, running.package
    line = package.BillLines(count=3, price=Decimal("30.40"))
    most = Decimal("9" * 36 + ".99")
    bill = package.Bill(
        id="b",
        total=most,
        ratio=0.1,
        lines=(line,),
        counts={"a": 2**70},
        payload={"deep": ({"count": Decimal(1), "price": Decimal("30.40")},)},
    )

    created = bills.create(bill)
    found = bills.get(id="b")

    assert created == found == bill
    assert str(found.lines[0].price) == "30.40"
    assert type(found.lines[0].count) is int
    assert type(found.counts["a"]) is int
    assert type(found.ratio) is float
    assert str(found.payload["deep"][0]["price"]) == "30.4"
    assert bills.update(found, total=Decimal("30.40")).total == Decimal("30.40")


@pytest.mark.parametrize(
    "total",
    [1.1, True, "30.40", Decimal("NaN"), Decimal("1e36"), Decimal("Infinity")],
)
def test_what_is_no_decimal_of_these_digits_is_refused(
    build: Build, total: Any
) -> None:
    running = build(NUMBERS)
    bills, package = running.db().bills, running.package

    with pytest.raises(package.InvalidValue):
        bills.create(package.Bill(id="b", total=total))
    with pytest.raises(package.InvalidValue):
        bills.create(
            package.Bill(id="b", total=Decimal(1), payload={"f": float("nan")})
        )
    assert running.stored("Bills") == []


# --- 29: a set that becomes empty -------------------------------------------------------------------

SETS = """\
tables: {Posts: {partition_key: id}}
entities:
  Post: {attributes: {id: string, tags: {type: set, of: string%s}}}
access_patterns:
  untag: {update: Post, where: {id: eq}, delete: {tags: {param: tag}}}
  retag: {update: Post, where: {id: eq}, set: [tags]}
  tag: {update: Post, where: {id: eq}, add: {tags: {param: tag}}}
"""
EMPTIED: dict[str, Callable[[Any, Any], Any]] = {
    "the last member": lambda posts, post: posts.untag(id="p", tag="a"),
    "a parameter": lambda posts, post: posts.retag(id="p", tags=frozenset()),
    "a copy": lambda posts, post: posts.update(post, tags=frozenset()),
    "a put": lambda posts, post: posts.put(type(post)(id="p", tags=frozenset())),
}


@pytest.mark.parametrize("optional", ["", ", optional: true"])
@pytest.mark.parametrize("how", EMPTIED)
def test_an_empty_set_is_not_stored(build: Build, how: str, optional: str) -> None:
    running = build(SETS % optional)
    posts = running.db().posts
    post = posts.create(running.package.Post(id="p", tags=frozenset({"a"})))

    EMPTIED[how](posts, post)

    assert running.stored("Posts") == [{"id": {"S": "p"}}]
    assert not posts.get(id="p").tags
    assert posts.tag(id="p", tag="b").tags == {"b"}


# --- 31: items that expire --------------------------------------------------------------------------

SESSIONS = """\
tables: {Sessions: {partition_key: user, sort_key: id, ttl: expires}}
entities:
  Session: {attributes: {user: string, id: string, expires: %s}}
access_patterns:
  sessions: {query: Session, where: {user: eq}, expired: exclude}
  session: {get: Session, where: {user: eq, id: eq}, expired: exclude}
  all_sessions: {query: Session, where: {user: eq}, expired: include}
"""


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("timestamp", "is stored as text"),
        ("{type: timestamp, stored: epoch_milliseconds}", "milliseconds"),
        ("date", "is a date"),
        ("string", "is a string"),
    ],
)
def test_only_epoch_seconds_expire(form: str, said: str) -> None:
    [(code, message, remedy)] = refusals(SESSIONS % form)

    assert code == "DG137"
    assert said in message
    assert "stored: epoch_seconds" in remedy


def test_expired_items_are_stored_in_seconds_and_left_out(build: Build) -> None:
    running = build(SESSIONS % "{type: timestamp, stored: epoch_seconds}")
    sessions, session = running.db().sessions, running.package.Session
    second = dt.timedelta(seconds=1)
    over, now, later = (
        sessions.create(session(user="u", id=id, expires=NOW + change * second))
        for id, change in (("1", -1), ("2", 0), ("3", 1))
    )

    stored = [item["expires"] for item in running.stored("Sessions")]
    assert {"N": str(int(NOW.timestamp()))} in stored
    assert sessions.sessions(user="u").all() == [later]
    assert sessions.session(user="u", id="3") == later
    assert sessions.session(user="u", id="1") is None
    assert sessions.all_sessions(user="u").all() == [over, now, later]
