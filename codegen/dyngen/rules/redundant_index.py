"""Another key answers what an index is read for.

## What it checks

Every read of an index has a plan without it too, through the table or another index, with no more requests:
the index repeats a key, or the beginning of one.

## Why it matters

Each index is paid for at every write of an item in it, one unit per KB or two, and in storage (AWS:
GSI.html). One whose key begins like another one's answers the same conditions; what comes behind in the
longer key only sorts what the shorter one leaves in any order.

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: order_id
    indexes:
      ByCustomer: {partition_key: customer_id}                            # DG340
      ByCustomerDate: {partition_key: customer_id, sort_key: ordered_at}
entities:
  Order:
    attributes: {order_id: ulid, customer_id: uuid, ordered_at: timestamp}
access_patterns:
  orders: {query: Order, where: {customer_id: eq}, index: ByCustomer}
  newest_orders: {query: Order, where: {customer_id: eq}, order_by: ordered_at desc}
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: order_id
    indexes:
      ByCustomerDate: {partition_key: customer_id, sort_key: ordered_at}
entities:
  Order:
    attributes: {order_id: ulid, customer_id: uuid, ordered_at: timestamp}
access_patterns:
  orders: {query: Order, where: {customer_id: eq}}
  newest_orders: {query: Order, where: {customer_id: eq}, order_by: ordered_at desc}
```

## When to ignore it

The index holds far less of each item, and is read so often that the difference pays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dyngen.design.collections import plan_collection
from dyngen.design.cost import stream_count
from dyngen.design.model import Projection
from dyngen.design.plans import ReadPlan
from dyngen.design.reads import plan_read
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.keys import all_variants, key_inputs
from dyngen.rules.support.subject import Finding, Place, Subject
from dyngen.spec.model import Name

CODE = "DG340"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Indexes that can be left out."""
    if not subject.whole:
        return
    gone: set[str] = set()
    for place in subject.indexes():
        others = [
            other
            for other in subject.places
            if other.table == place.table
            and other != place
            and other.name not in gone
            and _begins_alike(place, other)
        ]
        if not others or place.index is None:
            continue
        instead = _instead(subject, place, others)
        if instead is None:
            continue
        gone.add(place.name)
        scope = subject.place(place)
        yield Finding(
            scope,
            f"`{place.name}` can be left out: `{instead.name}` answers all that it is read for",
            scope.span,
            "is paid for at every write",
            secondary=(
                Label(subject.place(instead).span, "has the same key, or more"),
            ),
            help=("remove it, and `index:` where a pattern pins it",),
        )


def _begins_alike(place: Place, other: Place) -> bool:
    """Whether some entity has the same attributes in both partition keys."""
    mine = {
        (v.entity.name, key_inputs(v.entity, v.partition)) for v in all_variants(place)
    }
    return any(
        (v.entity.name, key_inputs(v.entity, v.partition)) in mine
        for v in all_variants(other)
    )


def _instead(subject: Subject, place: Place, others: list[Place]) -> Place | None:
    """The place that answers all reads of an index; None if one of them needs the index."""
    plans = {plan.name: plan for plan, _ in subject.routes(place)}
    if not plans:
        return None  # unused, which is another rule's
    return next(
        (
            other
            for other in others
            if _holds(place, other)
            and all(_answers(subject, other, plan) for plan in plans.values())
        ),
        None,
    )


def _answers(subject: Subject, other: Place, plan: ReadPlan) -> bool:
    """Whether a read has as good a plan through another place."""
    written = subject.pattern(plan.name)
    pattern = replace(written, index=Name(other.name, written.span))
    together = len(pattern.entities) > 1
    found, _ = (plan_collection if together else plan_read)(pattern, subject.schema)
    return found is not None and not pattern.each and _as_good(plan, found)


def _as_good(plan: ReadPlan, other: ReadPlan) -> bool:
    """As few requests, and as much of each item."""
    before = max(stream_count(each.route) for each in plan.alternatives)
    after = max(stream_count(each.route) for each in other.alternatives)
    enough = other.projected is None or (
        plan.projected is not None and {*plan.projected} <= {*other.projected}
    )
    return after <= before and enough


def _holds(place: Place, other: Place) -> bool:
    """Whether entries of the other place are no larger by design."""
    mine = place.index.projection if place.index else Projection.ALL
    theirs = other.index.projection if other.index else Projection.ALL
    return mine is Projection.ALL or mine is theirs
