"""The exact requests of a plan, with its parameters in braces.

They are built by the runtime's own functions, as generated code builds them; only the values differ:
`{name}` stands for what a parameter contributes, `{after name}` and `{before name}` for the text
just beside that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from dyngen.design.contents import stored_attributes
from dyngen.design.costwords import read_estimate, write_estimate
from dyngen.design.describe import (
    WritePlan,
    braced,
    describe_route,
    describe_write,
    read_cost,
    write_plans,
)
from dyngen.design.dump import dump
from dyngen.design.expiry import unexpired
from dyngen.design.model import Entity, Schema
from dyngen.design.plannedkeys import pattern_keys
from dyngen.design.plans import (
    Alternative,
    DeletePlan,
    Design,
    ReadPlan,
    Route,
    UpdatePlan,
    ValueWrite,
)
from dyngen.design.symbols import Symbols
from dyngen.keys.model import RangeForm
from dyngen.runtime import streams, writing
from dyngen.runtime.conditions import Condition, all_of, exists, ne
from dyngen.runtime.wire import AttributeValue
from dyngen.spec.model import Action

Explanation = dict[str, Any]


def explain(design: Design, pattern: str | None = None) -> list[Explanation]:
    """The plan and the requests of one pattern, or of all: JSON values.

    Raises KeyError for a pattern that the design does not have.
    """
    found = [
        *(_read(design, plan) for plan in design.reads if _asked(plan, pattern)),
        *(
            _write(design, plan)
            for plan in write_plans(design)
            if _asked(plan, pattern)
        ),
    ]
    if pattern is not None and not found:
        raise KeyError(pattern)
    return found


def pattern_names(design: Design) -> list[str]:
    """The names of all patterns, in the order in which they are explained."""
    names = [plan.name for plan in design.reads]
    return names + [plan.name for plan in write_plans(design)]


def _asked(plan: ReadPlan | WritePlan, pattern: str | None) -> bool:
    return pattern is None or plan.name == pattern


def _read(design: Design, plan: ReadPlan) -> Explanation:
    return {
        "pattern": plan.name,
        "description": plan.description,
        "routes": [_route(design, plan, each) for each in plan.alternatives],
        "plan": dump(plan),
    }


def _write(design: Design, plan: WritePlan) -> Explanation:
    """A write; one that follows from an item read first, or may create its item, only in words."""
    schema = design.schema
    explained: Explanation = {"words": describe_write(plan, braced)}
    estimate = write_estimate(design, plan)
    if estimate is not None:
        explained["estimate"] = estimate
    keys = [asdict(planned) for planned in pattern_keys(design, plan)]
    if keys:
        explained["keys"] = keys
    if isinstance(plan, UpdatePlan) and not (plan.read_first or plan.upsert):
        explained["operation"] = "UpdateItem"
        explained["request"] = update_request(schema, plan)
    if isinstance(plan, DeletePlan):
        explained["operation"] = "DeleteItem"
        explained["request"] = delete_request(schema, plan)
    return {
        "pattern": plan.name,
        "description": plan.description,
        "routes": [explained],
        "plan": dump(plan),
    }


def _route(design: Design, plan: ReadPlan, alternative: Alternative) -> Explanation:
    route = alternative.route
    explained: Explanation = {
        "words": describe_route(plan, route, braced),
        "cost": read_cost(plan, route),
        "operation": "GetItem" if plan.action is Action.GET else "Query",
        "request": read_request(design.schema, plan, route),
    }
    estimate = read_estimate(design, plan, route)
    if estimate is not None:
        explained["estimate"] = estimate
    if route.scan:
        explained["operation"] = "Scan"
    if len(plan.alternatives) > 1:
        explained["given"] = sorted(alternative.given)
    return explained


def read_request(schema: Schema, plan: ReadPlan, route: Route) -> dict[str, Any]:
    """The arguments of a GetItem, or of the Query or Scan for a read's first page."""
    symbols = Symbols(schema, plan.table, plan.entities)
    equal = {each.attribute: symbols.key(each) for each in route.equals}
    if plan.action is Action.GET:
        return writing.get_request(plan.table, equal, consistent=plan.consistent)
    stream = streams.Stream(equal, _range(symbols, route))
    entity = schema.entity(plan.entities[0])
    kept = list(plan.filter.conditions if plan.filter else ())
    if plan.expires is not None:
        kept.append(unexpired(entity.attribute(plan.expires)))
    read = streams.Read(
        pattern=plan.name,
        table=plan.table,
        index=route.index,
        key_types=_key_types(schema, plan, route),
        streams=(stream,),
        forward=route.forward,
        consistent=plan.consistent,
        filter=_joined(map(symbols.condition, kept)),
        select=_selected(schema, plan, entity, route),
        scan=route.scan,
    )
    return dict(read.request(stream, start=None, limit=_limit(plan)).arguments)


def _selected(
    schema: Schema, plan: ReadPlan, entity: Entity, route: Route
) -> tuple[str, ...] | None:
    """The stored attributes that a `select` asks for, as far as the index holds them."""
    if not plan.select:
        return None
    table = schema.table(plan.table)
    index = None if route.index is None else table.index(route.index)
    held = stored_attributes(entity, table, index)
    return tuple(
        entity.attribute(name).stored
        for name in plan.projected or ()
        if held is None or name in held
    )


def update_request(schema: Schema, plan: UpdatePlan) -> dict[str, Any]:
    """The arguments of an UpdateItem; where a key has several cases, with the first of them."""
    symbols = Symbols(schema, plan.table, (plan.entity,))
    key = {each.attribute: symbols.key(each) for each in plan.key}
    changes = [_change(symbols, write) for write in plan.writes]
    for derived in plan.keys:
        text = symbols.text(derived.cases[0].text) if derived.cases else None
        value = None if text is None else {"S": text}
        changes.append(writing.set_to(derived.attribute, value))
    asked = [exists(next(iter(key))), *map(symbols.condition, plan.guard)]
    version = schema.entity(plan.entity).version
    if version is not None:
        # Not yet this write's own token: a repeated request must not count as a second write.
        token = {"S": braced("new version")}
        changes.append(writing.set_to(version.stored, token))
        asked.append(ne(version.stored, token))
    request = writing.update_request(plan.table, key, changes, all_of(*asked))
    values = request.get("ExpressionAttributeValues", {})
    shown = {name: _shown(value) for name, value in values.items()}
    return {**request, "ExpressionAttributeValues": shown} if shown else request


def _sized(value: AttributeValue) -> AttributeValue:
    """A placeholder that has a size, as all values of a request must: maps and lists have one of what
    they hold."""
    [(kind, content)] = value.items()
    if kind in _CONTAINERS and isinstance(content, str):
        return {"S": f"{_CONTAINERS[kind]}{content}"}
    return value


def _shown(value: AttributeValue) -> AttributeValue:
    """The placeholder again."""
    for kind, mark in _CONTAINERS.items():
        if str(value.get("S", "")).startswith(mark):
            return {kind: value["S"].removeprefix(mark)}
    return value


def delete_request(schema: Schema, plan: DeletePlan) -> dict[str, Any]:
    """The arguments of a DeleteItem."""
    symbols = Symbols(schema, plan.table, (plan.entity,))
    key = {each.attribute: symbols.key(each) for each in plan.key}
    guard = map(symbols.condition, plan.guard)
    condition = all_of(exists(next(iter(key))), *guard)
    return writing.delete_request(plan.table, key, condition)


def _range(symbols: Symbols, route: Route) -> streams.KeyRange | None:
    if route.range is None:
        return None
    low, high = symbols.bounds(route.range)
    name, form = route.range.attribute, route.range.form
    if low is not None and high is not None:
        return streams.between(name, low, high)
    value = low if low is not None else high
    assert value is not None, "a range has a bound"
    return _ONE_BOUND[form](name, value)


def _change(symbols: Symbols, write: ValueWrite) -> writing.Change:
    """One change as the runtime writes it."""
    below = tuple(
        step.name if step.name is not None else braced(step.parameter or "")
        for step in write.path
    )
    path = symbols.path(write.attribute, below)
    if write.verb == "remove":
        return writing.remove(path)
    value = _sized(symbols.written(write))
    match write.verb:
        case "add":
            return writing.add_to(path, value)
        case "append":
            return writing.append_to(path, value)
        case "delete":
            return writing.delete_from(str(path), value)
        case _:
            return writing.set_to(path, value)


def _key_types(schema: Schema, plan: ReadPlan, route: Route) -> dict[str, str]:
    table = schema.table(plan.table)
    keys = (*(table.index(route.index).key.all if route.index else ()), *table.key.all)
    return {attribute.name: attribute.type for attribute in keys}


def _limit(plan: ReadPlan) -> int | None:
    """How many items the first request asks for; one more than are allowed would be noticed."""
    asked = {None: plan.page_size, "first": 1}.get(plan.one, 2)
    bounds = [b for b in (plan.at_most, plan.filter and plan.filter.at_most) if b]
    limits = [limit for limit in (asked, *(b + 1 for b in bounds)) if limit]
    return min(limits, default=None)


def _joined(kept: Iterable[Condition]) -> Condition | None:
    found = list(kept)
    return all_of(*found) if found else None


_CONTAINERS = {"L": "\0L", "M": "\0M"}
_ONE_BOUND = {
    RangeForm.EQUALS: streams.equals,
    RangeForm.BEGINS_WITH: streams.begins_with,
    RangeForm.AT_LEAST: streams.at_least,
    RangeForm.AT_MOST: streams.at_most,
    RangeForm.ABOVE: streams.above,
    RangeForm.BELOW: streams.below,
}
