"""A timestamp stands before a state in a sort key.

## What it checks

A sort key, of one text or of several attributes, holds an enum or boolean behind a timestamp, and no
query fixes the timestamp by equality.

## Why it matters

Sort key parts are fixed from left to right, and a range ends that (AWS: GSI.html). Behind a timestamp,
which no two items share, a state can never be asked for: the whole partition is read for it, and filtered.
The other way round, one Query reads one state in order of time.

## A bad spec

```yaml
dyngen: 1
service: shipping
tables:
  Parcels:
    partition_key: parcel_id
    indexes:
      ByDepot: {partition_key: depot_id, sort_key: [received_at, state]}
entities:
  Parcel:
    attributes:
      parcel_id: {type: ulid, generated: true}
      depot_id: uuid
      received_at: timestamp
      state: {type: [WAITING, SENT], default: WAITING}      # DG313
access_patterns:
  parcels_of_depot: {query: Parcel, where: {depot_id: eq}, order_by: received_at}
```

## A good spec

```yaml
dyngen: 1
service: shipping
tables:
  Parcels:
    partition_key: parcel_id
    indexes:
      ByDepot: {partition_key: depot_id, sort_key: [state, received_at]}
entities:
  Parcel:
    attributes:
      parcel_id: {type: ulid, generated: true}
      depot_id: uuid
      received_at: timestamp
      state: {type: [WAITING, SENT], default: WAITING}
access_patterns:
  parcels_in_state: {query: Parcel, where: {depot_id: eq, state: eq}, order_by: received_at}
```

## When to ignore it

The state only makes the key unique.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.contents import Variant
from dyngen.design.model import Attribute
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.keys import all_variants, slots
from dyngen.rules.support.reads import fixed_by_equality
from dyngen.rules.support.subject import Finding, Place, Subject
from dyngen.types.model import Boolean, Enum, Timestamp

CODE = "DG313"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Sort keys with a state behind a time."""
    for place in subject.places:
        for variant in all_variants(place):
            found = _time_and_state(variant)
            if found is not None and not _asked_at(subject, place, found[0].name):
                time, state = found
                yield Finding(
                    subject.place(place),
                    f"`{state.name}` stands behind `{time.name}` in the sort key of "
                    f"`{place.name}`",
                    state.span,
                    "no key condition can ask for it there",
                    secondary=(Label(subject.place(place).span, "has the key"),),
                    help=(
                        f"put `{state.name}` before `{time.name}`: then one Query reads one "
                        f"`{state.name}` in order of time",
                    ),
                )


def _time_and_state(variant: Variant) -> tuple[Attribute, Attribute] | None:
    time: Attribute | None = None
    for slot in slots(variant.entity, variant.sort):
        attribute = slot.attribute
        if attribute is None:
            continue
        if time is None and isinstance(attribute.type, Timestamp):
            time = attribute
        elif time is not None and isinstance(attribute.type, Enum | Boolean):
            return time, attribute
    return None


def _asked_at(subject: Subject, place: Place, time: str) -> bool:
    return any(time in fixed_by_equality(plan) for plan, _ in subject.routes(place))
