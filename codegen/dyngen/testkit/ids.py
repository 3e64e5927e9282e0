"""Short ways to write the long values of sample items: identifiers and moments."""

from __future__ import annotations

import datetime as dt
import uuid as uuids

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(number: int) -> str:
    """A ULID that grows with the number."""
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def ulid_number(text: str) -> int:
    """The number that `ulid` makes this ULID of."""
    number = 0
    for char in text:
        number = number << 5 | _CROCKFORD.index(char)
    return number


def uuid(number: int) -> str:
    """A UUID that grows with the number."""
    return str(uuids.UUID(int=number))


def at(text: str) -> dt.datetime:
    """The moment written in ISO 8601."""
    return dt.datetime.fromisoformat(text)
