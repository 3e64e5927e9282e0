"""No access pattern reads an index.

## What it checks

An index is in the plan of no read.

## Why it matters

Every write of an item that the index holds pays again: one write unit per KB when an entry is added,
changed or removed, two when its key changes, and the storage of the entry (AWS: GSI.html, LSI.html).

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: customer_id
    sort_key: order_id
    indexes:
      ByTotal: {partition_key: customer_id, sort_key: total}     # DG341
entities:
  Order:
    attributes: {customer_id: uuid, order_id: ulid, total: integer}
access_patterns:
  orders: {query: Order, where: {customer_id: eq}, order_by: order_id}
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: customer_id
    sort_key: order_id
    indexes:
      ByTotal: {partition_key: customer_id, sort_key: total}
entities:
  Order:
    attributes: {customer_id: uuid, order_id: ulid, total: integer}
access_patterns:
  dearest_orders: {query: Order, where: {customer_id: eq}, order_by: total desc}
```

## When to ignore it

Code outside this spec reads the index.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG341"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Indexes that no route of any read takes."""
    if not subject.whole:
        return
    for place in subject.indexes():
        if not subject.routes(place):
            index = subject.place(place)
            yield Finding(
                index,
                f"no access pattern reads the index `{place.name}`",
                index.span,
                "every write of an item in it is paid for again",
                help=("remove it, or add the pattern that it is for",),
            )
