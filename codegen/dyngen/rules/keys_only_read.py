"""A read returns nothing but keys.

## What it checks

A query or scan of a `keys_only` index that neither says `hydrate: true` nor `select`, so that callers get
items without their other attributes; and no other read of the index completes them.

## Why it matters

Whoever needs the items then gets them one by one: a request and a round trip for each. `hydrate: true`
completes up to 100 in one request (AWS: API_BatchGetItem). If the keys are all that is wanted, `select` says so, and whoever
reads the spec knows that nothing was forgotten.

## A bad spec

```yaml
dyngen: 1
service: reviews
tables:
  Reviews:
    partition_key: review_id
    indexes:
      Queue: {partition_key: queue, sort_key: queued_at, projection: keys_only}
entities:
  Review:
    attributes:
      review_id: ulid
      text: string
      author: uuid
      state: [WAITING, DONE]
      queued_at: timestamp
    keys: {queue: {value: "QUEUE", when: {state: WAITING}}}
access_patterns:
  queue: {query: Review, where: {state: WAITING}, order_by: queued_at}     # DG333
```

## A good spec

```yaml
dyngen: 1
service: reviews
tables:
  Reviews:
    partition_key: review_id
    indexes:
      Queue: {partition_key: queue, sort_key: queued_at, projection: keys_only}
entities:
  Review:
    attributes:
      review_id: ulid
      text: string
      author: uuid
      state: [WAITING, DONE]
      queued_at: timestamp
    keys: {queue: {value: "QUEUE", when: {state: WAITING}}}
access_patterns:
  queue: {query: Review, where: {state: WAITING}, order_by: queued_at, hydrate: true}
```

## When to ignore it

The keys are what is asked for, and `select` would only repeat them.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Projection
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG333"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Reads of keys-only indexes that return what they find there."""
    completed = {
        (plan.table, plan.alternatives[0].route.index)
        for plan in subject.design.reads
        if plan.hydrate is not None
    }
    for plan in subject.design.reads:
        index = plan.alternatives[0].route.index
        if index is None or plan.select or plan.hydrate or plan.projected is None:
            continue
        if (plan.table, index) in completed:
            continue
        declared = subject.schema.table(plan.table).index(index)
        entities = map(subject.schema.entity, plan.entities)
        missing = [
            a.name
            for e in entities
            for a in e.attributes
            if a.name not in plan.projected
        ]
        if declared.projection is Projection.KEYS_ONLY and missing:
            pattern = subject.pattern(plan.name)
            yield Finding(
                pattern,
                f"`{plan.name}` returns keys alone, without `{missing[0]}`",
                pattern.span,
                help=(
                    "`hydrate: true` completes the items by BatchGetItem",
                    "or say that keys are enough: `select: "
                    f"[{', '.join(plan.projected)}]`",
                ),
                secondary=(
                    Label(subject.index(plan.table, index).span, "holds keys only"),
                ),
            )
