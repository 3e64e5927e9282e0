"""Conditions become expressions that alias every name and use every placeholder."""

from __future__ import annotations

import pytest
from dyngen.runtime.conditions import (
    Condition,
    Placeholders,
    all_of,
    any_of,
    begins_with,
    between,
    contains,
    eq,
    exists,
    gt,
    gte,
    in_,
    lt,
    lte,
    missing,
    ne,
    not_,
    size,
)

A = {"S": "a"}
ONE = {"N": "1"}


@pytest.mark.parametrize(
    ("condition", "expression"),
    [
        (eq("status", A), "#n0 = :v0"),
        (ne("status", A), "#n0 <> :v0"),
        (lt("status", A), "#n0 < :v0"),
        (lte("status", A), "#n0 <= :v0"),
        (gt("status", A), "#n0 > :v0"),
        (gte("status", A), "#n0 >= :v0"),
        (between("n", ONE, {"N": "2"}), "(#n0 >= :v0) AND (#n0 <= :v1)"),
        (begins_with("name", A), "begins_with(#n0, :v0)"),
        (contains("tags", A), "contains(#n0, :v0)"),
        (in_("status", [A, ONE, A]), "#n0 IN (:v0, :v1, :v0)"),
        (
            in_("status", []),
            "(attribute_exists(#n0)) AND (attribute_not_exists(#n0))",
        ),
        (exists("status"), "attribute_exists(#n0)"),
        (missing(("address", "city")), "attribute_not_exists(#n0.#n1)"),
        (size("tags", ">", ONE), "size(#n0) > :v0"),
        (all_of(eq("a", A)), "#n0 = :v0"),
        (
            all_of(eq("a", A), any_of(eq("b", ONE), missing("a"))),
            "(#n0 = :v0) AND ((#n1 = :v1) OR (attribute_not_exists(#n0)))",
        ),
        (not_(eq("a", A)), "NOT (#n0 = :v0)"),
        (eq(("a.b", "a"), A), "#n0.#n1 = :v0"),
    ],
)
def test_expressions(condition: Condition, expression: str) -> None:
    placeholders = Placeholders()
    assert placeholders.expression(condition.pieces) == expression
    arguments = placeholders.arguments()
    for placeholder in [
        *arguments["ExpressionAttributeNames"],
        *arguments.get("ExpressionAttributeValues", ()),
    ]:
        assert placeholder in expression


def test_names_and_equal_values_are_shared_by_all_that_one_request_says() -> None:
    placeholders = Placeholders()
    assert placeholders.expression(eq("a", A).pieces) == "#n0 = :v0"
    assert placeholders.expression(eq("b", {"S": "a"}).pieces) == "#n1 = :v0"
    assert placeholders.expression(eq("a", {"N": "1"}).pieces) == "#n0 = :v1"
    assert placeholders.arguments() == {
        "ExpressionAttributeNames": {"#n0": "a", "#n1": "b"},
        "ExpressionAttributeValues": {":v0": A, ":v1": {"N": "1"}},
    }


def test_nothing_said_needs_no_arguments() -> None:
    assert Placeholders().arguments() == {}


def test_in_takes_more_than_a_hundred_values() -> None:
    values = [{"N": str(number)} for number in range(250)]
    expression = Placeholders().expression(in_("n", values).pieces)
    assert expression.count(" IN (") == 3
    assert expression.count(" OR ") == 2
    assert ":v249" in expression
