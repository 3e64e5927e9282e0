"""What reads ask for: which attributes they fix, bound and order by."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.bindings import RANGES
from dyngen.design.model import Attribute, Entity, Test
from dyngen.design.plans import ReadPlan
from dyngen.diagnostics.model import Label
from dyngen.rules.support.subject import Subject
from dyngen.spec.model import Operator


def tests(plan: ReadPlan) -> Iterator[tuple[str, Test]]:
    """The conditions of a read, each with the entity it is about."""
    for entity, conditions in plan.where:
        for test in conditions:
            yield entity, test


def fixed_by_equality(plan: ReadPlan) -> frozenset[str]:
    """The attributes that a read fixes to one value."""
    return frozenset(t.attribute for _, t in tests(plan) if t.operator is Operator.EQ)


def ordered_by(
    subject: Subject,
) -> Iterator[tuple[Entity, Attribute, tuple[Label, ...]]]:
    """Attributes that reads bound or order by, with the places of these reads."""
    for entity in subject.schema.entities:
        labels: dict[str, list[Label]] = {}
        for plan in subject.design.reads:
            if entity.name not in plan.entities or plan.span is None:
                continue
            ranged = {t.attribute for n, t in tests(plan) if _of(n, t, entity)}
            for name in ranged | {key.attribute for key in plan.order_by}:
                label = Label(plan.span, "asks for its order")
                labels.setdefault(name, []).append(label)
        for attribute in entity.attributes:
            if attribute.name in labels:
                yield entity, attribute, tuple(labels[attribute.name])


def _of(name: str, test: Test, entity: Entity) -> bool:
    return name == entity.name and test.operator in RANGES
