"""An index that is meant to be sparse holds most items.

## What it checks

The `when` of an index key allows more than half of an enum's values, or asks for what most things are
(`{deleted: false}`, `{deleted_at: absent}`); or, where `sizes` say how many items are in the index, more than
half of them are.

## Why it matters

A sparse index is cheap because what is not in it is not written there (AWS: GSI.html). Where most items are
in it, each still pays one write unit per KB on entering, two when it moves, and one on leaving, and the
index is no smaller than the table.

## A bad spec

```yaml
dyngen: 1
service: tasks
tables:
  Tasks:
    partition_key: task_id
    indexes:
      Open: {partition_key: open_pk, sort_key: due}
entities:
  Task:
    attributes: {task_id: ulid, team: uuid, due: date, state: [NEW, READY, ACTIVE, DONE]}
    keys:
      open_pk: {value: "{team}", when: {state: {in: [NEW, READY, ACTIVE]}}}      # DG323
access_patterns:
  open_tasks: {query: Task, where: {team: eq, state: {in: [NEW, READY, ACTIVE]}}, order_by: due}
```

## A good spec

```yaml
dyngen: 1
service: tasks
tables:
  Tasks:
    partition_key: task_id
    indexes:
      Active: {partition_key: active_pk, sort_key: due}
entities:
  Task:
    attributes: {task_id: ulid, team: uuid, due: date, state: [NEW, READY, ACTIVE, DONE]}
    keys:
      active_pk: {value: "{team}", when: {state: ACTIVE}}
access_patterns:
  active_tasks: {query: Task, where: {team: eq, state: ACTIVE}, order_by: due}
```

## When to ignore it

Items soon come to rest in the few values that are left out. Better than ignoring is to say so:
`sizes: {Task: {items: 1000000, indexes: {Open: {items: 2000}}}}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.contents import Variant
from dyngen.design.model import Case, Computed, Const, Test
from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.keys import all_variants
from dyngen.rules.support.subject import Finding, Place, Subject
from dyngen.rules.support.words import RARE, words
from dyngen.spec.model import Operator
from dyngen.types.model import Enum

CODE = "DG323"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """Conditions on index keys that hold for most items."""
    for place in subject.indexes():
        variants = list(all_variants(place))
        for variant in variants:
            cases = list(_cases(variant))
            alone = [v.entity for v in variants].count(variant.entity) == 1
            if not cases or not alone:
                continue
            told = _told(subject, place, variant, cases)
            if told is not None:
                scope = subject.place(place)
                yield Finding(
                    scope,
                    f"`{place.name}` holds most items of `{variant.entity.name}`: {told}",
                    cases[0].span,
                    "leaves little out",
                    secondary=(Label(scope.span, "is not sparse, then"),),
                    help=(
                        "let the condition say what is asked for most, and is rare; or leave it "
                        "out, and the index keeps its order for all items",
                    ),
                )


def _cases(variant: Variant) -> Iterator[Case]:
    """The cases of the variant's keys that have a condition."""
    for part in variant.keys:
        form = variant.entity.keys[part.key.name]
        for case in form.cases if isinstance(form, Computed) else ():
            if case.when and case.template == part.template:
                yield case


def _told(
    subject: Subject, place: Place, variant: Variant, cases: list[Case]
) -> str | None:
    """How many items are in the index, if they are most."""
    share = subject.share(variant.entity, place)
    if share is not None:
        return f"{share:.0%} of them" if share > 0.5 else None
    tested = {test.attribute for case in cases for test in case.when}
    if len(tested) > 1:
        return None  # who knows how rare it is that all of them hold
    for attribute in variant.entity.attributes:
        if attribute.name in tested and isinstance(attribute.type, Enum):
            inside = len(variant.holds[attribute.name].present)
            members = len(attribute.type.members)
            if inside * 2 > members:
                return f"{inside} of {members} values of `{attribute.name}`"
    tests = [test for case in cases for test in case.when]
    usual = tests and all(map(_usual, tests))
    return f"`{tests[0].attribute}` is so of most things" if usual else None


def _usual(test: Test) -> bool:
    """Whether the condition holds of most things, by the name of what it is about."""
    said = {*words(test.attribute)}
    match test:
        case Test(operator=Operator.EQ, operands=(Const(value=bool(value)),)):
            return bool(said & RARE) and not value
        case Test(operator=Operator.ABSENT):
            return bool(said & RARE)
        case _:
            return False
