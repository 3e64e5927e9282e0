"""Scans, as declared: only of a table or index whose every item is one that is asked for."""

from __future__ import annotations

from dyngen.design.choose import Chosen, unfilterable
from dyngen.design.contents import Variant, places, projected, variants
from dyngen.design.inside import absent_values, other_values, wanted
from dyngen.design.markers import marked_by
from dyngen.design.model import Schema, Test
from dyngen.design.plans import Route
from dyngen.design.question import Answer, Question
from dyngen.design.valuesets import matching
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic
from dyngen.spec.model import AccessPattern


def scan_route(
    pattern: AccessPattern,
    question: Question,
    schema: Schema,
    filtered: tuple[Test, ...],
) -> Chosen | Diagnostic:
    """The place whose items are exactly those that match; the narrowest projection first."""
    table = schema.table(question.entity.table)
    found: list[tuple[int, int, Chosen]] = []
    reasons: list[str] = []
    pinned = pattern.index.text if pattern.index else None
    for position, index in enumerate(places(table)):
        name = table.name if index is None else index.name
        if pinned not in (None, name):
            continue
        inside = [
            variant
            for entity in schema.entities
            if entity.table == table.name
            for variant in variants(entity, table, index)
        ]
        columns = projected(question.entity, table, index)
        reason = _why_not(question, inside)
        marked = marked_by(schema, table, index)
        if reason is None and marked is not None:
            reason = f"it holds the markers of `{marked.name}`'s unique values too"
        if reason is None and pattern.consistent and index and not index.local:
            reason = "a global index can't be read consistently"
        if reason is None:
            reason = unfilterable(filtered, inside[0])
        if reason is not None:
            reasons.append(f"{name}: {reason}")
            continue
        route = Route(
            index=None if index is None else index.name,
            equals=(),
            range=None,
            scan=True,
        )
        width = 10_000 if columns is None else len(columns)
        found.append((width, position, Chosen(Answer(inside[0], route), columns)))
    if found:
        return min(found, key=lambda entry: entry[:2])[2]
    return error(
        "DG208",
        f"`{pattern.name.text}` can't scan: no table or index holds just what it asks for",
        pattern.name.span,
        "a scan reads everything there is",
        help=[
            *reasons,
            "an index that holds only these items (a key with `when`, or an optional"
            " attribute as key) can be scanned",
        ],
    )


def _why_not(question: Question, inside: list[Variant]) -> str | None:
    own = [v for v in inside if v.entity.name == question.entity.name]
    if not own:
        return f"`{question.entity.name}` is not in it"
    if len(own) < len(inside):
        other = next(v for v in inside if v.entity.name != question.entity.name)
        return f"it holds `{other.entity.name}` too"
    if len(own) == 1:
        holds = own[0].holds
        reason = other_values(question, holds) or absent_values(question, holds)
        if reason is not None:
            return reason
    for attribute in question.entity.attributes:
        mine = wanted(question, attribute)
        if not any(mine.within(v.holds[attribute.name]) for v in own):
            return f"it does not hold every value of `{attribute.name}` that may match"
    for test in question.tests:
        if not all(_discharged(v, test, question) for v in own):
            return (
                f"it holds items that fail the condition on `{test.attribute}`; to look"
                " some up, make it a `query`"
            )
    return None


def _discharged(variant: Variant, test: Test, question: Question) -> bool:
    of = question.entity.attribute(test.attribute).type
    return variant.holds[test.attribute].within(matching(test, of, for_all=True))
