"""Two access patterns do the same.

## What it checks

Two reads, or two updates, have the same plan: the same items, in the same order, with the same parameters.

## Why it matters

One of them will be changed, and the other one forgotten. Each has a method, a place in the suite, and a
reader who looks for the difference.

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: customer_id, sort_key: order_id}
entities:
  Order:
    attributes: {customer_id: uuid, order_id: ulid}
access_patterns:
  orders: {query: Order, where: {customer_id: eq}}
  list_orders: {query: Order, where: {customer_id: eq}}     # DG363
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: customer_id, sort_key: order_id}
entities:
  Order:
    attributes: {customer_id: uuid, order_id: ulid}
access_patterns:
  orders: {query: Order, where: {customer_id: eq}}
  newest_orders: {query: Order, where: {customer_id: eq}, order_by: order_id desc}
```

## When to ignore it

One is an old name that callers still use.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from dyngen.design.dump import dump
from dyngen.design.plans import ReadPlan, UpdatePlan
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG363"
SEVERITY = Severity.WARNING

Plan = ReadPlan | UpdatePlan


def check(subject: Subject) -> Iterator[Finding]:
    """Patterns with one plan."""
    groups: dict[tuple[object, ...], list[Plan]] = {}
    plans: list[Plan] = [*subject.design.reads, *subject.design.updates]
    for plan in plans:
        groups.setdefault(_rough(plan), []).append(plan)
    for alike in groups.values():
        if len(alike) > 1:
            yield from _same(subject, alike)


def _same(subject: Subject, plans: list[Plan]) -> Iterator[Finding]:
    first: dict[str, Plan] = {}
    for plan in plans:
        bare = replace(plan, name="", description="", span=None)
        known = first.setdefault(json.dumps(dump(bare), sort_keys=True), plan)
        if known is not plan and known.span and plan.span:
            yield Finding(
                subject.pattern(plan.name),
                f"`{plan.name}` does what `{known.name}` does",
                plan.span,
                secondary=(Label(known.span, "the same"),),
                help=("leave one of them out",),
            )


def _rough(plan: Plan) -> tuple[object, ...]:
    """What is cheap to compare, and the same for plans that are the same."""
    names = tuple(parameter.name for parameter in plan.parameters)
    if isinstance(plan, UpdatePlan):
        return plan.entity, names, tuple(write.attribute for write in plan.writes)
    return plan.action, plan.entities, names, plan.order_by
