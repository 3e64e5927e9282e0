"""One read makes many requests.

## What it checks

A read that asks more than ten partitions or key ranges in turn, for shards or for the values of enums, and
does not say `fan_out`.

## Why it matters

Each request costs at least half a read unit, also where it finds nothing (AWS: read-write-operations.html), and a page reads up to its size
from every one of them: a page of 20 from 16 streams can read 320 items. The slowest one decides how long it
takes.

## A bad spec

```yaml
dyngen: 1
service: jobs
tables:
  Jobs:
    partition_key: job_id
    indexes:
      Queue: {partition_key: queue, sort_key: due}
entities:
  Job:
    attributes: {job_id: ulid, due: timestamp, done: boolean}
    keys:
      queue: {value: "{shard}", when: {done: false}, shards: {count: 16, by: job_id}}
access_patterns:
  due_jobs: {query: Job, where: {done: false, due: lte}, order_by: due, page_size: 20}     # DG336
```

## A good spec

```yaml
dyngen: 1
service: jobs
tables:
  Jobs:
    partition_key: job_id
    indexes:
      Queue: {partition_key: queue, sort_key: due}
entities:
  Job:
    attributes: {job_id: ulid, due: timestamp, done: boolean}
    keys:
      queue: {value: "{shard}", when: {done: false}, shards: {count: 4, by: job_id}}
access_patterns:
  due_jobs: {query: Job, where: {done: false, due: lte}, order_by: due, page_size: 20}
```

## When to ignore it

Rather than ignoring it, say that so many are meant: `fan_out: 16`.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.cost import stream_count
from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG336"
SEVERITY = Severity.ADVICE

MANY = 10
"""Requests of one read that need no word."""


def check(subject: Subject) -> Iterator[Finding]:
    """Reads of many streams."""
    for plan in subject.design.reads:
        pattern = subject.pattern(plan.name)
        count = max(stream_count(each.route) for each in plan.alternatives)
        if count > MANY and pattern.fan_out is None:
            yield Finding(
                pattern,
                f"`{plan.name}` makes {count} requests at every call",
                pattern.span,
                f"costs at least {count / 2:g} read units, also if nothing is found",
                help=(
                    "use fewer shards (one serves 1,000 writes a second), or fix one of the "
                    "attributes",
                    f"or say that so many are meant: `fan_out: {count}`",
                ),
            )
