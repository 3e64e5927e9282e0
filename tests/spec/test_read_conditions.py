"""The condition grammar: what each way of writing a condition is read as."""

from decimal import Decimal

import pytest
from dyngen.spec.model import (
    AllOf,
    AnyOf,
    Constant,
    ItemValue,
    Not,
    Now,
    Operator,
    Param,
)
from dyngen.spec.model import (
    Test as Condition,
)
from inline_spec import BODY, HEAD, marked, pattern_problems, read_pattern, read_text


def conditions_of(condition: str) -> list[Condition]:
    where = read_pattern(f"{{query: Thing, where: {{x: {condition}}}}}").where
    assert where is not None
    assert all(isinstance(c, Condition) for c in where.conditions)
    return [c for c in where.conditions if isinstance(c, Condition)]


def one(condition: str) -> tuple[Operator, list[object]]:
    """The operator, and operands without their places."""
    (test,) = conditions_of(condition)
    assert test.path.text == "x"
    return test.operator, [plain(o) for o in test.operands]


def plain(operand: object) -> object:
    match operand:
        case Param(name=name):
            return ("param", name)
        case Constant(value=value):
            return value
        case Now():
            return "the clock"
        case ItemValue(item=item, attribute=attribute):
            return (item, attribute)
    raise AssertionError(operand)


PARAM = ("param", None)


@pytest.mark.parametrize(
    ("written", "operator", "operands"),
    [
        ("eq", Operator.EQ, [PARAM]),
        ("lt", Operator.LT, [PARAM]),
        ("gte", Operator.GTE, [PARAM]),
        ("begins_with", Operator.BEGINS_WITH, [PARAM]),
        ("between", Operator.BETWEEN, [PARAM, PARAM]),
        ("in", Operator.IN, [PARAM]),
        ("present", Operator.PRESENT, []),
        ("absent", Operator.ABSENT, []),
        ("ne", Operator.NE, [PARAM]),
        ("contains", Operator.CONTAINS, [PARAM]),
        ("OPEN", Operator.EQ, ["OPEN"]),
        ("true", Operator.EQ, [True]),
        ("7", Operator.EQ, [7]),
        ("0.5", Operator.EQ, [Decimal("0.5")]),
        ("now", Operator.EQ, ["the clock"]),
        ('{eq: "some text"}', Operator.EQ, ["some text"]),
        ('{eq: "now"}', Operator.EQ, ["now"]),
        ('{eq: "param"}', Operator.EQ, ["param"]),
        ("{eq: {param: who}}", Operator.EQ, [("param", "who")]),
        ('{ne: {value: "now"}}', Operator.NE, ["now"]),
        ("{lt: now}", Operator.LT, ["the clock"]),
        ("{lt: param}", Operator.LT, [PARAM]),
        ("{lt: 50}", Operator.LT, [50]),
        ("{between: [1, {param: last}]}", Operator.BETWEEN, [1, ("param", "last")]),
        ("{in: [A, now]}", Operator.IN, ["A", "now"]),
        ("{in: {param: states}}", Operator.IN, [("param", "states")]),
        ("{begins_with: ab}", Operator.BEGINS_WITH, ["ab"]),
        ("{contains: {param: emoji}}", Operator.CONTAINS, [("param", "emoji")]),
        ("player.id", Operator.EQ, ["player.id"]),  # only a transaction has items
    ],
)
def test_one_condition(
    written: str, operator: Operator, operands: list[object]
) -> None:
    assert one(written) == (operator, operands)


def test_several_operators_are_several_conditions() -> None:
    low, high = conditions_of("{gte: {param: since}, lt: {param: until}}")
    assert (low.operator, high.operator) == (Operator.GTE, Operator.LT)


def test_size_holds_a_comparison() -> None:
    (test,) = conditions_of("{size: {lt: 10}}")
    assert test.operator is Operator.SIZE
    assert test.size_operator is Operator.LT
    assert [plain(o) for o in test.operands] == [10]


def test_an_entity_before_the_attribute() -> None:
    where = read_pattern(
        "{query: [Thing, Other], where: {Other.state: OPEN, address.city: eq}}"
    ).where
    assert where is not None
    first, second = where.conditions
    assert isinstance(first, Condition)
    assert isinstance(second, Condition)
    assert (first.entity, first.path.text) == ("Other", "state")
    assert (second.entity, second.path.text) == (None, "address.city")
    assert first.path.span.column == second.path.span.column - len("state: OPEN, ")


def test_not_any_and_all_hold_conditions() -> None:
    guard = read_pattern(
        "{update: Thing, guard: {not: {x: 1, y: 2}, any: [{x: 1}, {y: 2, z: 3}]}}"
    ).guard
    assert guard is not None
    negated, either = guard.conditions
    assert isinstance(negated, Not)
    assert isinstance(negated.of, AllOf)
    assert isinstance(either, AnyOf)
    assert [type(part) for part in either.of] == [Condition, AllOf]


def test_an_item_of_a_transaction() -> None:
    pattern = read_pattern(
        "{transact: [{create: Thing}, {update: Other, where: {id: thing.id}, "
        "set: {x: thing.x, y: now}}]}"
    )
    create, update = pattern.members
    assert create.name.text == "create"
    assert update.where is not None
    (test,) = update.where.conditions
    assert isinstance(test, Condition)
    assert [plain(o) for o in test.operands] == [("thing", "id")]
    assert [plain(a.operand) for a in update.set] == [("thing", "x"), "the clock"]


@pytest.mark.parametrize(
    ("condition", "code", "words"),
    [
        ("size", "DG041", "size"),
        ("param", "DG043", "param"),
        ("{present: 1}", "DG041", "present"),
        ("{beetween: 1}", "DG041", "beetween"),
        ("{between: 1}", "DG042", "1"),
        ("{between: [1]}", "DG042", "[1]"),
        ("{in: A}", "DG042", "A"),
        ("{in: [{param: a}]}", "DG042", "{param: a}"),
        ("{size: 3}", "DG042", "3"),
        ("{lt: {parm: a}}", "DG042", "{parm: a}"),
        ("[1]", "DG040", "[1]"),
    ],
)
def test_what_is_no_condition(condition: str, code: str, words: str) -> None:
    text = (
        f"{HEAD}{BODY}access_patterns:\n"
        f"  pattern: {{query: Thing, where: {{x: {condition}}}}}\n"
    )
    _, (problem,) = read_text(text)
    assert problem.code == code
    assert marked(text, problem) == words


def test_a_misspelt_operator_is_guessed() -> None:
    (problem,) = pattern_problems("{query: Thing, where: {x: {beetween: 1}}}")
    assert problem.help == ("did you mean `between`?",)
