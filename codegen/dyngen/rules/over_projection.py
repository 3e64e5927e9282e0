"""An index holds whole items, and its reads use a part of them.

## What it checks

An index with `projection: all` each of whose reads asks for some attributes only (`select`), or completes
its items from the table (`hydrate: true`).

## Why it matters

An index with everything is a second table: every change of any attribute writes its entry too, one unit per
KB, and it takes the same storage (AWS: GSI.html). With what is read, and no more, a change of another
attribute costs the index nothing, and more entries fit into the 4 KB of a read unit.

## A bad spec

```yaml
dyngen: 1
service: library
tables:
  Books:
    partition_key: book_id
    indexes:
      ByAuthor: {partition_key: author_id, sort_key: title}     # DG334
entities:
  Book:
    attributes: {book_id: ulid, author_id: uuid, title: string, blurb: string, text: string}
access_patterns:
  titles_of_author: {query: Book, where: {author_id: eq}, select: [title, blurb]}
```

## A good spec

```yaml
dyngen: 1
service: library
tables:
  Books:
    partition_key: book_id
    indexes:
      ByAuthor: {partition_key: author_id, sort_key: title, projection: [blurb]}
entities:
  Book:
    attributes: {book_id: ulid, author_id: uuid, title: string, blurb: string, text: string}
access_patterns:
  titles_of_author: {query: Book, where: {author_id: eq}, select: [title, blurb]}
```

## When to ignore it

Reads to come will need the rest: what an index projects cannot be changed, only a new index made.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.contents import key_schema
from dyngen.design.model import Projection, tests_in
from dyngen.design.plans import ReadPlan
from dyngen.design.tables import MAX_INCLUDED
from dyngen.diagnostics.model import Label, Severity
from dyngen.diagnostics.suggest import listed
from dyngen.rules.support.subject import Finding, Place, Subject

CODE = "DG334"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Indexes that could hold less."""
    if not subject.whole:
        return
    for place in subject.indexes():
        assert place.index is not None
        plans = [plan for plan, _ in subject.routes(place)]
        if place.index.projection is not Projection.ALL or not plans:
            continue
        if not all(plan.select or plan.hydrate for plan in plans):
            continue
        needed = {name for plan in plans for name in _needed(subject, place, plan)}
        if len(needed) > MAX_INCLUDED:
            continue
        scope = subject.place(place)
        less = f"[{', '.join(sorted(needed))}]" if needed else "keys_only"
        held = (
            f"{listed(sorted(needed), 'and')} beside keys" if needed else "keys alone"
        )
        yield Finding(
            scope,
            f"`{place.name}` holds whole items; its reads need {held}",
            scope.span,
            "is written at every change of any attribute",
            secondary=tuple(Label(p.span, "reads it") for p in plans if p.span),
            help=(f"`projection: {less}`",),
        )


def _needed(subject: Subject, place: Place, plan: ReadPlan) -> Iterator[str]:
    """What a read needs of the index beyond keys, by stored name."""
    keys = {key.name for key in key_schema(place.table, None).all}
    keys |= {key.name for key in key_schema(place.table, place.index).all}
    names = set(plan.projected or ()) if plan.select else set()
    if plan.filter is not None:
        names |= {test.attribute for test in tests_in(plan.filter.conditions)}
    if plan.expires is not None:
        names.add(plan.expires)
    for entity in map(subject.schema.entity, plan.entities):
        for attribute in entity.attributes:
            wanted = attribute.name in names or attribute.stored in names
            if wanted and attribute.stored not in keys:
                yield attribute.name
