"""Updates, whether they stand alone or in a transaction."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.plans import TransactMember, UpdatePlan
from dyngen.rules.support.subject import Subject
from dyngen.spec.model import Action


def updates(subject: Subject) -> Iterator[tuple[str, UpdatePlan | TransactMember]]:
    """Every update, with the name of its pattern."""
    for plan in subject.design.updates:
        yield plan.name, plan
    for transaction in subject.design.transactions:
        for member in transaction.members:
            if member.action is Action.UPDATE:
                yield transaction.name, member
