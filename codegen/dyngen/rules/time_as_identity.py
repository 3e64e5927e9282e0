"""A time is all that tells two items apart.

## What it checks

The varying part of a table's sort key (or of its partition key, where it has no sort key) is a timestamp,
or the date of the thing itself (an Order's `order_date`), and nothing else that could identify an item, and
the entity does not declare its `id`.

## Why it matters

Two things that happen in one millisecond have the same key: a `put` replaces the first (AWS: API_PutItem), a
`create` is refused. It hardly happens in a test, and does in production: of 100 events in a second, about 5 pairs share
a millisecond.

## A bad spec

```yaml
dyngen: 1
service: audit
tables:
  Audit: {partition_key: account_id, sort_key: happened_at}
entities:
  Event:
    attributes: {account_id: uuid, happened_at: timestamp, action: string}     # DG312
access_patterns:
  events_since: {query: Event, where: {account_id: eq, happened_at: gte}}
```

## A good spec

```yaml
dyngen: 1
service: audit
tables:
  Audit: {partition_key: account_id, sort_key: [happened_at, event_id]}
entities:
  Event:
    attributes:
      account_id: uuid
      happened_at: timestamp
      event_id: {type: ulid, generated: true}
      action: string
access_patterns:
  events_since: {query: Event, where: {account_id: eq, happened_at: gte}}
```

## When to ignore it

One source writes one item at a time, as a device that reports once a minute; better, say so:
`id: [account_id, happened_at]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Attribute, Entity
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.keys import identifying
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import is_measure, singular, words
from dyngen.types.model import Boolean, Date, Enum, Timestamp

CODE = "DG312"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Table keys that end in a time."""
    for entity, attributes in identifying(subject):
        times = [a for a in attributes if _is_when(entity, a)]
        others = [a for a in attributes if a not in times]
        if not times or not all(
            isinstance(a.type, Enum | Boolean) or is_measure(a) for a in others
        ):
            continue
        name = times[0].name
        yield Finding(
            subject.entity(entity.name),
            f"two items of `{entity.name}` with the same `{name}` have one key",
            times[0].span,
            "the only thing that tells them apart",
            secondary=(Label(subject.table(entity.table).span, "is keyed by it"),),
            help=(
                f"put an identifier behind `{name}` in the key: order and ranges stay as they "
                "are",
                f"if there can be only one, say so: `id: [..., {name}]`",
            ),
        )


def _is_when(entity: Entity, attribute: Attribute) -> bool:
    """Whether the attribute says when the thing itself was: two of them can be on one day."""
    match attribute.type:
        case Timestamp():
            return True
        case Date():
            return singular(words(entity.name)[-1]) in map(
                singular, words(attribute.name)
            )
        case _:
            return False
