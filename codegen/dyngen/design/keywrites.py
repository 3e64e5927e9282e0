"""What an update does to each derived attribute, or which inputs it would have to know first.

Any conjunct of `when` false, or any part absent: REMOVE, and nothing else need be known. All true
and every part known: SET. Anything else can't be written truly (semantics 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product

from dyngen.design.after import After
from dyngen.design.contents import needed
from dyngen.design.derived import certain, derived_form
from dyngen.design.expansion import expanded
from dyngen.design.model import Case, Computed, Entity, Natural, Test
from dyngen.design.plans import DerivedKey, KeyWrite, SourceTest, WriteCase
from dyngen.design.valuesets import matching
from dyngen.keys.model import (
    Encoded,
    Hashed,
    KeyText,
    Literal,
    Missing,
    Part,
    Shard,
    Source,
    Template,
)
from dyngen.spec.model import Operator


@dataclass(frozen=True, slots=True)
class NotKnown:
    """Attributes that the write would have to know to keep the key true."""

    attributes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Whether something holds after the write: never, or if `tests` hold and `unknown` were known."""

    never: bool = False
    tests: tuple[SourceTest, ...] = ()
    unknown: tuple[str, ...] = ()


_NEVER = _Outcome(never=True)
_ALWAYS = _Outcome()


def touched(key: DerivedKey, changed: Iterable[str]) -> bool:
    """Whether a write of these attributes can change the key."""
    return not set(key.inputs).isdisjoint(changed)


def write_derived(
    entity: Entity,
    key: DerivedKey,
    after: Mapping[str, After],
    changed: frozenset[str],
) -> KeyWrite | NotKnown:
    """The write of one derived attribute that the change touches."""
    if not key.indexes:
        return _write_computed_attribute(entity, key, after)
    form = _written_out(derived_form(entity, key), entity, after)
    complete = _any(
        each for group in key.partners for each in _partners(entity, group, after)
    )
    if not complete:
        return KeyWrite(key.attribute, (), "the index is incomplete after the write")
    cases: list[WriteCase] = []
    unknown: list[str] = []
    for case, way in product(form.cases, complete):
        outcome = _both(_case(entity, case, after), way)
        if outcome.never:
            continue
        values = _unknown_values(case.template, after)
        if outcome.unknown or values:
            unknown += [*outcome.unknown, *values]
            continue
        cases.append(WriteCase(_text(case.template, after), outcome.tests))
    if unknown:
        return NotKnown(tuple(dict.fromkeys(unknown)))
    if not cases:
        return KeyWrite(key.attribute, (), "the item leaves the index")
    every = tuple(dict.fromkeys(cases))
    return KeyWrite(key.attribute, every, _why(form, after, changed))


def _written_out(
    form: Computed, entity: Entity, after: Mapping[str, After]
) -> Computed:
    """The form with computed attributes that are not known as what they are computed from."""
    cases = tuple(
        replace(case, template=expanded(case.template, entity, after))
        for case in form.cases
    )
    return replace(form, cases=cases)


def _write_computed_attribute(
    entity: Entity, key: DerivedKey, after: Mapping[str, After]
) -> KeyWrite | NotKnown:
    attribute = next(a for a in entity.attributes if a.stored == key.attribute)
    template = attribute.computed
    if template is None:
        raise TypeError(f"{attribute.name} is not computed")
    outcome = _parts(entity, template, after)
    if outcome.never:
        return KeyWrite(key.attribute, (), "it is computed from what is removed")
    unknown = [*outcome.unknown, *_unknown_values(template, after)]
    if unknown:
        return NotKnown(tuple(dict.fromkeys(unknown)))
    return KeyWrite(
        key.attribute,
        (WriteCase(_text(template, after), outcome.tests),),
        "computed from what the call gives",
    )


# --- three-valued evaluation ------------------------------------------------------------------------


def _case(entity: Entity, case: Case, after: Mapping[str, After]) -> _Outcome:
    outcome = _parts(entity, case.template, after)
    for test in case.when:
        outcome = _both(outcome, _test(entity, test, after[test.attribute]))
    return outcome


def _parts(entity: Entity, template: Template, after: Mapping[str, After]) -> _Outcome:
    outcome = _ALWAYS
    for name in needed(template):
        outcome = _both(outcome, _present(entity, name, after))
    return outcome


def _present(entity: Entity, name: str, after: Mapping[str, After]) -> _Outcome:
    """Whether an attribute is there; a computed one is where all that it is computed from is."""
    state = after[name]
    if state.missing:
        return _NEVER
    if state.sure:
        return _ALWAYS
    attribute = entity.attribute(name)
    if state.source is None:
        if attribute.computed is not None:
            return _parts(entity, attribute.computed, after)
        return _Outcome(unknown=(name,))
    given = Test(name, Operator.PRESENT, (), attribute.span)
    return _Outcome(tests=(SourceTest(state.source, given, attribute.type),))


def _test(entity: Entity, test: Test, state: After) -> _Outcome:
    of = entity.attribute(test.attribute).type
    holds = matching(test, of, for_all=True)
    if state.values.within(holds):
        return _ALWAYS
    if state.values.intersect(holds).empty:
        return _NEVER
    if state.source is None:
        return _Outcome(unknown=(test.attribute,))
    return _Outcome(tests=(SourceTest(state.source, test, of),))


def _partners(
    entity: Entity, group: tuple[str, ...], after: Mapping[str, After]
) -> Iterator[_Outcome]:
    """The ways in which all keys of the group exist."""
    values = {name: state.values for name, state in after.items()}
    ways: list[tuple[_Outcome, ...]] = []
    for name in group:
        form = entity.keys[name]
        if isinstance(form, Natural):
            ways.append((_present(entity, form.attribute, after),))
        elif not certain(entity, form, values):
            ways.append(_any(_case(entity, case, after) for case in form.cases))
    for way in product(*ways):
        yield reduce(_both, way, _ALWAYS)


def _both(first: _Outcome, second: _Outcome) -> _Outcome:
    if first.never or second.never:
        return _NEVER
    tests = tuple(dict.fromkeys(first.tests + second.tests))
    return _Outcome(False, tests, first.unknown + second.unknown)


def _any(outcomes: Iterable[_Outcome]) -> tuple[_Outcome, ...]:
    """Those of which one must hold; none if none can."""
    possible = tuple(dict.fromkeys(o for o in outcomes if not o.never))
    return (_ALWAYS,) if _ALWAYS in possible else possible


# --- texts ----------------------------------------------------------------------------------------


def _unknown_values(template: Template, after: Mapping[str, After]) -> list[str]:
    unknown = []
    for piece in template.pieces:
        parts = piece.by if isinstance(piece, Shard) else (piece,)
        for part in parts:
            if isinstance(part, Part) and after[part.attribute].source is None:
                unknown.append(part.attribute)
    return unknown


def _text(template: Template, after: Mapping[str, After]) -> KeyText:
    return tuple(_piece(piece, after) for piece in template.pieces)


def _piece(
    piece: Literal | Part | Shard, after: Mapping[str, After]
) -> Literal | Encoded:
    if isinstance(piece, Literal):
        return piece
    if isinstance(piece, Shard):
        by = tuple(_source(part.attribute, after) for part in piece.by)
        return Encoded(piece, Hashed(by))
    return Encoded(piece, _source(piece.attribute, after))


def _source(attribute: str, after: Mapping[str, After]) -> Source:
    source = after[attribute].source
    return Missing() if source is None else source


def _why(form: Computed, after: Mapping[str, After], changed: frozenset[str]) -> str:
    checked = sorted(
        {
            piece.attribute
            for case in form.cases
            for piece in case.template.pieces
            if isinstance(piece, Part) and piece.attribute not in changed
        }
    )
    if not checked:
        return "every input is written by this call"
    names = ", ".join(f"`{name}`" for name in checked)
    return f"the table's key or the guard fixes {names}"
