"""The lowest and the highest text that a bound of a range can have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dyngen.keys.encoding import Encoder
from dyngen.keys.languages import ANY, LONGEST_COUNTED, Domain, Domains, characters
from dyngen.keys.model import Bound, Each, Fixed, Given, Missing, Source
from dyngen.runtime import keytext
from dyngen.runtime.errors import KeyValueError

_FILLER = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Extreme:
    """A text; with `endless`, its last character stands for any number of itself."""

    text: str
    endless: bool = False


def known(source: Source, domains: Domains) -> Domain:
    """What is known of the values of a source; `domains` by parameter and loop variable."""
    match source:
        case Given(parameter=name) | Each(variable=name):
            return domains.get(name, ANY)
        case Fixed(value=value):
            return Domain((value,), missing=False)
        case Missing():
            return Domain((None,))
        case _:
            return ANY


def extreme(
    writer: Encoder, bound: Bound, values: Iterable[object] | None, *, highest: bool
) -> Extreme | None:
    """The lowest or highest text of a bound over some values (None: all); None if there is none."""
    if values is None:
        return _of_all(writer, bound, highest=highest)
    texts = [
        text for value in values if (text := _of_one(writer, bound, value)) is not None
    ]
    choose: Callable[..., Extreme] = max if highest else min
    return choose(texts, key=lambda found: found.text) if texts else None


def _of_one(writer: Encoder, bound: Bound, value: object) -> Extreme | None:
    try:
        if bound is Bound.BELOW and isinstance(writer, keytext.Text):
            return _unfilled(writer.below(value, ""))
        if isinstance(writer, keytext.Ordered) and bound is Bound.NEXT:
            return Extreme(writer.next(value))
        if isinstance(writer, keytext.Ordered) and bound is Bound.PREVIOUS:
            return Extreme(writer.previous(value))
        return Extreme(writer.text(value))
    except KeyValueError:
        return None  # no request is made with such a value


def _unfilled(text: str) -> Extreme:
    """A text below another, with any number of the filler that makes it as long as a key can be."""
    short = text.rstrip("\x7f\u07ff\uffff\U0010ffff")
    return Extreme(text) if short == text else Extreme(short + _FILLER, endless=True)


def _of_all(writer: Encoder, bound: Bound, *, highest: bool) -> Extreme | None:
    match writer:
        case keytext.Text():
            return _of_text(writer, bound, highest=highest)
        case keytext.Binary():
            return Extreme("f", endless=True) if highest else Extreme("00")
    if bound is Bound.NEXT:
        return Extreme(writer.next(writer.parse(writer.least)))
    if bound is Bound.PREVIOUS:
        return Extreme(writer.previous(writer.parse(writer.greatest)))
    choose = max if highest else min
    return Extreme(choose(writer.least, writer.greatest))


def _of_text(writer: keytext.Text, bound: Bound, *, highest: bool) -> Extreme | None:
    allowed = characters(writer)
    if not allowed:
        return None
    if not highest:
        return _of_one(writer, bound, chr(allowed[0][0]) * max(writer.min_length, 1))
    last, most = chr(allowed[-1][1]), writer.max_length
    if most is not None and most <= LONGEST_COUNTED:
        return _of_one(writer, bound, last * most)
    one = _of_one(writer, Bound.EXACT, last * max(writer.min_length, 1))
    return one and Extreme(one.text, endless=True)
