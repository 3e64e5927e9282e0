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

from dyngen.diagnostics.model import Severity
from dyngen.diagnostics.suggest import listed
from dyngen.rules.support.capacity import capacity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG352"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Places that get more than they are given."""
    for place in subject.places:
        own = place.index.settings if place.index else place.table.settings
        given = capacity(own) or capacity(place.table.settings)
        traffic = subject.traffic(place)
        if given is None or (place.index is not None and place.index.local):
            continue
        settings = own if "billing" in own else place.table.settings
        for kind, most, units in (
            ("write", given.write, sum(each.writes for each in traffic)),
            ("read", given.read, sum(each.reads for each in traffic)),
        ):
            if units > most:
                sources = dict.fromkeys(each.source for each in traffic)
                yield Finding(
                    subject.place(place),
                    f"`{place.name}` gets {units:,.1f} {kind} units a second, and has {most:,}",
                    settings["billing"].span,
                    f"by {listed(sources, 'and')}",
                    help=(
                        f"give it more than {units:,.0f}, let it scale (`autoscaling`), or bill it "
                        "`on_demand`",
                    ),
                )
