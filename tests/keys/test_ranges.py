"""Every range reads exactly the keys whose values match, by DynamoDB's comparison of texts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from dyngen.keys.model import (
    Compare,
    Each,
    Encoding,
    Given,
    Literal,
    Missing,
    Part,
    RangeForm,
    Shard,
    Source,
    Template,
    TextRange,
)
from dyngen.keys.ranges import Comparison, Refusal, comparison, evaluate, text_range
from dyngen.keys.template import check, encode
from dyngen.keys.witness import touches
from dyngen.runtime import keytext
from dyngen.runtime.errors import KeyValueError
from dyngen.types.model import Binary, Date, Integer, String, Timestamp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from key_values import FREE, NASTY, ORDERED, TEXT, Kind, enum

KINDS = list((ORDERED | FREE).values())
RAW_TEXT = Kind(String(charset="$-~"), st.text("$%~az", min_size=1, max_size=3))
RAW_PAIRS = Kind(  # of one length, so that none begins another
    String(min_length=2, max_length=2),
    st.text(' "$0z|\uffff', min_size=2, max_size=2),
)
RAW = [
    RAW_TEXT,
    RAW_PAIRS,
    FREE["binary"],
    TEXT,
    ORDERED["date"],
    ORDERED["nested enum"],
]
_UNLIMITED = (String(), String(fold="upper"), String(fold="lower"))
LITERALS = ["#", "#A#", "/", "v", "#v", "x#", "!", "~"]
BOUNDS = [
    (Compare.GTE, None),
    (Compare.GT, None),
    (None, Compare.LTE),
    (None, Compare.LT),
    (Compare.GTE, Compare.LTE),
    (Compare.GT, Compare.LTE),
    (Compare.GTE, Compare.LT),
    (Compare.GT, Compare.LT),
]
OPERATORS: dict[Compare, Callable[[Any, Any], bool]] = {
    Compare.GTE: lambda value, bound: value >= bound,
    Compare.GT: lambda value, bound: value > bound,
    Compare.LTE: lambda value, bound: value <= bound,
    Compare.LT: lambda value, bound: value < bound,
}


@st.composite
def templates(draw: st.DrawFn) -> tuple[Template, dict[str, Kind]]:
    raw = draw(st.integers(0, 3)) == 0
    pieces: list[Any] = []
    kinds: dict[str, Kind] = {}
    for name in "abc"[: draw(st.integers(1, 3))]:
        if draw(st.booleans()) or (pieces and draw(st.booleans())):
            pieces.append(Literal(draw(st.sampled_from(LITERALS))))
        kind = draw(st.sampled_from(RAW if raw else KINDS))
        placeholder = draw(st.sampled_from([None, None, "none"]))
        kinds[name] = kind
        pieces.append(Part(name, kind.type, kind.desc, placeholder=placeholder))
    if draw(st.integers(0, 3)) == 0:
        pieces.append(Literal(draw(st.sampled_from(LITERALS))))
    template = Template(tuple(pieces), Encoding(raw))
    assume(not check(template))
    return template, kinds


def pool(draw: st.DrawFn, kind: Kind, placeholder: str | None) -> list[Any]:
    """A few values, some of them neighbours or beginnings of one another."""
    values = draw(st.lists(kind.values, min_size=1, max_size=4))
    if isinstance(kind.type, String):
        more = [
            v + c
            for v in values[:2]
            for c in draw(st.lists(st.sampled_from(NASTY), max_size=3))
        ]
        values += more if kind.type in _UNLIMITED else []
    if isinstance(kind.type, Binary):
        values += [values[0] + b"\0", values[0] + b"\xff"]
    return values + [None] * (placeholder is not None)


@settings(max_examples=1200, deadline=None)
@given(st.data())
def test_ranges_are_exact(data: st.DataObject) -> None:
    template, kinds = data.draw(templates())
    parts = [piece for piece in template.pieces if isinstance(piece, Part)]
    pools = {
        p.attribute: pool(data.draw, kinds[p.attribute], p.placeholder) for p in parts
    }
    count = data.draw(st.integers(0, len(parts) - 1))
    fixed: dict[str, Source] = {}
    chosen: dict[str, Any] = {}
    for part in parts[:count]:
        chosen[part.attribute] = data.draw(st.sampled_from(pools[part.attribute]))
        missing = chosen[part.attribute] is None
        fixed[part.attribute] = Missing() if missing else Given(part.attribute)
    part = parts[count]
    kind = kinds[part.attribute]
    tests, bounds = data.draw(comparisons(kind, pools[part.attribute]))

    found = text_range(template, fixed, tests)
    if isinstance(found, Refusal):
        assert template.encoding.raw or isinstance(kind.type, Binary), found
        return
    compared = {name: value for name, value in chosen.items() if value is not None}
    for values in combinations(pools):
        try:
            key = encode(template, values)
        except KeyValueError:
            continue
        assert key is not None
        matches = all(same(kinds[n], values[n], chosen[n]) for n in chosen) and passes(
            kind, values[part.attribute], tests, bounds
        )
        reads = found is None or touches(
            found, template.encoding, compared | bounds, key
        )
        assert reads == matches, (template, tests, bounds, values, key, found)


@st.composite
def comparisons(
    draw: st.DrawFn, kind: Kind, values: list[Any]
) -> tuple[list[Comparison], dict[str, Any]]:
    present = [value for value in values if value is not None]
    operands = st.one_of(st.sampled_from(present), kind.values)
    choice = draw(st.integers(0, 9))
    if choice == 0:
        return [], {}
    if choice == 1:
        return [Comparison(Compare.PRESENT)], {}
    if choice == 2 and isinstance(kind.type, String | Binary):
        value = draw(operands)
        prefix = value[: draw(st.integers(1, len(value)))]
        return [comparison("begins_with", [Given("prefix")])], {"prefix": prefix}
    if choice == 3:
        bounds = {"from": draw(operands), "to": draw(operands)}
        return [comparison("between", [Given("from"), Given("to")])], bounds
    low, high = draw(st.sampled_from(BOUNDS))
    tests = [Comparison(low, (Given("from"),))] if low else []
    tests += [Comparison(high, (Given("to"),))] if high else []
    return tests, {"from": draw(operands), "to": draw(operands)}


def combinations(pools: dict[str, list[Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{}]
    for name, values in pools.items():
        found = [{**one, name: value} for one in found for value in values]
    return found


def same(kind: Kind, value: Any, chosen: Any) -> bool:
    if value is None or chosen is None:
        return value is chosen
    return bool(kind.order(value) == kind.order(chosen))


def passes(
    kind: Kind, value: Any, tests: list[Comparison], bounds: dict[str, Any]
) -> bool:
    if value is None:
        return not tests
    for test in tests:
        names = [
            source.parameter for source in test.operands if isinstance(source, Given)
        ]
        operands = [kind.order(bounds[name]) for name in names]
        ordered = kind.order(value)
        match test.compare:
            case Compare.PRESENT:
                continue
            case Compare.BEGINS_WITH:
                holds = ordered[: len(operands[0])] == operands[0]
            case Compare.BETWEEN:
                holds = operands[0] <= ordered <= operands[1]
            case _:
                holds = OPERATORS[test.compare](ordered, operands[0])
        if not holds:
            return False
    return True


# --- by hand ------------------------------------------------------------------------------------------

DESIGNED = ["", *"\0\1#%&'a\ud7ff\ue000\uffff\U00010000\U0010ffff"]
TEXTS = [one + other for one in DESIGNED[1:] for other in DESIGNED]


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("literal", ["", "P#"])
@pytest.mark.parametrize("placeholder", [None, "none"])
def test_text_at_the_end_of_a_key(
    raw: bool, literal: str, placeholder: str | None
) -> None:
    part = Part("x", String(), placeholder=None if raw else placeholder)
    pieces = (Literal(literal), part) if literal else (part,)
    template = Template(pieces, Encoding(raw))
    keys = {text: encode(template, {"x": text}) or "" for text in TEXTS}
    missing = [] if part.placeholder is None else [encode(template, {}) or ""]
    for compare, holds in OPERATORS.items():
        found = text_range(template, {}, [Comparison(compare, (Given("v"),))])
        assert isinstance(found, TextRange)
        for bound in TEXTS:
            values = {"v": bound}
            wrong = [
                text
                for text, key in keys.items()
                if touches(found, template.encoding, values, key) != holds(text, bound)
            ]
            assert not wrong, (compare, bound)
            assert not any(
                touches(found, template.encoding, values, key) for key in missing
            )


@pytest.mark.parametrize(
    ("of", "raw", "tail"),
    [
        (String(charset="$-~"), True, "#X"),
        (String(charset="$-~"), True, "#"),
        (String(charset="1-9"), True, "/"),
        (String(), False, "#X"),
        (String(), False, "#"),
    ],
)
def test_text_before_a_delimiter(of: String, raw: bool, tail: str) -> None:
    template = Template((Literal("P#"), Part("x", of), Literal(tail)), Encoding(raw))
    letters = (
        "$%&a~" if raw and tail[0] == "#" else "129" if raw else "\0\1#$%&a\U0010ffff"
    )
    texts = [one + other for one in letters for other in ["", *letters]]
    keys = {text: encode(template, {"x": text}) or "" for text in texts}
    for compare, holds in OPERATORS.items():
        found = text_range(template, {}, [Comparison(compare, (Given("v"),))])
        assert isinstance(found, TextRange)
        for bound in texts:
            wrong = [
                text
                for text, key in keys.items()
                if touches(found, template.encoding, {"v": bound}, key)
                != holds(text, bound)
            ]
            assert not wrong, (compare, bound)


@pytest.mark.parametrize("tail", ["", "#", "#X"])
@pytest.mark.parametrize(
    "last", ["&", "~", "\x7f", "\u07ff", "\uffff", "\U0010ffff", "\ue000", "\0"]
)
def test_keys_as_long_as_they_can_be(tail: str, last: str) -> None:
    pieces = [Literal("P#"), Part("x", String()), *([Literal(tail)] if tail else [])]
    template = Template(tuple(pieces))
    room = 1024 - len(f"P#{tail}")
    longest = []
    for end in (last, "&", "'", "\x7f", "\x80", "\uffff", "\U0010ffff", last + last):
        size = len(
            (encode(Template((Part("x", String()),)), {"x": end}) or "").encode()
        )
        longest += ["a" * (room - size) + end, "a" * (room - size - 1) + end]
    values = [
        *longest,
        "a",
        "a" * room,
        "a" * (room - 1),
        "b",
        "\U0010ffff" * (room // 4),
    ]
    keys = {value: encode(template, {"x": value}) or "" for value in values}
    keys = {value: key for value, key in keys.items() if len(key.encode()) <= 1024}
    assert max(len(key.encode()) for key in keys.values()) == 1024
    for compare, holds in OPERATORS.items():
        found = text_range(template, {}, [Comparison(compare, (Given("v"),))])
        assert isinstance(found, TextRange)
        for bound in keys:
            for bounds in (found.low, found.high):
                assert (
                    len(
                        evaluate(bounds or (), template.encoding, {"v": bound}).encode()
                    )
                    <= 1024
                )
            for value, key in keys.items():
                reads = touches(found, template.encoding, {"v": bound}, key)
                assert reads == holds(value, bound), (compare, bound[-3:], value[-3:])


def test_a_bound_that_is_too_long_is_refused() -> None:
    template = Template((Literal("P#"), Part("x", String())))
    for compare in OPERATORS:
        found = text_range(template, {}, [Comparison(compare, (Given("v"),))])
        assert isinstance(found, TextRange)
        bounds = [
            bound for bound in (found.low, found.high) if bound and len(bound) > 1
        ]
        assert len(bounds) == 1
        with pytest.raises(KeyValueError):
            keytext.sort(evaluate(bounds[0], template.encoding, {"v": "x" * 1023}))


def written(
    found: object, values: dict[str, Any]
) -> tuple[str, str | None, str | None]:
    assert isinstance(found, TextRange), found
    low = None if found.low is None else evaluate(found.low, Encoding(), values)
    high = None if found.high is None else evaluate(found.high, Encoding(), values)
    return found.form.value, low, high


STATUS = enum("CANCELLED", "PLACED", "SHIPPED")
DAY = dt.date(2026, 7, 1)


@pytest.mark.parametrize(
    ("pieces", "fixed", "tests", "expected"),
    [
        # all parts fixed; a fixed prefix up to the next literal; nothing fixed
        (["S#", ("s", STATUS)], {"s": "PLACED"}, [], ("=", "S#PLACED", None)),
        (["META"], {}, [], ("=", "META", None)),
        (
            ["S#", ("s", STATUS), "#", ("d", Date())],
            {"s": "PLACED"},
            [],
            ("begins_with", "S#PLACED#", None),
        ),
        (
            ["S#", ("d", Date()), ("s", STATUS)],
            {"d": DAY},
            [],
            ("begins_with", "S#2026-07-01", None),
        ),
        (["S#", ("s", STATUS)], {}, [], ("begins_with", "S#", None)),
        # types with extremes: both sides closed, neighbours, what follows
        (
            ["D#", ("d", Date())],
            {},
            ["gte"],
            ("between", "D#2026-07-01", "D#9999-12-31"),
        ),
        (
            ["D#", ("d", Date())],
            {},
            ["gt"],
            ("between", "D#2026-07-02", "D#9999-12-31"),
        ),
        (
            ["D#", ("d", Date())],
            {},
            ["lt"],
            ("between", "D#0001-01-01", "D#2026-06-30"),
        ),
        (
            ["D#", ("d", Date()), "#", ("t", String())],
            {},
            ["lte"],
            ("between", "D#0001-01-01", "D#2026-07-01$"),
        ),
        (
            ["D#", ("d", Date()), "/", ("t", String())],
            {},
            ["lte"],
            ("between", "D#0001-01-01", "D#2026-07-01\U0010ffff"),
        ),
        (
            ["D#", ("d", Date()), ("s", STATUS)],
            {},
            ["lte"],
            ("between", "D#0001-01-01", "D#2026-07-01\U0010ffff"),
        ),
        (
            ["D#", ("d:desc", Date())],
            {},
            ["gte"],
            ("between", "D#0000-87-68", "D#7973-92-98"),
        ),
        (
            ["D#", ("d|none", Date())],
            {},
            ["present"],
            ("between", "D#0001-01-01", "D#9999-12-31"),
        ),
        # text
        (["T#", ("t", String())], {}, ["gte"], ("between", "T#a%25", "T$")),
        (["T#", ("t", String())], {}, ["gt"], ("between", "T#a%25$", "T$")),
        (["T#", ("t", String())], {}, ["lte"], ("between", "T#", "T#a%25")),
        (["T#", ("t|none", String())], {}, ["lte"], ("between", 'T#"', "T#a%25")),
        (["T#", ("t|none", String())], {}, ["present"], ("between", 'T#"', "T$")),
        (["v", ("t", String()), "#"], {}, ["gte"], ("between", "va%25", "w")),
        (["T#", ("t", String()), "#"], {}, ["lte"], ("between", "T#", "T#a%25$")),
        (["T#", ("t", String()), "#"], {}, ["lt"], ("between", "T#", "T#a%25")),
        (
            ["T#", ("t", String()), "#"],
            {},
            ["begins_with"],
            ("begins_with", "T#a%25", None),
        ),
        # a key that starts with the part
        ([("t", String())], {}, ["gt"], (">=", "a%25$", None)),
        ([("t", String())], {}, ["lte"], ("<=", None, "a%25")),
        ([("t|none", String())], {}, ["lte"], ("between", '"', "a%25")),
        ([("b", Binary())], {}, ["gte"], (">=", "00ff", None)),
    ],
)
def test_the_forms_of_ranges(
    pieces: list[Any],
    fixed: dict[str, Any],
    tests: list[str],
    expected: tuple[Any, ...],
) -> None:
    template = Template(tuple(piece_of(piece) for piece in pieces))
    assert not check(template)
    values = {"s": "PLACED", "d": DAY, "t": "a%", "b": b"\0\xff"}
    ranged = next(
        (
            p
            for p in template.pieces
            if isinstance(p, Part) and p.attribute not in fixed
        ),
        None,
    )
    operand = () if ranged is None else (Given(ranged.attribute),)
    compared = [
        comparison(test, () if test == "present" else operand) for test in tests
    ]
    found = text_range(template, {name: Given(name) for name in fixed}, compared)
    assert written(found, values) == expected


def piece_of(written: Any) -> Literal | Part:
    if isinstance(written, str):
        return Literal(written)
    name, of = written
    name, _, placeholder = name.partition("|")
    name, _, desc = name.partition(":")
    return Part(name, of, bool(desc), placeholder=placeholder or None)


def test_a_key_that_is_one_part_needs_no_condition() -> None:
    assert text_range(Template((Part("t", String()),)), {}) is None


@pytest.mark.parametrize(
    ("part", "tests", "reason"),
    [
        (
            Part("e", enum("PLACED", "CANCELLED")),
            ["gte"],
            "values: {M0: 1_M0, M1: 2_M1}",
        ),
        (Part("b", Binary()), ["lt"], "binary"),
        (Part("n", Integer(0, 9)), ["begins_with"], "no text"),
        (Part("t", Timestamp(), bucket="%m"), ["gte"], "order of time"),
        (Part("n", Integer(0, 9)), ["gt", "gte"], "bounded twice"),
        (Part("s", String()), ["begins_with", "gte"], "bounded twice"),
    ],
)
def test_what_no_range_can_hold_is_refused(
    part: Part, tests: list[str], reason: str
) -> None:
    template = Template((Literal("P#"), part))
    found = text_range(template, {}, [comparison(test, [Given("v")]) for test in tests])
    assert isinstance(found, Refusal)
    assert reason in found.reason
    assert found.reason.startswith(f"`{part.attribute}`")


def test_raw_text_before_a_delimiter_is_refused_unless_it_lies_above() -> None:
    raw = Encoding(raw=True)
    for charset, refused in (
        (None, True),
        ("!-~", True),
        ("$-~", False),
        ("A-Z", False),
    ):
        template = Template((Part("t", String(charset=charset)), Literal("#X")), raw)
        found = text_range(template, {}, [comparison("gte", [Given("v")])])
        assert isinstance(found, Refusal) == refused
        assert isinstance(
            text_range(template, {}, [comparison("begins_with", [Given("v")])]),
            TextRange,
        )


def test_shards_are_fixed_by_number_or_by_what_they_are_computed_from() -> None:
    by = Part("n", Integer(0, 999))
    template = Template(
        (Literal("Q#"), Shard(12, (by,)), Literal("#"), Part("d", Date()))
    )
    known = text_range(template, {"n": Given("n"), "d": Given("d")})
    fanned = text_range(
        template, {"shard": Each("shard")}, [comparison("gte", [Given("d")])]
    )
    key = encode(template, {"n": 7, "d": DAY}) or ""
    shard = keytext.Shards(12).of("007")

    assert written(known, {"n": 7, "d": DAY}) == ("=", key, None)
    assert key == f"Q#{shard}#2026-07-01"
    assert written(fanned, {"shard": int(shard), "d": DAY})[1] == key
    assert text_range(template, {}) == TextRange(
        RangeForm.BEGINS_WITH, (Literal("Q#"),)
    )


# --- what is easily reintroduced ------------------------------------------------------------------------


def test_bounds_of_a_literal_that_does_not_end_in_the_delimiter() -> None:
    """`P#v{n}` bounded by `P$v` would read `P#w1`."""
    template = Template((Literal("P#v"), Part("n", Integer(0, 99))))
    found = text_range(template, {}, [comparison("gte", [Given("n")])])
    assert isinstance(found, TextRange)
    assert touches(found, Encoding(), {"n": 5}, "P#v99")
    assert not touches(found, Encoding(), {"n": 5}, "P#w1")


def test_a_part_followed_by_a_literal_keeps_its_last_value() -> None:
    """`{ts}/{id}`, at most v: without what follows v, the keys of v itself are lost."""
    moment = dt.datetime(2026, 7, 1, tzinfo=dt.UTC)
    template = Template((Part("ts", Timestamp()), Literal("/"), Part("id", String())))
    found = text_range(template, {}, [comparison("lte", [Given("ts")])])
    assert isinstance(found, TextRange)
    assert touches(
        found,
        Encoding(),
        {"ts": moment},
        encode(template, {"ts": moment, "id": "z"}) or "",
    )


def test_two_parts_without_a_literal() -> None:
    """`{a}{b}` ranged on b holds the keys of one a alone."""
    template = Template((Part("a", Integer(0, 99)), Part("b", Integer(0, 99))))
    found = text_range(template, {"a": Given("a")}, [comparison("gte", [Given("b")])])
    assert written(found, {"a": 5, "b": 7}) == ("between", "0507", "0599")


def test_negative_numbers_in_reversed_order() -> None:
    """Complementing the digits of -05 alone would put -5 before 3."""
    template = Template((Part("n", Integer(-50, 50), desc=True),))
    keys = [encode(template, {"n": n}) for n in range(-50, 51)]
    assert keys == sorted(keys, key=str, reverse=True)


def test_everything_at_least_a_moment_reads_no_profile() -> None:
    template = Template((Literal("O#"), Part("at", Timestamp())))
    found = text_range(template, {}, [comparison("gte", [Given("at")])])
    assert isinstance(found, TextRange)
    assert not touches(
        found, Encoding(), {"at": dt.datetime(1, 1, 1, tzinfo=dt.UTC)}, "O#PROFILE"
    )
