"""The order in which a route returns its items, and in which its streams are merged.

Attributes fixed by equality are dropped; the rest of `order_by` must be a prefix of the sort parts that
are not fixed, all in one direction or all reversed (semantics 4). A query reads a sort key forward or
backward (AWS: API_Query, `ScanIndexForward`).
"""

from __future__ import annotations

from dataclasses import replace

from dyngen.design.contents import Variant
from dyngen.design.model import Entity
from dyngen.design.paths import unknown_attribute
from dyngen.design.plans import OrderKey, Route
from dyngen.design.question import Found, NoRoute, Question, Slot
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic
from dyngen.diagnostics.suggest import listed
from dyngen.keys import ranges
from dyngen.keys.languages import characters_of, charset_of
from dyngen.keys.model import SHARD, Encoding, Part, Shard, Template
from dyngen.keys.template import lossy, order_exact
from dyngen.keys.texts import length_bounds
from dyngen.spec.model import AccessPattern
from dyngen.types.model import String


def order_keys(
    pattern: AccessPattern, entity: Entity
) -> tuple[tuple[OrderKey, ...], list[Diagnostic]]:
    """What `order_by` says, as attributes of the entity, and what is wrong with it."""
    keys: dict[str, OrderKey] = {}
    problems: list[Diagnostic] = []
    names = [attribute.name for attribute in entity.attributes]
    for written in pattern.order_by:
        name = written.attribute.text
        if name not in names:
            problems.append(unknown_attribute(written.attribute, entity, name))
        elif name in keys:
            problems.append(
                error(
                    "DG217",
                    f"`{name}` stands twice in `order_by`",
                    written.span,
                    help=["leave it out here: the first one orders already"],
                )
            )
        else:
            keys[name] = OrderKey(name, written.descending)
    return tuple(keys.values()), problems


def ordered(question: Question, variant: Variant, found: Found) -> Route:
    """The route with its direction and merge order. Raises NoRoute."""
    looped = {name for name in found.fan_outs if name != SHARD}
    for key in question.order_by:
        if key.attribute in looped:
            _in_order(question, variant, key.attribute)
    keys = [
        key
        for key in question.order_by
        if not question.fixes(key.attribute) and key.attribute not in looped
    ]
    if keys and not variant.sort:
        raise NoRoute("it has no sort key, so its items come in no order")
    free = [slot for slot in found.free if not _fixed_slot(question, slot)]
    directions = {
        _forward(question, variant, slot, key)
        for slot, key in zip(free, keys, strict=False)
    }
    if len(keys) > len(free):
        raise NoRoute(f"its sort key does not order by `{keys[len(free)].attribute}`")
    if len(directions) > 1:
        raise NoRoute(
            "its sort key gives these attributes in one direction only, all as they are or"
            " all reversed"
        )
    fan_outs = tuple(found.fan_outs.values())
    return Route(
        index=None if variant.index is None else variant.index.name,
        equals=tuple(found.equals),
        range=found.range,
        fan_outs=fan_outs,
        forward=directions != {False},
        merge_by=_merge_order(question, looped) if fan_outs else (),
    )


def _in_order(question: Question, variant: Variant, attribute: str) -> None:
    """Several requests, one for each value, are put in order by the texts of their keys."""
    pieces = [piece for key in variant.keys for piece in key.value_parts]
    part = next(
        (p for p in pieces if isinstance(p, Part) and p.attribute == attribute),
        Part(attribute, question.entity.attribute(attribute).type),
    )
    if not order_exact(in_order(part, question.entity)):
        raise NoRoute(out_of_order(part, question.entity))


# --- computed texts ---------------------------------------------------------------------------------


def in_order(part: Part, entity: Entity) -> Part:
    """The part; a computed text in a raw key as its template makes it, where that puts it in order."""
    computed = entity.attribute(part.attribute).computed
    if order_exact(part) or computed is None or not isinstance(part.type, String):
        return part
    characters = characters_of(computed)
    kinds = [String(charset=charset_of(characters))]
    least, greatest = length_bounds(computed)
    if least == greatest and characters[-1][1] < _BEYOND_ASCII:
        kinds.insert(0, String(min_length=least, max_length=greatest))
    narrowed = (replace(part, type=kind) for kind in kinds)
    return next((each for each in narrowed if order_exact(each)), part)


_BEYOND_ASCII = 0x80  # below it, a character is a byte


def out_of_order(part: Part, entity: Entity) -> str:
    """Why keys are not in the order of a part's values."""
    computed = entity.attribute(part.attribute).computed
    if computed is None or not isinstance(part.type, String):
        return f"`{part.attribute}` {ranges.out_of_order(part)}"
    parts = [piece for piece in computed.pieces if isinstance(piece, Part)]
    of = dict.fromkeys(p.attribute for p in [p for p in parts if _varies(p)] or parts)
    return (
        f"`{part.attribute}` is computed from {listed(of, 'and')}, and"
        f" {ranges.out_of_order(part)}"
    )


def _varies(piece: Part) -> bool:
    """Whether the texts of a value have several lengths."""
    least, greatest = length_bounds(Template((piece,), Encoding(raw=True)))
    return least != greatest


def _fixed_slot(question: Question, slot: Slot) -> bool:
    return slot.attribute != SHARD and question.fixes(slot.attribute)


def _merge_order(question: Question, looped: set[str]) -> tuple[OrderKey, ...]:
    return tuple(
        key
        for key in question.order_by
        if not question.fixes(key.attribute) or key.attribute in looped
    )


def _forward(question: Question, variant: Variant, slot: Slot, key: OrderKey) -> bool:
    """Whether reading forward gives the order wanted of this slot."""
    if slot.attribute != key.attribute:
        raise NoRoute(
            f"its sort key orders by `{slot.attribute}` before `{key.attribute}`"
        )
    part = slot.piece or Part(
        slot.attribute, question.entity.attribute(slot.attribute).type
    )
    if isinstance(part, Shard) or lossy(part):
        raise NoRoute(f"its sort key keeps only a part of `{slot.attribute}`")
    if not order_exact(in_order(part, question.entity)):
        raise NoRoute(out_of_order(part, question.entity))
    return key.descending == part.desc
