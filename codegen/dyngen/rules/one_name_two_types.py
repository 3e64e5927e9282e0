"""One identifier has two types.

## What it checks

Attributes called `..._id` that are part of keys have the same name and different types in two entities.

## Why it matters

A reference is found by comparing bytes. The number `17` and the text `17` are two keys (AWS: GSI.html), a
UUID in capital letters is not the one in small ones, and what one entity accepts as an id the other one
refuses at run time.

## A bad spec

```yaml
dyngen: 1
service: shop
tables:
  Customers: {partition_key: customer_id}
  Orders: {partition_key: customer_id, sort_key: order_id}
entities:
  Customer:
    table: Customers
    attributes: {customer_id: integer, name: string}
  Order:
    table: Orders
    attributes: {customer_id: string, order_id: ulid}     # DG362
access_patterns:
  customer: {get: Customer, where: {customer_id: eq}}
  orders: {query: Order, where: {customer_id: eq}}
```

## A good spec

```yaml
dyngen: 1
service: shop
types:
  CustomerId: integer
tables:
  Customers: {partition_key: customer_id}
  Orders: {partition_key: order_id}
entities:
  Customer:
    table: Customers
    attributes: {customer_id: CustomerId, name: string}
  Order:
    table: Orders
    attributes: {customer_id: CustomerId, order_id: ulid}
access_patterns:
  customer: {get: Customer, where: {customer_id: eq}}
  order: {get: Order, where: {order_id: eq}}
```

## When to ignore it

They are two things that happen to have one name.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Attribute
from dyngen.design.values import describe
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.keys import keyed_attributes
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import words

CODE = "DG362"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """References of another type than what they refer to."""
    first: dict[str, Attribute] = {}
    reported: set[str] = set()
    for entity, attribute, _ in keyed_attributes(subject):
        name = words(attribute.name)
        if len(name) < 2 or name[-1] != "id" or attribute.name in reported:
            continue
        known = first.setdefault(attribute.name, attribute)
        if type(known.type) is not type(attribute.type):
            reported.add(attribute.name)
            yield Finding(
                subject.entity(entity.name),
                f"`{attribute.name}` is {describe(attribute.type)} here, and "
                f"{describe(known.type)} elsewhere",
                attribute.span,
                "never equal to the other one",
                secondary=(Label(known.span, describe(known.type)),),
                help=("declare the type once, under `types`, and use it in both",),
            )
