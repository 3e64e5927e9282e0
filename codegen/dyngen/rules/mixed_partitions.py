"""Things that have nothing to do with one another share partitions.

## What it checks

In a place that several entities share, the partition key of one is an attribute's value without a label,
and a value of another attribute of another entity can be the same text.

## Why it matters

A customer `17` and a hotel `17` become one item collection. Reads stay exact, since dyngen proves every
range; but the next sort key that has no label of its own is refused, traffic of both adds up in one
partition (1,000 write units a second; AWS: bp-partition-key-design.html), and whoever looks at the table
takes one for the other.

## A bad spec

```yaml
dyngen: 1
service: travel
tables:
  Travel: {partition_key: PK, sort_key: SK}
entities:
  Customer:
    attributes: {customer_id: string, name: string}
    keys: {PK: "{customer_id}", SK: CUSTOMER}
  Hotel:
    attributes: {hotel_id: string, city: string}
    keys: {PK: "{hotel_id}", SK: HOTEL}     # DG319
access_patterns:
  customer: {get: Customer, where: {customer_id: eq}}
  hotel: {get: Hotel, where: {hotel_id: eq}}
```

## A good spec

```yaml
dyngen: 1
service: travel
tables:
  Travel: {partition_key: PK, sort_key: SK}
entities:
  Customer:
    attributes: {customer_id: string, name: string}
    keys: {PK: "CUSTOMER#{customer_id}", SK: CUSTOMER}
  Hotel:
    attributes: {hotel_id: string, city: string}
    keys: {PK: "HOTEL#{hotel_id}", SK: HOTEL}
access_patterns:
  customer: {get: Customer, where: {customer_id: eq}}
  hotel: {get: Hotel, where: {hotel_id: eq}}
```

## When to ignore it

Both attributes hold the same identifier under two names.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from dyngen.design.contents import Variant, variants
from dyngen.design.isolation import key_language
from dyngen.diagnostics.model import Label, Severity
from dyngen.keys.model import Literal
from dyngen.keys.overlap import overlap
from dyngen.rules.support.keys import key_inputs
from dyngen.rules.support.subject import Finding, Place, Subject

CODE = "DG319"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Pairs of entities whose partitions meet by accident."""
    for place in subject.places:
        firsts = [
            found
            for entity in place.entities
            for found in variants(entity, place.table, place.index)[:1]
        ]
        for one, other in combinations(firsts, 2):
            if not (_labelled(one) or _labelled(other)) and _meet(one, other):
                yield _finding(subject, place, one, other)


def _finding(subject: Subject, place: Place, one: Variant, other: Variant) -> Finding:
    def named(variant: Variant) -> str:
        inputs = sorted(key_inputs(variant.entity, variant.partition))
        return " and ".join(f"`{name}`" for name in inputs)

    form = other.entity.keys[other.partition[0].key.name]
    first = one.entity.keys[one.partition[0].key.name]
    return Finding(
        subject.entity(other.entity.name),
        f"`{one.entity.name}` and `{other.entity.name}` share partitions of `{place.name}`",
        form.span,
        f"{named(other)}, without a label",
        secondary=(
            Label(first.span, f"and so is {named(one)} of `{one.entity.name}`"),
        ),
        help=(
            f'label them: `"{one.entity.name.upper()}#..."` and '
            f'`"{other.entity.name.upper()}#..."`',
        ),
    )


def _labelled(variant: Variant) -> bool:
    """Whether the partition key begins with fixed text."""
    template = variant.partition[0].template
    return template is not None and isinstance(template.pieces[0], Literal)


def _meet(one: Variant, other: Variant) -> bool:
    """Whether different attributes can give the same partition key."""
    mine = key_inputs(one.entity, one.partition)
    if mine & key_inputs(other.entity, other.partition):
        return False
    return all(
        overlap(key_language(ours, one), key_language(theirs, other)) is not None
        for ours, theirs in zip(one.partition, other.partition, strict=True)
    )
