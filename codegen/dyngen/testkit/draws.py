"""Random values: often alike, so that conditions are met, and sometimes anything at all."""

from __future__ import annotations

import dataclasses
import datetime as dt
import os
from collections.abc import Mapping, Sequence, Set
from decimal import Context, Decimal
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

from .ids import ulid

_CHECKS = (
    HealthCheck.function_scoped_fixture,
    HealthCheck.differing_executors,
    HealthCheck.too_slow,
    HealthCheck.filter_too_much,
    HealthCheck.data_too_large,
)
_COMMON: dict[str, Any] = {"deadline": None, "suppress_health_check": _CHECKS}
_DEEP = os.environ.get("DYNGEN_PROFILE") == "deep"

QUICK = settings(
    max_examples=2,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    **_COMMON,
)
DEEP = settings(max_examples=200, **_COMMON)
PROFILE = DEEP if _DEEP else QUICK
"""Two examples, always the same; with DYNGEN_PROFILE=deep two hundred, each time others, and what
fails is made as small as it can be, which takes minutes."""
HISTORIES = settings(PROFILE, max_examples=100 if _DEEP else 3)
"""The same for histories, which are longer."""
ROUNDS = 3 if _DEEP else 1
"""How often each kind of call is in a history."""
_CHARACTERS = st.characters(exclude_categories=["Cs"])
"""All but surrogates. Asked for those of UTF-8, hypothesis tries every one, for a second."""


def ulids() -> SearchStrategy[str]:
    """ULIDs."""
    return st.integers(0, 2**128 - 1).map(ulid)


def uuids() -> SearchStrategy[str]:
    """UUIDs, in canonical text."""
    return st.uuids().map(str)


def texts(alphabet: str | None, shortest: int, longest: int) -> SearchStrategy[str]:
    """Text of the given characters; of any but surrogates by default."""
    characters = _CHARACTERS if alphabet is None else alphabet
    return st.text(characters, min_size=shortest, max_size=longest)


def timestamps(unit: dt.timedelta) -> SearchStrategy[dt.datetime]:
    """Moments in UTC, in whole units."""
    epoch = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    least, greatest = dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59)
    return st.datetimes(least, greatest, timezones=st.just(dt.UTC)).map(
        lambda moment: epoch + (moment - epoch) // unit * unit
    )


def decimals(least: Decimal, greatest: Decimal, places: int) -> SearchStrategy[Decimal]:
    """Decimal numbers with this many places."""
    exact = Context(prec=99)
    low, high = (int(each.scaleb(places, exact)) for each in (least, greatest))
    return st.integers(low, high).map(lambda n: Decimal(n).scaleb(-places, exact))


def floats() -> SearchStrategy[float]:
    """Floating-point numbers that DynamoDB holds exactly."""
    return st.integers(-(2**40), 2**40).map(lambda n: n / 256)


def names() -> SearchStrategy[str]:
    """Names inside a map or document: DynamoDB knows no empty ones."""
    return texts(None, 1, 5)


def documents() -> SearchStrategy[Any]:
    """JSON documents, numbers as Decimal."""
    numbers = st.integers(-(10**9), 10**9).map(Decimal)
    leaves = st.none() | st.booleans() | numbers | texts(None, 0, 5)
    return st.dictionaries(names(), leaves, max_size=3)


def usually(
    values: Sequence[Any], anything: SearchStrategy[Any]
) -> SearchStrategy[Any]:
    """One of a few values four times out of five, else anything."""
    few = st.sampled_from(values)
    return st.integers(0, 4).flatmap(lambda n: few if n else anything)


def neighbours(
    data: DataObject,
    random: SearchStrategy[Any],
    most: int = 8,
    unique: Set[str] = frozenset(),
) -> list[Any]:
    """One random item and others that differ from it in a few attributes.

    Mostly, they also differ in those whose values must be unique.
    """
    first = data.draw(random)
    names = [each.name for each in dataclasses.fields(first) if each.init]
    items = [first]
    for _ in range(data.draw(st.integers(0, most - 1))):
        other = data.draw(random)
        changed = data.draw(st.sets(st.sampled_from(names), min_size=1, max_size=3))
        if unique and data.draw(st.integers(0, 3)) > 0:
            changed |= unique & {*names}
        values = {name: getattr(other, name) for name in sorted(changed)}
        items.append(dataclasses.replace(first, **values))
    return items


def parameters(
    data: DataObject,
    sample: Mapping[str, Any],
    sources: Mapping[str, str],
    items: Sequence[Any],
) -> dict[str, Any]:
    """Parameters for a read that is likely to find some of the items.

    `sources` names the attribute that a parameter is compared with, if it is a whole one; `sample` is a
    legal call: it decides which parameters are given and which take several values.
    """
    target = data.draw(st.sampled_from(items))
    drawn = {}
    for name, given in sample.items():
        several = isinstance(given, tuple)
        source = sources.get(name, "")
        found = [getattr(item, source, None) for item in (target, target, *items)]
        values = [value for value in found if value is not None]
        choice = st.sampled_from([*values, *(given if several else (given,))])
        drawn[name] = data.draw(
            st.lists(choice, max_size=3).map(tuple) if several else choice
        )
    return drawn
