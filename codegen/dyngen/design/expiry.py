"""That an item has not expired: DynamoDB deletes it some days later (AWS: TTL.html)."""

from __future__ import annotations

from dyngen.design.model import (
    AnyOf,
    Attribute,
    ClockNow,
    Condition,
    Entity,
    Table,
    Test,
)
from dyngen.design.tables import ttl_name
from dyngen.spec.model import Operator


def expiry(entity: Entity, table: Table) -> Attribute | None:
    """The attribute whose time says when an item of the entity expires."""
    stored = ttl_name(table)
    return next((a for a in entity.attributes if a.stored == stored), None)


def unexpired(attribute: Attribute) -> Condition:
    """That this attribute's time has not come, or is none."""
    now = ClockNow(attribute.type, attribute.span)
    later = Test(attribute.name, Operator.GT, (now,), attribute.span)
    if not attribute.optional:
        return later
    return AnyOf((Test(attribute.name, Operator.ABSENT, (), attribute.span), later))
