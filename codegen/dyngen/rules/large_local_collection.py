"""A local index, and item collections that outgrow it.

## What it checks

A table with a local index whose partitions, by the stated `sizes`, hold more than 10 GB; or whose partition
key is a constant or made of enums, so that they grow without end.

## Why it matters

With a local index, all items of one partition key and their index entries must fit into 10 GB. Beyond that,
every write that adds to it fails with ItemCollectionSizeLimitExceededException, and the index cannot be
removed (AWS: LSI.html). Such a partition cannot be split for throughput either.

## A bad spec

```yaml
dyngen: 1
service: sensors
tables:
  Readings:
    partition_key: sensor_id
    sort_key: read_at
    indexes:
      ByValue: {type: local, sort_key: value}     # DG324
entities:
  Reading:
    attributes: {sensor_id: uuid, read_at: timestamp, value: integer}
    id: [sensor_id, read_at]
access_patterns:
  highest: {query: Reading, where: {sensor_id: eq}, order_by: value desc, page_size: 10, consistent: true}
sizes:
  Reading: {bytes: 100, per_partition: 60000000}
```

## A good spec

```yaml
dyngen: 1
service: sensors
tables:
  Readings:
    partition_key: sensor_id
    sort_key: read_at
    indexes:
      ByValue: {partition_key: sensor_id, sort_key: value}
entities:
  Reading:
    attributes: {sensor_id: uuid, read_at: timestamp, value: integer}
    id: [sensor_id, read_at]
access_patterns:
  highest: {query: Reading, where: {sensor_id: eq}, order_by: value desc, page_size: 10}
sizes:
  Reading: {bytes: 100, per_partition: 60000000}
```

## When to ignore it

Old items are deleted before a partition grows so far.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.contents import variants
from dyngen.design.itemsize import entry_size
from dyngen.design.model import Entity, Table
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.keys import spread
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG324"
SEVERITY = Severity.WARNING

MAX_COLLECTION = 10 * 1024**3
"""Bytes of an item collection of a table with a local index (G-12; AWS: LSI.html)."""


def check(subject: Subject) -> Iterator[Finding]:
    """Tables with local indexes whose collections grow too large."""
    for table in subject.schema.tables:
        local = [index for index in table.indexes if index.local]
        if not local:
            continue
        entities = [e for e in subject.schema.entities if e.table == table.name]
        sizes = [_collection(subject, table, entity) for entity in entities]
        size = sum(each for each in sizes if each is not None)
        unending = [e for e in entities if _gathered(table, e)]
        if size > MAX_COLLECTION:
            said = f"{size / 1024**3:,.0f} GB"
        elif unending and None in sizes:
            said = f"all items of `{unending[0].name}`"
        else:
            continue
        index = next(i for i in subject.table(table.name).indexes if i.local)
        yield Finding(
            index,
            f"a partition of `{table.name}` holds {said}; with a local index, 10 GB is all",
            index.span,
            "limits the table's partitions to 10 GB",
            secondary=(Label(table.span, "the table"),),
            help=(
                "make the index global: give it a `partition_key` and leave `type: local` out",
            ),
        )


def _collection(subject: Subject, table: Table, entity: Entity) -> float | None:
    """Bytes of the fullest partition's items of an entity, with their entries in local indexes."""
    count = subject.design.estimates.size(entity.name).held(None).per_partition
    if count is None:
        return None
    places = (None, *(index for index in table.indexes if index.local))
    sizes = (
        entry_size(entity, table, place, subject.design.estimates) for place in places
    )
    return count * sum(size.least for size in sizes)


def _gathered(table: Table, entity: Entity) -> bool:
    return any(
        spread(variant).count is not None for variant in variants(entity, table, None)
    )
