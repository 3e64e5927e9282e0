"""Whether a read can touch items that do not match: other entities', or other variants of its own."""

from __future__ import annotations

from dataclasses import dataclass

from dyngen.design.contents import Variant, variants
from dyngen.design.model import Schema
from dyngen.design.routes import Answer


@dataclass(frozen=True, slots=True)
class Intrusion:
    """A variant whose keys lie inside what a route reads."""

    variant: Variant
    stranger: Variant
    reason: str


def intrusion(answer: Answer, schema: Schema) -> Intrusion | None:
    """The first stranger inside the route's reach, or None where it is proved that there is none."""
    own = answer.variant
    for entity in schema.entities:
        if entity.table != own.table.name:
            continue
        for stranger in variants(entity, own.table, own.index):
            if stranger != own:
                return Intrusion(
                    own,
                    stranger,
                    f"it holds `{entity.name}` too, and it is not proved that these"
                    " items lie outside what is read",
                )
    return None
