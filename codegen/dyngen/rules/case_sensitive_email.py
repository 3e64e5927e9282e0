"""An e-mail address in a key keeps its case.

## What it checks

A string attribute called `email` that is part of a key, or unique, without `fold`.

## Why it matters

Keys are compared byte by byte (AWS: API_Query). `Ann@example.org` and `ann@example.org` reach one person, and are two items
here: she signs up twice, and signing in finds nothing when the keyboard has begun with a capital letter.

## A bad spec

```yaml
dyngen: 1
service: accounts
tables:
  Accounts: {partition_key: email}
entities:
  Account:
    attributes: {email: {type: string, max_length: 254}, name: string}     # DG317
access_patterns:
  account: {get: Account, where: {email: eq}}
```

## A good spec

```yaml
dyngen: 1
service: accounts
tables:
  Accounts: {partition_key: email}
entities:
  Account:
    attributes: {email: {type: string, max_length: 254, fold: lower}, name: string}
access_patterns:
  account: {get: Account, where: {email: eq}}
```

## When to ignore it

Addresses are folded before they come here.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.keys import keyed_attributes
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import EMAILS, last_word
from dyngen.types.model import String

CODE = "DG317"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Addresses in keys that are not folded."""
    found = {(e.name, a.name): a for e, a, _ in keyed_attributes(subject)}
    for entity in subject.schema.entities:
        for unique in entity.unique:
            found |= {(entity.name, n): entity.attribute(n) for n in unique.attributes}
    for (name, _), attribute in found.items():
        match attribute.type:
            case String(fold=None) if last_word(attribute.name) in EMAILS:
                yield Finding(
                    subject.entity(name),
                    f"`{attribute.name}` tells upper from lower case",
                    attribute.span,
                    "`Ann@example.org` and `ann@example.org` are two keys",
                    help=("add `fold: lower`: values and parameters are folded alike",),
                )
