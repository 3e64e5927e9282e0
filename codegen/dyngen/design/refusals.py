"""Refused patterns in words: what failed for each candidate, and what would serve."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import replace

from dyngen.design.choose import Chosen, Limits, Refused, choose
from dyngen.design.contents import Variant, form_inputs
from dyngen.design.model import Computed, Entity, Schema, Table, Test
from dyngen.design.plans import DerivedKey
from dyngen.design.question import Question
from dyngen.design.suggest import propose
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.keys.model import Literal, Part
from dyngen.keys.template import written
from dyngen.spec.model import AccessPattern, Action, Operator
from dyngen.types.model import key_type


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


def unknown_index(pattern: AccessPattern, table: Table) -> Iterator[Diagnostic]:
    """DG114 where `index` names neither an index of the table nor the table itself."""
    names = [table.name, *(index.name for index in table.indexes)]
    if pattern.index is not None and pattern.index.text not in names:
        known = [index.name for index in table.indexes]
        yield error(
            "DG114",
            f"`{table.name}` has no index `{pattern.index.text}`",
            pattern.index.span,
            help=[
                did_you_mean(pattern.index.text, names)
                or (f"it has {listed(known, 'and')}" if known else None),
                "or leave `index` out: the compiler chooses",
            ],
        )


def no_route(
    pattern: AccessPattern,
    question: Question,
    schema: Schema,
    limits: Limits,
    refused: Refused,
    *,
    left_out: Sequence[str],
    answered: Callable[[frozenset[str]], bool],
) -> Diagnostic:
    """No table or index answers the pattern exactly, where the conditions `left_out` are not given.

    `answered`: whether one does where others are not given.
    """
    asked = list(dict.fromkeys(t.attribute for t in question.tests))
    order = [
        f"{k.attribute}{' desc' if k.descending else ''}" for k in question.order_by
    ]
    label = f"asks for `{question.entity.name}`"
    label += f" by {listed(asked, 'and')}" if asked else " without a condition"
    label += f", ordered by {listed(order, 'and')}" if order else ""
    be = "is" if len(left_out) == 1 else "are"
    without = f" where {listed(left_out, 'and')} {be} left out" if left_out else ""
    secondary = [
        Label(i.stranger.entity.span, "its items lie inside what would be read")
        for i in refused.intrusions[:1]
    ]
    return error(
        "DG201",
        f"no key answers `{pattern.name.text}` exactly{without}",
        pattern.name.span,
        label,
        secondary=secondary,
        help=[
            *reasons(refused),
            *_never_inside(question, limits, refused),
            *_together(pattern, question, left_out, answered),
            *_apart(refused),
            *_one_range(question),
            *_without_limits(question, schema, limits),
            *_proposal(question, schema, limits),
        ],
    )


def reasons(refused: Refused) -> Iterator[str]:
    """What failed for each candidate; the cases of one index are told apart by their key."""
    found = [(f.variant, f.reason) for f in refused.failures]
    found += [(i.variant, i.reason) for i in refused.intrusions]
    places = [variant.place for variant, _ in found]
    for variant, reason in found:
        place = variant.place
        if places.count(place) > 1:
            place += f" with {listed(_texts(variant), 'and')}"
        yield f"{place}: {reason}"


def _texts(variant: Variant) -> Iterator[str]:
    for key in variant.keys:
        form = variant.entity.keys[key.key.name]
        if isinstance(form, Computed) and len(form.cases) > 1 and key.template:
            yield written(key.template)


def _never_inside(
    question: Question, limits: Limits, refused: Refused
) -> Iterator[str]:
    if limits.pinned is not None and not (refused.failures or refused.intrusions):
        yield (
            f"`{question.entity.name}` lacks a key attribute of `{limits.pinned}`,"
            " so it is never in it"
        )


# --- remedies -------------------------------------------------------------------------------------


def _together(
    pattern: AccessPattern,
    question: Question,
    left_out: Collection[str],
    answered: Callable[[frozenset[str]], bool],
) -> Iterator[str]:
    """Of independent optional conditions, one is asked for alone; in one group they may be answered."""
    names = [name.text for group in pattern.optional for name in group]
    given = [name for name in names if question.bindings[name].served]
    if not left_out or not given:
        return
    group = [*(n for n in names if n in left_out), *given]
    if all(answered(frozenset(group[size:])) for size in range(len(group) + 1)):
        yield f"if they come together, group them: `optional: [[{', '.join(group)}]]`"


def _apart(refused: Refused) -> Iterator[str]:
    """How to keep the first stranger out, where the two can be told apart by their sort keys."""
    for intrusion in refused.intrusions[:1]:
        ours, theirs = intrusion.variant, intrusion.stranger
        sort = [key.key.name for key in ours.sort if key.template is not None]
        if sort and ours.entity.name != theirs.entity.name:
            labels = [f"`{v.entity.name.upper()}#`" for v in (ours, theirs)]
            yield (
                f"let the texts of `{sort[0]}` begin differently, such as"
                f" {labels[0]} and {labels[1]}"
            )


def _one_range(question: Question) -> Iterator[str]:
    ranged = [name for name, binding in question.bindings.items() if binding.ranges]
    if len(ranged) > 1:
        yield (
            "a key condition has one range: keep one of"
            f" {listed(ranged, 'and')} in `where`, and put the rest into a `filter`"
        )


def _without_limits(
    question: Question, schema: Schema, limits: Limits
) -> Iterator[str]:
    """What would answer the pattern if it demanded less."""
    if limits.consistent:
        eventual = choose(question, schema, replace(limits, consistent=False))
        if isinstance(eventual, Chosen):
            place = eventual.answer.variant.place
            yield f"{place} answers it without `consistent: true`"
    if limits.pinned is not None:
        free = choose(question, schema, replace(limits, pinned=None))
        if isinstance(free, Chosen):
            place = free.answer.variant.place
            yield f"{place} answers it: leave `index: {limits.pinned}` out"


def _proposal(question: Question, schema: Schema, limits: Limits) -> Iterator[str]:
    proposal = None if limits.pinned else propose(question, schema, limits)
    if proposal is None:
        return
    entity = question.entity
    yield f"an index that answers it, under `tables: {entity.table}: indexes:`\n{proposal.index}"
    if proposal.keys:
        yield (
            f"and its keys, under `entities: {entity.name}: keys:`\n"
            + "\n".join(proposal.keys)
        )


# --- single items -----------------------------------------------------------------------------------


def not_one_item(
    pattern: AccessPattern, entity: Entity, schema: Schema, tests: Sequence[Test]
) -> Diagnostic | None:
    """DG203 where `where` does not give the key of one item, or asks for more; None where it does."""
    table = schema.table(entity.table)
    forms = [entity.keys[key.name] for key in table.key.all]
    inputs = list(dict.fromkeys(name for form in forms for name in form_inputs(form)))
    fixed = {t.attribute for t in tests if t.operator in _FIXING and not t.path}
    missing = [name for name in inputs if name not in fixed]
    if missing:
        return _key_not_given(pattern, entity, inputs, missing)
    beside = next((t for t in tests if t.attribute not in inputs), None)
    return None if beside is None else _beside_the_key(pattern, entity, beside)


_FIXING = (Operator.EQ, Operator.ABSENT)


def _key_not_given(
    pattern: AccessPattern, entity: Entity, inputs: list[str], missing: list[str]
) -> Diagnostic:
    instead: str | None = None
    match pattern.action:
        case Action.GET:
            instead = (
                "or make it a `query` (with `one: true` where at most one item matches)"
            )
        case Action.DELETE:
            instead = "or delete every item that matches: `each: true`"
    return error(
        "DG203",
        f"`{pattern.action}` is of one item, and {listed(missing, 'and')}"
        f" of its key {'is' if len(missing) == 1 else 'are'} not given",
        pattern.name.span,
        f"the key of {entity.name} is made of {listed(inputs, 'and')}",
        help=[
            f"add `{', '.join(f'{name}: eq' for name in missing)}` to `where`",
            instead,
        ],
    )


def _beside_the_key(pattern: AccessPattern, entity: Entity, test: Test) -> Diagnostic:
    reading = pattern.action is Action.GET
    return error(
        "DG203",
        f"`{pattern.action}` finds one item by its key, and `{test.attribute}` is no part of it",
        test.span,
        help=[
            (
                "leave it out, and look at the item that comes back"
                if reading
                else "put it into `guard`, which checks the stored item"
            )
        ],
    )


def no_single_item(
    pattern: AccessPattern, entity: Entity, schema: Schema, tests: Sequence[Test]
) -> Diagnostic:
    """DG203 for a pattern of one item whose key its conditions do not come to."""
    found = not_one_item(pattern, entity, schema, tests)
    return found or error(
        "DG203",
        f"`{pattern.action}` is of one item, and these conditions do not give its key",
        pattern.name.span,
        help=["fix every attribute of the table's key by one equality"],
    )


def stale_key(
    entity: Entity,
    schema: Schema,
    key: DerivedKey,
    unknown: Sequence[str],
    counted: Sequence[str],
    *,
    place: Span,
    following: Container[str],
    member: bool,
    upsert: bool,
) -> Diagnostic:
    """An update that would leave a derived key, or a `computed` attribute, stale.

    `counted`: what the call changes without knowing what it becomes (`add`, `append`). `following`:
    the computed attributes that follow from what it changes. `member`: of a transaction.
    """
    table = schema.table(entity.table)
    readable = not (member or upsert)
    secondary = [
        Label(table.index(name).span, "needed by this index")
        for name in key.indexes[:1]
    ]
    secondary += [
        Label(entity.attribute(name).span, "not known to the update")
        for name in unknown
        if name not in counted
    ]
    computed = [name for name in unknown if entity.attribute(name).computed]
    if computed:
        name = computed[0]
        verb = "holds" if _holds(entity, key, name) else "depends on"
        label = (
            f"`{name}` follows from it, and the key {verb} that"
            if name in following
            else f"one of its inputs; `{name}`, which is computed, is not known here"
        )
        remedies = ["read the item first (`read_first: true`)"] if readable else []
        remedies.append(
            "put the changed item in its place (`put`), which computes every key anew"
            if member
            else "use `update(item, **changes)`, which computes every key anew"
        )
    elif counted:
        label = f"what {listed(counted, 'and')} becomes is not known to the call"
        remedies = [
            "pass the new value instead and have the old one checked (`set` and `guard`)"
        ]
    else:
        be = "is" if len(unknown) == 1 else "are"
        label = f"one of its inputs; {listed(unknown, 'and')} {be} not known here"
        guard = ", ".join(f"{name}: eq" for name in unknown)
        remedies = [
            (
                f"set {listed(unknown, 'and')}, too: no guard holds of an item that is not there yet"
                if upsert
                else f"pass the others in and have them checked (`guard: {{{guard}}}`)"
            )
        ]
        if readable:
            remedies += [
                "or read the item first (`read_first: true`)",
                "or use `update(item, **changes)`, which takes them from the copy that was read",
            ]
    kind = "key" if key.indexes else "attribute"
    return error(
        "DG204",
        f"this update cannot compute the {kind} `{key.attribute}`",
        place,
        label,
        secondary=secondary,
        help=[*remedies, *_natural_instead(entity, table, key, counted)],
    )


def _holds(entity: Entity, key: DerivedKey, name: str) -> bool:
    """Whether the key's text holds an attribute, rather than to depend on it."""
    form = entity.keys.get(key.attribute)
    return isinstance(form, Computed) and any(
        isinstance(piece, Part) and piece.attribute == name
        for case in form.cases
        for piece in case.template.pieces
    )


def _natural_instead(
    entity: Entity, table: Table, key: DerivedKey, counted: Sequence[str]
) -> Iterator[str]:
    """Native keys are the attributes themselves, which DynamoDB keeps true."""
    form = entity.keys.get(key.attribute)
    if not isinstance(form, Computed) or len(form.cases) > 1 or form.cases[0].when:
        return
    delimiter = table.encoding.delimiter
    pieces = form.cases[0].template.pieces
    parts = [entity.attribute(p.attribute) for p in pieces if isinstance(p, Part)]
    joined = "".join(p.text for p in pieces if isinstance(p, Literal))
    if joined != delimiter * (len(parts) - 1):
        return
    if any(table.index(name).local for name in key.indexes) or not all(
        key_type(attribute.type) for attribute in parts
    ):
        return
    if delimiter.join(attribute.stored for attribute in parts) == key.attribute:
        yield "or keep the attributes apart (`strategy: multi_attribute`)"
    elif counted:
        names = listed((attribute.name for attribute in parts), "and")
        yield f"or let the index use {names} as key, which DynamoDB then keeps true"
