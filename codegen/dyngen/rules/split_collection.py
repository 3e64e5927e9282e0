"""Things that belong together are in two tables.

## What it checks

One table holds one item per value of an attribute, another one many items per value of the same attribute,
each for one entity alone, and both are read by it: a parent and its children, as a relational schema has
them.

## Why it matters

There is no join. An order and its lines in two tables are two requests, one after the other or at once,
and two charges of at least half a unit; a change of both is a transaction over two tables. With one
partition key in one table they are an item collection: one Query reads the parent and all its children, at
the price of their bytes (AWS: bp-general-nosql-design.html).

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: order_id}                           # DG355
  OrderLines: {partition_key: order_id, sort_key: line}
entities:
  Order:
    table: Orders
    attributes: {order_id: uuid, customer_id: uuid}
  OrderLine:
    table: OrderLines
    attributes: {order_id: uuid, line: integer, product_id: uuid}
access_patterns:
  order: {get: Order, where: {order_id: eq}}
  lines_of_order: {query: OrderLine, where: {order_id: eq}}
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: PK, sort_key: SK}
entities:
  Order:
    attributes: {order_id: uuid, customer_id: uuid}
    keys: {PK: "ORDER#{order_id}", SK: "#ORDER"}
  OrderLine:
    attributes: {order_id: uuid, line: {type: integer, min: 1, max: 999}, product_id: uuid}
    keys: {PK: "ORDER#{order_id}", SK: "LINE#{line}"}
access_patterns:
  order_with_lines: {query: [Order, OrderLine], where: {order_id: eq}, order_by: line}
```

## When to ignore it

They are never wanted together, or the tables differ in what a table has but once: its stream, backup,
expiry or class.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Entity, Natural
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.reads import fixed_by_equality
from dyngen.rules.support.subject import Finding, Place, Subject

CODE = "DG355"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Parents whose children are in another table."""
    tables = [place for place in subject.places if place.index is None]
    alone = [place for place in tables if len(place.entities) == 1]
    parents = [place for place in alone if not place.table.key.sort]
    for parent in parents:
        attribute = _keyed_by(parent)
        children = [
            child
            for child in alone
            if child.table.key.sort
            and attribute is not None
            and _keyed_by(child) == attribute
            and _asked_together(subject, parent.entities[0], child.entities[0])
        ]
        if children:
            yield _finding(subject, parent, children)


def _keyed_by(place: Place) -> tuple[str, object] | None:
    """Name and type of the attribute that is the partition key."""
    entity = place.entities[0]
    [key] = place.table.key.partition
    form = entity.keys[key.name]
    if not isinstance(form, Natural):
        return None
    return form.attribute, type(entity.attribute(form.attribute).type)


def _asked_together(subject: Subject, parent: Entity, child: Entity) -> bool:
    """Whether patterns read both by the parent's key."""
    [key] = subject.schema.table(parent.table).key.partition
    form = parent.keys[key.name]
    assert isinstance(form, Natural)
    asked = {
        name
        for plan in subject.design.reads
        if form.attribute in fixed_by_equality(plan)
        for name in plan.entities
    }
    return {parent.name, child.name} <= asked


def _finding(subject: Subject, parent: Place, children: list[Place]) -> Finding:
    scope = subject.table(parent.name)
    child = children[0].entities[0].name
    name = parent.entities[0].name
    return Finding(
        scope,
        f"`{name}` and its `{child}` items are in two tables, and take two requests",
        scope.span,
        "one item per key",
        secondary=tuple(
            Label(subject.table(place.name).span, "many items per same key")
            for place in children
        ),
        help=(
            "keep them in one table under one partition key, with sort keys such as "
            f'`"#{name.upper()}"` and `"{child.upper()}#..."`; then `query: [{name}, {child}]` '
            "is one read",
        ),
    )
