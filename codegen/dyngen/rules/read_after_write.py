"""A read that must see the latest write goes through a global index.

## What it checks

The description of a read says that it comes right after a write (`immediately`, `right after`, `just
created`, `up to date`, `real time`, `the latest write`), and its plan reads a global index.

## Why it matters

A global index follows its table with a delay, mostly of milliseconds, sometimes of seconds, and cannot be
read consistently (AWS: GSI.html). The item that was just written may be missing, or be listed in its old
place, and no retry in the test will ever show it.

## A bad spec

```yaml
dyngen: 1
service: users
tables:
  Users:
    partition_key: user_id
    indexes:
      ByName: {partition_key: name}
entities:
  User:
    attributes: {user_id: uuid, name: string}
access_patterns:
  users_called:     # DG335
    description: Users of a name, asked for immediately after one has signed up.
    query: User
    where: {name: eq}
```

## A good spec

```yaml
dyngen: 1
service: users
tables:
  Users: {partition_key: name}
entities:
  User:
    attributes: {name: string, user_id: uuid}
access_patterns:
  user_called:
    description: The user of a name, asked for immediately after signing up.
    get: User
    where: {name: eq}
    consistent: true
```

## When to ignore it

The words mean something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG335"
SEVERITY = Severity.ADVICE

_WORDS = re.compile(
    r"\b(immediately|instantly|right after|straight after|just (?:written|created|updated)|"
    r"up[ -]to[ -]date|real[ -]time|strongly consistent|read[ -]your[ -](?:own[ -])?writes|"
    r"read[ -]after[ -]write|(?:latest|last|newest) (?:write|change|state|version)|as soon as)\b",
    re.IGNORECASE,
)


def check(subject: Subject) -> Iterator[Finding]:
    """Reads of global indexes whose description asks for more."""
    for plan in subject.design.reads:
        said = _WORDS.search(plan.description)
        index = plan.alternatives[0].route.index
        if said is None or index is None:
            continue
        if subject.schema.table(plan.table).index(index).local:
            continue
        pattern = subject.pattern(plan.name)
        yield Finding(
            pattern,
            f"`{plan.name}` says `{said[0]}`, and reads a global " "index",
            pattern.span,
            "may not see it yet",
            secondary=(
                Label(subject.index(plan.table, index).span, "follows the table late"),
            ),
            help=(
                "read by the table's key, with `consistent: true`",
                "or use what the write returned, and leave the index to later reads",
            ),
        )
