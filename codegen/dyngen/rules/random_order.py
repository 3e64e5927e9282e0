"""Items are ordered by a random identifier.

## What it checks

A query orders by a `uuid`.

## Why it matters

Strings sort by their bytes (AWS: API_Query), and those of a UUID say nothing of when or where: its order is
random, though the same at every read. A `ulid` begins
with the time, so a key that ends in one is in order of creation, at no cost: no timestamp and no index is
needed for "newest first".

## A bad spec

```yaml
dyngen: 1
service: chat
tables:
  Messages: {partition_key: room_id, sort_key: message_id}
entities:
  Message:
    attributes: {room_id: uuid, message_id: {type: uuid, generated: true}, text: string}
access_patterns:
  messages: {query: Message, where: {room_id: eq}, order_by: message_id desc, page_size: 50}     # DG316
```

## A good spec

```yaml
dyngen: 1
service: chat
tables:
  Messages: {partition_key: room_id, sort_key: message_id}
entities:
  Message:
    attributes: {room_id: uuid, message_id: {type: ulid, generated: true}, text: string}
access_patterns:
  messages: {query: Message, where: {room_id: eq}, order_by: message_id desc, page_size: 50}
```

## When to ignore it

The order is only to be the same at every read. (It is without `order_by` too.)
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.types.model import Uuid

CODE = "DG316"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Reads in the order of a UUID."""
    for plan in subject.design.reads:
        for entity in map(subject.schema.entity, plan.entities):
            declared = {a.name: a for a in entity.attributes}
            for key in plan.order_by:
                attribute = declared.get(key.attribute)
                if attribute is None or not isinstance(attribute.type, Uuid):
                    continue
                pattern = subject.pattern(plan.name)
                yield Finding(
                    pattern,
                    f"`{plan.name}` orders by `{key.attribute}`, which is random",
                    pattern.order_by[0].span,
                    "a UUID says nothing of time",
                    secondary=(Label(attribute.span, "declared here"),),
                    help=(
                        f"`{key.attribute}: {{type: ulid, generated: true}}` orders by the time "
                        "of creation",
                    ),
                )
