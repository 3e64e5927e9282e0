"""The stated rates are more than one partition takes.

## What it checks

What `rates` put on a partition key that has few values: a constant, enums, booleans, shards, or the time of
writing. Even if all its values were used alike, one partition would get more than 1,000 write units or
3,000 read units a second.

## Why it matters

A partition serves 1,000 write units and 3,000 read units a second, whatever the capacity of the table (AWS:
bp-partition-key-design.html). Beyond that, requests are throttled; adaptive capacity can isolate a key, but
not split it. A throttled index throttles the writes of its table too.

## A bad spec

```yaml
dyngen: 1
service: clicks
tables:
  Clicks:
    partition_key: click_id
    indexes:
      Latest: {partition_key: all, sort_key: clicked_at}
entities:
  Click:
    attributes: {click_id: ulid, clicked_at: timestamp, page: string}
    keys: {all: CLICKS}     # DG320
access_patterns:
  latest_clicks: {query: Click, where: {clicked_at: gte}, order_by: clicked_at, page_size: 100}
sizes: {Click: 300}
rates: {Click.create: 2500}
```

## A good spec

```yaml
dyngen: 1
service: clicks
tables:
  Clicks:
    partition_key: click_id
    indexes:
      Latest: {partition_key: all, sort_key: clicked_at}
entities:
  Click:
    attributes: {click_id: ulid, clicked_at: timestamp, page: string}
    keys: {all: {value: "CLICKS#{shard}", shards: {count: 5, by: click_id}}}
access_patterns:
  latest_clicks: {query: Click, where: {clicked_at: gte}, order_by: clicked_at, page_size: 100}
sizes: {Click: 300}
rates: {Click.create: 2500}
```

## When to ignore it

The rate is a short peak, and throttled calls are retried.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from dyngen.design.traffic import Traffic
from dyngen.diagnostics.model import Label, Severity
from dyngen.diagnostics.suggest import listed
from dyngen.rules.support.keys import Spread, all_variants, spread
from dyngen.rules.support.subject import Finding, Place, Subject

CODE = "DG320"
SEVERITY = Severity.WARNING

MAX_WRITES, MAX_READS = 1000, 3000
"""Units a second of one partition (C-6; AWS: bp-partition-key-design.html)."""


def check(subject: Subject) -> Iterator[Finding]:
    """Keys whose partitions get too much."""
    for place in subject.places:
        for variant in all_variants(place):
            among = spread(variant)
            traffic = subject.traffic(place, variant.entity)
            if among.count is None or not traffic:
                continue
            for kind, most in (("write", MAX_WRITES), ("read", MAX_READS)):
                units = sum(each.units(kind) for each in traffic)
                if units > most * among.count:
                    each = f"{units / among.count:,.0f} {kind} units"
                    yield Finding(
                        subject.place(place),
                        f"a partition of `{place.name}` gets {each} a second; "
                        f"it takes {most:,}",
                        variant.entity.keys[variant.partition[0].key.name].span,
                        _values(among),
                        secondary=(_sources(subject, place, kind, traffic),),
                        help=(_remedy(ceil(units / most)),),
                    )


def _values(among: Spread) -> str:
    number = "1 value" if among.count == 1 else f"{among.count} values"
    return f"has {number} at a time" if among.time else f"has {number}"


def _sources(
    subject: Subject, place: Place, kind: str, traffic: tuple[Traffic, ...]
) -> Label:
    names = dict.fromkeys(each.source for each in traffic if each.units(kind))
    return Label(subject.place(place).span, f"by {listed(names, 'and')}")


def _remedy(count: int) -> str:
    return (
        f"spread the key over {count} shards: `shards: {{count: {count}, by: ...}}`, and "
        "`{shard}` in the key; reads ask all shards and merge"
    )
