"""An index has less write capacity than its table.

## What it checks

With provisioned billing, a global index that holds every item of an entity has fewer write units than the
table.

## Why it matters

Every write of an item in the index is written there too. When the index runs out of write capacity, the
writes of the table are throttled, although the table has capacity left (AWS: GSI.html).

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: order_id
    billing: {read: 100, write: 100}
    indexes:
      ByCustomer: {partition_key: customer_id, billing: {read: 100, write: 20}}     # DG351
entities:
  Order:
    attributes: {order_id: ulid, customer_id: uuid}
access_patterns:
  orders: {query: Order, where: {customer_id: eq}}
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: order_id
    billing: {read: 100, write: 100}
    indexes:
      ByCustomer: {partition_key: customer_id, billing: {read: 100, write: 100}}
entities:
  Order:
    attributes: {order_id: ulid, customer_id: uuid}
access_patterns:
  orders: {query: Order, where: {customer_id: eq}}
```

## When to ignore it

Most writes are of items, or of attributes, that are not in the index.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.itemsize import always_in
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.capacity import capacity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG351"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Global indexes with less than the table."""
    for place in subject.indexes():
        assert place.index is not None
        table, index = capacity(place.table.settings), capacity(place.index.settings)
        if table is None or index is None or index.write >= table.write:
            continue
        if any(always_in(e, place.table, place.index) for e in place.entities):
            yield Finding(
                subject.place(place),
                f"`{place.name}` takes {index.write:,} write units a second, its table "
                f"{table.write:,}",
                place.index.settings["billing"].span,
                "throttles the writes of its table",
                secondary=(Label(place.table.settings["billing"].span, "the table's"),),
                help=(
                    f"give it `write: {table.write}`, or leave `billing` out: it gets the table's",
                ),
            )
