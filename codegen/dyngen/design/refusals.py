"""Refused patterns in words: what failed for each candidate, and what would serve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dyngen.design.choose import Limits, Refused
from dyngen.design.model import Entity, Schema
from dyngen.design.plans import DerivedKey
from dyngen.design.question import Question
from dyngen.design.suggest import propose
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.diagnostics.suggest import listed
from dyngen.spec.model import AccessPattern, Action


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
    order = [
        f"{k.attribute}{' desc' if k.descending else ''}" for k in question.order_by
    ]
    label = f"asks for `{question.entity.name}`"
    label += f" by {listed(asked, 'and')}" if asked else " without a condition"
    label += f", ordered by {listed(order, 'and')}" if order else ""
    secondary = []
    if refused.intrusions:
        worst = refused.intrusions[0]
        secondary.append(
            Label(worst.stranger.entity.span, "its items lie inside what would be read")
        )
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
    """A pattern of one item that does not fix the table's key."""
    key = schema.table(entity.table).key
    reading = pattern.action is Action.GET
    return error(
        "DG203",
        f"`{pattern.action}` is of one item, and needs the table's whole key,"
        f" {listed((k.name for k in key.all), 'and')}",
        pattern.name.span,
        help=[
            "fix every attribute of the key by equality, and nothing else",
            (
                "or use `query` (with `one: true` where at most one item can match)"
                if reading
                else "conditions on the stored item belong in `guard`"
            ),
        ],
    )


def too_many_optional(pattern: AccessPattern, most: int) -> Diagnostic:
    """More optional conditions than plans are made for."""
    return error(
        "DG205",
        f"`{pattern.name.text}` has {len(pattern.optional)} independent optional conditions; {most} are the most",
        pattern.optional[most][0].span,
        help=[
            "make two patterns of it, or one group of conditions that come together: `[[country, city]]`"
        ],
    )


def stale_key(
    entity: Entity,
    schema: Schema,
    key: DerivedKey,
    unknown: Sequence[str],
    counted: Sequence[str],
    *,
    place: Span,
) -> Diagnostic:
    """An update that would leave a derived key stale."""
    names = listed(unknown, "and")
    index = next(iter(key.indexes), None)
    table = schema.table(entity.table)
    secondary = []
    if index is not None:
        secondary.append(Label(table.index(index).span, "needed by this index"))
    secondary += [
        Label(entity.attribute(name).span, "not known to the update")
        for name in unknown
        if name not in counted
    ]
    if counted:
        return error(
            "DG204",
            f"this update cannot compute the key `{key.attribute}`",
            place,
            f"what {listed(counted, 'and')} becomes is not known to the call",
            secondary=secondary,
            help=[
                "pass the new value instead and have the old one checked (`set` and `guard`)",
                "or let the index use the number itself as a natural key, which DynamoDB keeps true",
            ],
        )
    guard = ", ".join(f"{name}: eq" for name in unknown)
    return error(
        "DG204",
        f"this update cannot compute the key `{key.attribute}`",
        place,
        f"one of its inputs; {names} {'is' if len(unknown) == 1 else 'are'} not known here",
        secondary=secondary,
        help=[
            f"pass the others in and have them checked (`guard: {{{guard}}}`)",
            "or read the item first (`read_first: true`)",
            "or use `update(item, **changes)`, which takes them from the copy that was read",
            "or keep the attributes apart (`strategy: multi_attribute`)",
        ],
    )
