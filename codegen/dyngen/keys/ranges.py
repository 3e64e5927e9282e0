"""The one range of key texts that holds exactly the keys which match.

`P` in the comments is the text before the part that is compared, `tail` what follows that part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from dyngen.keys.encoding import Encoder, encoder, shards
from dyngen.keys.languages import placeholder_text
from dyngen.keys.model import (
    SHARD,
    After,
    Bound,
    Clock,
    Compare,
    Each,
    Encoded,
    Encoding,
    Fixed,
    FromItem,
    Given,
    Hashed,
    KeyText,
    Literal,
    Missing,
    Part,
    Piece,
    RangeForm,
    Shard,
    Source,
    Template,
    TextRange,
    Through,
)
from dyngen.keys.template import DELIMITER, order_exact, prefix_free
from dyngen.runtime import keytext
from dyngen.types.model import Enum

_HIGHEST = "\U0010ffff"
_AFTER_PLACEHOLDERS = '"'  # just above the `!` that begins them


@dataclass(frozen=True, slots=True)
class Comparison:
    """One test on the part that a range is over, with its operands."""

    compare: Compare
    operands: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no range holds exactly the keys that match."""

    reason: str


class _Refused(Exception):
    """Raised inside this module with the reason; never leaves it."""


def comparison(operator: str, operands: Sequence[Source]) -> Comparison:
    """The comparison of an operator in the words of the spec language. Raises ValueError."""
    return Comparison(Compare(operator), tuple(operands))


def text_range(
    template: Template, fixed: Mapping[str, Source], tests: Sequence[Comparison] = ()
) -> TextRange | Refusal | None:
    """The key condition for keys whose leading parts are `fixed` and whose next part passes `tests`.

    None where every key of the template matches and no condition is needed. The template passes
    `template.check`.
    """
    prefix: list[Literal | Encoded] = []
    for at, piece in enumerate(template.pieces):
        known = _known(piece, fixed)
        if known is None:
            tail = template.pieces[at + 1 : at + 2]
            try:
                return _next_part(template.encoding, prefix, piece, tail, tests)
            except _Refused as refused:
                return Refusal(str(refused))
        prefix.append(known)
    return TextRange(RangeForm.EQUALS, tuple(prefix))


def _known(piece: Piece, fixed: Mapping[str, Source]) -> Literal | Encoded | None:
    match piece:
        case Literal():
            return piece
        case Part(attribute=attribute):
            return Encoded(piece, fixed[attribute]) if attribute in fixed else None
        case Shard(by=by):
            if SHARD in fixed:
                return Encoded(piece, fixed[SHARD])
            if all(part.attribute in fixed for part in by):
                return Encoded(
                    piece, Hashed(tuple(fixed[part.attribute] for part in by))
                )
            return None


def _next_part(
    encoding: Encoding,
    prefix: list[Literal | Encoded],
    piece: Piece,
    tail: tuple[Piece, ...],
    tests: Sequence[Comparison],
) -> TextRange | None:
    present = [test for test in tests if test.compare is Compare.PRESENT]
    bounds = [test for test in tests if test.compare is not Compare.PRESENT]
    has_placeholder = isinstance(piece, Part) and piece.placeholder is not None
    if not bounds and not (present and has_placeholder):
        return TextRange(RangeForm.BEGINS_WITH, tuple(prefix)) if prefix else None
    if not isinstance(piece, Part):
        raise _Refused("a shard number cannot be compared")
    span = _Span(encoding, tuple(prefix), piece, tail[0] if tail else None)
    if any(test.compare is Compare.BEGINS_WITH for test in bounds):
        return _begins_with(span, bounds)
    return _between(span, *_bounds(piece, bounds))


@dataclass(frozen=True, slots=True)
class _Span:
    """The part that a range is over, and what stands around it."""

    encoding: Encoding
    prefix: tuple[Literal | Encoded, ...]
    part: Part
    tail: Piece | None

    @property
    def writer(self) -> Encoder:
        return encoder(self.part, self.encoding)

    @property
    def above(self) -> str:
        """What lies just above all that begins with one value's text and goes on with the tail."""
        if self.tail is None:
            return ""
        if self.part.before and not isinstance(self.writer, keytext.Ordered):
            return chr(ord(self.part.before) + 1)
        delimited = isinstance(self.tail, Literal) and self.tail.text.startswith(
            DELIMITER
        )
        return chr(ord(DELIMITER) + 1) if delimited else _HIGHEST

    def refuse(self, reason: str) -> NoReturn:
        raise _Refused(f"`{self.part.attribute}` {reason}")


def _begins_with(span: _Span, bounds: Sequence[Comparison]) -> TextRange:
    if len(bounds) > 1:
        span.refuse("is bounded twice, and one key condition is all there is")
    if isinstance(span.writer, keytext.Ordered):
        span.refuse("is no text; `begins_with` works on text and binary")
    if span.part.placeholder is not None and span.encoding.raw:
        span.refuse("has a placeholder in a raw key, which may begin with that too")
    value = Encoded(span.part, bounds[0].operands[0], Bound.PREFIX)
    return TextRange(RangeForm.BEGINS_WITH, (*span.prefix, value))


_Limit = tuple[Source, bool]
"""A bound, and whether the bound itself is left out."""


def _bounds(
    part: Part, tests: Sequence[Comparison]
) -> tuple[_Limit | None, _Limit | None]:
    lows: list[_Limit] = []
    highs: list[_Limit] = []
    for test in tests:
        match test.compare:
            case Compare.BETWEEN:
                lows.append((test.operands[0], False))
                highs.append((test.operands[1], False))
            case Compare.GT | Compare.GTE:
                lows.append((test.operands[0], test.compare is Compare.GT))
            case _:
                highs.append((test.operands[0], test.compare is Compare.LT))
    if len(lows) > 1 or len(highs) > 1:
        raise _Refused(
            f"`{part.attribute}` is bounded twice, and one key condition is all there is"
        )
    return next(iter(lows), None), next(iter(highs), None)


def _between(span: _Span, low: _Limit | None, high: _Limit | None) -> TextRange:
    _check_order(span)
    if isinstance(span.writer, keytext.Ordered):
        return _ordered(span, span.writer, low, high)
    return _text(span, low, high)


def _check_order(span: _Span) -> None:
    part = span.part
    if not order_exact(part):
        span.refuse(out_of_order(part))
    if not span.encoding.raw:
        return
    if isinstance(part.type, Enum) and span.tail and not prefix_free(part):
        span.refuse(
            "has values that begin one another, and a raw key has no bound between them"
        )
    if part.placeholder is None:
        return
    writer = span.writer
    text = placeholder_text(part, span.encoding)
    if not isinstance(writer, keytext.Ordered) or (
        min(writer.least, writer.greatest) < text < max(writer.least, writer.greatest)
    ):
        span.refuse("has a placeholder in a raw key, which lies among its values")


LIMITED = "limit them with `charset`, or give all one length: `min_length` and `max_length` alike"
"""What puts text in order before any character of a raw key."""


def out_of_order(part: Part) -> str:
    """Why keys are not in the order of a part's values, in words that follow its name."""
    if part.bucket is not None:
        return f"is kept as `{part.bucket}`, which is not in the order of time"
    if isinstance(part.type, Enum):
        renamed = ", ".join(
            f"{member.name}: {at}_{member.name}"
            for at, member in enumerate(part.type.members, start=1)
        )
        return (
            "is ordered by its stored text, which is not the order declared"
            f" (store it in order: `values: {{{renamed}}}`)"
        )
    return (
        f"may hold characters below the `{part.before}` that follows it in a raw key, so its texts"
        f" are not in its order ({LIMITED})"
    )


def _ordered(
    span: _Span, writer: keytext.Ordered, low: _Limit | None, high: _Limit | None
) -> TextRange:
    """Both sides closed, with the type's extremes where they are open."""
    part = span.part
    first: Literal | Encoded = Literal(writer.least)
    last: Literal | Encoded = Literal(writer.greatest)
    if low is not None:
        first = Encoded(part, low[0], Bound.NEXT if low[1] else Bound.EXACT)
    if high is not None:
        last = Encoded(part, high[0], Bound.PREVIOUS if high[1] else Bound.EXACT)
    if part.desc:
        first, last = last, first
    ends = (Through(span.above),) if span.above else ()
    return TextRange(
        RangeForm.BETWEEN,
        _joined(*span.prefix, first),
        _joined(*span.prefix, last, *ends),
    )


def _text(span: _Span, low: _Limit | None, high: _Limit | None) -> TextRange:
    first = _text_low(span, low)
    last = _text_high(span, high)
    if first is None:
        return TextRange(RangeForm.AT_MOST, high=last)
    if last is None:
        return TextRange(RangeForm.AT_LEAST, low=first)
    return TextRange(RangeForm.BETWEEN, first, last)


def _text_low(span: _Span, low: _Limit | None) -> KeyText | None:
    """The low bound over text or binary; None where nothing lies below (P is empty)."""
    if low is None:
        if span.part.placeholder is not None:
            return _joined(*span.prefix, Literal(_AFTER_PLACEHOLDERS))
        return span.prefix or None
    value = Encoded(span.part, low[0])
    if not low[1]:
        return (*span.prefix, value)
    # Above all keys of the value itself, at or below those of values that it begins.
    at_end = "\0" if span.encoding.raw else chr(ord(DELIMITER) + 1)
    return (*span.prefix, value, After(span.above or at_end))


def _text_high(span: _Span, high: _Limit | None) -> KeyText | None:
    """The high bound over text or binary; None where nothing lies above (P is empty)."""
    if high is None:
        *before, last = span.prefix or (None,)
        if not isinstance(last, Literal):
            return None
        raised = last.text[:-1] + chr(ord(last.text[-1]) + 1)
        return (*[piece for piece in before if piece is not None], Literal(raised))
    source, left_out = high
    if not left_out:
        ends = (Through(span.above),) if span.above else ()
        return (*span.prefix, Encoded(span.part, source), *ends)
    if span.tail is not None:
        return (*span.prefix, Encoded(span.part, source))
    if isinstance(span.writer, keytext.Binary):
        span.refuse(
            "is binary at the key's end, where nothing is just below a value (use `lte`)"
        )
    return (*span.prefix, Encoded(span.part, source, Bound.BELOW))


def _joined(*pieces: Literal | Encoded | Through) -> KeyText:
    """The pieces, with neighbouring literals made one."""
    joined: list[Literal | Encoded | Through | After] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if isinstance(piece, Literal) and isinstance(last, Literal):
            joined[-1] = Literal(last.text + piece.text)
        else:
            joined.append(piece)
    return tuple(joined)


# --- the text of a bound ----------------------------------------------------------------------------


def evaluate(text: KeyText, encoding: Encoding, values: Mapping[str, object]) -> str:
    """The key text for values of parameters and loop variables, by name; None is missing.

    Raises KeyValueError for a value that no key can hold, KeyError for a name without a value.
    """
    made = ""
    for piece in text:
        match piece:
            case Literal(text=literal):
                made += literal
            case Through(text=suffix):
                made = keytext.through(made, suffix)
            case After(text=suffix):
                made = keytext.after(made, suffix)
            case Encoded(part=Shard() as shard, source=source):
                made += _shard_text(shard, source, encoding, values)
            case Encoded(part=Part() as part, source=source, bound=bound):
                made += _bound_text(part, bound, _value(source, values), encoding, made)
    return made


def _value(source: Source, values: Mapping[str, object]) -> object:
    match source:
        case Given(parameter=name) | Each(variable=name):
            return values[name]
        case Fixed(value=value):
            return value
        case Missing():
            return None
        case Clock() | Hashed() | FromItem():
            raise TypeError("only a write knows this value")


def _shard_text(
    shard: Shard, source: Source, encoding: Encoding, values: Mapping[str, object]
) -> str:
    if isinstance(source, Hashed):
        texts = [
            _bound_text(part, Bound.EXACT, _value(by, values), encoding, "")
            for part, by in zip(shard.by, source.by, strict=True)
        ]
        return shards(shard).of(*texts)
    number = _value(source, values)
    if not isinstance(number, int):
        raise TypeError("a shard is a number")
    return shards(shard).text(number)


def _bound_text(
    part: Part, bound: Bound, value: object, encoding: Encoding, before: str
) -> str:
    writer = encoder(part, encoding)
    if value is None:
        return placeholder_text(part, encoding)
    if isinstance(writer, keytext.Ordered):
        match bound:
            case Bound.NEXT:
                return writer.next(value)
            case Bound.PREVIOUS:
                return writer.previous(value)
    elif bound is Bound.PREFIX:
        return writer.prefix(value)
    elif bound is Bound.BELOW and isinstance(writer, keytext.Text):
        return writer.below(value, before)
    return writer.text(value)
