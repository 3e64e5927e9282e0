"""Pages are cut before a filter drops items.

## What it checks

A read has both a `page_size` and a `filter`.

## Why it matters

DynamoDB counts the items it reads towards a page, not those that pass the filter (AWS: API_Query, `Limit`).
A page of 10 may hold 3 items or none although more match, and a caller who takes a short page for the end
loses the rest.

## A bad spec

```yaml
dyngen: 1
service: pets
tables:
  Documents: {partition_key: pet_id, sort_key: document_id}
entities:
  Document:
    attributes: {pet_id: uuid, document_id: ulid, kind: [VACCINATION, INVOICE]}
access_patterns:
  vaccinations:
    query: Document
    where: {pet_id: eq}
    filter: {where: {kind: VACCINATION}, at_most: 100}
    page_size: 10      # DG331
```

## A good spec

```yaml
dyngen: 1
service: pets
tables:
  Documents:
    partition_key: pet_id
    sort_key: document_id
    indexes:
      ByKind: {partition_key: pet_id, sort_key: [kind, document_id]}
entities:
  Document:
    attributes: {pet_id: uuid, document_id: ulid, kind: [VACCINATION, INVOICE]}
access_patterns:
  documents_of_kind: {query: Document, where: {pet_id: eq, kind: eq}, page_size: 10}
```

## When to ignore it

Callers follow cursors until there are none, and show pages of any length.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG331"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Reads that have both."""
    for plan in subject.reads:
        pattern = subject.pattern(plan.name)
        if pattern.filter is None or pattern.page_size is None:
            continue
        yield Finding(
            pattern,
            f"pages of `{plan.name}` are cut before its filter drops items",
            pattern.page_size.span,
            "a page may be short, or empty, while more items match",
            secondary=(Label(pattern.filter.span, "drops some of the items read"),),
            help=("leave `page_size` out, or move the filtered attribute into a key",),
        )
