"""The stated rates are more than the capacity.

## What it checks

What `rates` put on a table or index, in units a second, is more than its provisioned capacity, or than the
most that its autoscaling gives.

## Why it matters

Provisioned capacity is a limit: what goes beyond it is throttled as soon as 300 seconds' worth of unused
capacity are spent (AWS: burst-adaptive-capacity.html). The figures are least ones: only calls with a rate
are counted.

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: order_id, billing: {read: 50, write: 20}}     # DG352
entities:
  Order:
    attributes: {order_id: ulid, customer_id: uuid, note: string}
access_patterns:
  order: {get: Order, where: {order_id: eq}}
sizes: {Order: 1800}
rates: {Order.create: 15}
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: order_id, billing: {read: 50, write: 40}}
entities:
  Order:
    attributes: {order_id: ulid, customer_id: uuid, note: string}
access_patterns:
  order: {get: Order, where: {order_id: eq}}
sizes: {Order: 1800}
rates: {Order.create: 15}
```

## When to ignore it

The rates are those of a short peak, which burst capacity covers.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Table
from dyngen.diagnostics.model import Label, Severity
from dyngen.diagnostics.suggest import listed
from dyngen.rules.support.capacity import capacity
from dyngen.rules.support.subject import Finding, Place, Subject
from dyngen.source.nodes import Node

CODE = "DG352"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Tables and indexes that get more than they are given: one finding for each `billing`."""
    for place in subject.places:
        own = place.index.settings if place.index else place.table.settings
        given = capacity(own)
        if given is None:
            continue
        loads = [
            (each, subject.traffic(each))
            for each in ([place] if place.index else _sharing(subject, place.table))
        ]
        for kind, most in (("write", given.write), ("read", given.read)):
            units = [(each, sum(t.units(kind) for t in ts)) for each, ts in loads]
            over = [(each, count) for each, count in units if count > most]
            if over:
                yield _finding(subject, own["billing"], kind, most, over)


def _sharing(subject: Subject, table: Table) -> list[Place]:
    """The table, and its global indexes without capacity of their own: each gets as much."""
    return [
        place
        for place in subject.places
        if place.table == table
        and (
            place.index is None
            or not (place.index.local or "billing" in place.index.settings)
        )
    ]


def _finding(
    subject: Subject,
    billing: Node,
    kind: str,
    most: int,
    over: list[tuple[Place, float]],
) -> Finding:
    worst, units = max(over, key=lambda each: each[1])
    sources = dict.fromkeys(t.source for t in subject.traffic(worst) if t.units(kind))
    return Finding(
        subject.place(worst),
        f"`{worst.name}` gets {units:,.1f} {kind} units a second, and has {most:,}",
        billing.span,
        f"by {listed(sources, 'and')}",
        secondary=tuple(
            Label(subject.place(place).span, f"gets {count:,.1f}")
            for place, count in over
            if len(over) > 1
        ),
        help=(
            f"give it more than {units:,.0f}, let it scale (`autoscaling`), or bill it "
            "`on_demand`",
        ),
    )
