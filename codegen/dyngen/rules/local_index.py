"""A local index has the limits of one, and not its use.

## What it checks

A local index that no pattern reads with `consistent: true`.

## Why it matters

A local index can be created with its table only and never removed, and keeps every partition below 10 GB
with all index entries (AWS: LSI.html). What it has over a global index is one thing: it can be read
consistently. AWS advises to use global indexes otherwise (AWS: bp-indexes-general.html).

## A bad spec

```yaml
dyngen: 1
service: forum
tables:
  Threads:
    partition_key: forum
    sort_key: subject
    indexes:
      ByLastPost: {type: local, sort_key: posted_at}     # DG345
entities:
  Thread:
    attributes: {forum: uuid, subject: string, posted_at: timestamp}
access_patterns:
  threads: {query: Thread, where: {forum: eq}, order_by: posted_at desc, page_size: 20}
```

## A good spec

```yaml
dyngen: 1
service: forum
tables:
  Threads:
    partition_key: forum
    sort_key: subject
    indexes:
      ByLastPost: {partition_key: forum, sort_key: posted_at}
entities:
  Thread:
    attributes: {forum: uuid, subject: string, posted_at: timestamp}
access_patterns:
  threads: {query: Thread, where: {forum: eq}, order_by: posted_at desc, page_size: 20}
```

## When to ignore it

The table exists, and its local index with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG345"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Local indexes that are never read consistently."""
    if not subject.whole:
        return
    for place in subject.indexes():
        if place.index is None or not place.index.local:
            continue
        routes = subject.routes(place)
        if routes and not any(plan.consistent for plan, _ in routes):
            index = subject.place(place)
            yield Finding(
                index,
                f"`{place.name}` is local, and nobody reads it consistently",
                index.span,
                "limits every partition of the table to 10 GB",
                help=(
                    "make it global: give it a `partition_key` and leave `type: local` out",
                    "or read it with `consistent: true`, if that is what it is for",
                ),
            )
