"""Refused patterns in words: what failed for each candidate, and what would serve."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.choose import Limits, Refused
from dyngen.design.model import Entity, Schema
from dyngen.design.routes import Question
from dyngen.design.suggest import propose
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import listed
from dyngen.spec.model import AccessPattern


def contradiction(
    pattern: AccessPattern, attribute: str, question: Question
) -> Diagnostic:
    """No item can ever match."""
    places = [t.span for t in question.tests if t.attribute == attribute]
    return error(
        "DG202",
        f"nothing can match `{pattern.name.text}`: the conditions on `{attribute}` exclude one another",
        places[0] if places else pattern.name.span,
        secondary=[Label(span, "and this") for span in places[1:]],
        help=["drop one of the conditions"],
    )


def no_route(
    pattern: AccessPattern,
    question: Question,
    schema: Schema,
    limits: Limits,
    refused: Refused,
) -> Diagnostic:
    """No table or index answers the pattern exactly."""
    table = schema.table(question.entity.table)
    asked = list(dict.fromkeys(t.attribute for t in question.tests))
    order = [f"{k.attribute}{' desc' if k.descending else ''}" for k in question.order_by]
    label = f"asks for `{question.entity.name}`"
    label += f" by {listed(asked, 'and')}" if asked else " without a condition"
    label += f", ordered by {listed(order, 'and')}" if order else ""
    secondary = []
    if refused.intrusions:
        worst = refused.intrusions[0]
        secondary.append(Label(worst.stranger.entity.span, "its items lie inside what would be read"))
    return error(
        "DG201",
        f"no key answers `{pattern.name.text}` exactly",
        pattern.name.span,
        label,
        secondary=secondary,
        help=[
            *_reasons(limits, schema, question, refused),
            *_proposal(question, schema, limits, table.name),
        ],
    )


def _reasons(
    limits: Limits, schema: Schema, question: Question, refused: Refused
) -> Iterator[str]:
    for failure in refused.failures:
        yield f"{failure.variant.place}: {failure.reason}"
    for intrusion in refused.intrusions:
        yield f"{intrusion.variant.place}: {intrusion.reason}"
    if refused.failures or refused.intrusions:
        return
    table = schema.table(question.entity.table)
    names = [table.name, *(i.name for i in table.indexes)]
    if limits.pinned is not None and limits.pinned not in names:
        yield f"`{table.name}` has no index `{limits.pinned}`; it has {listed(names)}"
    elif limits.pinned is not None:
        yield f"`{question.entity.name}` lacks a key attribute of `{limits.pinned}`, so it is never in it"


def _proposal(
    question: Question, schema: Schema, limits: Limits, table: str
) -> Iterator[str]:
    if limits.pinned is not None or limits.consistent:
        return
    proposal = propose(question, schema, limits)
    if proposal is None:
        return
    yield f"an index that answers it, under `tables: {table}: indexes:`\n{proposal.index}"
    if proposal.keys:
        yield (
            f"and its keys, under `entities: {question.entity.name}: keys:`\n"
            + "\n".join(proposal.keys)
        )


def needs_whole_key(
    pattern: AccessPattern, entity: Entity, schema: Schema
) -> Diagnostic:
    """A get that does not fix the table's key."""
    key = schema.table(entity.table).key
    return error(
        "DG203",
        f"`get` reads one item by the table's whole key, {listed((k.name for k in key.all), 'and')}",
        pattern.name.span,
        help=[
            "fix every attribute of the key by equality, or use `query` (with `one: true` where"
            " at most one item can match)"
        ],
    )


def too_many_optional(pattern: AccessPattern, most: int) -> Diagnostic:
    """More optional conditions than plans are made for."""
    return error(
        "DG204",
        f"`{pattern.name.text}` has {len(pattern.optional)} independent optional conditions; {most} are the most",
        pattern.optional[most][0].span,
        help=["make two patterns of it, or one group of conditions that come together: `[[country, city]]`"],
    )
