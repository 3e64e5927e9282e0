"""A small change pays for a large item.

## What it checks

By the stated `sizes`, items have 8 KB or more, and an update pattern changes at most three attributes of
them.

## Why it matters

DynamoDB has no partial write: a write is charged by the size of the whole item, one unit per KB, whatever
it changes (AWS: read-write-operations.html). A counter in an item of 40 KB costs 40 units at each step; in
an item of its own it costs 1.

## A bad spec

```yaml
dyngen: 1
service: articles
tables:
  Articles: {partition_key: article_id}
entities:
  Article:
    attributes: {article_id: ulid, text: string, views: {type: integer, default: 0}}
access_patterns:
  view_article: {update: Article, where: {article_id: eq}, add: {views: 1}}     # DG374
sizes: {Article: 20000}
```

## A good spec

```yaml
dyngen: 1
service: articles
tables:
  Articles: {partition_key: PK, sort_key: SK}
entities:
  Article:
    attributes: {article_id: ulid, text: string}
    keys: {PK: "ARTICLE#{article_id}", SK: TEXT}
  ArticleViews:
    plural: article_views
    attributes: {article_id: ulid, views: {type: integer, default: 0}}
    keys: {PK: "ARTICLE#{article_id}", SK: VIEWS}
access_patterns:
  view_article: {update: ArticleViews, where: {article_id: eq}, add: {views: 1}, upsert: true}
sizes: {Article: 20000, ArticleViews: 100}
```

## When to ignore it

The update is rare, and reading the item in one piece is worth more.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.writes import updates
from dyngen.runtime.capacity import WRITE_UNIT

CODE = "DG374"
SEVERITY = Severity.ADVICE

LARGE = 8 * 1024
"""Bytes from which a small change is worth a thought."""

_FEW = 3


def check(subject: Subject) -> Iterator[Finding]:
    """Small changes of items that are known to be large."""
    for name, plan in updates(subject):
        size = subject.design.estimates.size(plan.entity).bytes or 0
        if size < LARGE or len(plan.writes) > _FEW:
            continue
        pattern = subject.pattern(name)
        changed = [write.attribute for write in plan.writes]
        yield Finding(
            pattern,
            f"`{name}` costs {-(-size // WRITE_UNIT)} write units to change "
            f"`{'`, `'.join(changed)}`",
            pattern.span,
            "pays for the whole item",
            secondary=tuple(
                Label(said.span, f"{size:,} bytes")
                for said in subject.spec.sizes
                if said.entity.text == plan.entity and said.bytes
            ),
            help=(
                "move what changes often, or what is large, into an item of its own under the "
                "same partition key; one Query still reads both",
            ),
        )
