"""Words of a pattern that change nothing: options beside others, writes and guards without effect.

Whoever writes one expects something of it. DG218: options of reads. DG207, DG211: writes and guards
of what is so anyway. DG153: an operation that can do nothing. DG202: conditions that exclude one another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dyngen.design.bindings import source_of
from dyngen.design.changes import Changes
from dyngen.design.derived import changeable, table_key_inputs
from dyngen.design.model import (
    AllOf,
    AnyOf,
    Condition,
    Entity,
    Not,
    Room,
    Schema,
    Test,
    tests_in,
)
from dyngen.design.plans import Route, ValueWrite
from dyngen.design.valuesets import conjunction
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import listed
from dyngen.keys.model import Fixed
from dyngen.spec.model import AccessPattern, Operator, Spec

# --- reads ----------------------------------------------------------------------------------------


def idle_options(
    pattern: AccessPattern, routes: Iterable[Route]
) -> Iterator[Diagnostic]:
    """DG218 for options of a read of which one makes another pointless."""
    if pattern.one is not None:
        yield from _beside_one(pattern)
        return
    limit, filtered = pattern.at_most, pattern.filter
    if limit is not None and filtered is not None and filtered.at_most is not None:
        yield _in_vain(
            pattern,
            "`at_most` stands in the pattern and in its filter",
            "both say how many items are read: keep that of the filter",
        )
    elif limit is not None and pattern.max_items is not None and filtered is None:
        yield _in_vain(
            pattern,
            "`at_most` and `max_items` end the same iteration, and the lesser one always wins",
            "keep `max_items`, which stops there, or `at_most`, which raises where there are more",
        )
    if limit is not None and pattern.page_size is not None:
        greatest = max(pattern.page_size.default, pattern.page_size.max or 0)
        if greatest > limit:
            yield _in_vain(
                pattern,
                f"a page of {greatest} items is never full: `at_most` is {limit}",
                "leave `page_size` out, or raise `at_most`, which counts what one page reads",
            )
    if pattern.fan_out is not None and not any(route.fan_outs for route in routes):
        yield _in_vain(
            pattern,
            "`fan_out` limits requests side by side, and this read makes one",
            "leave it out",
        )


def _beside_one(pattern: AccessPattern) -> Iterator[Diagnostic]:
    beside = {
        "page_size": pattern.page_size,
        "max_items": pattern.max_items,
        "at_most": pattern.at_most,
    }
    names = [name for name, value in beside.items() if value is not None]
    if names:
        says = "says" if len(names) == 1 else "say"
        yield _in_vain(
            pattern,
            f"{listed(names, 'and')} {says} nothing of a read that returns one item",
            f"leave {'it' if len(names) == 1 else 'them'} out, or leave `one` out",
        )


def _in_vain(pattern: AccessPattern, message: str, remedy: str) -> Diagnostic:
    return error("DG218", message, pattern.name.span, help=[remedy])


def idle_operations(spec: Spec, schema: Schema) -> Iterator[Diagnostic]:
    """DG153 for an `update` that has nothing to change."""
    for written in spec.entities:
        entity = next((e for e in schema.entities if e.name == written.name.text), None)
        if entity is None or any(changeable(entity, schema.table(entity.table))):
            continue
        for name in written.operations or ():
            if name.text == "update":
                yield error(
                    "DG153",
                    f"`update` has nothing to change of {entity.name}",
                    name.span,
                    help=[
                        "every attribute is part of the key, or is filled in: leave it out"
                    ],
                )


def idle_unique(schema: Schema) -> Iterator[Diagnostic]:
    """DG152 for attributes that are unique together because some of them are."""
    for entity in schema.entities:
        key = table_key_inputs(entity, schema.table(entity.table))
        for position, unique in enumerate(entity.unique):
            others = [u for u in entity.unique if u is not unique]
            inside = [
                other
                for other in others
                if set(other.attributes) < set(unique.attributes)
                or (
                    set(other.attributes) == set(unique.attributes)
                    and other in entity.unique[:position]
                )
            ]
            names = listed(unique.attributes, "and")
            be = "is" if len(unique.attributes) == 1 else "are"
            if key <= set(unique.attributes):
                yield error(
                    "DG152",
                    f"{names} {be} unique already: no two items of {entity.name} have the same"
                    f" {listed(sorted(key), 'and')}",
                    unique.span,
                    help=["leave it out: that is the table's key"],
                )
            elif inside:
                yield error(
                    "DG152",
                    f"{names} {be} unique already, since"
                    f" {listed(inside[0].attributes, 'and')} alone must be",
                    unique.span,
                    secondary=[Label(inside[0].span, "declared unique here")],
                    help=["leave it out"],
                )


# --- conditions -----------------------------------------------------------------------------------


def excluding(
    pattern: AccessPattern, entity: Entity, what: str, conditions: Iterable[Condition]
) -> Iterator[Diagnostic]:
    """DG202 where the conditions of a guard or filter can never hold together."""
    tests = list(_together(conditions))
    for attribute in entity.attributes:
        mine = [t for t in tests if t.attribute == attribute.name and not t.path]
        if any(t.operator is Operator.ABSENT for t in mine):
            # What is absent differs from every value.
            mine = [t for t in mine if t.operator is not Operator.NE]
        # An upsert asks its guard where there is no item, too.
        optional = attribute.optional or pattern.upsert
        if conjunction(mine, attribute.type, optional=optional).empty:
            alone = len(mine) == 1
            yield error(
                "DG202",
                f"{what} of `{pattern.name.text}` never holds: "
                + (
                    f"no value of `{attribute.name}` is so"
                    if alone
                    else f"the conditions on `{attribute.name}` exclude one another"
                ),
                mine[0].span,
                secondary=[Label(t.span, "and this") for t in mine[1:]],
                help=[
                    (
                        "drop it, or look at the bounds of the attribute's type"
                        if alone
                        else "drop one of the conditions, or let `any` hold them"
                    )
                ],
            )


def _together(conditions: Iterable[Condition]) -> Iterator[Test]:
    """The tests that all must hold."""
    for condition in conditions:
        match condition:
            case Test():
                yield condition
            case AllOf(of=of):
                yield from _together(of)


def idle_guards(
    pattern: AccessPattern,
    entity: Entity,
    where: Sequence[Test],
    guard: Sequence[Condition],
) -> Iterator[Diagnostic]:
    """Guards that say what is so anyway, or can never hold."""
    fixed = {test.attribute: test for test in where}
    for test in _together(guard):
        known = fixed.get(test.attribute)
        if known is not None and not test.path and _so_anyway(test, known):
            yield error(
                "DG211",
                f"`{test.attribute}` is part of the key, which `where` says already",
                test.span,
                secondary=[Label(known.span, "here")],
                help=["leave it out of the guard"],
            )
    yield from excluding(pattern, entity, "the guard", guard)
    if pattern.upsert and not all(map(_holds_of_nothing, guard)):
        refusing = next(each for each in guard if not _holds_of_nothing(each))
        yield error(
            "DG211",
            "no item that is not there passes the guard, so nothing is ever inserted",
            next(tests_in((refusing,))).span,
            help=[
                "leave `upsert` out, or let the guard hold of what is absent too:"
                " `any: [{...: absent}, {...}]`"
            ],
        )


def _so_anyway(test: Test, known: Test) -> bool:
    """Whether a key that `where` gives passes the test in any case."""
    if test.operator is Operator.PRESENT:
        return known.operator is Operator.EQ
    return (test.operator, test.operands) == (known.operator, known.operands) or (
        test.operator is known.operator is Operator.EQ
        and source_of(test.operands[0]) == source_of(known.operands[0])
    )


def _holds_of_nothing(condition: Condition) -> bool:
    """Whether the condition holds where there is no item: a comparison with nothing does not."""
    match condition:
        case Test(operator=operator):
            return operator in (Operator.ABSENT, Operator.NE)
        case Not(of=of):
            return not _holds_of_nothing(of)
        case AnyOf(of=of):
            return any(map(_holds_of_nothing, of))
        case AllOf(of=of):
            return all(map(_holds_of_nothing, of))
        case Room():
            return True


# --- writes ---------------------------------------------------------------------------------------


def idle_update(
    pattern: AccessPattern, changes: Changes, guard: Iterable[Condition]
) -> Iterator[Diagnostic]:
    """Updates that change nothing, or write what the guard says is so."""
    if not changes.writes and not changes.problems:
        yield error(
            "DG207",
            f"`{pattern.name.text}` changes nothing",
            pattern.name.span,
            help=["say what it writes: `set`, `remove`, `add`, `append` or `delete`"],
        )
    yield from idle_changes(changes, guard)


def idle_changes(changes: Changes, guard: Iterable[Condition]) -> Iterator[Diagnostic]:
    """Changes to what the guard says is so, and additions of nothing."""
    guards = tuple(_together(guard))
    for write in changes.writes:
        place = changes.places[write.attribute]
        if write.verb == "add" and write.operand == Fixed(0):
            yield error(
                "DG207",
                f"to add 0 to `{write.attribute}` changes nothing",
                place,
                help=["leave it out, or add a parameter"],
            )
        for test in guards:
            if _same_value(write, test):
                name = write.attribute
                yield error(
                    "DG211",
                    f"`{name}` is checked for the value that it is set to",
                    place,
                    secondary=[Label(test.span, "checked here")],
                    help=[
                        f"name the new value otherwise: `set: {{{name}: {{param: new_{name}}}}}`"
                    ],
                )
            elif _nothing_to_remove(write, test):
                yield error(
                    "DG211",
                    f"`{write.attribute}` is checked to be absent, so nothing is taken away",
                    place,
                    secondary=[Label(test.span, "checked here")],
                    help=["leave one of the two out"],
                )


def _same_value(write: ValueWrite, test: Test) -> bool:
    return (
        write.verb == "set"
        and test.operator is Operator.EQ
        and (test.attribute, test.path) == (write.attribute, ())
        and not write.path
        and source_of(test.operands[0]) == write.operand
    )


def _nothing_to_remove(write: ValueWrite, test: Test) -> bool:
    return (
        write.verb in ("remove", "delete")
        and test.operator is Operator.ABSENT
        and (test.attribute, test.path) == (write.attribute, ())
    )
