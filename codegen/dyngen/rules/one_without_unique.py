"""One item is expected, and nothing keeps a second from coming.

## What it checks

A query with `one: true` that does not fix what makes an item one item: its key, its `id`, a generated or
named identifier, or attributes declared `unique`.

## Why it matters

An index does not refuse two items with the same key (AWS: GSI.html). The second one is written without an error, and from
then on every call raises MultipleItems, for both. Only marker items in the same transaction keep a value
unique (`unique: [[email]]`), at 4 write units for each create instead of 1.

## A bad spec

```yaml
dyngen: 1
service: users
tables:
  Users:
    partition_key: user_id
    indexes:
      ByEmail: {partition_key: email}
entities:
  User:
    attributes: {user_id: ulid, email: {type: string, max_length: 254, fold: lower}}
access_patterns:
  user_by_email: {query: User, where: {email: eq}, one: true}     # DG338
```

## A good spec

```yaml
dyngen: 1
service: users
tables:
  Users:
    partition_key: user_id
    indexes:
      ByEmail: {partition_key: email}
entities:
  User:
    attributes: {user_id: ulid, email: {type: string, max_length: 254, fold: lower}}
    unique: [[email]]
access_patterns:
  user_by_email: {query: User, where: {email: eq}, one: true}
```

## When to ignore it

Something outside keeps the values unique, such as the service that issues them.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.derived import table_key_inputs
from dyngen.design.model import Entity
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.reads import fixed_by_equality
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import IDENTIFIERS, last_word
from dyngen.types.model import Ulid, Uuid

CODE = "DG338"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Reads of one item by what is not unique."""
    for plan in subject.design.reads:
        if plan.one != "true" or len(plan.entities) > 1:
            continue
        entity = subject.schema.entity(plan.entities[0])
        fixed = fixed_by_equality(plan)
        if _identifies(subject, entity, fixed):
            continue
        pattern = subject.pattern(plan.name)
        names = ", ".join(sorted(fixed))
        yield Finding(
            pattern,
            f"`{plan.name}` fails as soon as a second `{entity.name}` has the same {names}",
            pattern.span,
            "nothing keeps it unique",
            secondary=(Label(entity.span, "has no `unique` for it"),),
            help=(
                f"`unique: [[{names}]]` at `{entity.name}`: a create with a taken value is refused",
                "or take the first of several: `one: first`, with an `order_by`",
            ),
        )


def _identifies(subject: Subject, entity: Entity, fixed: frozenset[str]) -> bool:
    table = subject.schema.table(entity.table)
    if fixed >= table_key_inputs(entity, table) or (
        entity.id and fixed >= {*entity.id}
    ):
        return True
    if any(fixed >= {*unique.attributes} for unique in entity.unique):
        return True
    return any(
        isinstance(entity.attribute(name).type, Uuid | Ulid)
        or last_word(name) in IDENTIFIERS
        for name in fixed
    )
