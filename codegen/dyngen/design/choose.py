"""The best exact route for a question, among the table and its indexes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dyngen.design.contents import (
    Variant,
    places,
    projected,
    stored_attributes,
    variants,
)
from dyngen.design.isolation import Intrusion, intrusion
from dyngen.design.model import Schema, Table, Test
from dyngen.design.question import Answer, Failure, Question
from dyngen.design.routes import route


@dataclass(frozen=True, slots=True)
class Limits:
    """What a pattern demands of its route besides exactness."""

    pinned: str | None = None  # an index by name, or the table
    consistent: bool = False
    fan_out: int = 20  # the most requests one read may make
    filtered: tuple[Test, ...] = ()  # conditions of a declared filter


@dataclass(frozen=True, slots=True)
class Chosen:
    """A route, where it reads, and which attributes come back (None: whole items)."""

    answer: Answer
    projected: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Refused:
    """No route: for each candidate, what failed."""

    failures: tuple[Failure, ...]
    intrusions: tuple[Intrusion, ...] = ()


def choose(question: Question, schema: Schema, limits: Limits) -> Chosen | Refused:
    """The exact route with the fewest requests; then the table, the narrowest projection, the first declared."""
    table = schema.table(question.entity.table)
    chosen: list[tuple[tuple[int, bool, int, int], Chosen]] = []
    failures: list[Failure] = []
    intrusions: list[Intrusion] = []
    for position, variant in enumerate(_candidates(question, table, limits)):
        found = _route(question, variant, schema, limits)
        if isinstance(found, Failure):
            failures.append(found)
        elif isinstance(found, Intrusion):
            intrusions.append(found)
        else:
            rank = (
                found.answer.requests,
                variant.index is not None,
                10_000 if found.projected is None else len(found.projected),
                position,
            )
            chosen.append((rank, found))
    if chosen:
        return min(chosen, key=lambda pair: pair[0])[1]
    return Refused(tuple(failures), tuple(intrusions))


def _candidates(question: Question, table: Table, limits: Limits) -> Iterable[Variant]:
    for index in places(table):
        name = table.name if index is None else index.name
        if limits.pinned in (None, name):
            yield from variants(question.entity, table, index)


def _route(
    question: Question, variant: Variant, schema: Schema, limits: Limits
) -> Chosen | Failure | Intrusion:
    index = variant.index
    if limits.consistent and index is not None and not index.local:
        return Failure(variant, "a global index can't be read consistently")
    found = route(question, variant)
    if isinstance(found, Failure):
        return found
    if found.requests > limits.fan_out:
        return Failure(
            variant,
            f"it takes {found.requests} requests, and {limits.fan_out} are allowed (say"
            f" `fan_out: {found.requests}`)",
        )
    stranger = intrusion(found, schema)
    if stranger is not None:
        return stranger
    columns = projected(question.entity, variant.table, index)
    unfit = unfilterable(limits.filtered, variant)
    return Chosen(found, columns) if unfit is None else Failure(variant, unfit)


def unfilterable(filtered: Iterable[Test], variant: Variant) -> str | None:
    """Why what is read here can't be filtered so: by an attribute of the key (I-11, AWS: API_Query),
    or by one that is not projected as such."""
    keys = {key.attribute for key in variant.keys}
    stored = stored_attributes(variant.entity, variant.table, variant.index)
    for test in filtered:
        if test.attribute in keys:
            return (
                f"`{test.attribute}` is part of its key, and DynamoDB filters by other"
                " attributes only (ask for it in `where`)"
            )
        if stored is not None and test.attribute not in stored:
            return (
                f"it does not project `{test.attribute}`, which the filter needs (add it"
                " to the projection)"
            )
    return None
