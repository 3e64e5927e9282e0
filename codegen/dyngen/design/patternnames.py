"""Names in access patterns that cannot be planned, because something is wrong with their entities.

The planner looks at the others; so the names in all patterns are looked up in one run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dyngen.design.conditions import Role, resolve_where
from dyngen.design.layout import Draft
from dyngen.design.naming import snake
from dyngen.design.paths import resolve_path
from dyngen.diagnostics.model import Diagnostic
from dyngen.spec.model import AccessPattern, Action, Name


def pattern_problems(
    pattern: AccessPattern, drafts: Mapping[str, Draft]
) -> Iterator[Diagnostic]:
    """What is wrong with the conditions and names of a pattern, all entities of which are declared."""
    items = {
        snake(entity.text): drafts[entity.text].bare
        for member in pattern.members
        if member.action in (Action.CREATE, Action.PUT)
        for entity in member.entities
        if entity.text in drafts
    }
    for part in (pattern, *pattern.members):
        own = [drafts[e.text] for e in part.entities if e.text in drafts]
        together = tuple(draft.bare for draft in own)
        for draft in own:
            for where, role in (
                (part.where, Role.WHERE),
                (part.guard, Role.GUARD),
                (part.filter.where if part.filter else None, Role.FILTER),
            ):
                yield from resolve_where(
                    where,
                    draft.bare,
                    role=role,
                    together=together,
                    items=items,
                    broken=draft.attributes.broken,
                )[2]
        if len(own) == 1:
            for name in _names(part):
                found = resolve_path(name, own[0].bare, broken=own[0].attributes.broken)
                if isinstance(found, Diagnostic):
                    yield found


def _names(pattern: AccessPattern) -> Iterator[Name]:
    """Attributes named outside conditions."""
    yield from pattern.remove
    yield from pattern.select
    for order in pattern.order_by:
        yield order.attribute
    for group in (pattern.set, pattern.add, pattern.append, pattern.delete_from):
        for assignment in group:
            yield assignment.path
