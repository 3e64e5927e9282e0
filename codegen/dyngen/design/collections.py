"""Item collections: one read that returns items of several entities, in key order.

The range runs from the lowest low to the highest high of the entities named, and is proved against
every other entity beside them; where the whole partition is theirs, no sort condition is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cmp_to_key
from itertools import pairwise, product

from dyngen.design.bindings import bind
from dyngen.design.conditions import resolve_where
from dyngen.design.contents import KeyPart, Variant, places, variants
from dyngen.design.idle import idle_options
from dyngen.design.isolation import intrusion
from dyngen.design.keyorder import before, held, raised, same_key
from dyngen.design.model import Entity, Param, Projection, Schema, Test
from dyngen.design.ordering import order_keys
from dyngen.design.parameters import merge_params
from dyngen.design.plans import (
    Alternative,
    KeyRange,
    OrderKey,
    Parameter,
    ReadPlan,
    Route,
    TextValue,
)
from dyngen.design.question import Answer, Failure, Question
from dyngen.design.refusals import unknown_index
from dyngen.design.routes import route
from dyngen.design.tables import ttl_name
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic
from dyngen.diagnostics.suggest import listed
from dyngen.keys.model import KeyText, Literal, Part, RangeForm, Shard
from dyngen.keys.template import written
from dyngen.spec.model import AccessPattern, Operator

_LOWER = {Operator.GT, Operator.GTE, Operator.BETWEEN, Operator.BEGINS_WITH}
_UPPER = {Operator.LT, Operator.LTE, Operator.BETWEEN, Operator.BEGINS_WITH}


@dataclass(frozen=True, slots=True)
class _Member:
    """One entity of the collection, on the place under trial."""

    question: Question
    answer: Answer
    low: KeyText
    high: KeyText

    def bounded(self, held: int = 0) -> tuple[bool, bool]:
        """Whether its conditions cut off lower, or higher, keys of its own in the same partition.

        `held`: how many of the first values of the sort key all that is read has.
        """
        variant = self.answer.variant
        in_partition = {key.attribute for key in variant.partition}
        for key in variant.partition:
            in_partition |= {
                p.attribute for p in key.value_parts if isinstance(p, Part)
            }
        low = high = False
        for number, piece in enumerate(variant.sort[0].value_parts):
            if isinstance(piece, Shard):
                break
            name = piece.attribute
            binding = self.question.bindings[name]
            if binding.source is not None:
                if name not in in_partition and number >= held:
                    low = high = True
                continue
            operators = {test.operator for test in binding.ranges}
            below, above = bool(operators & _LOWER), bool(operators & _UPPER)
            if piece.desc:
                below, above = above, below
            return low or below, high or above
        return low, high


class _NoCollection(Exception):
    """Raised inside this module with the reason; never leaves it."""


def plan_collection(
    pattern: AccessPattern, schema: Schema
) -> tuple[ReadPlan | None, list[Diagnostic]]:
    """The plan of a query of several entities, or what is wrong with it."""
    entities = [schema.entity(name.text) for name in pattern.entities]
    problems = list(_unfit(pattern, entities, schema))
    questions, params = _questions(pattern, entities, problems)
    if problems:
        return None, problems
    reasons: list[str] = []
    table = schema.table(entities[0].table)
    pinned = pattern.index.text if pattern.index else None
    for index in places(table):
        name = table.name if index is None else index.name
        if pinned not in (None, name):
            continue
        if index is not None and index.projection is not Projection.ALL:
            reasons.append(f"{name}: it does not project whole items")
            continue
        if pattern.consistent and index is not None and not index.local:
            reasons.append(f"{name}: a global index can't be read consistently")
            continue
        choices = [variants(e, table, index) for e in entities]
        lacking = next(
            (e for e, c in zip(entities, choices, strict=True) if not c), None
        )
        if lacking is not None:
            reasons.append(f"{name}: `{lacking.name}` is not in it")
            continue
        for choice in product(*choices):
            try:
                found = _route(questions, choice, schema)
            except _NoCollection as failure:
                reasons.append(f"{name}: {failure}")
                continue
            idle = list(idle_options(pattern, (found,)))
            return (None if idle else _plan(pattern, questions, params, found)), idle
    return None, [
        error(
            "DG201",
            f"no key answers `{pattern.name.text}` in one read",
            pattern.name.span,
            f"asks for {' and '.join(f'`{e.name}`' for e in entities)} together",
            help=[
                *dict.fromkeys(reasons),
                "or read them apart, by a pattern of each",
            ],
        )
    ]


def _unfit(
    pattern: AccessPattern, entities: Sequence[Entity], schema: Schema
) -> Iterator[Diagnostic]:
    first = entities[0]
    yield from unknown_index(pattern, schema.table(first.table))
    for name, entity in zip(pattern.entities[1:], entities[1:], strict=True):
        if entity.table != first.table:
            yield error(
                "DG209",
                f"`{entity.name}` is in table `{entity.table}`, `{first.name}` in `{first.table}`",
                name.span,
                help=["one read is of one table; make two patterns of it"],
            )
    expiry = ttl_name(schema.table(first.table))
    if pattern.expired == "include" and not any(
        attribute.stored == expiry for e in entities for attribute in e.attributes
    ):
        yield error(
            "DG216",
            f"neither {listed((e.name for e in entities), 'nor')} expires",
            pattern.name.span,
            help=["name their expiry as the table's `ttl`, or leave `expired` out"],
        )
    for feature, used in {
        "`optional`": bool(pattern.optional),
        "`one`": pattern.one is not None,
        "`filter`": pattern.filter is not None,
        "`select`": bool(pattern.select),
        "`hydrate`": pattern.hydrate is not None,
        "`expired: exclude`": pattern.expired == "exclude",
    }.items():
        if used:
            yield error(
                "DG209",
                f"{feature} does not go with a query of several entities",
                pattern.name.span,
                help=["leave it out, or query one entity"],
            )


def _questions(
    pattern: AccessPattern, entities: Sequence[Entity], problems: list[Diagnostic]
) -> tuple[list[Question], tuple[Param, ...]]:
    questions = []
    params: list[Param] = []
    for entity in entities:
        conditions, more, found = resolve_where(
            pattern.where, entity, together=entities
        )
        problems += found
        params += more
        tests = tuple(c for c in conditions if isinstance(c, Test))
        order_by: tuple[OrderKey, ...] = ()
        if entity is entities[-1]:
            order_by, unordered = order_keys(pattern, entity)
            problems += unordered
        bindings = bind(entity, tests, not_given=frozenset())
        questions.append(Question(entity, tests, bindings, order_by))
    every, clashes = merge_params(params)
    problems += clashes
    return questions, every


# --- one place ------------------------------------------------------------------------------------


def _route(
    questions: Sequence[Question], choice: Sequence[Variant], schema: Schema
) -> Route:
    members = [
        _member(question, variant)
        for question, variant in zip(questions, choice, strict=True)
    ]
    first = members[0]
    for other in members[1:]:
        _same_partition(first, other)
    forward = _direction(members)
    whole = _whole_partition(members, choice, schema)
    if whole is not None:
        return replace(whole, forward=forward)
    return replace(_bounded(members, choice, schema), forward=forward)


def _member(question: Question, variant: Variant) -> _Member:
    if len(variant.sort) != 1 or variant.sort[0].template is None:
        raise _NoCollection(
            f"`{question.entity.name}` has no computed sort key in it, which tells entities apart"
        )
    found = route(replace(question, order_by=()), variant)
    if isinstance(found, Failure):
        raise _NoCollection(f"`{question.entity.name}`: {found.reason}")
    if found.route.fan_outs:
        raise _NoCollection(f"`{question.entity.name}` would take several requests")
    low, high = _bounds(found)
    return _Member(question, found, low, high)


def _bounds(answer: Answer) -> tuple[KeyText, KeyText]:
    """The texts between which the entity's items lie in the partition."""
    width = len(answer.variant.partition)
    condition = answer.route.range
    if condition is None:
        if len(answer.route.equals) > width:
            value = answer.route.equals[width].value
            if isinstance(value, TextValue):
                return value.text, value.text
        prefix: KeyText = ()
        return prefix, (Literal("\U0010ffff"),)
    low = condition.low.text if isinstance(condition.low, TextValue) else ()
    if condition.form is RangeForm.BEGINS_WITH:
        above = raised(low)
        if above is None:
            raise _NoCollection(
                "a prefix that ends in a value has no bound to read up to"
            )
        return low, above
    high = condition.high.text if isinstance(condition.high, TextValue) else ()
    return low, high or (Literal("\U0010ffff"),)


def _same_partition(first: _Member, other: _Member) -> None:
    variant = first.answer.variant
    width = len(variant.partition)
    mine, theirs = first.answer.route.equals[:width], other.answer.route.equals[:width]
    same = [
        same_key(a, b, variant.table.encoding)
        for a, b in zip(mine, theirs, strict=True)
    ]
    if all(same):
        return
    names = f"`{first.question.entity.name}` and `{other.question.entity.name}`"
    if False in same:
        raise _NoCollection(f"{names} are in different partitions")
    at = same.index(None)
    key, another = (m.answer.variant.partition[at] for m in (first, other))
    raise _NoCollection(
        f"{names} are not always in one partition: `{key.key.name}` is made of"
        f" {_made_of(key)} and of {_made_of(another)}"
    )


def _made_of(key: KeyPart) -> str:
    return f"`{key.attribute or (written(key.template) if key.template else '')}`"


def _before(first: KeyText, other: KeyText) -> bool:
    found = before(first, other)
    if found is None:
        raise _NoCollection("which entity comes first depends on the values")
    return found


def _precedes(first: _Member, other: _Member) -> bool:
    """Whether one entity's items come before the other's; one item, at the other's first place, does."""
    if first.low == other.low:
        return _before(first.high, other.high)
    return _before(first.low, other.low)


def _sorted_by_key(members: Sequence[_Member]) -> list[_Member]:
    def compare(first: _Member, other: _Member) -> int:
        return -1 if _precedes(first, other) else 1

    return sorted(members, key=cmp_to_key(compare))


def _direction(members: Sequence[_Member]) -> bool:
    """The scan direction in which the entities come as listed, and the last one as ordered."""
    forward = all(_precedes(a, b) for a, b in pairwise(members))
    backward = all(_precedes(b, a) for a, b in pairwise(members))
    if not forward and not backward:
        backwards = ", ".join(m.question.entity.name for m in _sorted_by_key(members))
        raise _NoCollection(
            f"the entities come in another order (list them as `[{backwards}]`)"
        )
    last = members[-1]
    if last.question.order_by:
        ordered = route(last.question, last.answer.variant)
        if isinstance(ordered, Failure):
            raise _NoCollection(ordered.reason)
        if ordered.route.forward != forward:
            raise _NoCollection(
                f"the entities come as listed in one direction, `{last.question.entity.name}`"
                " in the order wanted in the other (turn `order_by` round, or let its keys"
                " begin with a text on the other side, such as `#`)"
            )
    return forward


def _whole_partition(
    members: Sequence[_Member], choice: Sequence[Variant], schema: Schema
) -> Route | None:
    """A read of the whole partition, where every item in it is one that is asked for."""
    if any(any(member.bounded()) for member in members):
        return None
    first = members[0].answer
    width = len(first.variant.partition)
    whole = replace(first.route, equals=first.route.equals[:width], range=None)
    stranger = intrusion(Answer(first.variant, whole), schema, named=choice)
    return whole if stranger is None else None


def _bounded(
    members: Sequence[_Member], choice: Sequence[Variant], schema: Schema
) -> Route:
    low = members[0]
    high = members[0]
    for member in members[1:]:
        if _before(member.low, low.low):
            low = member
        if _before(high.high, member.high):
            high = member
    raw = schema.table(members[0].question.entity.table).encoding.raw
    for member in members:
        shared = held(member.low, low.low, high.high, raw=raw)
        bounded_low, bounded_high = member.bounded(shared)
        if (bounded_low and member is not low) or (bounded_high and member is not high):
            raise _NoCollection(
                f"items of `{member.question.entity.name}` that do not match lie between the others"
            )
    first = members[0].answer
    sort = first.variant.sort[0].key
    between = KeyRange(
        sort.name,
        sort.type,
        RangeForm.BETWEEN,
        TextValue(low.low),
        TextValue(high.high),
    )
    width = len(first.variant.partition)
    found = replace(first.route, equals=first.route.equals[:width], range=between)
    stranger = intrusion(Answer(first.variant, found), schema, named=choice)
    if stranger is not None:
        raise _NoCollection(
            f"{stranger.reason} (name it among the entities, or let its keys begin with a"
            " text outside the range)"
        )
    return found


# --- the plan -------------------------------------------------------------------------------------


def _plan(
    pattern: AccessPattern,
    questions: Sequence[Question],
    params: Sequence[Param],
    found: Route,
) -> ReadPlan:
    described = {a.name: a.description for q in questions for a in q.entity.attributes}
    return ReadPlan(
        name=pattern.name.text,
        action=pattern.action,
        entities=tuple(q.entity.name for q in questions),
        table=questions[0].entity.table,
        parameters=tuple(
            Parameter(
                p.name,
                p.type,
                p.span,
                many=p.many,
                attribute=p.attribute or None,
                description=described.get(p.attribute, ""),
            )
            for p in params
        ),
        alternatives=(Alternative(frozenset(), found),),
        where=tuple((q.entity.name, q.tests) for q in questions),
        order_by=questions[-1].order_by,
        page_size=pattern.page_size.default if pattern.page_size else None,
        max_page_size=pattern.page_size.max if pattern.page_size else None,
        max_items=pattern.max_items,
        at_most=pattern.at_most,
        consistent=pattern.consistent,
        description=pattern.description,
        span=pattern.name.span,
    )
