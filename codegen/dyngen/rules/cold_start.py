"""A new on-demand table does not take the stated rates at once.

## What it checks

What `rates` put on a table or global index with on-demand billing is more than a new one serves, 4,000
write units or 12,000 read units a second, and its `warm_throughput` does not cover it.

## Why it matters

On-demand capacity grows to double the previous peak within 30 minutes; a new table begins with 4,000 and
12,000 (AWS: on-demand-capacity-mode.html). On the first day, or after a move to a new table, the rest is
throttled. Beyond 40,000 units a second, the default quota of a table ends it (AWS: ServiceQuotas.html).

## A bad spec

```yaml
dyngen: 1
service: telemetry
tables:
  Telemetry: {partition_key: device_id, sort_key: reading_id}     # DG353
entities:
  Reading:
    attributes: {device_id: uuid, reading_id: ulid, value: integer}
access_patterns:
  readings: {query: Reading, where: {device_id: eq}, page_size: 50}
sizes: {Reading: 100}
rates: {Reading.put: 9000}
```

## A good spec

```yaml
dyngen: 1
service: telemetry
tables:
  Telemetry: {partition_key: device_id, sort_key: reading_id, warm_throughput: {write: 9000}}
entities:
  Reading:
    attributes: {device_id: uuid, reading_id: ulid, value: integer}
access_patterns:
  readings: {query: Reading, where: {device_id: eq}, page_size: 50}
sizes: {Reading: 100}
rates: {Reading.put: 9000}
```

## When to ignore it

The table exists, and has grown to its rates.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.capacity import capacity, warm_throughput
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG353"
SEVERITY = Severity.ADVICE

NEW_WRITES, NEW_READS = 4000, 12000
"""Units a second that a new table serves (C-8; AWS: on-demand-capacity-mode.html)."""

QUOTA = 40000
"""Units a second of a table, unless AWS raises it (C-10; AWS: ServiceQuotas.html)."""


def check(subject: Subject) -> Iterator[Finding]:
    """Places that get more than a new one serves."""
    for place in subject.places:
        if capacity(place.table.settings) or (place.index and place.index.local):
            continue
        warm = warm_throughput((place.index or place.table).settings)
        traffic = subject.traffic(place)
        for kind, most in (
            ("write", max(NEW_WRITES, warm.write)),
            ("read", max(NEW_READS, warm.read)),
        ):
            units = sum(each.units(kind) for each in traffic)
            if units > most:
                scope = subject.place(place)
                quota = "; ask AWS for a higher quota too" if units > QUOTA else ""
                yield Finding(
                    scope,
                    f"`{place.name}` gets {units:,.0f} {kind} units a second; ready are {most:,}",
                    scope.span,
                    help=(f"`warm_throughput: {{{kind}: {units:.0f}}}`{quota}",),
                )
