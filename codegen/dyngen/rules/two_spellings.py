"""One attribute is spelt in two ways.

## What it checks

Two entities have attributes whose names differ in case, `_` or `-` only: `user_id` and `userId`.

## Why it matters

They are two attributes. An index over one does not see the other, conditions written once for both entities
name one of them, and an item collection cannot be asked by either.

## A bad spec

```yaml
dyngen: 1
service: shop
tables:
  Customers: {partition_key: customer_id}
  Orders: {partition_key: customerId, sort_key: order_id}
entities:
  Customer:
    table: Customers
    attributes: {customer_id: uuid, name: string}
  Order:
    table: Orders
    attributes: {customerId: uuid, order_id: ulid}     # DG361
access_patterns:
  customer: {get: Customer, where: {customer_id: eq}}
  orders: {query: Order, where: {customerId: eq}}
```

## A good spec

```yaml
dyngen: 1
service: shop
tables:
  Customers: {partition_key: customer_id}
  Orders: {partition_key: customer, sort_key: order_id}
entities:
  Customer:
    table: Customers
    attributes: {customer_id: uuid, name: string}
  Order:
    table: Orders
    attributes: {customer: {type: uuid, name: customerId}, order_id: ulid}
access_patterns:
  customer: {get: Customer, where: {customer_id: eq}}
  orders: {query: Order, where: {customer: eq}}
```

## When to ignore it

The tables exist, and their items have both. Better, spell the attribute in one way and let `name:` say how
it is stored.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Attribute
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import words

CODE = "DG361"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Names that are one name in other letters."""
    first: dict[str, Attribute] = {}
    reported: set[str] = set()
    for entity in subject.schema.entities:
        for attribute in entity.attributes:
            known = first.setdefault("".join(words(attribute.name)), attribute)
            if known.name == attribute.name or attribute.name in reported:
                continue
            reported.add(attribute.name)
            yield Finding(
                subject.entity(entity.name),
                f"`{attribute.name}` is `{known.name}` in another spelling",
                attribute.span,
                "another attribute, for DynamoDB",
                secondary=(Label(known.span, f"`{known.name}`"),),
                help=(
                    f"call it `{known.name}`; where it is stored as `{attribute.stored}`, say "
                    f"`name: {attribute.stored}`",
                ),
            )
