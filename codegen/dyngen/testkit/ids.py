"""Identifiers made of numbers, for sample items."""

from __future__ import annotations

import uuid as uuids

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(number: int) -> str:
    """A ULID that grows with the number."""
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def uuid(number: int) -> str:
    """A UUID that grows with the number."""
    return str(uuids.UUID(int=number))
