"""Plans in words: one wording for docstrings, ACCESS_PATTERNS.md and `dyngen explain`.

Parameters are shown by a callable, because each reader knows them by another spelling: a docstring
writes the Python name between backticks, a code span writes it between braces.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable

from dyngen.design.model import (
    AllOf,
    AnyOf,
    ClockNow,
    Condition,
    Const,
    ItemAttribute,
    Not,
    Operand,
    Param,
    Test,
)
from dyngen.design.plans import (
    FanOut,
    KeyEquals,
    KeyRange,
    KeyValue,
    KeyWrite,
    NativeValue,
    OrderKey,
    ReadPlan,
    Route,
    SourceTest,
    UpdatePlan,
    ValueWrite,
    WriteCase,
)
from dyngen.keys.model import (
    After,
    Bound,
    Clock,
    Each,
    Encoded,
    Fixed,
    FromItem,
    Given,
    Hashed,
    KeyText,
    Literal,
    Missing,
    Part,
    RangeForm,
    Source,
    Through,
)
from dyngen.spec.model import Action, Operator

ShowParameter = Callable[[str], str]
"""Renders the name of a parameter."""

_EXCLUDING = frozenset({Bound.NEXT, Bound.PREVIOUS, Bound.BELOW})

_RELATIONS = {
    Operator.EQ: "=",
    Operator.NE: "≠",
    Operator.LT: "<",
    Operator.LTE: "≤",
    Operator.GT: ">",
    Operator.GTE: "≥",
    Operator.BEGINS_WITH: "begins with",
    Operator.CONTAINS: "contains",
}

_RANGE_WORDS = {
    RangeForm.EQUALS: "=",
    RangeForm.BEGINS_WITH: "begins with",
    RangeForm.AT_LEAST: "≥",
    RangeForm.AT_MOST: "≤",
    RangeForm.ABOVE: ">",
    RangeForm.BELOW: "<",
}


def backticked(name: str) -> str:
    """A parameter as docstrings and Markdown prose show it."""
    return f"`{name}`"


def braced(name: str) -> str:
    """A parameter as it is shown inside code."""
    return f"{{{name}}}"


def describe_route(
    plan: ReadPlan, route: Route, parameter: ShowParameter = backticked
) -> str:
    """What one route of a read does, in a few sentences on one line."""
    sentences = [_reading(plan, route, parameter)]
    if route.fan_outs:
        sentences.append(_fanning(route, parameter))
    if plan.filter is not None:
        sentences.append(_filtering(plan, parameter))
    if plan.hydrate is not None:
        sentences.append("Each item is completed by BatchGetItem.")
    sentences.append(
        "Strongly consistent." if plan.consistent else "Eventually consistent."
    )
    return " ".join(sentences)


def key_condition(route: Route, parameter: ShowParameter = backticked) -> str:
    """The key condition of a route: `customer_id = x, order_date between y and z`; empty for a scan."""
    conditions = [_equals(equals, parameter) for equals in route.equals]
    if route.range is not None:
        conditions.append(_range(route.range, parameter))
    return ", ".join(conditions)


def describe_update(plan: UpdatePlan, parameter: ShowParameter = backticked) -> str:
    """What an update pattern writes, in a few sentences on one line."""
    key = ", ".join(_equals(equals, parameter) for equals in plan.key)
    writes = ", ".join(_value_write(write, parameter) for write in plan.writes)
    sentences = [f"Updates one item of {plan.table}: {key}.", f"{_capital(writes)}."]
    if plan.keys:
        keys = ", ".join(_key_write(write, parameter) for write in plan.keys)
        sentences.append(f"Its index keys follow: {keys}.")
    if plan.guard:
        guard = conjunction(plan.guard, parameter)
        sentences.append(f"Refused unless the stored item has {guard}.")
    return " ".join(sentences)


def read_cost(plan: ReadPlan, route: Route) -> str:
    """What a read is charged, in read units (AWS: read-write-operations.html)."""
    least = "1" if plan.consistent else "0.5"
    rate = f"{least} read unit{'' if plan.consistent else 's'} per 4 KB"
    if plan.action is Action.GET:
        return f"{rate} of the item, also if there is none."
    charged = (
        "all items of the table or index"
        if route.scan
        else "the items in the range" if plan.filter else "the items returned"
    )
    cost = f"{rate} of {charged}, at least {least} a request."
    if plan.filter is not None and plan.filter.at_most is not None:
        cost += f" The filter drops items after they are charged: at most {plan.filter.at_most} are read."
    if plan.hydrate is not None:
        cost += f" Then {rate} of each item that is completed."
    return cost


def key_value(value: KeyValue, parameter: ShowParameter = backticked) -> str:
    """The value of a key attribute."""
    if isinstance(value, NativeValue):
        return _source(value.source, parameter)
    return key_text(value.text, parameter)


def key_text(text: KeyText, parameter: ShowParameter = backticked) -> str:
    """A key's text with its values named; the marks that only close a bound are left out."""
    shown = "".join(_piece(piece, parameter) for piece in text)
    return shown or '""'


def conjunction(
    conditions: Iterable[Condition], parameter: ShowParameter = backticked
) -> str:
    """Conditions that all hold."""
    return " and ".join(condition_text(each, parameter) for each in conditions)


def condition_text(condition: Condition, parameter: ShowParameter = backticked) -> str:
    """One condition of a guard or a filter."""
    match condition:
        case Test():
            return _test(condition, parameter)
        case Not(of=of):
            return f"not ({condition_text(of, parameter)})"
        case AnyOf(of=of):
            return f"({' or '.join(condition_text(each, parameter) for each in of)})"
        case AllOf(of=of):
            return f"({conjunction(of, parameter)})"


def constant(value: object) -> str:
    """A constant as people write it; characters that would not show are named."""
    match value:
        case bool():
            return "true" if value else "false"
        case dt.datetime():
            return value.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")
        case dt.date():
            return value.isoformat()
        case bytes():
            return f"0x{value.hex()}"
        case _:
            return _visible(str(value))


def _reading(plan: ReadPlan, route: Route, parameter: ShowParameter) -> str:
    place = route.index or "the table"
    order = "".join(f", {_order(key)}" for key in plan.order_by)
    if route.scan:
        return f"Scans {place}, whole{order}."
    condition = key_condition(route, parameter)
    if plan.action is Action.GET:
        return f"Reads one item of the table: {condition}."
    return f"Reads {place}: {condition}{order}."


def _order(key: OrderKey) -> str:
    return f"by {key.attribute} {'descending' if key.descending else 'ascending'}"


def _fanning(route: Route, parameter: ShowParameter) -> str:
    loops = " and ".join(_loop(fan_out, parameter) for fan_out in route.fan_outs)
    merged = ", merged in order" if route.merge_by else ""
    return f"One request for each {loops}{merged}."


def _loop(fan_out: FanOut, parameter: ShowParameter) -> str:
    if fan_out.parameter is not None:
        return f"of {parameter(fan_out.parameter)}"
    return f"of the {len(fan_out.values)} values of {fan_out.variable}"


def _filtering(plan: ReadPlan, parameter: ShowParameter) -> str:
    assert plan.filter is not None
    kept = conjunction(plan.filter.conditions, parameter)
    admission = (
        f"reads at most {plan.filter.at_most} items"
        if plan.filter.at_most is not None
        else f"returns about {plan.filter.hit_rate} of the items read"
    )
    return f"Then filters by {kept}: {admission}."


def _equals(equals: KeyEquals, parameter: ShowParameter) -> str:
    return f"{_visible(equals.attribute)} = {key_value(equals.value, parameter)}"


def _range(key_range: KeyRange, parameter: ShowParameter) -> str:
    name = _visible(key_range.attribute)
    low = _bound(key_range.low, key_range.low_exclusive, parameter)
    high = _bound(key_range.high, key_range.high_exclusive, parameter)
    if key_range.form is RangeForm.BETWEEN:
        return f"{name} between {low} and {high}"
    return f"{name} {_RANGE_WORDS[key_range.form]} {low or high}"


def _bound(
    value: KeyValue | None, exclusive: bool, parameter: ShowParameter
) -> str | None:
    if value is None:
        return None
    excluded = exclusive or _excludes(value)
    return key_value(value, parameter) + (" (excluded)" if excluded else "")


def _excludes(value: KeyValue) -> bool:
    """Whether a bound stands beside the value it names, not on it."""
    if isinstance(value, NativeValue):
        return False
    return any(
        isinstance(piece, After)
        or (isinstance(piece, Encoded) and piece.bound in _EXCLUDING)
        for piece in value.text
    )


def _piece(piece: Literal | Encoded | Through | After, parameter: ShowParameter) -> str:
    match piece:
        case Literal(text=text):
            return _visible(text)
        case Encoded(part=part, source=source):
            name = part.attribute if isinstance(part, Part) else "shard"
            return _source(source, parameter, absent=name)
        case Through() | After():
            return ""


def _source(source: Source, parameter: ShowParameter, absent: str = "value") -> str:
    match source:
        case Given(parameter=name) | Each(variable=name):
            return parameter(name)
        case Fixed(value=value):
            return constant(value)
        case Missing():
            return f"(no {absent})"
        case Clock():
            return "now"
        case FromItem(item=item, attribute=attribute):
            return parameter(f"{item}.{attribute}")
        case Hashed(by=by):
            hashed = ", ".join(_source(each, parameter) for each in by)
            return f"(the shard of {hashed})"


def _test(test: Test, parameter: ShowParameter) -> str:
    name = _visible(".".join((test.attribute, *test.path)))
    return _comparison(name, test, parameter)


def _comparison(subject: str, test: Test, parameter: ShowParameter) -> str:
    operands = [_operand(operand, parameter) for operand in test.operands]
    match test.operator:
        case Operator.PRESENT | Operator.ABSENT:
            return f"{subject} {test.operator}"
        case Operator.BETWEEN:
            return f"{subject} between {operands[0]} and {operands[1]}"
        case Operator.IN:
            return f"{subject} in {', '.join(operands)}"
        case Operator.SIZE:
            relation = _RELATIONS[test.size_operator or Operator.EQ]
            return f"the size of {subject} {relation} {operands[0]}"
        case operator:
            return f"{subject} {_RELATIONS[operator]} {operands[0]}"


def _operand(operand: Operand, parameter: ShowParameter) -> str:
    match operand:
        case Param(name=name):
            return parameter(name)
        case Const(value=value):
            return constant(value)
        case ClockNow():
            return "now"
        case ItemAttribute(item=item, attribute=attribute):
            return parameter(f"{item}.{attribute}")


def _value_write(write: ValueWrite, parameter: ShowParameter) -> str:
    steps = [
        parameter(step.parameter) if step.parameter is not None else step.name or ""
        for step in write.path
    ]
    name = _visible(".".join((write.attribute, *steps)))
    if write.verb == "remove" or (write.operand is None and not write.now):
        return f"removes {name}"
    value = (
        _source(write.operand, parameter)
        if write.operand is not None and not write.now
        else "now"
    )
    return {
        "set": f"sets {name} = {value}",
        "add": f"adds {value} to {name}",
        "append": f"appends {value} to {name}",
        "delete": f"deletes {value} from {name}",
    }[write.verb]


def _key_write(write: KeyWrite, parameter: ShowParameter) -> str:
    name = _visible(write.attribute)
    if not write.cases:
        return f"{name} is removed"
    cases = [_write_case(case, parameter) for case in write.cases]
    always = any(not case.tests for case in write.cases)
    return f"{name} = {'; '.join(cases)}{'' if always else '; else it is removed'}"


def _write_case(case: WriteCase, parameter: ShowParameter) -> str:
    text = key_text(case.text, parameter)
    if not case.tests:
        return text
    when = " and ".join(_source_test(test, parameter) for test in case.tests)
    return f"{text} if {when}"


def _source_test(test: SourceTest, parameter: ShowParameter) -> str:
    shown = _source(test.source, parameter)
    return _comparison(shown, test.test, parameter)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _visible(text: str) -> str:
    """The text with every character that would not show (or would break a line) named."""
    return "".join(
        char if char.isprintable() else f"<U+{ord(char):04X}>" for char in text
    )
