"""Plans in words: one wording for docstrings, ACCESS_PATTERNS.md and `dyngen explain`.

Parameters are shown by a callable, because each reader knows them by another spelling: a docstring
writes the Python name between backticks, a code span writes it between braces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dyngen.design.model import Condition
from dyngen.design.plans import (
    DeleteEachPlan,
    DeletePlan,
    Design,
    FanOut,
    KeyWrite,
    MovePlan,
    OrderKey,
    ReadPlan,
    Route,
    SourceTest,
    TransactMember,
    TransactPlan,
    UpdatePlan,
    ValueWrite,
    WriteCase,
)
from dyngen.design.words import (
    ShowParameter,
    comparison,
    conjunction,
    equalities,
    key_text,
    range_words,
    source_words,
    visible,
)
from dyngen.spec.model import Action

WritePlan = UpdatePlan | DeletePlan | DeleteEachPlan | MovePlan | TransactPlan
"""The plan of a write pattern."""

_VERBS = {
    Action.CREATE: "creates",
    Action.PUT: "puts",
    Action.UPDATE: "updates",
    Action.DELETE: "deletes",
    Action.CHECK: "checks",
    Action.GET: "reads",
}


def write_plans(design: Design) -> tuple[WritePlan, ...]:
    """All write patterns of a design."""
    return (
        *design.updates,
        *design.deletes,
        *design.delete_eaches,
        *design.moves,
        *design.transactions,
    )


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
    if plan.expires is not None:
        sentences.append(f"Leaves out items whose {visible(plan.expires)} has passed.")
    sentences.append(
        "Strongly consistent." if plan.consistent else "Eventually consistent."
    )
    return " ".join(sentences)


def key_condition(route: Route, parameter: ShowParameter = backticked) -> str:
    """The key condition of a route: `customer_id = x, order_date between y and z`; empty for a scan."""
    fixed = equalities(route.equals, parameter)
    if route.range is None:
        return fixed
    return ", ".join(filter(None, (fixed, range_words(route.range, parameter))))


def describe_write(plan: WritePlan, parameter: ShowParameter = backticked) -> str:
    """What a write pattern does, in a few sentences on one line."""
    match plan:
        case UpdatePlan():
            return describe_update(plan, parameter)
        case DeletePlan():
            key = equalities(plan.key, parameter)
            sentences = [f"Deletes one item of {plan.table}: {key}."]
            sentences += _guarded(plan.guard, parameter)
            return " ".join(sentences)
        case DeleteEachPlan(read=read):
            found = [
                describe_route(read, each.route, parameter)
                for each in read.alternatives
            ]
            return f"Deletes, in batches, what this finds. {' '.join(found)}"
        case MovePlan():
            return _describe_move(plan, parameter)
        case TransactPlan(members=members):
            actions = "; ".join(_member(each, parameter) for each in members)
            return f"In one transaction: {actions}."


def describe_update(plan: UpdatePlan, parameter: ShowParameter = backticked) -> str:
    """What an update pattern writes, in a few sentences on one line."""
    key = equalities(plan.key, parameter)
    sentences = [f"Updates one item of {plan.table}: {key}."]
    if plan.upsert:
        sentences.append("Where there is none, it is created.")
    if plan.read_first:
        sentences.append("Reads it first, and writes only if it is still as read.")
    sentences.append(f"{_capital(_value_writes(plan.writes, parameter))}.")
    if plan.keys:
        sentences.append(f"Its index keys follow: {_key_writes(plan.keys, parameter)}.")
    sentences += _guarded(plan.guard, parameter)
    return " ".join(sentences)


def key_write(write: KeyWrite, parameter: ShowParameter = backticked) -> str:
    """What an update makes of one derived attribute."""
    name = visible(write.attribute)
    if not write.cases:
        return f"{name} is removed"
    cases = [_write_case(case, parameter) for case in write.cases]
    always = any(not case.tests for case in write.cases)
    return f"{name} = {'; '.join(cases)}{'' if always else '; else it is removed'}"


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


def _guarded(guard: tuple[Condition, ...], parameter: ShowParameter) -> Iterator[str]:
    if guard:
        conditions = conjunction(guard, parameter)
        yield f"Refused unless the stored item has {conditions}."


def _describe_move(plan: MovePlan, parameter: ShowParameter) -> str:
    sentences = [
        f"Moves one item of {plan.table}: {equalities(plan.key, parameter)}.",
        f"{_capital(_value_writes(plan.writes, parameter))}.",
        "Refused unless the item is still as it was read, and its new key is free.",
        *_guarded(plan.guard, parameter),
    ]
    return " ".join(sentences)


def _member(member: TransactMember, parameter: ShowParameter) -> str:
    """One action of a transaction, as a part of a sentence."""
    if member.item is not None:
        return f"{_VERBS[member.action]} {parameter(member.item)} in {member.table}"
    key = equalities(member.key, parameter)
    said = f"{_VERBS[member.action]} one item of {member.table} ({key})"
    if member.upsert:
        said += ", or creates it"
    if member.writes:
        said += f": {_value_writes(member.writes, parameter)}"
    if member.keys:
        said += f"; its index keys follow: {_key_writes(member.keys, parameter)}"
    if member.guard:
        said += f", if it has {conjunction(member.guard, parameter)}"
    return said


def _value_writes(writes: Iterable[ValueWrite], parameter: ShowParameter) -> str:
    return ", ".join(_value_write(write, parameter) for write in writes)


def _key_writes(writes: Iterable[KeyWrite], parameter: ShowParameter) -> str:
    return ", ".join(key_write(write, parameter) for write in writes)


def _value_write(write: ValueWrite, parameter: ShowParameter) -> str:
    steps = [
        parameter(step.parameter) if step.parameter is not None else step.name or ""
        for step in write.path
    ]
    name = visible(".".join((write.attribute, *steps)))
    if write.verb == "remove" or (write.operand is None and not write.now):
        return f"removes {name}"
    value = (
        source_words(write.operand, parameter)
        if write.operand is not None and not write.now
        else "now"
    )
    return {
        "set": f"sets {name} = {value}",
        "add": f"adds {value} to {name}",
        "append": f"appends {value} to {name}",
        "delete": f"deletes {value} from {name}",
    }[write.verb]


def _write_case(case: WriteCase, parameter: ShowParameter) -> str:
    text = key_text(case.text, parameter)
    if not case.tests:
        return text
    when = " and ".join(_source_test(test, parameter) for test in case.tests)
    return f"{text} if {when}"


def _source_test(test: SourceTest, parameter: ShowParameter) -> str:
    shown = source_words(test.source, parameter)
    return comparison(shown, test.test, parameter)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
