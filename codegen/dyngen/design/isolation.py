"""Isolation: whether a read can touch items that it is not meant to return (semantics 3).

Decided exactly, on automata of the key texts: a stranger lies inside what a route reads if and only
if the two share a text in every key attribute. Strangers are other entities, and other variants of
the entity itself. An attribute that occurs twice in a key makes the test err on the safe side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal as Number
from functools import lru_cache
from itertools import combinations

from dyngen.design.contents import KeyPart, Variant, template_inputs, variants
from dyngen.design.model import Entity, Schema
from dyngen.design.plans import KeyRange, NativeValue, TextValue
from dyngen.design.question import Answer
from dyngen.design.valuesets import ValueSet
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.keys.languages import Domain, language, natural
from dyngen.keys.model import Encoding, RangeForm, Template, TextRange
from dyngen.keys.overlap import Language, natural_reach, overlap, reach

Witness = Mapping[str, str | Number]
"""Key attributes of an item, by name: a shortest example."""


@dataclass(frozen=True, slots=True)
class Intrusion:
    """A variant whose items a route can read, with the key of one."""

    variant: Variant
    stranger: Variant
    witness: Witness

    @property
    def reason(self) -> str:
        """The intrusion in words."""
        entity = self.stranger.entity.name
        own = " of another state" if entity == self.variant.entity.name else ""
        return f"it would read `{entity}`{own} too, e.g. {in_words(self.witness)}"


def in_words(witness: Witness) -> str:
    """A key for a message."""
    return ", ".join(f"`{name}` = `{value}`" for name, value in witness.items())


def intrusion(
    answer: Answer, schema: Schema, *, named: Sequence[Variant] = ()
) -> Intrusion | None:
    """The first stranger inside what the route reads; None where it is proved that there is none.

    `named` are the variants that the read is meant to return, the route's own where there are none.
    """
    own = answer.variant
    welcome = named or (own,)
    reaches = _reaches(answer)
    for stranger in _beside(own, schema):
        if stranger in welcome:
            continue
        witness = _meeting(reaches, stranger)
        if witness is not None:
            return Intrusion(own, stranger, witness)
    return None


def _beside(own: Variant, schema: Schema) -> Iterator[Variant]:
    for entity in schema.entities:
        if entity.table == own.table.name:
            yield from variants(entity, own.table, own.index)


def _meeting(reaches: Mapping[str, Language], stranger: Variant) -> Witness | None:
    """A key of the stranger's that is read."""
    witness: dict[str, str | Number] = {}
    for part in stranger.keys:
        theirs = key_language(part, stranger)
        ours = reaches.get(part.key.name)
        shared = overlap(theirs if ours is None else ours, theirs)
        if shared is None:
            return None
        witness[part.key.name] = shared
    return witness


def _reaches(answer: Answer) -> dict[str, Language]:
    """What the route can read of each key attribute that it has a condition on."""
    route, encoding = answer.route, answer.variant.table.encoding
    domains = {
        fan_out.variable: Domain(fan_out.values, missing=None in fan_out.values)
        for fan_out in route.fan_outs
        if fan_out.parameter is None
    }
    found: dict[str, Language] = {}
    for equals in route.equals:
        match equals.value:
            case TextValue(text=text):
                found[equals.attribute] = _text_reach(
                    TextRange(RangeForm.EQUALS, text), encoding, tuple(domains.items())
                )
            case NativeValue(type=of, source=source):
                found[equals.attribute] = natural_reach(
                    of, RangeForm.EQUALS, source, domains=domains
                )
    if route.range is not None:
        found[route.range.attribute] = _range_reach(route.range, answer, domains)
    return found


def _range_reach(
    condition: KeyRange, answer: Answer, domains: Mapping[str, Domain]
) -> Language:
    low, high = condition.low, condition.high
    of = next(
        (value.type for value in (low, high) if isinstance(value, NativeValue)), None
    )
    if of is not None:
        return natural_reach(
            of,
            condition.form,
            low.source if isinstance(low, NativeValue) else None,
            high.source if isinstance(high, NativeValue) else None,
            low_open=condition.low_exclusive,
            high_open=condition.high_exclusive,
            domains=domains,
        )
    bounds = TextRange(
        condition.form,
        low.text if isinstance(low, TextValue) else None,
        high.text if isinstance(high, TextValue) else None,
    )
    return _text_reach(bounds, answer.variant.table.encoding, tuple(domains.items()))


def key_language(part: KeyPart, variant: Variant) -> Language:
    """All values that the key attribute has for the variant's items."""
    name = part.key.name
    if name not in variant.languages:
        variant.languages[name] = _key_language(part, variant)
    return variant.languages[name]


def _key_language(part: KeyPart, variant: Variant) -> Language:
    if part.template is not None:
        inputs = sorted(set(template_inputs(part.template)))
        domains = tuple((name, _domain(variant.holds[name])) for name in inputs)
        return _language(part.template, domains)
    attribute = variant.entity.attribute(part.attribute or "")
    return natural(attribute.type, _domain(variant.holds[attribute.name]))


@lru_cache(maxsize=4096)
def _language(template: Template, domains: tuple[tuple[str, Domain], ...]) -> Language:
    return language(template, dict(domains))


@lru_cache(maxsize=4096)
def _text_reach(
    found: TextRange, encoding: Encoding, domains: tuple[tuple[str, Domain], ...]
) -> Language:
    return reach(found, encoding, dict(domains))


def _domain(values: ValueSet) -> Domain:
    points = [i.low for i in values.present if i.low is not None and i.low == i.high]
    few = tuple(points) if len(points) == len(values.present) else None
    return Domain(few, missing=values.absent)


# --- identity -------------------------------------------------------------------------------------


def shared_keys(schema: Schema) -> tuple[list[Diagnostic], frozenset[str]]:
    """Entities of one table whose items can have one and the same key: the findings, and the names."""
    found: list[Diagnostic] = []
    confused: set[str] = set()
    for table in schema.tables:
        entities = [e for e in schema.entities if e.table == table.name]
        for first, second in combinations(entities, 2):
            witness = _same_key(first, second, schema)
            if witness is not None:
                found.append(_confused(first, second, witness))
                confused |= {first.name, second.name}
    return found, frozenset(confused)


def _confused(first: Entity, second: Entity, witness: Witness) -> Diagnostic:
    return error(
        "DG210",
        f"`{first.name}` and `{second.name}` can have the same key in `{first.table}`",
        second.span,
        f"e.g. {in_words(witness)}",
        secondary=[Label(first.span, "and so can this")],
        help=[
            "one item would overwrite the other: begin the keys of each with a text of its"
            f" own, such as `{second.name.upper()}#`"
        ],
    )


def _same_key(first: Entity, second: Entity, schema: Schema) -> Witness | None:
    table = schema.table(first.table)
    for mine in variants(first, table, None):
        for theirs in variants(second, table, None):
            witness: dict[str, str | Number] = {}
            for ours, other in zip(mine.keys, theirs.keys, strict=True):
                shared = overlap(key_language(ours, mine), key_language(other, theirs))
                if shared is None:
                    break
                witness[ours.key.name] = shared
            else:
                return witness
    return None
