"""Every write of an entity is written many times over.

## What it checks

Every item of an entity is in six indexes or more; or, by the stated `sizes`, a create costs a hundred write
units or more, most of them for indexes.

## Why it matters

A new item costs one write unit per KB for the table and one for each index it is in; a change that moves it
costs two in each of those indexes, and a delete one (AWS: GSI.html). With eight indexes, a create of 1 KB
costs 9 units, and the slowest of nine writers sets the pace.

## A bad spec

```yaml
dyngen: 1
service: contacts
tables:
  Contacts:
    partition_key: contact_id
    indexes:
      ByName: {partition_key: owner_id, sort_key: name}
      ByCompany: {partition_key: owner_id, sort_key: company}
      ByCity: {partition_key: owner_id, sort_key: city}
      ByPhone: {partition_key: owner_id, sort_key: phone}
      ByBirthday: {partition_key: owner_id, sort_key: birthday}
      ByAge: {partition_key: owner_id, sort_key: added}
entities:
  Contact:     # DG344
    attributes:
      contact_id: ulid
      owner_id: uuid
      name: string
      company: string
      city: string
      phone: string
      birthday: date
      added: date
access_patterns:
  by_name: {query: Contact, where: {owner_id: eq, name: begins_with}}
  by_company: {query: Contact, where: {owner_id: eq, company: eq}}
  by_city: {query: Contact, where: {owner_id: eq, city: eq}}
  by_phone: {query: Contact, where: {owner_id: eq, phone: eq}}
  by_birthday: {query: Contact, where: {owner_id: eq, birthday: between}}
  by_age: {query: Contact, where: {owner_id: eq}, order_by: added desc}
```

## A good spec

```yaml
dyngen: 1
service: contacts
tables:
  Contacts:
    partition_key: owner_id
    sort_key: contact_id
    indexes:
      ByName: {partition_key: owner_id, sort_key: name}
entities:
  Contact:
    attributes: {owner_id: uuid, contact_id: ulid, name: string, company: string, city: string}
access_patterns:
  by_name: {query: Contact, where: {owner_id: eq, name: begins_with}}
  contacts_in_city:
    query: Contact
    where: {owner_id: eq}
    filter: {where: {city: eq}, at_most: 500}
```

## When to ignore it

Items are read far more often than they are written.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.itemsize import always_in
from dyngen.design.model import Entity
from dyngen.design.writecost import create_cost
from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG344"
SEVERITY = Severity.ADVICE

COSTLY = 100
"""Write units of a create from which it is worth a thought what they are for."""

MANY = 6
"""Indexes with an entry of every item."""


def check(subject: Subject) -> Iterator[Finding]:
    """Entities that are in many indexes."""
    for entity in subject.schema.entities:
        table = subject.schema.table(entity.table)
        places = [
            place
            for place in subject.indexes()
            if place.table == table
            and entity in place.entities
            and always_in(entity, table, place.index)
        ]
        units = _units(subject, entity)
        if units is not None and len(places) < MANY:
            yield Finding(
                subject.entity(entity.name),
                f"a create of `{entity.name}` costs {units:g} write units",
                entity.span,
                f"most of them for its entries in {len(places)} "
                f"index{'es' if len(places) > 1 else ''}",
                help=(
                    "let the indexes project only what is read through them "
                    "(`projection: [...]`), or keep what is large in an item of its own",
                ),
            )
        if len(places) >= MANY:
            yield Finding(
                subject.entity(entity.name),
                f"a create of `{entity.name}` costs {len(places) + 1} write units per KB",
                entity.span,
                f"every item is in {len(places)} indexes",
                help=(
                    "read rarely used orders by a bounded filter of one partition (`at_most`)",
                    "or let keys be absent where nobody asks (`when`), and give keys to several "
                    "patterns at once",
                ),
            )


def _units(subject: Subject, entity: Entity) -> float | None:
    """The write units of a create, if they are known, and many, and most of them for indexes."""
    if subject.design.estimates.size(entity.name).bytes is None:
        return None
    cost = create_cost(subject.design, entity)
    least = cost.total.least
    return least if least >= COSTLY and least > 2 * cost.table.least else None
