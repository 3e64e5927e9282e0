"""A joined key burdens writes; separate attributes would not.

## What it checks

A global index with `strategy: composite`, and an update that must be given an attribute (in `guard`), or
read the item first, only to compute the joined key.

## Why it matters

`status#order_date` is a copy: whoever changes `status` must know `order_date`. A global index takes up to
four attributes in its partition key and four in its sort key as they are (AWS:
GSI.DesignPattern.MultiAttributeKeys.html), answers the same conditions from left to right, and moves the
entry by itself when one of them changes.

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: order_id
    indexes:
      ByStatus: {partition_key: customer_id, sort_key: [status, order_date], strategy: composite}     # DG343
entities:
  Order:
    attributes: {order_id: ulid, customer_id: uuid, status: [OPEN, HELD, SENT], order_date: timestamp}
access_patterns:
  orders_by_status: {query: Order, where: {customer_id: eq, status: eq}, order_by: order_date}
  send:
    update: Order
    where: {order_id: eq}
    set: {status: SENT}
    guard: {status: OPEN, order_date: eq}
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: order_id
    indexes:
      ByStatus: {partition_key: customer_id, sort_key: [status, order_date]}
entities:
  Order:
    attributes: {order_id: ulid, customer_id: uuid, status: [OPEN, HELD, SENT], order_date: timestamp}
access_patterns:
  orders_by_status: {query: Order, where: {customer_id: eq, status: eq}, order_by: order_date}
  send: {update: Order, where: {order_id: eq}, set: {status: SENT}, guard: {status: OPEN}}
```

## When to ignore it

The index exists (its key cannot be changed, AWS: GSI.html), or a tool in use is older than November 2025
and does not know such keys.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.layout import COMPOSITE
from dyngen.design.model import Param, Test
from dyngen.design.plans import UpdatePlan
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG343"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Composite keys that updates have to be told about."""
    for place in subject.indexes():
        index = subject.index(place.table.name, place.name)
        if index.local or index.strategy is None or index.strategy.text != COMPOSITE:
            continue
        parts = {key.name.text for key in (*index.partition_key, *index.sort_key)}
        keys = {key.name for key in place.index.key.all} if place.index else set()
        burdened = [
            plan
            for plan in subject.design.updates
            if plan.table == place.table.name and _burdened(subject, plan, keys, parts)
        ]
        if burdened:
            yield Finding(
                index,
                f"`{burdened[0].name}` needs more than it changes, for the joined key of "
                f"`{place.name}`",
                index.strategy.span,
                "one text out of several attributes",
                secondary=tuple(
                    Label(plan.span, "has to know them all")
                    for plan in burdened
                    if plan.span
                ),
                help=(
                    "leave `strategy` out: the attributes are the key as they are, and a change of "
                    "one needs no other",
                ),
            )


def _burdened(
    subject: Subject, plan: UpdatePlan, keys: set[str], parts: set[str]
) -> bool:
    written = {write.attribute for write in plan.writes}
    if plan.read_first:
        return bool(written & parts)
    if not any(key.attribute in keys for key in plan.keys):
        return False
    entity = subject.schema.entity(plan.entity)
    stored = {a.name: a.stored for a in entity.attributes}
    return any(
        isinstance(guard, Test)
        and {guard.attribute, stored[guard.attribute]} & parts
        and guard.attribute not in written
        and any(isinstance(operand, Param) for operand in guard.operands)
        for guard in plan.guard
    )
