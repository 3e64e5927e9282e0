"""What the planner asks of one entity in one place, and what it can be answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dyngen.design.bindings import Binding
from dyngen.design.contents import KeyPart, Variant
from dyngen.design.model import Entity, Test
from dyngen.design.plans import FanOut, KeyEquals, KeyRange, OrderKey, Route
from dyngen.keys.model import SHARD, Part, Shard


@dataclass(frozen=True, slots=True)
class Question:
    """A pattern as the planner sees it, under one choice of its optional conditions."""

    entity: Entity
    tests: tuple[Test, ...]
    bindings: Mapping[str, Binding]
    order_by: tuple[OrderKey, ...] = ()

    def fixes(self, attribute: str) -> bool:
        """Whether the conditions leave the attribute one value."""
        return self.bindings[attribute].source is not None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a variant can't answer a pattern."""

    variant: Variant
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A route through a variant, with what isolation needs to know of it."""

    variant: Variant
    route: Route

    @property
    def requests(self) -> int:
        """How many requests the first page takes; a collection given at run time counts as two."""
        count = 1
        for fan_out in self.route.fan_outs:
            count *= 2 if fan_out.parameter is not None else len(fan_out.values)
        return count


class NoRoute(Exception):
    """Raised while a route is looked for, with the reason why there is none."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One value of a key: a natural attribute, or a part of a template."""

    attribute: str
    piece: Part | Shard | None  # None: natural


def slots(part: KeyPart) -> list[Slot]:
    """The values that a key attribute holds, in the order of its text."""
    if part.attribute is not None:
        return [Slot(part.attribute, None)]
    return [
        Slot(SHARD if isinstance(p, Shard) else p.attribute, p)
        for p in part.value_parts
    ]


@dataclass(slots=True)
class Found:
    """The route under construction."""

    equals: list[KeyEquals]
    range: KeyRange | None
    fan_outs: dict[str, FanOut]
    exact: set[str]  # attributes fixed by a part that keeps the value
    ranged: str | None  # the attribute that the range bounds
    free: list[Slot]  # sort slots that are not fixed, in order; the ranged one first
