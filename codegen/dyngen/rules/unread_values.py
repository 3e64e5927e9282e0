"""An index holds items that nobody asks it for.

## What it checks

All reads of an index fix an enum or boolean of its key to the same constants, so that items with other
values are in it for nothing.

## Why it matters

What is in an index is written there: one unit per KB when it comes and when it goes, two when its key
changes, and storage for as long as it stays (AWS: GSI.html). With a `when` on the key, items with other
values are not in it, and cost nothing.

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: order_id
    indexes:
      ByState: {partition_key: [customer_id, state], sort_key: ordered_at}     # DG342
entities:
  Order:
    attributes:
      order_id: ulid
      customer_id: uuid
      state: [OPEN, SENT, PAID]
      ordered_at: timestamp
access_patterns:
  open_orders: {query: Order, where: {customer_id: eq, state: OPEN}, order_by: ordered_at}
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: order_id
    indexes:
      Open: {partition_key: open_pk, sort_key: ordered_at}
entities:
  Order:
    attributes:
      order_id: ulid
      customer_id: uuid
      state: [OPEN, SENT, PAID]
      ordered_at: timestamp
    keys: {open_pk: {value: "{customer_id}", when: {state: OPEN}}}
access_patterns:
  open_orders: {query: Order, where: {customer_id: eq, state: OPEN}, order_by: ordered_at}
```

## When to ignore it

Other values will be asked for soon: which items an index holds can be changed by a backfill only.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.contents import Variant
from dyngen.design.model import Attribute, Const
from dyngen.design.plans import ReadPlan
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.keys import all_variants, slots
from dyngen.rules.support.reads import tests
from dyngen.rules.support.subject import Finding, Place, Subject
from dyngen.spec.model import Operator
from dyngen.types.model import Boolean, Enum

CODE = "DG342"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Indexes with values of a state that no read wants."""
    if not subject.whole:
        return
    for place in subject.indexes():
        for variant in all_variants(place):
            plans = [
                plan
                for plan, _ in subject.routes(place)
                if variant.entity.name in plan.entities
            ]
            for slot in slots(variant.entity, variant.keys):
                attribute = slot.attribute
                if attribute is None or not plans:
                    continue
                if isinstance(attribute.type, Enum | Boolean):
                    yield from _unread(subject, place, variant, attribute, plans)


def _unread(
    subject: Subject,
    place: Place,
    variant: Variant,
    attribute: Attribute,
    plans: list[ReadPlan],
) -> Iterator[Finding]:
    asked: set[object] = set()
    for plan in plans:
        constants = _constants(plan, variant.entity.name, attribute.name)
        if constants is None:
            return
        asked |= constants
    held = {i.low for i in variant.holds[attribute.name].present}
    unread = sorted(_text(value) for value in held - asked)
    if not unread:
        return
    wanted = sorted(_text(value) for value in asked)
    condition = wanted[0] if len(wanted) == 1 else f"{{in: [{', '.join(wanted)}]}}"
    scope = subject.place(place)
    yield Finding(
        scope,
        f"nobody asks `{place.name}` for `{variant.entity.name}` with `{attribute.name}` "
        f"{' or '.join(unread)}",
        scope.span,
        "holds them all the same",
        secondary=tuple(Label(plan.span, "reads it") for plan in plans if plan.span),
        help=(
            "leave them out: a computed key with "
            f"`when: {{{attribute.name}: {condition}}}`",
        ),
    )


def _constants(plan: ReadPlan, entity: str, attribute: str) -> set[object] | None:
    """The constants that a read fixes an attribute to; None if it may ask for any value."""
    for name, test in tests(plan):
        if (name, test.attribute) != (entity, attribute):
            continue
        if test.operator in (Operator.EQ, Operator.IN) and all(
            isinstance(operand, Const) for operand in test.operands
        ):
            return {o.value for o in test.operands if isinstance(o, Const)}
    return None


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
