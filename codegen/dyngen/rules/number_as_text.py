"""A number that is declared as text is sorted as text.

## What it checks

A query orders by, or bounds, a string attribute whose name says that it is a number: a count, score,
price, version and the like.

## Why it matters

DynamoDB orders strings by their bytes (AWS: API_Query): `10` comes before `9`, and between `1` and `2` lie
`10`, `100` and `1999`. The first ten numbers look right.

## A bad spec

```yaml
dyngen: 1
service: documents
tables:
  Documents: {partition_key: document_id, sort_key: version}
entities:
  Draft:
    attributes: {document_id: uuid, version: string, text: string}     # DG314
access_patterns:
  latest_draft: {query: Draft, where: {document_id: eq}, order_by: version desc, one: first}
```

## A good spec

```yaml
dyngen: 1
service: documents
tables:
  Documents: {partition_key: document_id, sort_key: version}
entities:
  Draft:
    attributes: {document_id: uuid, version: integer, text: string}
access_patterns:
  latest_draft: {query: Draft, where: {document_id: eq}, order_by: version desc, one: first}
```

## When to ignore it

The text is not a number (`2026-spring`), or is always padded to one width.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.reads import ordered_by
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import NUMBERS, last_word
from dyngen.types.model import String

CODE = "DG314"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Strings in an order that are numbers by name."""
    for entity, attribute, plans in ordered_by(subject):
        if isinstance(attribute.type, String) and last_word(attribute.name) in NUMBERS:
            yield Finding(
                subject.entity(entity.name),
                f"`{attribute.name}` is text, and is sorted as text: `10` before `9`",
                attribute.span,
                "a number, by its name",
                secondary=plans,
                help=(
                    f"`{attribute.name}: integer` as a key of its own; inside a computed key, "
                    "`{type: integer, min: 0, max: 99999999}`, which gives it its width",
                ),
            )
