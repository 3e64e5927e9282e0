"""Encodings: different values have different texts, in the order of values, prefixes kept."""

from __future__ import annotations

from typing import Any

import pytest
from dyngen.keys.encoding import encoder
from dyngen.keys.model import Encoding, Part
from dyngen.keys.template import order_exact
from dyngen.runtime import keytext
from dyngen.types.model import Date, Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st
from key_values import ALL, FREE, ORDERED, Kind

ESCAPED, RAW = Encoding(), Encoding(raw=True)


def writer(kind: Kind, encoding: Encoding = ESCAPED) -> Any:
    return encoder(Part("x", kind.type, desc=kind.desc), encoding)


def pairs(kinds: dict[str, Kind]) -> st.SearchStrategy[tuple[Kind, Any, Any]]:
    return st.sampled_from(list(kinds.values())).flatmap(
        lambda kind: st.tuples(st.just(kind), kind.values, kind.values)
    )


@settings(max_examples=1500, deadline=None)
@given(pairs(ALL), st.sampled_from([ESCAPED, RAW]))
def test_texts_are_distinct_and_in_order(
    pair: tuple[Kind, Any, Any], encoding: Encoding
) -> None:
    kind, one, other = pair
    encode = writer(kind, encoding)
    texts = encode.text(one).encode(), encode.text(other).encode()
    values = kind.order(one), kind.order(other)

    assert (texts[0] == texts[1]) == (values[0] == values[1])
    if order_exact(Part("x", kind.type)):
        assert (texts[0] < texts[1]) == (
            values[1] < values[0] if kind.desc else values[0] < values[1]
        )


@settings(max_examples=600, deadline=None)
@given(pairs(FREE), st.integers(1, 4))
def test_prefixes_are_kept(pair: tuple[Kind, Any, Any], length: int) -> None:
    kind, value, other = pair
    encode = writer(kind)
    for prefix in (value[:length], other):
        begins = kind.order(value)[: len(prefix)] == kind.order(prefix)
        assert encode.text(value).startswith(encode.prefix(prefix)) == begins


@settings(max_examples=1500, deadline=None)
@given(pairs(ORDERED))
def test_neighbours_leave_nothing_between(pair: tuple[Kind, Any, Any]) -> None:
    kind, one, other = pair
    encode = writer(kind)
    low, high = sorted((one, other), key=kind.order)
    ordered = [encode.least, encode.text(low), encode.text(high), encode.greatest]
    assert ordered == sorted(ordered, reverse=kind.desc)
    if kind.order(low) < kind.order(high):
        upward = [encode.text(low), encode.next(low), encode.text(high)]
        downward = [encode.text(low), encode.previous(high), encode.text(high)]
        assert upward == sorted(upward, reverse=kind.desc)
        assert downward == sorted(downward, reverse=kind.desc)
        assert upward[0] != upward[1]
        assert downward[1] != downward[2]
    for neighbour, back in (
        (encode.next, encode.previous),
        (encode.previous, encode.next),
    ):
        text = neighbour(one)
        if text[0] not in "\0\U0010ffff":
            assert back(encode.parse(text)) == encode.text(one)


@pytest.mark.parametrize("kind", ORDERED.values(), ids=ORDERED.keys())
def test_beyond_the_extremes_lies_nothing(kind: Kind) -> None:
    encode = writer(kind)
    beyond = encode.next(encode.parse(encode.greatest))
    before = encode.previous(encode.parse(encode.least))
    if kind.desc:
        beyond, before = before, beyond
    for text in (encode.least, encode.greatest):
        assert text + "\U0010ffff" < beyond
        assert before + "\U0010ffff" < text


@settings(max_examples=800, deadline=None)
@given(pairs(ALL))
def test_only_canonical_texts_are_parsed(pair: tuple[Kind, Any, Any]) -> None:
    kind, value, _ = pair
    encode = writer(kind)
    text = encode.text(value)
    assert kind.order(encode.parse(text)) == kind.order(value)
    for wrong in (text + " ", text[:-1], f"+{text}", text.swapcase(), f"0{text}", ""):
        if wrong == text:
            continue
        try:
            parsed = encode.parse(wrong)
        except ValueError:
            continue
        assert encode.text(parsed) == wrong


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(
        [
            "%Y",
            "%Y-%m",
            "%Y-%m-%dT%H",
            "%G-W%V",
            "%Y%j",
            "%Y/%m/%d %H:%M:%S".replace(" ", "_"),
        ]
    ),
    st.sampled_from([ALL["milliseconds"], ALL["date"]]).flatmap(
        lambda kind: st.tuples(st.just(kind.type), kind.values, kind.values)
    ),
)
def test_big_endian_buckets_are_in_order(
    form: str, drawn: tuple[Any, Any, Any]
) -> None:
    of, one, other = drawn
    assert order_exact(Part("x", of, bucket=form))
    bucket = keytext.Bucket(form)
    low, high = sorted((one, other))
    assert bucket.text(low) <= bucket.text(high)
    assert (
        bucket.text(bucket.text(low))
        == bucket.parse(bucket.text(low))
        == bucket.text(low)
    )
    assert bucket.least <= bucket.text(low) <= bucket.greatest


@pytest.mark.parametrize("form", ["%m", "%d-%Y", "%Y-%d", "%V", "%H:%M", "%G-%m"])
def test_other_buckets_are_not(form: str) -> None:
    assert not order_exact(Part("x", Timestamp(), bucket=form))
    assert isinstance(encoder(Part("x", Date(), bucket=form), ESCAPED), keytext.Bucket)
