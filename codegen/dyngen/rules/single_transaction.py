"""A transaction of one action.

## What it checks

A `transact` with a single member that adds to nothing (an ADD is made exactly once by a transaction).

## Why it matters

A transaction prepares and commits: it costs two write units per KB where a plain write costs one, and two
read units per 4 KB where a get costs a half (AWS: read-write-operations.html), and takes longer. A single
write is atomic by itself.

## A bad spec

```yaml
dyngen: 1
service: users
tables:
  Users: {partition_key: user_id}
entities:
  User:
    attributes: {user_id: uuid, name: string}
access_patterns:
  rename: {transact: [{update: User, where: {user_id: eq}, set: [name]}]}     # DG373
```

## A good spec

```yaml
dyngen: 1
service: users
tables:
  Users: {partition_key: user_id}
entities:
  User:
    attributes: {user_id: uuid, name: string}
access_patterns:
  rename: {update: User, where: {user_id: eq}, set: [name]}
```

## When to ignore it

More members will follow, and callers are not to notice.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.spec.model import Action

CODE = "DG373"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Transactions that need not be any."""
    for plan in subject.design.transactions:
        if len(plan.members) > 1:
            continue
        [member] = plan.members
        if any(write.verb in ("add", "append") for write in member.writes):
            continue
        pattern = subject.pattern(plan.name)
        times = "4 times" if member.action is Action.GET else "twice"
        instead = {
            Action.CREATE: "the repository's `create`",
            Action.PUT: "the repository's `put`",
            Action.CHECK: "a `get`",
        }.get(member.action, f"`{member.action}` as a pattern of its own")
        yield Finding(
            pattern,
            f"`{plan.name}` is a transaction of one action, and costs {times} as much as that",
            pattern.span,
            help=(f"use {instead}",),
        )
