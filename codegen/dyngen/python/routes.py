"""The key conditions of one route of a read: one stream, or several that are merged."""

from __future__ import annotations

from dyngen.design.model import KeySchema
from dyngen.design.plans import FanOut, Route, TextValue
from dyngen.design.plans import KeyRange as KeyRangePlan
from dyngen.keys.model import SHARD, Bound, Each, Encoded, KeyText, RangeForm
from dyngen.python import names, types
from dyngen.python.expressions import Body, Variable, common_lead
from dyngen.python.literals import text
from dyngen.python.model import KeyRange, Streams
from dyngen.types.model import Enum

_RANGES = {
    RangeForm.EQUALS: "equals",
    RangeForm.BEGINS_WITH: "begins_with",
    RangeForm.BETWEEN: "between",
    RangeForm.AT_LEAST: "at_least",
    RangeForm.AT_MOST: "at_most",
    RangeForm.ABOVE: "above",
    RangeForm.BELOW: "below",
}


def streams(
    route: Route, key: KeySchema, body: Body
) -> tuple[Streams, tuple[str, ...]]:
    """The key conditions, and the sort key attributes that several streams are merged by."""
    for fan_out in route.fan_outs:
        body.loops.append(_loop(fan_out, body))
    equal = tuple(
        (text(each.attribute), body.key_value(each.attribute, each.value))
        for each in route.equals
    )
    condition = None if route.range is None else _range(route.range, body)
    merge_by, prefix = _merge(route, key)
    found = Streams(
        equal=equal,
        range=condition,
        prefix=None if prefix is None else body.key_text(prefix),
        loops=tuple(body.loops),
    )
    return found, merge_by


# --- ranges ---------------------------------------------------------------------------------------


def _range(of: KeyRangePlan, body: Body) -> KeyRange:
    arguments = [text(of.attribute)]
    match of.low, of.high:
        case TextValue(text=low), TextValue(text=high):
            arguments.extend(body.bounds(of.attribute, low, high))
        case _:
            bound = Bound.PREFIX if of.form is RangeForm.BEGINS_WITH else Bound.EXACT
            arguments.extend(
                body.key_value(of.attribute, value, bound)
                for value in (of.low, of.high)
                if value is not None
            )
    if of.low_exclusive:
        arguments.append("low_exclusive=True")
    if of.high_exclusive:
        arguments.append("high_exclusive=True")
    return KeyRange(_RANGES[of.form], tuple(arguments))


# --- several streams ------------------------------------------------------------------------------


def _loop(fan_out: FanOut, body: Body) -> str:
    """The clause of a comprehension that runs through the values of a fan-out."""
    name = names.parameter(fan_out.variable)
    if any(variable.source == name for variable in body.variables.values()):
        name = f"each_{name}"
    name = body.scope.claim(name)
    body.each[fan_out.variable] = Variable(name, None in fan_out.values)
    return f"for {name} in {_values(fan_out, body)}"


def _values(fan_out: FanOut, body: Body) -> str:
    if fan_out.parameter is not None:
        return body.variables[fan_out.parameter].source
    if fan_out.variable == SHARD:
        return f"{body.encoders.shards(len(fan_out.values))}.all"
    of = fan_out.type
    known = [v for v in fan_out.values if v is not None]
    if isinstance(of, Enum) and known == [m.stored for m in of.members]:
        every = names.class_name(of.name)
        return every if len(known) == len(fan_out.values) else f"(*{every}, None)"
    sources = [
        "None" if value is None else types.constant(of, value)
        for value in fan_out.values
    ]
    return f"({', '.join(sources)}{',' if len(sources) == 1 else ''})"


def _merge(route: Route, key: KeySchema) -> tuple[tuple[str, ...], KeyText | None]:
    """How streams are merged: by which sort key attributes, and behind which text of the first.

    Sort keys of streams that a loop tells apart begin with different texts; what follows is what
    the items are ordered by, unless they are ordered by the loop's own values first.
    """
    if not route.merge_by:
        return (), None
    fixed = {each.attribute for each in route.equals}
    merge_by = tuple(k.name for k in key.sort if k.name not in fixed)
    prefix = _lead(route.range)
    ordered = {order.attribute for order in route.merge_by}
    looped = {
        piece.source.variable
        for piece in prefix
        if isinstance(piece, Encoded) and isinstance(piece.source, Each)
    }
    return merge_by, prefix if looped and not looped & ordered else None


def _lead(of: KeyRangePlan | None) -> KeyText:
    """The text that all keys in a range begin with."""
    if of is None or not isinstance(of.low, TextValue):
        return ()
    if of.form in {RangeForm.BEGINS_WITH, RangeForm.EQUALS}:
        return of.low.text
    if isinstance(of.high, TextValue):
        return common_lead(of.low.text, of.high.text)
    return ()
