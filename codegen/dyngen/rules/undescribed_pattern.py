"""Neither name nor description says what a pattern reads.

## What it checks

A query or scan without a `description` whose name is made of words that fit every read: `get_items`,
`search2`, `by_gsi1`.

## Why it matters

The name becomes the method, and the description its documentation and the line in ACCESS_PATTERNS.md.
`search2` sends every reader to the key conditions, and those say how, not what for.

## A bad spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: customer_id, sort_key: order_id}
entities:
  Order:
    attributes: {customer_id: uuid, order_id: ulid}
access_patterns:
  search2: {query: Order, where: {customer_id: eq}}     # DG364
```

## A good spec

```yaml
dyngen: 1
service: orders
tables:
  Orders: {partition_key: customer_id, sort_key: order_id}
entities:
  Order:
    attributes: {customer_id: uuid, order_id: ulid}
access_patterns:
  orders_of_customer: {query: Order, where: {customer_id: eq}}
```

## When to ignore it

Never: a sentence is shorter than the reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import singular, words
from dyngen.spec.model import Action

CODE = "DG364"
SEVERITY = Severity.ADVICE

_ANY_READ = frozenset(
    {"access", "all", "by", "data", "detail", "document", "do", "entity", "fetch"}
    | {"filter", "find", "for", "from", "get", "gsi", "index", "info", "item", "list"}
    | {"load", "lookup", "of", "page", "pattern", "query", "read", "record", "result"}
    | {"row", "scan", "search", "select", "table", "the", "thing", "view", "with"}
)
"""Words that fit every read, in the singular."""


def check(subject: Subject) -> Iterator[Finding]:
    """Reads with a name that tells nothing."""
    for plan in subject.design.reads:
        if plan.description or plan.action is Action.GET:
            continue
        own = {singular(word) for name in plan.entities for word in words(name)}
        if all(_fits_every_read(word, own) for word in words(plan.name)):
            pattern = subject.pattern(plan.name)
            yield Finding(
                pattern,
                f"`{plan.name}` does not say what it reads",
                pattern.span,
                help=("add a `description`: one sentence about what it is for",),
            )


def _fits_every_read(word: str, own: set[str]) -> bool:
    """Whether a word tells nothing; the name of an entity does."""
    told = singular(word) in own or singular(word) not in _ANY_READ
    return word.isdigit() or len(word) == 1 or not told
