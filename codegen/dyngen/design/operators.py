"""Which operators work on which types, and on what operands."""

from __future__ import annotations

from dataclasses import replace

from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.spec.model import Operator
from dyngen.types import model as types
from dyngen.types.model import ValueType

KEY_OPERATORS = (
    Operator.EQ,
    Operator.LT,
    Operator.LTE,
    Operator.GT,
    Operator.GTE,
    Operator.BETWEEN,
    Operator.BEGINS_WITH,
    Operator.IN,
    Operator.PRESENT,
    Operator.ABSENT,
)
"""What can be asked of a key; guards and filters know all operators."""

ORDERING = (
    Operator.LT,
    Operator.LTE,
    Operator.GT,
    Operator.GTE,
    Operator.BETWEEN,
)
"""The operators that need an order of the values."""

MAX_IN = 100
"""Operands of IN (I-6; AWS: Constraints.html)."""

_SIZED = (
    types.String,
    types.Binary,
    types.List,
    types.Set,
    types.Map,
    types.Object,
    types.Json,
)


def misfit(operator: Operator, of: ValueType, *, keyed: bool) -> str | None:
    """None if the operator works on the type; else what to do instead.

    `keyed`: the condition is to be served by a key.
    """
    match operator:
        case Operator.PRESENT | Operator.ABSENT:
            return None
        case Operator.EQ | Operator.NE | Operator.IN:
            if isinstance(of, types.Scalar) or not keyed:
                return None
            return "no key can hold it; ask for `present` or `absent`, or use a filter"
        case Operator.BEGINS_WITH:
            if isinstance(of, types.String | types.Binary):
                return None
            return (
                "only strings and binaries have prefixes; use `between`, `gte` or `lt`"
            )
        case Operator.CONTAINS:
            if isinstance(of, types.String | types.List | types.Set):
                return None
            return "it works on strings, lists and sets"
        case Operator.SIZE:
            if isinstance(of, _SIZED):
                return None
            return "only strings, binaries, lists, sets, maps and objects have a size"
        case _:
            if isinstance(of, types.Scalar) and not isinstance(of, types.Boolean):
                return None
            return "it has no order; use `eq`"


def operand_type(operator: Operator, of: ValueType) -> ValueType:
    """The type of the operator's operands on an attribute of this type."""
    match operator, of:
        case Operator.SIZE, _:
            return types.Integer(minimum=0)
        case Operator.CONTAINS, types.List(of=element) | types.Set(of=element):
            return element
        case (Operator.BEGINS_WITH | Operator.CONTAINS), types.String():
            return replace(of, min_length=0)
        case _:
            return of


def sorts_as_declared(of: types.Enum) -> bool:
    """Whether the declared order of an enum's values is the order of their stored texts."""
    texts = [m.stored for m in of.members]
    return texts == sorted(texts)


def unsorted_enum(of: types.Enum, name: str, place: Label) -> Diagnostic:
    """DG149: `name` is to be ordered or compared, but its texts sort in another order."""
    pairs = ", ".join(
        f"{m.name}: {number}_{m.name}" for number, m in enumerate(of.members, start=1)
    )
    return error(
        "DG149",
        f"the values of {of.name} are not declared in the order that DynamoDB sorts them in",
        place.span,
        place.text,
        help=[
            f"`{name}` is stored as text, and ordered by it; "
            f"give texts that sort as declared: `values: {{{pairs}}}`",
            "or declare the values in alphabetical order, if that is the order meant",
        ],
    )
