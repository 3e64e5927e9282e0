"""All items are in few partitions.

## What it checks

The partition key of an index, or of a table, is a constant or made of enums and booleans alone, holds every
item of an entity, has no shards, and `rates` do not say that it can bear it.

## Why it matters

One partition serves 1,000 write units and 3,000 read units a second (AWS: bp-partition-key-design.html), and
values of an enum are never used alike: with three states, nearly all orders are DELIVERED. The table scales,
its index does not; and a throttled index throttles the writes of its table.

## A bad spec

```yaml
dyngen: 1
service: users
tables:
  Users:
    partition_key: user_id
    indexes:
      ByStatus: {partition_key: status, sort_key: signed_up}     # DG321
entities:
  User:
    attributes: {user_id: uuid, status: [ACTIVE, LOCKED], signed_up: timestamp}
access_patterns:
  users_by_status: {query: User, where: {status: eq}, order_by: signed_up}
```

## A good spec

```yaml
dyngen: 1
service: users
tables:
  Users:
    partition_key: user_id
    indexes:
      ByStatus: {partition_key: status_shard, sort_key: signed_up}
entities:
  User:
    attributes: {user_id: uuid, status: [ACTIVE, LOCKED], signed_up: timestamp}
    keys: {status_shard: {value: "{status}#{shard}", shards: {count: 10, by: user_id}}}
access_patterns:
  users_by_status: {query: User, where: {status: eq}, order_by: signed_up}
```

## When to ignore it

The items are few and seldom written. Better than ignoring is to say so: with `rates: {User.create: 2}` the
compiler calculates instead of guessing.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.contents import Variant
from dyngen.design.derived import table_key_sources
from dyngen.design.itemsize import always_in
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.keys import all_variants, key_inputs, slots, spread
from dyngen.rules.support.subject import Finding, Place, Subject

CODE = "DG321"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Places that gather all items of an entity."""
    for place in subject.places:
        seen: set[str] = set()
        for variant in all_variants(place):
            found = spread(variant)
            if found.count is None or found.sharded or found.time is not None:
                continue
            entity = variant.entity
            if entity.name in seen or not _grows(variant):
                continue
            if not always_in(entity, place.table, place.index):
                continue
            if not subject.writes_known(entity):
                seen.add(entity.name)
                yield _finding(subject, place, variant, found.count)


def _finding(subject: Subject, place: Place, variant: Variant, count: int) -> Finding:
    scope = subject.place(place)
    partitions = "one partition" if count == 1 else f"{count} partitions"
    key = variant.partition[0].key.name
    inverted = variant.index is not None and key in {
        each.name for each in place.table.key.all
    }
    by = _distinct(subject, variant)
    return Finding(
        scope,
        f"all items of `{variant.entity.name}` are in {partitions} of `{place.name}`",
        scope.span,
        "one partition takes 1,000 write units a second",
        secondary=(Label(variant.entity.keys[key].span, "its partition key"),),
        help=(
            f"say how often they are written (`rates: {{{variant.entity.name}.create: 2}}`), and "
            "this is calculated",
            (
                f"or give `{place.name}` a partition key of its own, which only the items have that"
                " are read there"
                if inverted
                else f"or spread the key: `shards: {{count: 10, by: {by}}}`, and `{{shard}}` in the"
                " key; reads ask all shards and merge"
            ),
        ),
    )


def _distinct(subject: Subject, variant: Variant) -> str:
    """An attribute that differs between items of one partition: of what identifies them, if possible."""
    entity = variant.entity
    table = subject.schema.table(entity.table)
    fixed = key_inputs(entity, variant.partition)
    names = (
        *entity.id,
        *sorted(table_key_sources(entity, table)),
        *(each.name for each in entity.attributes),
    )
    return next((name for name in names if name not in fixed), names[0])


def _grows(variant: Variant) -> bool:
    """Whether there can be any number of items: in an index, or told apart by more than enums."""
    if variant.index is not None:
        return True
    return any(
        slot.attribute is not None and slot.attribute.name not in _few(variant)
        for slot in slots(variant.entity, variant.sort)
    )


def _few(variant: Variant) -> frozenset[str]:
    """Attributes with few values."""
    return frozenset(
        name
        for name, values in variant.holds.items()
        if values.present
        and all(i.low is not None and i.low == i.high for i in values.present)
    )
