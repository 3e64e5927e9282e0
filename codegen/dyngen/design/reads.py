"""Read patterns: get, query and scan, from conditions to read plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, product

from dyngen.design.bindings import bind
from dyngen.design.choose import Chosen, Limits, Refused, choose
from dyngen.design.conditions import Role, resolve_where
from dyngen.design.contents import key_schema
from dyngen.design.expiry import expiry, unexpired
from dyngen.design.idle import excluding, idle_options
from dyngen.design.inside import nothing_matches
from dyngen.design.model import Entity, Param, Schema, Test, tests_in
from dyngen.design.optionals import optional_problems
from dyngen.design.ordering import order_keys
from dyngen.design.parameters import merge_params
from dyngen.design.plans import (
    Alternative,
    FilterPlan,
    OrderKey,
    Parameter,
    ReadPlan,
    Route,
)
from dyngen.design.question import Question
from dyngen.design.refusals import (
    contradiction,
    no_route,
    no_single_item,
    not_one_item,
    unknown_index,
)
from dyngen.design.returns import returned
from dyngen.design.scans import scan_route
from dyngen.diagnostics.model import Diagnostic
from dyngen.spec.model import AccessPattern, Action

DEFAULT_FAN_OUT = 20


@dataclass(frozen=True, slots=True)
class _Read:
    """A pattern with its names looked up."""

    pattern: AccessPattern
    entity: Entity
    tests: tuple[Test, ...]
    params: tuple[Param, ...]
    order_by: tuple[OrderKey, ...]
    filter: FilterPlan | None


def plan_read(
    pattern: AccessPattern, schema: Schema
) -> tuple[ReadPlan | None, list[Diagnostic]]:
    """The plan of a get, query or scan of one entity, or what is wrong with it."""
    read, problems = _look_up(pattern, schema)
    if read is None or problems:
        return None, problems
    alternatives: list[Alternative] = []
    columns: frozenset[str] | None = None
    for given, left_out, question in _questions(read):
        nothing = nothing_matches(question)
        if nothing is not None:
            return None, [contradiction(pattern, nothing, question)]
        chosen = _choose(read, question, schema, left_out)
        if isinstance(chosen, Diagnostic):
            return None, [chosen]
        alternatives.append(Alternative(given, chosen.answer.route))
        columns = _common(columns, chosen.projected, first=len(alternatives) == 1)
    return _read_plan(read, schema, tuple(alternatives), columns)


def _common(
    seen: frozenset[str] | None, new: frozenset[str] | None, *, first: bool
) -> frozenset[str] | None:
    """What all alternatives return."""
    if first or seen is None:
        return new
    return seen if new is None else seen & new


# --- looking names up -------------------------------------------------------------------------------


def _look_up(
    pattern: AccessPattern, schema: Schema
) -> tuple[_Read | None, list[Diagnostic]]:
    entity = schema.entity(pattern.entities[0].text)
    conditions, params, problems = resolve_where(pattern.where, entity)
    filters: FilterPlan | None = None
    if pattern.filter is not None:
        filtered, more, found = resolve_where(
            pattern.filter.where, entity, role=Role.FILTER
        )
        problems += found
        params, clashes = merge_params((*params, *more))
        problems += clashes
        filters = FilterPlan(filtered, pattern.filter.at_most, pattern.filter.hit_rate)
    tests = tuple(c for c in conditions if isinstance(c, Test))
    order_by, unordered = order_keys(pattern, entity)
    problems += unordered
    problems.extend(optional_problems(pattern, tests))
    problems.extend(unknown_index(pattern, schema.table(entity.table)))
    if problems:
        return None, problems
    return _Read(pattern, entity, tests, params, order_by, filters), []


# --- the questions a pattern asks -------------------------------------------------------------------


def _questions(
    read: _Read,
) -> Iterator[tuple[frozenset[str], tuple[str, ...], Question]]:
    """One question for each choice of the optional conditions: what is given, what is left out.

    In a group, a later attribute is given only together with the earlier ones.
    """
    groups = [[name.text for name in group] for group in read.pattern.optional]
    for lengths in product(*(range(len(group), -1, -1) for group in groups)):
        given = {
            n for group, size in zip(groups, lengths, strict=True) for n in group[:size]
        }
        left_out = tuple(n for n in chain.from_iterable(groups) if n not in given)
        absent = frozenset(left_out)
        question = _without(read, absent)
        params = frozenset(
            operand.name
            for test in question.tests
            if test.attribute in given
            for operand in test.operands
            if isinstance(operand, Param)
        )
        yield params, left_out, question


def _without(read: _Read, absent: frozenset[str]) -> Question:
    """The question that is asked where these optional conditions are not given."""
    tests = tuple(t for t in read.tests if t.attribute not in absent)
    bindings = bind(read.entity, tests, not_given=absent)
    return Question(read.entity, tests, bindings, read.order_by)


def _choose(
    read: _Read, question: Question, schema: Schema, left_out: tuple[str, ...]
) -> Chosen | Diagnostic:
    pattern, entity = read.pattern, read.entity
    if pattern.action is Action.SCAN:
        return scan_route(pattern, question, schema, _filtered(read, schema))
    limits = Limits(
        pinned=_pinned(read, schema),
        consistent=pattern.consistent,
        fan_out=pattern.fan_out or DEFAULT_FAN_OUT,
        filtered=_filtered(read, schema),
    )
    found = choose(question, schema, limits)
    reading_one = pattern.action is Action.GET
    if isinstance(found, Refused):
        unlike = not_one_item(pattern, entity, schema, read.tests)
        if reading_one and unlike is not None:
            return unlike

        def answered(absent: frozenset[str]) -> bool:
            return isinstance(choose(_without(read, absent), schema, limits), Chosen)

        return no_route(
            pattern,
            question,
            schema,
            limits,
            found,
            left_out=left_out,
            answered=answered,
        )
    if reading_one and not _whole_key(found.answer.route, read, schema):
        return no_single_item(pattern, entity, schema, read.tests)
    return found


def _filtered(read: _Read, schema: Schema) -> tuple[Test, ...]:
    """What a FilterExpression asks for: the declared filter, and that items have not expired."""
    asked = list(read.filter.conditions) if read.filter else []
    attribute = expiry(read.entity, schema.table(read.entity.table))
    if attribute is not None and read.pattern.expired == "exclude":
        asked.append(unexpired(attribute))
    return () if read.pattern.action is Action.GET else tuple(tests_in(asked))


def _pinned(read: _Read, schema: Schema) -> str | None:
    if read.pattern.action is Action.GET:
        return read.entity.table
    return read.pattern.index.text if read.pattern.index else None


def _whole_key(route: Route, read: _Read, schema: Schema) -> bool:
    key = key_schema(schema.table(read.entity.table), None)
    return len(route.equals) == len(key.all) and not route.fan_outs


# --- the plan -------------------------------------------------------------------------------------


def _read_plan(
    read: _Read,
    schema: Schema,
    alternatives: tuple[Alternative, ...],
    columns: frozenset[str] | None,
) -> tuple[ReadPlan | None, list[Diagnostic]]:
    pattern, entity = read.pattern, read.entity
    idle = [
        *idle_options(pattern, (each.route for each in alternatives)),
        *_excluding(read),
    ]
    if idle:
        return None, idle
    index = alternatives[0].route.index
    back = returned(pattern, entity, schema, columns, index)
    if isinstance(back, list):
        return None, back
    return (
        ReadPlan(
            name=pattern.name.text,
            action=pattern.action,
            entities=(entity.name,),
            table=entity.table,
            parameters=tuple(_parameters(read)),
            alternatives=alternatives,
            where=((entity.name, read.tests),),
            order_by=read.order_by,
            page_size=pattern.page_size.default if pattern.page_size else None,
            max_page_size=pattern.page_size.max if pattern.page_size else None,
            one=pattern.one,
            max_items=pattern.max_items,
            at_most=pattern.at_most,
            consistent=pattern.consistent,
            filter=read.filter,
            projected=back.projected,
            projection_name=back.name,
            select=back.select,
            expires=back.expires,
            hydrate=back.hydrate,
            description=pattern.description,
            span=pattern.name.span,
        ),
        [],
    )


def _excluding(read: _Read) -> Iterator[Diagnostic]:
    """A filter that no item which is read can pass."""
    if read.filter is not None:
        optional = {name.text for group in read.pattern.optional for name in group}
        asked = [test for test in read.tests if test.attribute not in optional]
        yield from excluding(
            read.pattern,
            read.entity,
            "the filter",
            (*read.filter.conditions, *asked),
        )


def _parameters(read: _Read) -> Iterator[Parameter]:
    optional = {n.text for group in read.pattern.optional for n in group}
    for param in read.params:
        attribute = param.attribute
        described = read.entity.attribute(attribute).description if attribute else ""
        yield Parameter(
            name=param.name,
            type=param.type,
            span=param.span,
            many=param.many,
            optional=attribute in optional or _may_be_missing(read, attribute),
            attribute=attribute,
            description=described,
        )


def _may_be_missing(read: _Read, attribute: str | None) -> bool:
    """In a get, None stands for the placeholder of an optional attribute of the key."""
    return (
        read.pattern.action is Action.GET
        and attribute is not None
        and read.entity.attribute(attribute).optional
    )
