"""A state is set whatever it was.

## What it checks

An update sets an enum of three values or more to a constant, and neither `guard` nor `where` says which
value it must have had.

## Why it matters

Two people act on one thing at once: one cancels the order, the other one ships it, and the last one wins.
A guard is part of the same UpdateItem (AWS: Expressions.ConditionExpressions.html): it costs nothing, and
the second one gets GuardFailed, with the item as it is.

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: order_id}
entities:
  Order:
    attributes: {order_id: ulid, state: [PLACED, SHIPPED, CANCELLED]}
access_patterns:
  ship_order: {update: Order, where: {order_id: eq}, set: {state: SHIPPED}}     # DG370
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: order_id}
entities:
  Order:
    attributes: {order_id: ulid, state: [PLACED, SHIPPED, CANCELLED]}
access_patterns:
  ship_order:
    update: Order
    where: {order_id: eq}
    set: {state: SHIPPED}
    guard: {state: PLACED}
```

## When to ignore it

Every state may become this one, as with a reset.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import tests_in
from dyngen.design.plans import TransactMember, UpdatePlan, ValueWrite
from dyngen.diagnostics.model import Label, Severity
from dyngen.keys.model import Fixed
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.writes import updates
from dyngen.types.model import Enum

CODE = "DG370"
SEVERITY = Severity.ADVICE

_STATES = 3


def check(subject: Subject) -> Iterator[Finding]:
    """Constants set without a look at what was there."""
    for name, plan in updates(subject):
        if plan.upsert:
            continue
        guarded = {test.attribute for test in tests_in(plan.guard)}
        for write in plan.writes:
            if _is_state(write) and write.attribute not in guarded:
                yield _finding(subject, name, plan, write)


def _is_state(write: ValueWrite) -> bool:
    match write:
        case ValueWrite(
            verb="set", operand=Fixed(), path=(), type=Enum(members=members)
        ):
            return len(members) >= _STATES
        case _:
            return False


def _finding(
    subject: Subject, name: str, plan: UpdatePlan | TransactMember, write: ValueWrite
) -> Finding:
    assert isinstance(write.operand, Fixed)
    assert isinstance(write.type, Enum)
    state = next(
        member.name
        for member in write.type.members
        if member.stored == write.operand.value
    )
    pattern = subject.pattern(name)
    declared = subject.schema.entity(plan.entity).attribute(write.attribute)
    return Finding(
        pattern,
        f"`{name}` makes `{write.attribute}` {state} from any other value",
        pattern.span,
        secondary=(Label(declared.span, "what it may have been"),),
        help=(
            f"say what it must have been: `guard: {{{write.attribute}: ...}}`, or `{{in: [...]}}`",
        ),
    )
