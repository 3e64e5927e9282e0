"""ACCESS_PATTERNS.md: each pattern, its index, its key condition, what it costs."""

from __future__ import annotations

from dataclasses import dataclass

from dyngen.design.describe import (
    WritePlan,
    braced,
    describe_route,
    describe_write,
    key_condition,
    read_cost,
    write_plans,
)
from dyngen.design.model import Index, KeySchema, Projection, Schema, Table
from dyngen.design.plans import (
    Alternative,
    Design,
    EntityWrites,
    ReadPlan,
)
from dyngen.render.environment import environment
from dyngen.render.markdown import code, comment, prose
from dyngen.spec.model import Action


@dataclass(frozen=True, slots=True)
class View:
    """A table or an index; every text is Markdown."""

    name: str
    partition: str
    sort: str
    holds: str


@dataclass(frozen=True, slots=True)
class TableView:
    """A table with its indexes; every text is Markdown."""

    name: str
    description: str
    views: tuple[View, ...]


@dataclass(frozen=True, slots=True)
class RouteView:
    """One way that a read takes; every text is Markdown."""

    given: str
    place: str
    condition: str
    words: str
    cost: str


@dataclass(frozen=True, slots=True)
class ReadView:
    """A read pattern; every text is Markdown."""

    name: str
    description: str
    returns: str
    routes: tuple[RouteView, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WriteView:
    """A write pattern, or the writes of an entity; every text is Markdown."""

    name: str
    description: str
    notes: tuple[str, ...]


def access_patterns(design: Design, header: str) -> str:
    """The document. `header` is one line, the comment at its top."""
    schema = design.schema
    return (
        environment()
        .get_template("docs/access_patterns.md.j2")
        .render(
            header=comment(header),
            service=prose(schema.service),
            description=prose(schema.description),
            tables=[_table(table) for table in schema.tables],
            reads=[_read(plan) for plan in design.reads],
            writes=[
                *(_write(plan) for plan in write_plans(design)),
                *(_entity_writes(schema, writes) for writes in design.writes),
            ],
        )
    )


def _table(table: Table) -> TableView:
    itself = View("the table", *_key(table.key), "whole items")
    return TableView(
        code(table.name),
        prose(table.description),
        (itself, *(_index(index) for index in table.indexes)),
    )


def _index(index: Index) -> View:
    kind = " (local)" if index.local else ""
    held = {
        Projection.ALL: "whole items",
        Projection.KEYS_ONLY: "keys",
        Projection.INCLUDE: f"keys, {', '.join(map(code, index.included))}",
    }
    return View(f"{code(index.name)}{kind}", *_key(index.key), held[index.projection])


def _key(key: KeySchema) -> tuple[str, str]:
    return (
        ", ".join(code(attribute.name) for attribute in key.partition),
        ", ".join(code(attribute.name) for attribute in key.sort),
    )


def _read(plan: ReadPlan) -> ReadView:
    return ReadView(
        name=code(plan.name),
        description=prose(plan.description),
        returns=_returns(plan),
        routes=tuple(_route(plan, alternative) for alternative in plan.alternatives),
        notes=tuple(_read_notes(plan)),
    )


def _returns(plan: ReadPlan) -> str:
    items = " or ".join(map(prose, plan.entities))
    if plan.action is Action.GET or plan.one is not None:
        return f"{items}, or none"
    return f"{items} items"


def _route(plan: ReadPlan, alternative: Alternative) -> RouteView:
    route = alternative.route
    given = _given(plan, alternative)
    words = prose(describe_route(plan, route, braced))
    return RouteView(
        given=f" {given}" if given else "",
        place=code(route.index or plan.table),
        condition="all items" if route.scan else code(key_condition(route, braced)),
        words=f"{given[0].upper()}{given[1:]}: {words}" if given else words,
        cost=prose(f"Costs {read_cost(plan, route)}"),
    )


def _given(plan: ReadPlan, alternative: Alternative) -> str:
    if len(plan.alternatives) == 1:
        return ""
    if not alternative.given:
        return "without the optional parameters"
    return f"with {' and '.join(code(name) for name in sorted(alternative.given))}"


def _read_notes(plan: ReadPlan) -> list[str]:
    notes = []
    if plan.page_size is not None:
        most = f", at most {plan.max_page_size}" if plan.max_page_size else ""
        notes.append(f"Pages of {plan.page_size} items{most}.")
    if plan.one == "first":
        notes.append("Returns the first item only, and reads one.")
    elif plan.one is not None:
        notes.append("Reads up to two items, and raises on a second.")
    if plan.max_items is not None:
        notes.append(f"An iteration ends after {plan.max_items} items.")
    if plan.projected is not None:
        notes.append(f"Returns only {', '.join(map(code, plan.projected))}.")
    return notes


def _write(plan: WritePlan) -> WriteView:
    return WriteView(
        code(plan.name),
        prose(plan.description),
        (prose(describe_write(plan, braced)),),
    )


def _entity_writes(schema: Schema, writes: EntityWrites) -> WriteView:
    """What every write of an entity touches: the table, and the indexes it can be in."""
    entity = schema.entity(writes.entity)
    table = schema.table(entity.table)
    notes = [f"Operations: {', '.join(sorted(entity.operations))}."]
    for index in table.indexes:
        if all(attribute.name in entity.keys for attribute in index.key.all):
            notes.append(_index_note(index, writes))
    notes.append(
        "A write costs 1 write unit per KB of the item, and as much per KB of each index entry that "
        "it adds, changes or removes; twice where an entry's key changes."
    )
    return WriteView(code(entity.name), prose(entity.description), tuple(notes))


def _index_note(index: Index, writes: EntityWrites) -> str:
    inputs = [
        f"{code(derived.attribute)} follows from {', '.join(map(code, derived.inputs))}"
        for derived in writes.derived
        if index.name in derived.indexes and derived.inputs
    ]
    return f"In {code(index.name)}{': ' if inputs else ''}{'; '.join(inputs)}."
