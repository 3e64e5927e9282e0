"""The planner's verdicts against brute force on random designs.

A few hundred designs run here; `DYNGEN_DEEP=1` runs tens of thousands.
"""

from __future__ import annotations

import os
import random
from itertools import product

import pytest
from dyngen.design import model
from dyngen.design.bindings import bind
from dyngen.design.choose import Chosen, Limits, choose
from dyngen.design.contents import variants
from dyngen.design.inside import nothing_matches
from dyngen.design.model import Const, Param, Schema
from dyngen.design.plans import OrderKey
from dyngen.design.question import Answer, Question
from dyngen.design.routes import route
from dyngen.keys.model import Part
from dyngen.spec.model import Operator

from . import brute

ROUNDS = 20_000 if os.environ.get("DYNGEN_DEEP") else 700
STORED = brute.items()


def ask(schema: Schema, tests: tuple[model.Test, ...]) -> Question:
    entity = schema.entities[0]
    return Question(entity, tests, bind(entity, tests, not_given=frozenset()))


def test_a_chosen_route_reads_exactly_what_matches() -> None:
    rng = random.Random(20261130)
    chosen = 0
    for _ in range(ROUNDS):
        schema = brute.design(rng)
        question = ask(schema, brute.question(rng, schema))
        if nothing_matches(question) is not None:
            continue
        found = choose(question, schema, Limits(pinned="I"))
        if not isinstance(found, Chosen):
            continue
        chosen += 1
        answer = found.answer
        for _ in range(4):
            given = brute.parameters(rng, question.tests)
            got = brute.read(answer.route, answer.variant, given, STORED)
            wanted = [i for i in STORED if brute.matches(i, question.tests, given)]
            assert sorted(map(repr, got)) == sorted(map(repr, wanted)), (
                schema.entities[0].keys,
                question.tests,
                given,
            )
    assert chosen > ROUNDS / 8


def test_no_route_is_refused_that_would_be_exact() -> None:
    """Every form that a key condition can have is tried by hand on what was refused."""
    rng = random.Random(30112026)
    refused = 0
    for _ in range(ROUNDS):
        schema = brute.design(rng)
        question = ask(schema, brute.question(rng, schema))
        if nothing_matches(question) is not None:
            continue
        entity, table = schema.entities[0], schema.tables[0]
        inside = variants(entity, table, table.indexes[0])
        if len(inside) != 1 or isinstance(route(question, inside[0]), Answer):
            continue
        refused += 1
        assert not _some_form_is_exact(rng, question, inside[0], table.indexes[0].key)
    assert refused > ROUNDS / 6


def _some_form_is_exact(rng, question, variant, key_schema) -> bool:  # type: ignore[no-untyped-def]
    """Whether fixing the partition and some leading sort parts, then one range, reads what matches."""
    entity = question.entity
    inside = [
        item
        for item in STORED
        if brute.key_values(item, entity, key_schema) is not None
    ]
    partition = [name for part in variant.partition for name in _names(part)]
    sort = [name for part in variant.sort for name in _names(part)]
    draws = [brute.parameters(rng, question.tests) for _ in range(6)]
    for fixed_count, ranged in product(range(len(sort) + 1), (False, True)):
        if ranged and fixed_count == len(sort):
            continue
        fixed = partition + sort[:fixed_count]
        bounds = sort[fixed_count : fixed_count + 1] if ranged else []
        if not all(_fixes(question, name) for name in fixed):
            continue
        if bounds and not question.bindings[bounds[0]].ranges:
            continue
        if all(
            _read_by(question, inside, fixed, bounds, given)
            == [i for i in STORED if brute.matches(i, question.tests, given)]
            for given in draws
        ) and _exact_for_all(question, inside, fixed, bounds):
            return True
    return False


def _names(part) -> list[str]:  # type: ignore[no-untyped-def]
    if part.attribute is not None:
        return [part.attribute]
    return [p.attribute for p in part.value_parts if isinstance(p, Part)]


def _fixes(question: Question, name: str) -> bool:
    binding = question.bindings[name]
    return binding.source is not None or binding.fan_out is not None


def _read_by(question, inside, fixed, bounds, given):  # type: ignore[no-untyped-def]
    served = [t for name in fixed for t in question.bindings[name].served]
    served += [t for name in bounds for t in question.bindings[name].ranges]
    return [i for i in inside if brute.matches(i, tuple(served), given)]


def _exact_for_all(question, inside, fixed, bounds) -> bool:  # type: ignore[no-untyped-def]
    """The same for every parameter value there is."""
    names = [
        (o.name, t.attribute)
        for t in question.tests
        for o in t.operands
        if isinstance(o, Param)
    ]
    domains = [[v for v in brute.DOMAIN[a] if v is not None] for _, a in names]
    return all(
        _read_by(question, inside, fixed, bounds, given)
        == [i for i in STORED if brute.matches(i, question.tests, given)]
        for values in product(*domains)
        for given in [dict(zip((n for n, _ in names), values, strict=True))]
    )


@pytest.mark.parametrize("attribute", ["number", "text", "kind"])
def test_an_ordered_route_comes_in_order(attribute: str) -> None:
    rng = random.Random(attribute)
    ordered = 0
    for _ in range(ROUNDS):
        schema = brute.design(rng)
        entity = schema.entities[0]
        tests = brute.question(rng, schema)
        descending = rng.random() < 0.5
        question = Question(
            entity,
            tests,
            bind(entity, tests, not_given=frozenset()),
            (OrderKey(attribute, descending),),
        )
        if nothing_matches(question) is not None:
            continue
        found = choose(question, schema, Limits(pinned="I"))
        if not isinstance(found, Chosen) or found.answer.route.fan_outs:
            continue
        given = brute.parameters(rng, tests)
        got = [
            item[attribute]
            for item in brute.read(
                found.answer.route, found.answer.variant, given, STORED
            )
        ]
        assert got == sorted(got, reverse=descending), (entity.keys, tests)
        ordered += 1
    assert ordered > ROUNDS / 100


def test_constants_that_exclude_one_another_match_nothing() -> None:
    tests = (
        model.Test("kind", Operator.EQ, (Const("A", brute.HERE),), brute.HERE),
        model.Test("kind", Operator.EQ, (Const("C", brute.HERE),), brute.HERE),
    )
    question = ask(brute.design(random.Random(1)), tests)

    assert nothing_matches(question) == "kind"
