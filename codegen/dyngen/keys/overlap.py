"""Isolation: whether a read can touch a key, decided exactly on automata of the key texts.

A read's *reach* is everything that it can read for some parameters: the texts of the parts it fixes,
followed by the interval from its low bound at its lowest to its high bound at its highest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal as Number

from dyngen.keys.automata import Automaton, Builder, Texts, common_text
from dyngen.keys.encoding import encoder, shards
from dyngen.keys.extremes import Extreme, extreme, known
from dyngen.keys.languages import (
    ANY,
    RAW,
    Domain,
    Domains,
    add_natural,
    add_part,
    add_shard,
    add_text,
    natural,
)
from dyngen.keys.model import (
    After,
    Bound,
    Encoded,
    Encoding,
    KeyText,
    Literal,
    Part,
    RangeForm,
    Shard,
    Source,
    TextRange,
    Through,
)
from dyngen.keys.numbers import Numbers, common_number, numbers
from dyngen.runtime import keytext
from dyngen.types.model import Binary, String, ValueType, key_type

Language = Automaton | Numbers
"""The values that one physical key attribute can have."""

Element = Literal | Encoded | Through | After


def overlap(first: Language, second: Language) -> str | Number | None:
    """A value of both, as short and readable as there is; None where there is none.

    Bytes come as their characters. Raises TypeError for numbers against text: a key attribute has
    one type.
    """
    if isinstance(first, Numbers) and isinstance(second, Numbers):
        return common_number(first, second)
    if isinstance(first, Automaton) and isinstance(second, Automaton):
        return common_text(first, second)
    raise TypeError("a key attribute holds either numbers or text")


# --- what a read on a computed key can touch --------------------------------------------------------


def reach(
    found: TextRange | None, encoding: Encoding, domains: Domains | None = None
) -> Automaton:
    """All key texts that a key condition can read, for some parameters.

    `domains` says what is known of parameters and loop variables, by name. None reads everything.
    """
    reader = _Reader(Builder(), encoding, domains or {})
    low, high = (found.low, found.high) if found is not None else (None, None)
    match found:
        case None:
            return reader.finish((), reader.builder.anything())
        case TextRange(form=RangeForm.EQUALS):
            return reader.finish(low or (), reader.builder.state(accepting=True))
        case TextRange(form=RangeForm.BEGINS_WITH):
            return reader.finish(low or (), reader.builder.anything())
    prefix, low_rest, high_rest = split(low or (), high or ())
    lowest = reader.extreme(low_rest, highest=False)
    highest = reader.extreme(high_rest, highest=True)
    if lowest is None or highest is None:
        return reader.finish((), reader.builder.state())
    texts = Texts(lowest.text)
    if high is not None:
        texts = Texts(lowest.text, highest.text, highest.endless)
    return reader.finish(prefix, reader.builder.between(texts))


def split(low: KeyText, high: KeyText) -> tuple[KeyText, KeyText, KeyText]:
    """What both bounds begin with, whatever the parameters are, and what is left of each."""
    prefix: list[Element] = []
    for at, (one, other) in enumerate(zip(low, high, strict=False)):
        if one == other and not isinstance(one, Through | After):
            prefix.append(one)
            continue
        if isinstance(one, Literal) and isinstance(other, Literal):
            shared = _shared(one.text, other.text)
            if shared:
                prefix.append(Literal(shared))
            return (
                tuple(prefix),
                (Literal(one.text[len(shared) :]), *low[at + 1 :]),
                (Literal(other.text[len(shared) :]), *high[at + 1 :]),
            )
        break
    return tuple(prefix), low[len(prefix) :], high[len(prefix) :]


def _shared(one: str, other: str) -> str:
    length = 0
    while one[: length + 1] == other[: length + 1] and length < min(
        len(one), len(other)
    ):
        length += 1
    return one[:length]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Builds the reach of one read."""

    builder: Builder
    encoding: Encoding
    domains: Domains

    def finish(self, text: KeyText, then: int) -> Automaton:
        for piece in reversed(text):
            then = self._piece(piece, then)
        return self.builder.finish(then)

    def _piece(self, piece: Element, then: int) -> int:
        if not isinstance(piece, Encoded):
            return self.builder.literal(piece.text, then)
        domain = known(piece.source, self.domains)
        if isinstance(piece.part, Shard):
            return self._shard(piece.part, domain, then)
        if piece.bound is Bound.PREFIX and domain.values is None:
            return self._prefix(piece.part, then)
        return add_part(self.builder, piece.part, self.encoding, domain, then)

    def _shard(self, shard: Shard, domain: Domain, then: int) -> int:
        if domain.values is None:
            return add_shard(self.builder, shard, then)
        texts = [shards(shard).text(n) for n in domain.values if isinstance(n, int)]
        return self.builder.choice(texts, then)

    def _prefix(self, part: Part, then: int) -> int:
        """What some value begins with; `then` is anything."""
        writer = encoder(part, self.encoding)
        if isinstance(writer, keytext.Text):
            return add_text(self.builder, writer, 1, then)
        return add_part(self.builder, part, self.encoding, ANY, then)

    def extreme(self, text: KeyText, *, highest: bool) -> Extreme | None:
        """The lowest or highest text of a bound; None if no parameters make one."""
        made = ""
        for piece in text:
            if not isinstance(piece, Encoded):
                made += piece.text
                continue
            if isinstance(piece.part, Shard):
                raise TypeError("a shard number is no bound")
            writer = encoder(piece.part, self.encoding)
            values = known(piece.source, self.domains).values
            found = extreme(writer, piece.bound, values, highest=highest)
            if found is None or found.endless:
                return found and Extreme(made + found.text, endless=True)
            made += found.text
        return Extreme(made)


# --- what a read on a natural key can touch ---------------------------------------------------------


def natural_reach(
    of: ValueType,
    form: RangeForm | None,
    low: Source | None = None,
    high: Source | None = None,
    *,
    low_open: bool = False,
    high_open: bool = False,
    domains: Domains | None = None,
) -> Language:
    """All values that a condition on a natural key attribute can read, for some parameters.

    `low` holds the value of `=`, begins_with, `>=` and `>`, `high` that of `<=` and `<`; BETWEEN has
    both, and leaves out an end that is open. A form of None reads everything.
    """
    below = known(low, domains or {}) if low is not None else None
    above = known(high, domains or {}) if high is not None else None
    if form is RangeForm.EQUALS and below is not None:
        return natural(of, below)
    low_open = low_open or form is RangeForm.ABOVE
    high_open = high_open or form is RangeForm.BELOW
    if key_type(of) == "N":
        return _number_reach(of, below, above, low_open, high_open)
    builder = Builder()
    if form is RangeForm.BEGINS_WITH and below is not None:
        unlimited = _unlimited(of)
        return builder.finish(
            add_natural(builder, unlimited, below, builder.anything())
        )
    lowest = (
        Extreme("") if below is None else _natural_extreme(of, below, highest=False)
    )
    highest = None if above is None else _natural_extreme(of, above, highest=True)
    if lowest is None or (above is not None and highest is None):
        return builder.finish(builder.state())
    bottom = lowest.text + "\0" if low_open else lowest.text
    if highest is None:
        return builder.finish(builder.between(Texts(bottom)))
    if high_open:
        highest = _just_below(highest)
    return builder.finish(builder.between(Texts(bottom, highest.text, highest.endless)))


def _number_reach(
    of: ValueType,
    below: Domain | None,
    above: Domain | None,
    low_open: bool,
    high_open: bool,
) -> Numbers:
    low = numbers(of, below.values).low if below is not None else None
    high = numbers(of, above.values).high if above is not None else None
    return Numbers(low, high, low_open, high_open)


def _unlimited(of: ValueType) -> ValueType:
    """The type of what a value begins with."""
    return replace(of, min_length=0) if isinstance(of, String) else of


def _natural_extreme(of: ValueType, domain: Domain, *, highest: bool) -> Extreme | None:
    if not isinstance(of, Binary):
        writer = encoder(Part("", of), RAW)
        return extreme(writer, Bound.EXACT, domain.values, highest=highest)
    if domain.values is None:
        return Extreme("\xff", endless=True) if highest else Extreme("\0")
    texts = [v.decode("latin-1") for v in domain.values if isinstance(v, bytes)]
    return Extreme((max if highest else min)(texts)) if texts else None


def _just_below(highest: Extreme) -> Extreme:
    """What is less than a text, without that text."""
    head, last = highest.text[:-1], highest.text[-1]
    if highest.endless:
        return highest
    if last == "\0":
        return Extreme(head)
    previous = "\ud7ff" if last == "\ue000" else chr(ord(last) - 1)
    return Extreme(head + previous + "\U0010ffff", endless=True)
