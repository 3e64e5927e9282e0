"""The time of expiry is a bare number.

## What it checks

The attribute that a table's `ttl` names is an `integer`.

## Why it matters

DynamoDB reads it as seconds since 1970 (AWS: TTL.html). A caller who writes milliseconds, as most clocks
give them, has an item that expires in the year 58,000; and a time more than five years past is ignored,
so that a 0 never expires either. Nothing reports it. A timestamp stored as `epoch_seconds` cannot be wrong.

## A bad spec

```yaml
dyngen: 1
service: carts
tables:
  Carts: {partition_key: cart_id, ttl: expires_at}
entities:
  Cart:
    attributes: {cart_id: uuid, expires_at: integer}     # DG354
access_patterns:
  cart: {get: Cart, where: {cart_id: eq}, expired: exclude}
```

## A good spec

```yaml
dyngen: 1
service: carts
tables:
  Carts: {partition_key: cart_id, ttl: expires_at}
entities:
  Cart:
    attributes: {cart_id: uuid, expires_at: {type: timestamp, stored: epoch_seconds}}
access_patterns:
  cart: {get: Cart, where: {cart_id: eq}, expired: exclude}
```

## When to ignore it

Callers have the number from elsewhere, in seconds.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.tables import ttl_name
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.types.model import Integer

CODE = "DG354"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Expiry in integers."""
    for entity in subject.schema.entities:
        table = subject.schema.table(entity.table)
        for attribute in entity.attributes:
            if attribute.stored == ttl_name(table) and isinstance(
                attribute.type, Integer
            ):
                yield Finding(
                    subject.entity(entity.name),
                    f"`{attribute.name}` expires items, and says nothing of its unit",
                    attribute.span,
                    "DynamoDB reads seconds; in milliseconds, nothing ever expires",
                    secondary=(Label(table.settings["ttl"].span, "the table's `ttl`"),),
                    help=(
                        f"`{attribute.name}: {{type: timestamp, stored: epoch_seconds}}`",
                    ),
                )
