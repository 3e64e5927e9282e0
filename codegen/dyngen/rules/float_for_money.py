"""Money is kept in a binary floating-point number.

## What it checks

An attribute of type `float` whose name says that it is money: a price, amount, total, balance, fee and the
like.

## Why it matters

A float has no 0.10: it holds the nearest binary fraction, and sums drift. DynamoDB itself keeps numbers in
decimal, exact to 38 digits (AWS: Constraints.html); the loss happens on the way there and back.

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: order_id}
entities:
  Order:
    attributes: {order_id: ulid, total: float}     # DG302
access_patterns:
  order: {get: Order, where: {order_id: eq}}
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: order_id}
entities:
  Order:
    attributes: {order_id: ulid, total: {type: decimal, digits: 12, places: 2}}
access_patterns:
  order: {get: Order, where: {order_id: eq}}
```

## When to ignore it

The number is an estimate or a statistic, and nobody adds it up.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import MONEY, last_word
from dyngen.types.model import Float

CODE = "DG302"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Floats that are money by name."""
    for entity in subject.schema.entities:
        for attribute in entity.attributes:
            if isinstance(attribute.type, Float) and last_word(attribute.name) in MONEY:
                yield Finding(
                    subject.entity(entity.name),
                    f"`{attribute.name}` is money, and `float` cannot hold 0.10",
                    attribute.span,
                    help=(
                        f"`{attribute.name}: {{type: decimal, digits: 12, places: 2}}` is exact",
                    ),
                )
