"""Whether one variant of an entity can answer a pattern by its keys alone, and with which request.

The rule is semantics 4: the items read are the items that match, for all data and all parameters,
if and only if (1) everything that can match is inside, (2) partition parts are fixed by equality,
sort parts by equality from left to right, then at most one range, and (3) every condition left over
holds for all that is inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dyngen.design.bindings import Binding, fan_out_source, source_of
from dyngen.design.contents import KeyPart, Variant
from dyngen.design.inside import absent_values, other_values
from dyngen.design.model import Test
from dyngen.design.native import native_range
from dyngen.design.ordering import in_order, ordered, out_of_order
from dyngen.design.plans import (
    FanOut,
    KeyEquals,
    KeyRange,
    KeyValue,
    NativeValue,
    TextValue,
)
from dyngen.design.question import (
    Answer,
    Failure,
    Found,
    NoRoute,
    Question,
    Slot,
    slots,
)
from dyngen.design.valuesets import matching
from dyngen.keys import ranges
from dyngen.keys.model import SHARD, Hashed, Part, Shard, Source
from dyngen.keys.template import lossy, order_exact
from dyngen.spec.model import Operator
from dyngen.types.model import Integer


def route(question: Question, variant: Variant) -> Answer | Failure:
    """The exact route through `variant`, or why there is none."""
    try:
        found = Found([], None, {}, set(), None, [])
        _walk_partition(question, variant, found)
        _check(other_values(question, variant.holds))
        _walk_sort(question, variant, found)
        _check_left_over(question, variant, found)
        answer = Answer(variant, ordered(question, variant, found))
        _check(absent_values(question, variant.holds))  # last: its remedy then suffices
        return answer
    except NoRoute as failure:
        return Failure(variant, str(failure))


def _check(reason: str | None) -> None:
    if reason is not None:
        raise NoRoute(reason)


# --- (2) parts fixed from left to right, then one range --------------------------------------------


def _walk_partition(question: Question, variant: Variant, found: Found) -> None:
    for part in variant.partition:
        fixed = _fix_all(question, part, found, fan_free=True)
        missing = [s for s in slots(part) if s.attribute not in fixed]
        if missing:
            raise NoRoute(_partition_gap(question, variant, missing[0]))
        found.equals.append(_equals(question, part, fixed))


def _walk_sort(question: Question, variant: Variant, found: Found) -> None:
    for position, part in enumerate(variant.sort):
        later = variant.sort[position + 1 :]
        fan_free = _worth_fanning(question, part, later)
        fixed = _fix_all(question, part, found, fan_free=fan_free)
        open_slots = [s for s in slots(part) if s.attribute not in fixed]
        if not open_slots:
            found.equals.append(_equals(question, part, fixed))
            continue
        tests = _range_tests(question, open_slots[0])
        if tests:
            found.ranged = open_slots[0].attribute
        found.range = _range(question, part, fixed, open_slots[0], tests)
        found.free = open_slots + [s for p in later for s in slots(p)]
        return


def _range_tests(question: Question, slot: Slot) -> tuple[Test, ...]:
    binding = question.bindings[slot.attribute]
    placeholder = isinstance(slot.piece, Part) and slot.piece.placeholder is not None
    if not binding.ranges and placeholder and binding.present is not None:
        return (binding.present,)
    return binding.ranges


def _fix_all(
    question: Question, part: KeyPart, found: Found, *, fan_free: bool
) -> dict[str, Source]:
    """Sources of the leading slots of `part` that equality or a fan-out fixes."""
    fixed: dict[str, Source] = {}
    for slot in slots(part):
        source = _source(question, slot, found, fan_free=fan_free)
        if source is None:
            break
        fixed[slot.attribute] = source
    return fixed


def _source(
    question: Question, slot: Slot, found: Found, *, fan_free: bool
) -> Source | None:
    if isinstance(slot.piece, Shard):
        by = [question.bindings[part.attribute].source for part in slot.piece.by]
        known = tuple(source for source in by if source is not None)
        if len(known) == len(by):
            return Hashed(known)
        shards = FanOut(
            SHARD,
            Integer(0, slot.piece.count - 1),
            values=tuple(range(slot.piece.count)),
        )
        found.fan_outs[SHARD] = shards
        return fan_out_source(shards)
    served = _served_by(question, slot)
    if served is not None:  # the bucket is a `computed` attribute
        found.exact.add(served)
        return question.bindings[served].source
    binding = question.bindings[slot.attribute]
    keeps = slot.piece is None or not lossy(slot.piece)
    if binding.source is not None:
        if keeps:
            found.exact.add(slot.attribute)
        return binding.source
    fan_out = binding.fan_out or (binding.free_fan_out if fan_free else None)
    if fan_out is None or not keeps:
        return None
    found.fan_outs[fan_out.variable] = fan_out
    if binding.fan_out is not None:
        found.exact.add(slot.attribute)
    return fan_out_source(fan_out)


def _served_by(question: Question, slot: Slot) -> str | None:
    """The `computed` attribute that is this very bucket and is asked for, if there is one."""
    if not isinstance(slot.piece, Part) or slot.piece.bucket is None:
        return None
    return next(
        (
            attribute.name
            for attribute in question.entity.attributes
            if attribute.computed
            and attribute.computed.pieces == (slot.piece,)
            and question.bindings[attribute.name].source is not None
        ),
        None,
    )


def _worth_fanning(question: Question, part: KeyPart, later: Sequence[KeyPart]) -> bool:
    """Asking for every value of an optional enum pays only if something after it is asked for too."""
    wanted_order = {key.attribute for key in question.order_by}
    past_free = False
    for slot in (slot for each in (part, *later) for slot in slots(each)):
        binding = question.bindings.get(slot.attribute, Binding())
        if past_free and (
            binding.source
            or binding.fan_out
            or binding.ranges
            or slot.attribute in wanted_order
        ):
            return True
        past_free = past_free or binding.free_fan_out is not None
    return False


def _partition_gap(question: Question, variant: Variant, slot: Slot) -> str:
    binding = question.bindings[slot.attribute]
    if binding.ranges:
        return (
            f"`{slot.attribute}` is part of its partition key and needs equality,"
            f" not `{binding.ranges[0].operator}`"
        )
    return f"its partition key needs `{slot.attribute}`, which the pattern does not fix"


def _equals(
    question: Question, part: KeyPart, fixed: Mapping[str, Source]
) -> KeyEquals:
    return KeyEquals(part.key.name, part.key.type, _value(question, part, fixed))


def _value(question: Question, part: KeyPart, fixed: Mapping[str, Source]) -> KeyValue:
    if part.attribute is not None:
        of = question.entity.attribute(part.attribute).type
        return NativeValue(of, fixed[part.attribute])
    assert part.template is not None
    found = ranges.text_range(part.template, fixed, ())
    if isinstance(found, ranges.Refusal) or found is None or found.low is None:
        raise NoRoute(f"`{part.key.name}` can't be computed from the conditions")
    return TextValue(found.low)


def _range(
    question: Question,
    part: KeyPart,
    fixed: Mapping[str, Source],
    slot: Slot,
    tests: tuple[Test, ...],
) -> KeyRange | None:
    if slot.piece is None:
        if not tests:
            return None
        of = question.entity.attribute(slot.attribute).type
        found = native_range(part.key, of, tests)
        if isinstance(found, str):
            raise NoRoute(found)
        return found
    if tests and isinstance(slot.piece, Part) and lossy(slot.piece):
        raise NoRoute(
            f"`{part.key.name}` keeps only a part of `{slot.attribute}`; a condition on"
            " the whole value can't be read from it"
        )
    assert part.template is not None
    compared = tuple(ranges.comparison(t.operator, _operands(t)) for t in tests)
    template = part.template
    if isinstance(slot.piece, Part) and not _IN_ANY_ORDER.issuperset(
        t.operator for t in tests
    ):
        known = in_order(slot.piece, question.entity)
        if not order_exact(known):
            raise NoRoute(out_of_order(known, question.entity))
        pieces = (known if p == slot.piece else p for p in template.pieces)
        template = replace(template, pieces=tuple(pieces))
    text = ranges.text_range(template, fixed, compared)
    if isinstance(text, ranges.Refusal):
        raise NoRoute(text.reason)
    if text is None:
        return None
    return KeyRange(
        part.key.name,
        part.key.type,
        text.form,
        None if text.low is None else TextValue(text.low),
        None if text.high is None else TextValue(text.high),
    )


_IN_ANY_ORDER = frozenset({Operator.BEGINS_WITH, Operator.PRESENT})


def _operands(test: Test) -> tuple[Source, ...]:
    return tuple(source_of(operand) for operand in test.operands)


# --- (3) every condition left over holds for all that is inside -------------------------------------


def _check_left_over(question: Question, variant: Variant, found: Found) -> None:
    for test in question.tests:
        binding = question.bindings[test.attribute]
        if test.attribute in found.exact and test in binding.served:
            continue
        if test.attribute == found.ranged and test in binding.ranges:
            continue
        if test.operator is Operator.PRESENT and _value_asked(test.attribute, found):
            continue
        attribute = question.entity.attribute(test.attribute)
        inside = variant.holds[test.attribute]
        if inside.within(matching(test, attribute.type, for_all=True)):
            continue
        raise NoRoute(_left_over(test, variant, found))


def _value_asked(attribute: str, found: Found) -> bool:
    """Whether the key conditions ask for values of the attribute, so that absence is excluded."""
    return attribute == found.ranged or attribute in found.exact


def _left_over(test: Test, variant: Variant, found: Found) -> str:
    in_key = [s.attribute for s in found.free]
    if test.attribute in in_key[1:]:
        return (
            f"in its sort key `{test.attribute}` comes after `{in_key[0]}`, which"
            " is not fixed by equality"
        )
    if test.attribute in in_key:
        return f"`{test.attribute}` is bounded twice, and one key condition is all there is"
    if any(test.attribute == s.attribute for p in variant.keys for s in slots(p)):
        return f"its key keeps only a part of `{test.attribute}`"
    return (
        f"`{test.attribute}` is not part of its key, so items that fail the condition on"
        " it would be read too"
    )
