"""Ranges over natural key attributes: DynamoDB's own comparison does the work.

A query takes one sort condition (I-10, AWS: API_Query), so two bounds become BETWEEN, whose open
ends are moved to the neighbour.
"""

from __future__ import annotations

from dyngen.design.bindings import source_of
from dyngen.design.model import KeyAttribute, Operand, Test
from dyngen.design.plans import KeyRange, NativeValue
from dyngen.keys.model import Part, RangeForm
from dyngen.keys.ranges import out_of_order
from dyngen.keys.template import order_exact
from dyngen.spec.model import Operator
from dyngen.types.model import Binary, Decimal, Float, String, ValueType

_LOW = {Operator.GT: RangeForm.ABOVE, Operator.GTE: RangeForm.AT_LEAST}
_HIGH = {Operator.LT: RangeForm.BELOW, Operator.LTE: RangeForm.AT_MOST}


def native_range(
    key: KeyAttribute, of: ValueType, tests: tuple[Test, ...]
) -> KeyRange | str:
    """The key condition for `tests` on a natural key attribute, or why there is none."""
    first = tests[0]
    if first.operator is Operator.BEGINS_WITH:
        if not isinstance(of, String | Binary):
            return f"`begins_with` works on text; `{first.attribute}` is none"
        if len(tests) > 1:
            return f"`{first.attribute}` is bounded twice, and one key condition is all there is"
        return KeyRange(
            key.name, key.type, RangeForm.BEGINS_WITH, low=_value(of, first.operands[0])
        )
    part = Part(first.attribute, of)
    if not order_exact(part):
        return f"`{first.attribute}` {out_of_order(part)}"
    if first.operator is Operator.BETWEEN and len(tests) == 1:
        low, high = (_value(of, operand) for operand in first.operands)
        return KeyRange(key.name, key.type, RangeForm.BETWEEN, low, high)
    return _bounds(key, of, tests)


def _bounds(
    key: KeyAttribute, of: ValueType, tests: tuple[Test, ...]
) -> KeyRange | str:
    lows = [t for t in tests if t.operator in _LOW]
    highs = [t for t in tests if t.operator in _HIGH]
    if len(lows) > 1 or len(highs) > 1 or len(lows) + len(highs) < len(tests):
        return f"`{tests[0].attribute}` is bounded twice, and one key condition is all there is"
    low = _value(of, lows[0].operands[0]) if lows else None
    high = _value(of, highs[0].operands[0]) if highs else None
    if high is None:
        return KeyRange(key.name, key.type, _LOW[lows[0].operator], low=low)
    if low is None:
        return KeyRange(key.name, key.type, _HIGH[highs[0].operator], high=high)
    low_exclusive = lows[0].operator is Operator.GT
    high_exclusive = highs[0].operator is Operator.LT
    if (low_exclusive or high_exclusive) and not _has_neighbours(of, high_exclusive):
        return (
            f"`{tests[0].attribute}` has no neighbouring values, so both bounds must be"
            " included (gte and lte)"
        )
    return KeyRange(
        key.name,
        key.type,
        RangeForm.BETWEEN,
        low,
        high,
        low_exclusive=low_exclusive,
        high_exclusive=high_exclusive,
    )


def _has_neighbours(of: ValueType, high_exclusive: bool) -> bool:
    match of:
        case Float():
            return False
        case Decimal(places=places):
            return places is not None
        case Binary():
            return not high_exclusive
        case _:
            return True


def _value(of: ValueType, operand: Operand) -> NativeValue:
    return NativeValue(of, source_of(operand))
