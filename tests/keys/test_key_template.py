"""Templates: their grammar, what may follow what, and reading texts back."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal as Number
from typing import Any

import pytest
from dyngen.keys.model import Encoding, Literal, Part, Shard, Template
from dyngen.keys.syntax import RawPart, TemplateError, parse_pieces
from dyngen.keys.template import check, encode, lossy, prefix_free
from dyngen.keys.texts import decode, length_bounds
from dyngen.runtime import keytext
from dyngen.runtime.errors import KeyValueError
from dyngen.types.model import (
    Binary,
    Boolean,
    Date,
    Decimal,
    Float,
    Integer,
    Json,
    String,
    Timestamp,
    Uuid,
    ValueType,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from key_values import ALL, enum
from test_ranges import templates

RAW = Encoding(raw=True)


# --- grammar ------------------------------------------------------------------------------------------


def test_pieces() -> None:
    assert parse_pieces("REPO#{owner}#{number:desc|none}{at:%Y-%m}") == (
        Literal("REPO#"),
        RawPart("owner", 5),
        Literal("#"),
        RawPart("number", 13, desc=True, placeholder="none"),
        RawPart("at", 31, bucket="%Y-%m"),
    )
    assert parse_pieces("META") == (Literal("META"),)
    assert parse_pieces("{at:%Y-%mT%H:%M|never}") == (
        RawPart("at", 0, bucket="%Y-%mT%H:%M", placeholder="never"),
    )


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("", 0, "empty"),
        ("A#{x", 2, "not closed"),
        ("A#x}", 3, "not opened"),
        ("{a}}", 3, "not opened"),
        ("A$", 1, "'$'"),
        ("#é", 1, "'é'"),
        ("{}", 1, "not the name"),
        ("{a b}", 1, "not the name"),
        ("{a.b}", 1, "not the name"),
        ("#{a:asc}", 4, "no way to write"),
        ("#{a:%Q}", 4, "no bucket"),
        ("#{a:%Y #}", 4, "no bucket"),
        ("{a|}", 3, "cannot stand"),
        ("{a:desc|no#ne}", 8, "cannot stand"),
        ("{{a}}", 1, "not the name"),
    ],
)
def test_what_is_wrong_and_where(text: str, offset: int, message: str) -> None:
    error = parse_pieces(text)
    assert isinstance(error, TemplateError)
    assert error.offset == offset
    assert message in error.message
    assert error.help


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("ab{}:|%Ydesc#$ é")))
def test_any_text_is_parsed_or_refused_at_a_place_in_it(text: str) -> None:
    found = parse_pieces(text)
    if isinstance(found, TemplateError):
        assert 0 <= found.offset <= len(text)
    else:
        assert found


# --- rules --------------------------------------------------------------------------------------------


def template(*pieces: Any, encoding: Encoding = RAW) -> Template:
    parts = [Literal(p) if isinstance(p, str) else p for p in pieces]
    return Template(tuple(parts), encoding)


def escaped(*pieces: Any) -> Template:
    return template(*pieces, encoding=Encoding())


def x(of: ValueType, **options: Any) -> Part:
    return Part("x", of, **options)


DAY, TEXT, NUMBER = x(Date()), x(String()), x(Integer(0, 99))
NESTED, FLAT = x(enum("A", "AB")), x(enum("A", "B"))


@pytest.mark.parametrize(
    "good",
    [
        escaped("A#", TEXT, "#B"),
        escaped(TEXT),
        escaped("A#", TEXT, "#", TEXT),
        escaped(DAY, "/", TEXT),
        escaped(DAY, NUMBER, FLAT, NESTED, "#", TEXT),
        escaped("v", NUMBER, "v"),
        escaped(x(Binary()), "#", x(Binary())),
        escaped(x(Timestamp(), bucket="%Y-%m"), NUMBER),
        escaped(x(Date(), bucket="%G-W%V")),
        escaped(x(Decimal(5, 2), desc=True)),
        escaped(x(String(), placeholder="none"), "#", x(Uuid(), placeholder="none")),
        escaped(Shard(10, (TEXT,)), "#", TEXT),
        template(TEXT, ":", TEXT),
        template(NESTED, "#", TEXT),
        template(x(Timestamp()), ":", TEXT),
        template(x(Binary()), "#", TEXT),
        template(x(Timestamp(), placeholder="never"), TEXT.attribute),
        template(x(String(charset="A-Z"), placeholder="none")),
        template(x(String(max_length=3), placeholder="none")),
    ],
)
def test_what_is_allowed(good: Template) -> None:
    assert check(good) == ()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (escaped(TEXT, "/"), "can hold `/`"),
        (escaped(TEXT, DAY), "nothing says where"),
        (escaped(DAY, TEXT), "directly"),
        (escaped(DAY, x(Binary())), "directly"),
        (escaped(NESTED, "v"), "can hold `v`"),
        (escaped(NESTED, FLAT), "nothing says where"),
        (escaped(x(Binary()), "/"), "can hold `/`"),
        (escaped(Shard(10, (TEXT,)), TEXT), "directly"),
        (escaped(x(Integer())), "no fixed width"),
        (escaped(x(Integer(0))), "no fixed width"),
        (escaped(x(Decimal())), "no fixed width"),
        (escaped(x(Decimal(12))), "no fixed width"),
        (escaped(x(Decimal(None, 2, Number(0)))), "no fixed width"),
        (escaped(x(Float())), "float"),
        (escaped(x(Json())), "structure"),
        (escaped(x(enum("A", ""))), "empty text"),
        (escaped(Shard(4, (x(Integer()),))), "no fixed width"),
        (escaped(x(String(), desc=True)), "cannot be inverted"),
        (escaped(x(Boolean(), desc=True)), "cannot be inverted"),
        (escaped(x(enum("A"), desc=True)), "cannot be inverted"),
        (escaped(x(String(), bucket="%Y")), "no moment"),
        (escaped(x(Date(), bucket="%Y %H")), "time of day"),
        (template(TEXT, DAY), "nothing says where"),
        (template(x(enum("A", "A#B")), "#"), "begins `A#B`"),
        (template(x(Binary()), "a"), "can hold `a`"),
        (template(x(String(), placeholder="none")), "taken for `none`"),
        (template(x(enum("none", "one"), placeholder="none")), "taken for `none`"),
        (template(x(Uuid(), placeholder="00"), "#"), "taken for `00`"),
        (template(x(Integer(0, 9), placeholder="7up"), "#"), "taken for `7up`"),
        (template(x(Date(), placeholder="a-b"), "-"), "holds the `-`"),
    ],
)
def test_what_is_refused(bad: Template, message: str) -> None:
    problems = check(bad)
    assert any(message in problem.message for problem in problems), problems
    assert all(problem.help for problem in problems)


def test_properties_of_parts() -> None:
    assert lossy(x(Date(), bucket="%Y"))
    assert not lossy(x(String(fold="upper")))
    assert [prefix_free(part) for part in (TEXT, DAY, NESTED, FLAT)] == [
        False,
        True,
        False,
        True,
    ]


def test_raw_parts_know_what_follows_them() -> None:
    raw = template(TEXT, ":", TEXT)
    assert [p.before for p in raw.pieces if isinstance(p, Part)] == [":", ""]
    with pytest.raises(KeyValueError, match="must not hold"):
        encode(raw, {"x": "a:b"})
    assert encode(template("A#", TEXT), {"x": "a#b:c"}) == "A#a#b:c"


# --- texts and values ---------------------------------------------------------------------------------


def test_a_missing_value_makes_no_key_or_its_placeholder() -> None:
    assert encode(escaped("A#", TEXT), {}) is None
    assert encode(escaped("A#", TEXT), {"x": None}) is None
    optional = x(String(), placeholder="none")
    assert encode(escaped("A#", optional), {}) == "A#!none"
    assert encode(template("A#", x(Date(), placeholder="none")), {}) == "A#none"
    assert encode(escaped(Shard(10, (TEXT,))), {}) is None
    with pytest.raises(KeyValueError, match="empty"):
        encode(escaped(TEXT), {"x": ""})


def test_readable_keys() -> None:
    key = escaped("OWNER#", Part("o", String()), "#PET#", Part("p", String()))
    assert encode(key, {"o": "u1", "p": "p 1"}) == "OWNER#u1#PET#p%201"


@settings(max_examples=500, deadline=None)
@given(st.data())
def test_texts_are_read_back(data: st.DataObject) -> None:
    drawn, kinds = data.draw(templates())
    values: dict[str, Any] = {}
    for piece in drawn.pieces:
        if isinstance(piece, Part):
            value = kinds[piece.attribute].values
            choice = value if piece.placeholder is None else st.one_of(value, st.none())
            values[piece.attribute] = data.draw(choice)
    try:
        text = encode(drawn, values)
    except KeyValueError:
        return
    assert text is not None
    back = decode(drawn, text)
    assert back is not None
    for name, value in values.items():
        same = value is back[name] or kinds[name].order(value) == kinds[name].order(
            back[name]
        )
        assert same, (text, name, value, back)
    assert encode(drawn, back) == text
    least, greatest = length_bounds(drawn)
    assert least <= len(text.encode())
    assert greatest is None or len(text.encode()) <= greatest


def test_what_a_key_does_not_hold_is_left_out() -> None:
    key = escaped(
        "D#", x(Date(), bucket="%Y-%m"), "#", Shard(10, (Part("n", Integer(0, 9)),))
    )
    text = encode(key, {"x": dt.date(2026, 7, 1), "n": 4})
    assert text == f"D#2026-07#{keytext.Shards(10).of('4')}"
    assert decode(key, text) == {}
    assert decode(key, "D#2026-7#4") is None
    assert decode(key, text + "#") is None


def test_an_attribute_that_occurs_twice_has_one_value() -> None:
    key = escaped(DAY, "#", DAY)
    assert decode(key, "2026-07-01#2026-07-01") == {"x": dt.date(2026, 7, 1)}
    assert decode(key, "2026-07-01#2026-07-02") is None


@pytest.mark.parametrize(
    ("key", "bounds"),
    [
        (escaped("ABC"), (3, 3)),
        (escaped("A#", TEXT), (3, None)),
        (escaped(x(String(max_length=10))), (1, 40)),
        (escaped(x(String(min_length=2, max_length=10, charset="a-z"))), (2, 10)),
        (escaped(x(String(max_length=10, charset="a-z#"))), (1, 30)),
        (escaped(x(String(max_length=2, charset="!#"))), (3, 6)),
        (template(x(String(max_length=10, charset="a-zé"))), (1, 20)),
        (escaped(x(Integer(-5, 100)), "#", DAY), (14, 15)),
        (escaped(x(Binary(min_length=2, max_length=4))), (4, 8)),
        (escaped(NESTED, "#", x(Date(), placeholder="no")), (5, 13)),
        (escaped(Shard(100, (TEXT,))), (2, 2)),
    ],
)
def test_lengths(key: Template, bounds: tuple[int, int | None]) -> None:
    assert length_bounds(key) == bounds


def test_every_kind_of_value_can_be_in_a_key() -> None:
    for kind in ALL.values():
        assert check(escaped("A#", x(kind.type, desc=kind.desc), "#")) == ()
