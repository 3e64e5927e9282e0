"""A date or time is text that does not sort by time.

## What it checks

A string attribute in a key whose name says that it is a moment or a day (`created_at`, `order_date`), or a
computed one that reads are ordered by, of a time whose parts do not go from the greatest to the least
(`"{at:%d.%m.%Y}"`).

## Why it matters

Text sorts by its bytes (AWS: API_Query). `2026-7-1` comes after `2026-10-01`, `01.07.2026` sorts by day of
month, and of `2026-07-01T10:00:00Z` and `2026-07-01T12:00:00+02:00`, one moment, each has a key of its own.
Nothing checks what is written, and ranges over what is stored miss items without an error.

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: customer_id, sort_key: [order_date, order_id]}
entities:
  Order:
    attributes: {customer_id: uuid, order_date: string, order_id: ulid}     # DG315
access_patterns:
  orders_since: {query: Order, where: {customer_id: eq, order_date: gte}}
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: customer_id, sort_key: [order_date, order_id]}
entities:
  Order:
    attributes: {customer_id: uuid, order_date: timestamp, order_id: ulid}
access_patterns:
  orders_since: {query: Order, where: {customer_id: eq, order_date: gte}}
```

## When to ignore it

The table exists, and its texts have another form than ISO 8601 in UTC.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Entity
from dyngen.diagnostics.model import Label, Severity
from dyngen.keys.model import Part, Piece
from dyngen.keys.template import order_exact
from dyngen.rules.support.keys import keyed_attributes
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import TIMES, last_word
from dyngen.spec.model import Operator
from dyngen.types.model import String

CODE = "DG315"
SEVERITY = Severity.WARNING

_RANGES = (
    Operator.LT,
    Operator.LTE,
    Operator.GT,
    Operator.GTE,
    Operator.BETWEEN,
)


def check(subject: Subject) -> Iterator[Finding]:
    """Strings in keys that are times by name."""
    for entity, attribute, place in keyed_attributes(subject):
        if attribute.computed is not None:  # made of something that has a type
            disordered = any(map(_disordered, attribute.computed.pieces))
            if disordered and _ordered(subject, entity, attribute.name):
                yield Finding(
                    subject.entity(entity.name),
                    f"`{attribute.name}` is text that does not sort by time",
                    attribute.span,
                    "the greatest part of a time does not come first",
                    secondary=(Label(subject.place(place).span, "is keyed by it"),),
                    help=(
                        "write it from the year down, as `%Y-%m-%d`: then it sorts by time",
                    ),
                )
            continue
        if isinstance(attribute.type, String) and last_word(attribute.name) in TIMES:
            yield Finding(
                subject.entity(entity.name),
                f"`{attribute.name}` is text, and sorts as whatever is written there",
                attribute.span,
                "a time, by its name",
                secondary=(Label(subject.place(place).span, "is keyed by it"),),
                help=(
                    f"`{attribute.name}: timestamp` (or `date`): one text for each moment, in "
                    "UTC, which sorts by time",
                ),
            )


def _disordered(piece: Piece) -> bool:
    """Whether a part is a text of a day that sorts otherwise than the days."""
    if not isinstance(piece, Part) or piece.bucket is None:
        return False
    return "%Y" in piece.bucket and not order_exact(piece)


def _ordered(subject: Subject, entity: Entity, name: str) -> bool:
    """Whether a read asks for the order of an attribute, or for a range of it."""
    return any(
        any(key.attribute == name for key in plan.order_by)
        or any(
            test.attribute == name and test.operator in _RANGES
            for of, tests in plan.where
            if of == entity.name
            for test in tests
        )
        for plan in subject.design.reads
    )
