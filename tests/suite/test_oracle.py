"""Conditions are decided here as the expressions of the suite decide them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from dyngen.design.model import (
    AllOf,
    AnyOf,
    Attribute,
    Condition,
    Const,
    Entity,
    Not,
    Param,
)
from dyngen.design.model import Test as Asked
from dyngen.diagnostics.model import Span
from dyngen.python.suite.oracle import Writer, holds
from dyngen.spec.model import Operator
from dyngen.types.model import Field, Integer, Object, Set, String, ValueType

SPAN = Span("spec.yaml", 1, 1, 1, 2)
PLACE = Object("Place", (Field("city", "cityName", String(), optional=True),))


def attribute(name: str, of: ValueType, optional: bool = False) -> Attribute:
    return Attribute(name, name, of, SPAN, optional=optional)


ENTITY = Entity(
    "Thing",
    "Things",
    (
        attribute("size", Integer()),
        attribute("name", String(), optional=True),
        attribute("tags", Set(String()), optional=True),
        attribute("place", PLACE, optional=True),
    ),
    {},
    SPAN,
)
ITEMS = [
    {"size": 9, "name": "abc", "tags": frozenset({"x"}), "place": {"cityName": "Ulm"}},
    {"size": 10, "name": "b", "place": {}},
    {"size": 11},
]


def asks(
    name: str,
    operator: Operator,
    *operands: object,
    path: tuple[str, ...] = (),
    **more: Operator,
) -> Asked:
    given = tuple(
        each if isinstance(each, Param) else Const(each, SPAN) for each in operands
    )
    return Asked(name, operator, given, SPAN, path, **more)


def param(name: str, many: bool = False) -> Param:
    return Param(name, String(), SPAN, many)


CONDITIONS: list[Condition] = [
    asks("size", Operator.EQ, 10),
    asks("size", Operator.NE, 10),
    asks("size", Operator.LT, 10),
    asks("size", Operator.GTE, 10),
    asks("size", Operator.BETWEEN, 10, 11),
    asks("size", Operator.IN, 9, 11),
    asks("name", Operator.BEGINS_WITH, "ab"),
    asks("name", Operator.EQ, "b"),
    asks("name", Operator.GT, "ab"),
    asks("name", Operator.PRESENT),
    asks("name", Operator.ABSENT),
    asks("name", Operator.EQ, param("name")),
    asks("name", Operator.IN, param("names", many=True)),
    asks("tags", Operator.CONTAINS, "x"),
    asks("tags", Operator.SIZE, 1, size_operator=Operator.GTE),
    asks("place", Operator.EQ, "Ulm", path=("cityName",)),
    Not(asks("size", Operator.EQ, 10)),
    AnyOf((asks("size", Operator.EQ, 9), asks("name", Operator.ABSENT))),
    AllOf((asks("size", Operator.GT, 9), asks("name", Operator.PRESENT))),
]
CALL = {"name": "b", "names": ("abc", "b")}


def entity(values: dict[str, object]) -> SimpleNamespace:
    """The item as the generated package has it: absent attributes are None."""
    named = {each.name: values.get(each.name) for each in ENTITY.attributes}
    if named["place"] is not None:
        named["place"] = SimpleNamespace(city=named["place"].get("cityName"))
    return SimpleNamespace(**named)


@pytest.mark.parametrize("condition", CONDITIONS, ids=repr)
def test_the_expression_says_what_is_decided(condition: Condition) -> None:
    expression = Writer(ENTITY, "thing").part(condition)
    for item in ITEMS:
        if _enters_nothing(condition, item):
            continue
        expected = holds(condition, item, CALL)

        found = eval(expression, {}, {"thing": entity(item), **CALL})

        assert bool(found) is expected, expression


def _enters_nothing(condition: Condition, item: dict[str, object]) -> bool:
    """Whether the expression would look inside an object that is absent."""
    return isinstance(condition, Asked) and bool(condition.path) and "place" not in item


def test_a_parameter_that_is_not_given_asks_nothing() -> None:
    writer = Writer(ENTITY, "thing", frozenset({"name"}))
    expression = writer.part(asks("name", Operator.EQ, param("name")))

    assert expression == "(name is None or thing.name == name)"


def test_no_condition_holds_for_all() -> None:
    assert Writer(ENTITY, "thing").all_of(()) == "True"
