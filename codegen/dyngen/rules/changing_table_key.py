"""An attribute that changes is part of a table's key.

## What it checks

The table's key of an entity holds a state (a boolean with a `default`, an enum called state or status with one
or in a key without a time, or either that a `move` sets), a number that a `move` sets, or a time that every write sets.

## Why it matters

The key of an item cannot be changed (AWS: API_UpdateItem). Each change is a delete and a put in one
transaction: 4 write units per KB, and 4 for the entry in every index, where an update costs 1 and at
most 2. Links to the item, cursors and stream consumers see one item vanish and another appear.

## A bad spec

```yaml
dyngen: 1
service: ticketing
tables:
  Tickets: {partition_key: customer_id, sort_key: [state, ticket_id]}
entities:
  Ticket:
    attributes:
      customer_id: uuid
      state: {type: [OPEN, WAITING, CLOSED], default: OPEN}     # DG310
      ticket_id: {type: ulid, generated: true}
access_patterns:
  tickets_in_state: {query: Ticket, where: {customer_id: eq, state: eq}}
  change_state:
    move: Ticket
    where: {customer_id: eq, state: eq, ticket_id: eq}
    set: {state: {param: new_state}}
```

## A good spec

```yaml
dyngen: 1
service: ticketing
tables:
  Tickets:
    partition_key: customer_id
    sort_key: ticket_id
    indexes:
      ByState: {partition_key: customer_id, sort_key: [state, ticket_id]}
entities:
  Ticket:
    attributes:
      customer_id: uuid
      ticket_id: {type: ulid, generated: true}
      state: {type: [OPEN, WAITING, CLOSED], default: OPEN}
access_patterns:
  tickets_in_state: {query: Ticket, where: {customer_id: eq, state: eq}}
  change_state:
    update: Ticket
    where: {customer_id: eq, ticket_id: eq}
    set: [state]
```

## When to ignore it

Items hardly ever change in this respect, and the table is read by it far more often than an index would
cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dyngen.design.contents import key_schema
from dyngen.design.derived import table_key_sources
from dyngen.design.model import Attribute, DefaultValue, Entity
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import is_state
from dyngen.types.model import Boolean, Date, Decimal, Enum, Float, Integer, Timestamp

CODE = "DG310"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Table keys with an input that changes."""
    for entity in subject.schema.entities:
        table = subject.schema.table(entity.table)
        inputs = table_key_sources(entity, table)
        for attribute in entity.attributes:
            if attribute.name in inputs:
                yield from _changing(subject, entity, attribute, inputs)


def _changing(
    subject: Subject, entity: Entity, attribute: Attribute, inputs: Iterable[str]
) -> Iterator[Finding]:
    moves = [
        (plan.name, plan.span)
        for plan in subject.design.moves
        if plan.entity == entity.name
        and any(write.attribute == attribute.name for write in plan.writes)
    ]
    state = isinstance(attribute.type, Enum | Boolean)
    number = isinstance(attribute.type, Integer | Decimal | Float)
    if attribute.on_write:
        label = "every write sets it anew"
    elif moves and (state or number):
        label = f"`{moves[0][0]}` changes it"
    elif _begins(attribute):
        label = "it has a first value, so others will follow"
    elif is_state(attribute) and not _is_record(entity, inputs):
        label = "a state, by its name"
    else:
        return
    keys = key_schema(subject.schema.table(entity.table), None).all
    yield Finding(
        subject.entity(entity.name),
        f"`{attribute.name}` changes, and is part of the key of `{entity.table}`",
        attribute.span,
        label,
        secondary=tuple(Label(span, "moves the item") for _, span in moves if span),
        help=(
            "a key cannot be changed: each change deletes the item and puts another, for 4 "
            "write units per KB instead of 1; build "
            f"{' and '.join(f'`{key.name}`' for key in keys)} of what stays, and read by "
            f"`{attribute.name}` through an index",
        ),
    )


def _begins(attribute: Attribute) -> bool:
    """Whether an attribute has a first value that others may follow."""
    flag = isinstance(attribute.type, Boolean)
    return (flag or is_state(attribute)) and isinstance(attribute.default, DefaultValue)


def _is_record(entity: Entity, inputs: Iterable[str]) -> bool:
    """Whether the key holds a time: what was at that time stays so."""
    return any(
        isinstance(entity.attribute(name).type, Timestamp | Date) for name in inputs
    )
