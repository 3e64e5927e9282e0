"""A scan that nothing bounds.

## What it checks

A `scan` without `at_most` or `max_items`; or one that `sizes` say will read more than `at_most`.

## Why it matters

A Scan reads everything there is, 1 MB a request, half a read unit per 4 KB (AWS: API_Scan). It is fast on
the day it is written and slower and dearer every day after: a million items of 400 bytes are 382 requests
and 48,829 read units, enough to throttle all others.

## A bad spec

```yaml
dyngen: 1
service: shops
tables:
  Shops: {partition_key: shop_id}
entities:
  Shop:
    attributes: {shop_id: uuid, name: string}
access_patterns:
  all_shops: {scan: Shop}     # DG332
```

## A good spec

```yaml
dyngen: 1
service: shops
tables:
  Shops: {partition_key: shop_id}
entities:
  Shop:
    attributes: {shop_id: uuid, name: string}
access_patterns:
  all_shops: {scan: Shop, at_most: 500}
```

## When to ignore it

A job that reads the whole table on purpose, page by page, at a time when nobody else does.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.plans import ReadPlan
from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.spec.model import Action

CODE = "DG332"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Scans without a bound, or with one that does not hold."""
    for plan in subject.design.reads:
        if plan.action is not Action.SCAN:
            continue
        pattern = subject.pattern(plan.name)
        bound = plan.at_most or (plan.filter.at_most if plan.filter else None)
        count = _count(subject, plan)
        if bound is None and plan.max_items is None:
            yield Finding(
                pattern,
                f"nothing bounds what `{plan.name}` reads",
                pattern.span,
                "reads everything, however much there is",
                help=(
                    "say how much is too much (`at_most: 5000`): more raises an error instead of "
                    "costing ever more",
                    "or read by a key: a sparse index, or a partition that lists what is asked for",
                ),
            )
        elif bound is not None and count is not None and count > bound:
            yield Finding(
                pattern,
                f"`{plan.name}` fails: there are {count:,} items, and it takes {bound:,}",
                pattern.span,
                "raises an error at every call",
                help=("raise `at_most`, or read by a key",),
            )


def _count(subject: Subject, plan: ReadPlan) -> int | None:
    index = plan.alternatives[0].route.index
    return subject.design.estimates.size(plan.entities[0]).held(index).items
