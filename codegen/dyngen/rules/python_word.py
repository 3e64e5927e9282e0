"""A name is a word of Python.

## What it checks

An attribute, access pattern or parameter is called like a keyword of Python.

## Why it matters

It works: the generated name has a `_` behind it. But then the name in code, `from_`, differs from the one in
the table, in the spec and in JSON, and everybody has to remember which is which, in both directions.

## A bad spec

```yaml
dyngen: 1
service: messages
tables:
  Messages: {partition_key: to, sort_key: message_id}
entities:
  Message:
    attributes: {to: uuid, message_id: ulid, from: uuid}     # DG360
access_patterns:
  inbox: {query: Message, where: {to: eq}, description: Messages to somebody.}
```

## A good spec

```yaml
dyngen: 1
service: messages
tables:
  Messages: {partition_key: to, sort_key: message_id}
entities:
  Message:
    attributes: {to: uuid, message_id: ulid, sender: {type: uuid, name: from}}
access_patterns:
  inbox: {query: Message, where: {to: eq}, description: Messages to somebody.}
```

## When to ignore it

The word is the one that everybody uses, and no other would be understood.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG360"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Keywords among the names."""
    for entity in subject.schema.entities:
        for attribute in entity.attributes:
            if keyword.iskeyword(attribute.name):
                yield Finding(
                    subject.entity(entity.name),
                    f"`{attribute.name}` is a word of Python, and gets another name there",
                    attribute.span,
                    help=(
                        "call it something else, and store it under that name: `sender: "
                        f"{{type: ..., name: {attribute.stored}}}`",
                    ),
                )
    for plan in subject.design.reads:
        pattern = subject.pattern(plan.name)
        attributes = {
            a.name
            for name in plan.entities
            for a in subject.schema.entity(name).attributes
        }
        for name, span in (
            (plan.name, pattern.span),
            *((p.name, p.span) for p in plan.parameters if p.name not in attributes),
        ):
            if keyword.iskeyword(name):
                yield Finding(
                    pattern,
                    f"`{name}` is a word of Python, and gets another name there",
                    span,
                    help=("call it something else",),
                )
