"""A read does not say what it does with expired items.

## What it checks

A table has a `ttl`, and a read of an entity that expires says neither `expired: exclude` nor
`expired: include`.

## Why it matters

DynamoDB deletes expired items "typically within a few days" (AWS: TTL.html); until then every Get, Query and
Scan returns them. A session that ended yesterday signs its user in today.

## A bad spec

```yaml
dyngen: 1
service: sessions
tables:
  Sessions: {partition_key: session_id, ttl: expires_at}
entities:
  Session:
    attributes:
      session_id: uuid
      user_id: uuid
      expires_at: {type: timestamp, stored: epoch_seconds}
access_patterns:
  session: {get: Session, where: {session_id: eq}}     # DG337
```

## A good spec

```yaml
dyngen: 1
service: sessions
tables:
  Sessions: {partition_key: session_id, ttl: expires_at}
entities:
  Session:
    attributes:
      session_id: uuid
      user_id: uuid
      expires_at: {type: timestamp, stored: epoch_seconds}
access_patterns:
  session: {get: Session, where: {session_id: eq}, expired: exclude}
```

## When to ignore it

Rather than ignoring it, say that expired items are welcome: `expired: include`. A query of several entities cannot
leave them out; say so too, and look at when they expire.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.plans import ReadPlan
from dyngen.design.tables import ttl_name
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.reads import tests
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG337"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Reads of what expires that say nothing of it."""
    for plan in subject.design.reads:
        pattern = subject.pattern(plan.name)
        expiry = ttl_name(subject.schema.table(plan.table))
        if expiry is None or pattern.expired is not None:
            continue
        for entity in map(subject.schema.entity, plan.entities):
            attribute = next((a for a in entity.attributes if a.stored == expiry), None)
            if attribute is None or attribute.name in {
                t.attribute for _, t in tests(plan)
            }:
                continue
            yield Finding(
                pattern,
                f"`{plan.name}` returns `{entity.name}` items that have expired",
                pattern.span,
                "they stay for days until DynamoDB deletes them",
                secondary=(Label(attribute.span, "is when they expire"),),
                help=_remedies(plan, attribute.name),
            )
            break


def _remedies(plan: ReadPlan, attribute: str) -> tuple[str, str]:
    if len(plan.entities) > 1:
        return (
            f"a query of several entities returns them: drop those whose `{attribute}` is past,"
            " and say so here: `expired: include`",
            "or read each entity by a pattern of its own, with `expired: exclude`",
        )
    return (
        "leave them out: `expired: exclude`",
        "or say that they are welcome: `expired: include`",
    )
