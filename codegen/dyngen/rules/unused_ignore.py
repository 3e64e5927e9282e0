"""An ignore silences nothing.

## What it checks

`lint: {ignore: ...}` names a rule that has nothing to say there, or no rule at all.

## Why it matters

The reason outlives what it was a reason for. The next time the rule would have something to say, about
something else, nobody hears it.

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: customer_id
    sort_key: order_id
    lint: {ignore: {DG341: "reports read the index by total"}}     # DG399
entities:
  Order:
    attributes: {customer_id: uuid, order_id: ulid, total: integer}
access_patterns:
  orders: {query: Order, where: {customer_id: eq}, order_by: order_id}
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders:
    partition_key: customer_id
    sort_key: order_id
    indexes:
      ByTotal:
        partition_key: customer_id
        sort_key: total
        lint: {ignore: {DG341: "reports read it"}}
entities:
  Order:
    attributes: {customer_id: uuid, order_id: ulid, total: integer}
access_patterns:
  orders: {query: Order, where: {customer_id: eq}, order_by: order_id}
```

## When to ignore it

Never: remove the line.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.registry import CRASHED, all_rules
from dyngen.rules.support.subject import Finding, Subject

CODE = "DG399"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Ignores that have silenced nothing, where all rules had all to look at."""
    codes = [rule.CODE for rule in all_rules()]
    for scope, *_ in subject.scopes:
        for ignore in scope.ignores:
            code = ignore.code.text
            if code not in codes:
                yield Finding(
                    scope,
                    f"there is no rule {code} that can be ignored",
                    ignore.code.span,
                    help=_remedy(code),
                )
            elif (
                subject.whole and code in subject.ran and ignore not in subject.matched
            ):
                yield Finding(
                    scope,
                    f"{code} has nothing to say here",
                    ignore.code.span,
                    help=("remove it; what it was a reason for is gone, or elsewhere",),
                )


def _remedy(code: str) -> tuple[str, ...]:
    if code < CRASHED:
        return ("errors cannot be ignored: what they are about would fail",)
    return ()
