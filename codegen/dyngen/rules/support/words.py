"""What names of attributes tell: words that people use for measures, times, and identifiers."""

from __future__ import annotations

import re

from dyngen.design.model import Attribute
from dyngen.types.model import Decimal, Enum, Float, Integer

MEASURES = frozenset(
    {
        "amount",
        "balance",
        "count",
        "distance",
        "elo",
        "level",
        "points",
        "population",
        "price",
        "quantity",
        "rank",
        "ranking",
        "rating",
        "score",
        "stars",
        "total",
        "votes",
        "weight",
    }
)
"""Last words of names that are measured or counted, and may be equal for two things."""

NUMBERS = MEASURES | frozenset(
    {"position", "revision", "seq", "sequence", "size", "version"}
)
"""Last words of names whose values people order as numbers."""

TIMES = frozenset(
    {
        "at",
        "birthday",
        "created",
        "date",
        "datetime",
        "day",
        "deadline",
        "expires",
        "modified",
        "time",
        "timestamp",
        "updated",
    }
)
"""Last words of names that stand for a moment or a day."""

MONEY = frozenset(
    {
        "amount",
        "balance",
        "cost",
        "credit",
        "credits",
        "discount",
        "fee",
        "fees",
        "price",
        "salary",
        "tax",
        "total",
    }
)
"""Last words of names that are mostly money."""

IDENTIFIERS = frozenset(
    {"arn", "code", "guid", "hash", "id", "isbn", "key", "sku", "token", "ulid", "uuid"}
)
"""Last words of names whose values identify one thing."""

EMAILS = frozenset(["email", "mail"])
"""Last words of names that hold addresses of electronic mail."""

TENANTS = frozenset(
    [
        "org_id",
        "organisation_id",
        "organization_id",
        "tenant",
        "tenant_id",
        "workspace_id",
    ]
)
"""Names, in snake case, of what separates customers of one installation."""

STATES = frozenset(["phase", "stage", "state", "status"])
"""Last words of names of what a thing goes through."""

RARE = frozenset(
    ["banned", "blocked", "deleted", "disabled", "removed", "suspended", "trashed"]
)
"""Words for what becomes of few things."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words(name: str) -> tuple[str, ...]:
    """The words of a name in snake, camel or kebab case, in lower case."""
    return tuple(word.lower() for word in _WORD.findall(name))


def last_word(name: str) -> str:
    """The last word of a name, which says what kind of thing it is."""
    found = words(name)
    return found[-1] if found else ""


def singular(word: str) -> str:
    """A word without the ending of an English plural, near enough to compare."""
    for ending, instead in (("ies", "y"), ("ses", "s"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + instead
    return word


def is_state(attribute: Attribute) -> bool:
    """Whether an attribute says, by its type and name, what a thing goes through."""
    return isinstance(attribute.type, Enum) and last_word(attribute.name) in STATES


def is_measure(attribute: Attribute) -> bool:
    """Whether an attribute is measured or counted, so that two things may have the same value."""
    match attribute.type:
        case Decimal() | Float():
            return True
        case Integer():
            return last_word(attribute.name) in MEASURES
        case _:
            return False
