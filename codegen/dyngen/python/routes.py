"""The key conditions of one route of a read: one stream, or several that are merged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from dyngen.design.model import KeySchema
from dyngen.design.plans import FanOut, KeyValue, Route, TextValue
from dyngen.design.plans import KeyRange as KeyRangePlan
from dyngen.keys.model import SHARD, Bound, Each, Encoded, KeyText, Part, RangeForm
from dyngen.python import names, types
from dyngen.python.expressions import Body, Variable, common_lead
from dyngen.python.indexkeys import adds_up
from dyngen.python.literals import text
from dyngen.python.model.methods import KeyRange, Streams
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
    merged = merge(route, key)
    if merged is None:
        raise TypeError("these streams cannot be merged in order")
    prefix = merged.prefix
    found = Streams(
        equal=equal,
        range=condition,
        prefix=None if prefix is None else body.key_text(prefix),
        loops=tuple(body.loops),
        fitting=len(key.partition) if adds_up(body.entity, key, route) else None,
    )
    return found, merged.by


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


@dataclass(frozen=True, slots=True)
class Merge:
    """How streams are merged: by which key attributes, and behind which text of the first.

    Without attributes, one stream comes after another.
    """

    by: tuple[str, ...] = ()
    prefix: KeyText | None = None


def merge(route: Route, key: KeySchema) -> Merge | None:
    """How the streams of a route give its order; None if merging by keys cannot.

    What a loop runs through may come first in the order, in the order that it has in the key; other
    loops are then in the partition key alone. Else it must not count: where sort keys begin with it,
    what follows is compared.
    """
    if not route.merge_by:
        return Merge()
    looped = {fan_out.variable for fan_out in route.fan_outs}
    first = list(takewhile(lambda order: order.attribute in looped, route.merge_by))
    if any(order.attribute in looped for order in route.merge_by[len(first) :]):
        return None
    slots = list(_looped_slots(route))
    named = {order.attribute for order in first}
    leading = [slot for slot in slots if slot.variable in named]
    others = [slot for slot in slots if slot.variable not in named]
    if [slot.variable for slot in leading] != [order.attribute for order in first]:
        return None
    if any(
        order.descending is not (slot.descending is route.forward)
        for order, slot in zip(first, leading, strict=True)
    ):
        return None
    by = [slot.key for slot in leading]
    if by and any(slot.key in by or not slot.partition for slot in others):
        return None
    fixed = {each.attribute for each in route.equals}
    free = [part.name for part in key.sort if part.name not in fixed]
    prefix = _lead(route.range)
    strips = not by and any(_variable(piece) is not None for piece in prefix)
    return Merge(tuple(dict.fromkeys([*by, *free])), prefix if strips else None)


@dataclass(frozen=True, slots=True)
class _Slot:
    """A place in a key where the variable of a loop stands."""

    key: str
    variable: str
    descending: bool
    partition: bool


def _looped_slots(route: Route) -> Iterator[_Slot]:
    """The loops' places in the order of the key; a variable counts where it stands first."""
    seen: set[str] = set()
    values = [(each.attribute, each.value, True) for each in route.equals]
    lead = _lead(route.range)
    if route.range is not None and lead:
        values.append((route.range.attribute, TextValue(lead), False))
    for attribute, value, partition in values:
        for variable, descending in _variables(value):
            if variable not in seen:
                seen.add(variable)
                yield _Slot(attribute, variable, descending, partition)


def _variables(value: KeyValue) -> Iterator[tuple[str, bool]]:
    if isinstance(value, TextValue):
        for piece in value.text:
            variable = _variable(piece)
            if isinstance(piece, Encoded) and variable is not None:
                part = piece.part
                yield variable, isinstance(part, Part) and part.desc
    elif isinstance(value.source, Each):
        yield value.source.variable, False


def _variable(piece: object) -> str | None:
    if isinstance(piece, Encoded) and isinstance(piece.source, Each):
        return piece.source.variable
    return None


def _lead(of: KeyRangePlan | None) -> KeyText:
    """The text that all keys in a range begin with."""
    if of is None or not isinstance(of.low, TextValue):
        return ()
    if of.form in {RangeForm.BEGINS_WITH, RangeForm.EQUALS}:
        return of.low.text
    if isinstance(of.high, TextValue):
        return common_lead(of.low.text, of.high.text)
    return ()
