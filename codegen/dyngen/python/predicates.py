"""Conditions that the generated code decides itself, on values that it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dyngen.design.model import ClockNow, Const, Operand, Param, Test
from dyngen.keys.model import Bound, Clock, Part
from dyngen.python import names, types
from dyngen.python.encoders import known_text
from dyngen.python.expressions import Body, Variable
from dyngen.python.literals import text, tuple_of
from dyngen.spec.model import Operator
from dyngen.types.model import String, Timestamp, ValueType

_COMPARED = {
    Operator.EQ: "==",
    Operator.LT: "<",
    Operator.LTE: "<=",
    Operator.GT: ">",
    Operator.GTE: ">=",
}


def holds(body: Body, test: Test, of: ValueType, variable: Variable) -> str:
    """A condition as an expression on the value of an attribute."""
    source = variable.source
    match test.operator:
        case Operator.PRESENT:
            return f"{source} is not None"
        case Operator.ABSENT:
            return f"{source} is None"
        case Operator.EQ if isinstance(first := test.operands[0], Const):
            if isinstance(first.value, bool):
                return _is(variable, first.value)
    subject = _comparable(body, test, of, source)
    found = _relation(body, test, of, subject)
    if variable.optional and (subject != source or test.operator not in _OF_NONE):
        return f"{source} is not None and {found}"
    return found


def all_hold(
    body: Body,
    tests: Iterable[Test],
    item: str,
    omittable: Mapping[str, str],
) -> str:
    """Conditions on an item that all hold; those on an omitted parameter count as holding."""
    found = []
    for test in tests:
        attribute = body.entity.attribute(test.attribute)
        variable = Variable(
            f"{item}.{names.attribute(attribute.name)}", attribute.optional
        )
        one = holds(body, test, attribute.type, variable)
        omitted = [
            f"{omittable[operand.name]} is None"
            for operand in test.operands
            if isinstance(operand, Param) and operand.name in omittable
        ]
        found.append(f"({' or '.join([*omitted, one])})" if omitted else one)
    return " and ".join(found) or "True"


_OF_NONE = (Operator.EQ, Operator.IN)
"""The operators that can be asked of None."""


def _is(variable: Variable, wanted: bool) -> str:
    if variable.optional:
        return f"{variable.source} is {wanted}"
    return variable.source if wanted else f"not {variable.source}"


def _relation(body: Body, test: Test, of: ValueType, subject: str) -> str:
    operands = [_operand(body, test, of, operand) for operand in test.operands]
    match test.operator:
        case Operator.IN:
            return f"{subject} in {_choices(body, test, of, operands)}"
        case Operator.BETWEEN:
            return f"{operands[0]} <= {subject} <= {operands[1]}"
        case Operator.BEGINS_WITH:
            return f"{subject}.startswith({operands[0]})"
        case operator:
            return f"{subject} {_COMPARED[operator]} {operands[0]}"


def _choices(body: Body, test: Test, of: ValueType, operands: list[str]) -> str:
    first = test.operands[0] if test.operands else None
    if not (isinstance(first, Param) and first.many):
        return tuple_of(operands)
    values = body.variables[first.name].source
    each = _comparable(body, test, of, "value")
    return values if each == "value" else f"[{each} for value in {values}]"


def _operand(body: Body, test: Test, of: ValueType, operand: Operand) -> str:
    match operand:
        case Const(value=known) if isinstance(of, Timestamp):
            part = Part(test.attribute, of)
            return text(known_text(part, body.encoding, Bound.EXACT, known))
        case Const(value=known):
            return types.constant(of, known)
        case Param(name=name):
            return _comparable(body, test, of, body.variables[name].source)
        case ClockNow():
            return _comparable(body, test, of, body.value(Clock(), of))
        case _:
            raise TypeError(f"{test.attribute} is compared with what no key holds")


def _comparable(body: Body, test: Test, of: ValueType, source: str) -> str:
    """A value in a form that compares as it is stored: what is cut off or folded then, is."""
    match of:
        case Timestamp():
            part = Part(test.attribute, of)
            return body.encoders.text(part, body.encoding, Bound.EXACT, source)
        case String(fold=fold) if fold is not None:
            return f'{types.encode(of, source, text(test.attribute))}["S"]'
        case _:
            return source
