"""A list or set in an item grows without end.

## What it checks

An update appends to a list, or adds to a set of anything but an enum, without a guard on its size.

## Why it matters

An item holds 400 KB (AWS: Constraints.html): the write that would exceed it is refused, and nobody can add
to this list any more. Long before, each addition costs the units of the whole item: to append 20 bytes to
100 KB is 100 write units, and 25 read units to read them again.

## A bad spec

```yaml
dyngen: 1
service: posts
tables:
  Posts: {partition_key: post_id}
entities:
  Post:
    attributes: {post_id: ulid, text: string, comments: {type: list, of: string, default: []}}
access_patterns:
  add_comment: {update: Post, where: {post_id: eq}, append: {comments: {param: comment}}}     # DG372
```

## A good spec

```yaml
dyngen: 1
service: posts
tables:
  Posts: {partition_key: PK, sort_key: SK}
entities:
  Post:
    attributes: {post_id: ulid, text: string}
    keys: {PK: "POST#{post_id}", SK: "#POST"}
  Comment:
    attributes: {post_id: ulid, comment_id: {type: ulid, generated: true}, text: string}
    keys: {PK: "POST#{post_id}", SK: "COMMENT#{comment_id}"}
access_patterns:
  post_with_comments: {query: [Post, Comment], where: {post_id: eq}, order_by: comment_id}
```

## When to ignore it

Something else bounds it, such as the number of days in a month. Better, let a guard say so:
`guard: {comments: {size: {lt: 50}}}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Attribute, tests_in
from dyngen.design.plans import ValueWrite
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.writes import updates
from dyngen.spec.model import Operator
from dyngen.types.model import Boolean, Enum, Set

CODE = "DG372"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Collections inside items that only grow."""
    for name, plan in updates(subject):
        bounded = {
            test.attribute
            for test in tests_in(plan.guard)
            if test.operator is Operator.SIZE
        }
        for write in plan.writes:
            if _grows(write) and write.attribute not in bounded:
                pattern = subject.pattern(name)
                entity = subject.schema.entity(plan.entity)
                yield Finding(
                    pattern,
                    f"`{name}` makes `{write.attribute}` grow without end",
                    pattern.span,
                    "every addition pays for the whole item",
                    secondary=(
                        Label(entity.attribute(write.attribute).span, "ends at 400 KB"),
                    ),
                    help=(
                        "make each element an item of its own, under the same partition key",
                        f"or bound it: `guard: {{{_bound(entity.attribute(write.attribute))}}}`",
                    ),
                )


def _bound(attribute: Attribute) -> str:
    """A guard that lets it grow to 50; what is absent has no size."""
    size = f"{attribute.name}: {{size: {{lt: 50}}}}"
    if not attribute.optional:
        return size
    return f"any: [{{{attribute.name}: absent}}, {{{size}}}]"


def _grows(write: ValueWrite) -> bool:
    if write.verb == "append":
        return True
    match write.type:
        case Set(of=of):
            return write.verb == "add" and not isinstance(of, Enum | Boolean)
        case _:
            return False
