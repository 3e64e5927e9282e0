"""What stands on the right of a condition or an assignment, as a typed value or what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dyngen.design.emptiness import NEVER_EMPTY, never_empty
from dyngen.design.model import ClockNow, Const, Entity, ItemAttribute, Operand
from dyngen.design.operators import KEY_OPERATORS
from dyngen.design.parameters import comparable
from dyngen.design.paths import Target, unknown_attribute
from dyngen.design.values import Problem, describe, normalise
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.spec import model as spec
from dyngen.spec.conditions import ITEM_VALUE
from dyngen.spec.model import Operator
from dyngen.types import model as types
from dyngen.types.model import ValueType


def constant(
    written: spec.Constant, target: Target, of: ValueType, entity: Entity
) -> Const | Diagnostic:
    """The constant as a value of the type; DG142 if it is none, or none that an item can have."""
    value = normalise(written.value, of)
    if isinstance(value, Problem):
        return error(
            "DG142",
            value.message,
            written.span,
            secondary=[_declared(target)],
            help=value.help,
        )
    if not target.steps and never_empty(entity, target.attribute.name, value):
        return error(
            "DG142",
            f"no {entity.name} has an empty `{target.attribute.name}`",
            written.span,
            secondary=[_declared(target)],
            help=[NEVER_EMPTY],
        )
    return Const(value, written.span)


def bare_word(
    written: spec.Constant, target: Target, of: ValueType, known: Sequence[Operator]
) -> Const | Diagnostic:
    """A word that stands alone in a condition: `state: OPEN`, or a misspelt operator.

    Only enums have constants that can stand so (DG143 for others): on a string, `state: eq` and
    `state: text` could not be told apart.
    """
    value = normalise(written.value, of)
    guess = did_you_mean(str(written.value), known)
    if isinstance(of, types.Enum):
        if not isinstance(value, Problem):
            return Const(value, written.span)
        return error(
            "DG142",
            value.message,
            written.span,
            secondary=[_declared(target)],
            help=[*value.help, guess],
        )
    text = f'{{eq: "{written.value}"}}'
    of_item = ITEM_VALUE.fullmatch(str(written.value)) is not None
    return error(
        "DG143",
        f"`{written.value}` is no operator",
        written.span,
        secondary=[
            Label(
                target.attribute.span,
                f"`{target.attribute.name}` is {describe(target.type)}",
            )
        ],
        help=[
            guess,
            (
                "an item's attribute can be named in a `transact` only"
                if of_item
                else None
            ),
            None if isinstance(value, Problem) else f"for that value write `{text}`",
            None if guess else f"the operators are {listed(known, 'and', limit=20)}",
        ],
    )


def repeated(operands: Sequence[Operand]) -> Diagnostic | None:
    """What is wrong with a list of constants in which one stands twice."""
    seen: dict[object, Const] = {}
    for operand in operands:
        if isinstance(operand, Const):
            first = seen.setdefault(operand.value, operand)
            if first is not operand:
                return error(
                    "DG142",
                    "this value stands twice",
                    operand.span,
                    secondary=[Label(first.span, "first given here")],
                    help=["keep one of them"],
                )
    return None


def clock(written: spec.Now, path: spec.Name, of: ValueType) -> ClockNow | Diagnostic:
    """The clock's time; DG148 where `path` holds no moment."""
    if isinstance(of, types.Timestamp | types.Date):
        return ClockNow(of, written.span)
    return error(
        "DG148",
        f"`now` is the clock's time, and `{path.text}` is {describe(of)}",
        written.span,
        help=['for the text write `{value: "now"}`'],
    )


def item_value(
    written: spec.ItemValue, items: Mapping[str, Entity], of: ValueType
) -> ItemAttribute | Diagnostic:
    """An attribute of an item passed to a transaction; DG146 or DG111 if there is none of the type."""
    item = items.get(written.item)
    if item is None:
        passed = (
            f"the items passed are {listed(items, 'and')}"
            if items
            else "only what a member of a `transact` creates or puts is passed as an item"
        )
        return error(
            "DG146",
            f"no item `{written.item}` is passed",
            written.span,
            help=[
                did_you_mean(written.item, items) or passed,
                "or take the value as a parameter",
            ],
        )
    theirs = next((a for a in item.attributes if a.name == written.attribute), None)
    if theirs is None:
        name = spec.Name(f"{written.item}.{written.attribute}", written.span)
        return unknown_attribute(name, item, written.attribute)
    if not comparable(theirs.type, of):
        return error(
            "DG146",
            f"`{written.item}.{written.attribute}` is {describe(theirs.type)}, "
            f"where {describe(of)} is needed",
            written.span,
            secondary=[Label(theirs.span, "declared here")],
            help=["name an attribute of that type, or take the value as a parameter"],
        )
    return ItemAttribute(written.item, written.attribute, written.span)


def known_operators(*, keyed: bool) -> tuple[Operator, ...]:
    """The operators that a condition may use."""
    return KEY_OPERATORS if keyed else tuple(Operator)


def _declared(target: Target) -> Label:
    return Label(target.attribute.span, f"`{target.attribute.name}` is declared here")
