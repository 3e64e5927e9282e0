"""An estimate that cannot be true.

## What it checks

`sizes` says that items are smaller than their types allow, or larger; that an index, or a partition, holds
more items than there are; or that an item and its entries in local indexes together exceed 400 KB.

## Why it matters

Costs and rules are calculated from these figures. Sizes count everything that is stored: the names of all
attributes, and computed keys (AWS: CapacityUnitCalculations.html); forgetting the names is the usual
mistake. No item is larger than 400 KB, its entries in local indexes included (AWS: Constraints.html).

## A bad spec

```yaml
dyngen: 1
service: users
tables:
  Users: {partition_key: user_id}
entities:
  User:
    attributes: {user_id: uuid, registered_at: timestamp, name: {type: string, max_length: 40}}
access_patterns:
  user: {get: User, where: {user_id: eq}}
sizes: {User: 60}     # DG380
```

## A good spec

```yaml
dyngen: 1
service: users
tables:
  Users: {partition_key: user_id}
entities:
  User:
    attributes: {user_id: uuid, registered_at: timestamp, name: {type: string, max_length: 40}}
access_patterns:
  user: {get: User, where: {user_id: eq}}
sizes: {User: 110}
```

## When to ignore it

Items of an older form are in the table too.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.itemsize import allowed_size, always_in, entry_size
from dyngen.design.model import Entity
from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.runtime.limits import ITEM_BYTES
from dyngen.spec.model import Size

CODE = "DG380"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Figures that contradict the types, or one another."""
    known = {entity.name for entity in subject.schema.entities}
    for size in subject.spec.sizes:
        if size.entity.text in known:
            problem = _bytes(subject, size) or _items(subject, size)
            if problem is not None:
                yield Finding(subject.spec, problem, size.span)


def _bytes(subject: Subject, size: Size) -> str | None:
    if size.bytes is None:
        return None
    entity = subject.schema.entity(size.entity.text)
    allowed = allowed_size(entity, subject.schema.table(entity.table))
    if size.bytes < allowed.least:
        return f"an item of `{entity.name}` has at least {allowed.least:,.0f} bytes"
    if allowed.most is not None and size.bytes > allowed.most:
        return f"an item of `{entity.name}` has at most {allowed.most:,.0f} bytes"
    entries = _local_entries(subject, entity)
    if size.bytes + entries > ITEM_BYTES:
        return (
            f"an item of `{entity.name}` and its entries in local indexes have "
            f"{size.bytes + entries:,.0f} bytes; {ITEM_BYTES:,} are all"
        )
    return None


def _local_entries(subject: Subject, entity: Entity) -> float:
    table = subject.schema.table(entity.table)
    return sum(
        entry_size(entity, table, index, subject.design.estimates).least
        for index in table.indexes
        if index.local and always_in(entity, table, index)
    )


def _items(subject: Subject, size: Size) -> str | None:
    name = size.entity.text
    everything = subject.design.estimates.size(name).held(None).items
    inside = size.items or everything
    if size.per_partition and inside and size.per_partition > inside:
        return f"a partition cannot hold {size.per_partition:,} of {inside:,} items"
    if size.index and size.items and everything and size.items > everything:
        return (
            f"`{size.index.text}` cannot hold {size.items:,} of {everything:,} items of "
            f"`{name}`"
        )
    return None
