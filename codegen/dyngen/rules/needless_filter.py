"""A key condition could do what a filter does.

## What it checks

The conditions of a filter, put into `where`, would give the read a plan through a key that exists.

## Why it matters

A filter drops items after they were read and charged (AWS: API_Query). A key condition reads only what is
returned, and needs no admission of how much is thrown away.

## A bad spec

```yaml
dyngen: 1
service: parcels
tables:
  Parcels:
    partition_key: depot_id
    sort_key: parcel_id
    indexes:
      ByState: {partition_key: depot_id, sort_key: [state, parcel_id]}
entities:
  Parcel:
    attributes: {depot_id: uuid, parcel_id: ulid, state: [WAITING, SENT]}
access_patterns:
  parcels_in_state: {query: Parcel, where: {depot_id: eq, state: eq}}
  waiting_parcels:
    query: Parcel
    where: {depot_id: eq}
    filter: {where: {state: WAITING}, at_most: 1000}     # DG329
```

## A good spec

```yaml
dyngen: 1
service: parcels
tables:
  Parcels:
    partition_key: depot_id
    sort_key: parcel_id
    indexes:
      ByState: {partition_key: depot_id, sort_key: [state, parcel_id]}
entities:
  Parcel:
    attributes: {depot_id: uuid, parcel_id: ulid, state: [WAITING, SENT]}
access_patterns:
  parcels_in_state: {query: Parcel, where: {depot_id: eq, state: eq}}
  waiting_parcels: {query: Parcel, where: {depot_id: eq, state: WAITING}}
```

## When to ignore it

The read must be strongly consistent, which a global index cannot be. (With `consistent: true` the rule
knows.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dyngen.design.reads import plan_read
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.spec.model import AccessPattern, Action, Test, Where

CODE = "DG329"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Filters that a key could answer."""
    for plan in subject.design.reads:
        pattern = subject.pattern(plan.name)
        if pattern.filter is None or len(pattern.entities) > 1:
            continue
        asked = _with_conditions(pattern)
        if asked is None:
            continue
        found, problems = plan_read(asked, subject.schema)
        if found is None or problems:
            continue
        index = found.alternatives[0].route.index
        place = f"the index `{index}`" if index else f"the key of `{plan.table}`"
        labels = (
            [Label(subject.index(plan.table, index).span, "has the key for it")]
            if index
            else []
        )
        yield Finding(
            pattern,
            f"the filter of `{plan.name}` could be a key condition of {place}",
            pattern.filter.span,
            "reads and pays for what it drops",
            secondary=tuple(labels),
            help=("move its conditions into `where`, and leave `filter` out",),
        )


def _with_conditions(pattern: AccessPattern) -> AccessPattern | None:
    """The pattern with its filter's conditions in `where`; None if they cannot stand there."""
    assert pattern.filter is not None
    more = pattern.filter.where.conditions
    own = pattern.where.conditions if pattern.where else ()
    named = {test.path.text for test in own if isinstance(test, Test)}
    if pattern.action is not Action.QUERY or any(
        not isinstance(test, Test) or test.path.text in named for test in more
    ):
        return None
    where = Where((*own, *more), pattern.filter.where.span)
    return replace(pattern, where=where, filter=None, index=None)
