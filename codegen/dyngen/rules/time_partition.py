"""All that is written now goes into one partition.

## What it checks

A partition key is made of the time of writing (a bucket of a timestamp, or a time that the repository
fills) and of enums or constants alone, without shards, and `rates` do not say that it can bear it.

## Why it matters

`2026-07` is a new partition every month, and the only one that is written all month: it serves 1,000 write
units a second (AWS: bp-partition-key-design.html), while those of the past lie idle.

## A bad spec

```yaml
dyngen: 1
service: events
tables:
  Events:
    partition_key: event_id
    indexes:
      ByDay: {partition_key: day, sort_key: happened_at}     # DG322
entities:
  Event:
    attributes: {event_id: ulid, happened_at: {type: timestamp, default: now}}
    keys: {day: "{happened_at:%Y-%m-%d}"}
access_patterns:
  every_event: {scan: Event, where: {happened_at: present}, index: ByDay, at_most: 100000}
```

## A good spec

```yaml
dyngen: 1
service: events
tables:
  Events:
    partition_key: event_id
    indexes:
      ByDay: {partition_key: day, sort_key: happened_at}
entities:
  Event:
    attributes: {event_id: ulid, happened_at: {type: timestamp, default: now}}
    keys: {day: {value: "{happened_at:%Y-%m-%d}#{shard}", shards: {count: 8, by: event_id}}}
access_patterns:
  every_event: {scan: Event, where: {happened_at: present}, index: ByDay, at_most: 100000}
```

## When to ignore it

Items are seldom written. Better than ignoring is to say so: with `rates: {Event.create: 2}` the compiler
calculates instead of guessing.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.itemsize import always_in
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.keys import all_variants, spread
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG322"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Keys that follow the clock."""
    for place in subject.places:
        for variant in all_variants(place):
            found = spread(variant)
            if found.count is None or found.sharded or found.time is None:
                continue
            if subject.writes_known(variant.entity):
                continue
            if not always_in(variant.entity, place.table, place.index):
                continue
            scope = subject.place(place)
            form = variant.entity.keys[variant.partition[0].key.name]
            yield Finding(
                scope,
                f"all of `{variant.entity.name}` that is written now is in one partition of "
                f"`{place.name}`",
                scope.span,
                "one partition takes 1,000 write units a second",
                secondary=(Label(form.span, f"follows `{found.time.name}`"),),
                help=(
                    "say how often they are written "
                    f"(`rates: {{{variant.entity.name}.create: 2}}`), and this is calculated",
                    "or put an identifier or `{shard}` into the key beside the time",
                ),
            )
