"""A filter drops most of what is read.

## What it checks

A filter whose `hit_rate` is below 0.4, on a read that nothing bounds.

## Why it matters

DynamoDB charges what is read, not what passes (AWS: API_Query). At a rate of 0.1, ten items are read and
paid for each that is returned, and the waste grows with the partition; pages come back short or empty.
`at_most` would bound it; an index would end it.

## A bad spec

```yaml
dyngen: 1
service: support
tables:
  Tickets: {partition_key: customer_id, sort_key: ticket_id}
entities:
  Ticket:
    attributes: {customer_id: uuid, ticket_id: ulid, urgent: boolean, subject: string}
access_patterns:
  urgent_tickets:
    query: Ticket
    where: {customer_id: eq}
    filter: {where: {urgent: true}, hit_rate: 0.05}     # DG330
```

## A good spec

```yaml
dyngen: 1
service: support
tables:
  Tickets:
    partition_key: customer_id
    sort_key: ticket_id
    indexes:
      Urgent: {partition_key: urgent_pk, sort_key: ticket_id}
entities:
  Ticket:
    attributes: {customer_id: uuid, ticket_id: ulid, urgent: boolean, subject: string}
    keys: {urgent_pk: {value: "{customer_id}", when: {urgent: true}}}
access_patterns:
  urgent_tickets: {query: Ticket, where: {customer_id: eq, urgent: true}}
```

## When to ignore it

The read is rare, and an index would cost more in writes than it saves.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG330"
SEVERITY = Severity.WARNING

LEAST = 0.4
"""Below this share of items returned, an index is mostly cheaper than the filter."""


def check(subject: Subject) -> Iterator[Finding]:
    """Filters that admit to a low rate."""
    for plan in subject.reads:
        pattern = subject.pattern(plan.name)
        if pattern.filter is None or pattern.filter.hit_rate is None:
            continue
        rate = float(pattern.filter.hit_rate)
        if rate < LEAST and plan.at_most is None and plan.max_items is None:
            yield Finding(
                pattern,
                f"`{plan.name}` reads and pays for {1 / rate:,.1f} items for each it returns",
                pattern.filter.span,
                "nothing bounds what it drops",
                help=(
                    "put the filtered attribute into a key: behind the attributes that `where` "
                    "fixes, or as the `when` of a sparse index",
                    "or bound it: `at_most` instead of `hit_rate`",
                ),
            )
