"""A table is protected in one way and not in the other.

## What it checks

A table that is said to matter (point-in-time recovery, deletion protection, or an encryption key of one's
own) leaves point-in-time recovery or deletion protection unsaid.

## Why it matters

Deletion protection keeps the table, but not what a faulty release writes over its items: point-in-time
recovery does, to any second of the last 35 days (AWS: PointInTimeRecovery_Howitworks.html). And recovery
gives a table of another name, hours later, where protection would have kept the one in use. Both are off
unless said.

## A bad spec

```yaml
dyngen: 1
service: ledger
tables:
  Ledger: {partition_key: account_id, sort_key: entry_id, deletion_protection: true}     # DG350
entities:
  Entry:
    attributes: {account_id: uuid, entry_id: ulid, cents: integer}
access_patterns:
  entries: {query: Entry, where: {account_id: eq}}
```

## A good spec

```yaml
dyngen: 1
service: ledger
tables:
  Ledger:
    partition_key: account_id
    sort_key: entry_id
    deletion_protection: true
    point_in_time_recovery: true
entities:
  Entry:
    attributes: {account_id: uuid, entry_id: ulid, cents: integer}
access_patterns:
  entries: {query: Entry, where: {account_id: eq}}
```

## When to ignore it

Rather than ignoring it, say that it is not wanted: `point_in_time_recovery: false`.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.source.nodes import Mapping, Node, Scalar

CODE = "DG350"
SEVERITY = Severity.ADVICE

_PROTECTIONS = ("point_in_time_recovery", "deletion_protection")


def check(subject: Subject) -> Iterator[Finding]:
    """Tables with one protection said and one not."""
    for table in subject.schema.tables:
        settings = table.settings
        said = [name for name in _PROTECTIONS if _on(settings.get(name))]
        own_key = isinstance(settings.get("encryption"), Mapping)
        unsaid = [name for name in _PROTECTIONS if name not in settings]
        if unsaid and (said or own_key):
            scope = subject.table(table.name)
            because = f"`{said[0]}`" if said else "a key of its own"
            yield Finding(
                scope,
                f"`{table.name}` has {because}, and no `{unsaid[0]}`",
                scope.span,
                help=(
                    f"add `{unsaid[0]}: true`, or say that it is not wanted: "
                    f"`{unsaid[0]}: false`",
                ),
            )


def _on(setting: Node | None) -> bool:
    match setting:
        case None:
            return False
        case Scalar(value=value):
            return value is True
        case _:
            return True
