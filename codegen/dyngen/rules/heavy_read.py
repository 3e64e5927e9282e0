"""One call reads more than 1 MB.

## What it checks

By the stated `sizes` and `rates`, one call of a read that is not paged reads more than 1 MB; or one page is
greater than that.

## Why it matters

A Query returns at most 1 MB (AWS: API_Query): more takes one request after the other, 128 read units for
each MB, and as long as all of them together. A page of more than 1 MB comes short.

## A bad spec

```yaml
dyngen: 1
service: messages
tables:
  Messages: {partition_key: room_id, sort_key: message_id}
entities:
  Message:
    attributes: {room_id: uuid, message_id: ulid, text: string}
access_patterns:
  messages: {query: Message, where: {room_id: eq}, order_by: message_id desc}     # DG339
sizes:
  Message: {bytes: 600, per_partition: 200000}
```

## A good spec

```yaml
dyngen: 1
service: messages
tables:
  Messages: {partition_key: room_id, sort_key: message_id}
entities:
  Message:
    attributes: {room_id: uuid, message_id: ulid, text: string}
access_patterns:
  messages: {query: Message, where: {room_id: eq}, order_by: message_id desc, page_size: 50}
sizes:
  Message: {bytes: 600, per_partition: 200000}
```

## When to ignore it

The call exports everything, and nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.cost import PAGE, ReadCost, read_cost
from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG339"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Reads that are known to be large."""
    for plan in subject.reads:
        size = max(_bytes(subject, name) for name in plan.entities)
        route = plan.alternatives[0].route
        cost = read_cost(subject.design, plan, route)
        if not size or cost is None:
            continue
        pattern = subject.pattern(plan.name)
        if plan.page_size is not None:
            if plan.page_size * size > PAGE:
                yield Finding(
                    pattern,
                    f"a page of `{plan.name}` is {plan.page_size * size / PAGE:,.1f} MB; one "
                    "request reads 1 MB",
                    pattern.page_size.span if pattern.page_size else pattern.span,
                    "pages come short",
                    help=(
                        f"at most {PAGE // size:,} items of {size:,} bytes are 1 MB",
                    ),
                )
        elif cost.items * size > PAGE and plan.max_items is None:
            yield Finding(
                pattern,
                f"a call of `{plan.name}` reads {_words(cost, size)}",
                pattern.span,
                help=(
                    "read it in pages (`page_size: 50`), or end it somewhere (`max_items`)",
                ),
            )


def _bytes(subject: Subject, entity: str) -> int:
    return subject.design.estimates.size(entity).bytes or 0


def _words(cost: ReadCost, size: int) -> str:
    units = cost.units.most or cost.units.least
    return (
        f"{cost.items * size / PAGE:,.1f} MB in {cost.requests:,} requests, for "
        f"{units:,.0f} read units"
    )
