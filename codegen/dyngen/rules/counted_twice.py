"""Money may be added twice.

## What it checks

An update adds to a decimal, or to a number called balance, credit or the like, of an entity without
`version`, outside a transaction.

## Why it matters

When the response of a request is lost, the client sends it again, and an ADD is applied again (AWS:
API_UpdateItem: not idempotent). Nobody notices but the customer. A transaction carries a token by which
DynamoDB applies it once in ten minutes (AWS: API_TransactWriteItems), for twice the write units; with a
version token, the repository can tell whether its write had arrived.

## A bad spec

```yaml
dyngen: 1
service: wallets
tables:
  Wallets: {partition_key: user_id}
entities:
  Wallet:
    attributes: {user_id: uuid, balance: {type: decimal, digits: 12, places: 2, default: 0}}
access_patterns:
  pay_in: {update: Wallet, where: {user_id: eq}, add: {balance: {param: sum}}}     # DG371
```

## A good spec

```yaml
dyngen: 1
service: wallets
tables:
  Wallets: {partition_key: user_id}
entities:
  Wallet:
    attributes: {user_id: uuid, balance: {type: decimal, digits: 12, places: 2, default: 0}}
access_patterns:
  pay_in:
    transact:
      - {update: Wallet, where: {user_id: eq}, add: {balance: {param: sum}}}
```

## When to ignore it

The sum is a statistic, and a cent more or less does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import MONEY, last_word
from dyngen.types.model import Decimal, Integer

CODE = "DG371"
SEVERITY = Severity.ADVICE

_COUNTED = MONEY - {"total"}  # which is a mere number as often


def check(subject: Subject) -> Iterator[Finding]:
    """Sums of money that are added to."""
    for plan in subject.design.updates:
        entity = subject.schema.entity(plan.entity)
        if entity.version is not None:
            continue
        for write in plan.writes:
            attribute = entity.attribute(write.attribute)
            money = isinstance(write.type, Decimal) or (
                isinstance(write.type, Integer)
                and last_word(write.attribute) in _COUNTED
            )
            if write.verb == "add" and money:
                pattern = subject.pattern(plan.name)
                yield Finding(
                    pattern,
                    f"`{plan.name}` may add to `{attribute.name}` twice",
                    pattern.span,
                    "a request whose response is lost is sent again",
                    secondary=(Label(attribute.span, "would count it twice"),),
                    help=(
                        "put it into a `transact`, which is applied once",
                        f"or give `{entity.name}` a `version: true`",
                    ),
                )
