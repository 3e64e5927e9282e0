"""Isolation: the verdict on whether a read can touch a key, against trying everything."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal as Number
from itertools import product
from typing import Any

import pytest
from dyngen.keys.automata import Builder, Texts, common_text
from dyngen.keys.languages import Domain, language, natural
from dyngen.keys.model import (
    Compare,
    Each,
    Encoding,
    Fixed,
    Given,
    Literal,
    Part,
    RangeForm,
    Shard,
    Source,
    Template,
    TextRange,
)
from dyngen.keys.overlap import natural_reach, overlap, reach
from dyngen.keys.ranges import Comparison, Refusal, comparison, text_range
from dyngen.keys.template import check, encode
from dyngen.keys.texts import decode
from dyngen.keys.witness import parameters, touches
from dyngen.runtime.errors import KeyValueError
from dyngen.types.model import (
    Binary,
    Boolean,
    Date,
    Decimal,
    Integer,
    Stored,
    String,
    Timestamp,
    Ulid,
    Uuid,
    ValueType,
)
from key_values import enum

SMALL: list[tuple[ValueType, bool, tuple[Any, ...]]] = [
    (enum("A", "B"), False, ("A", "B")),
    (enum("A", "A#", "AB"), False, ("A", "A#", "AB")),
    (Boolean(), False, (False, True)),
    (Integer(0, 12), False, tuple(range(13))),
    (Integer(-3, 4), False, tuple(range(-3, 5))),
    (Integer(-3, 4), True, tuple(range(-3, 5))),
    (Integer(2, 3), True, (2, 3)),
    (
        String(charset="A#", max_length=2),
        False,
        ("A", "#", "AA", "A#", "#A", "##"),
    ),
    (
        String(charset="01", max_length=2, min_length=2),
        False,
        ("00", "01", "10", "11"),
    ),
]
LITERALS = ["#", "A", "A#", "#A", "0", "-", "AB"]


class Case:
    """A random template, with all values of its attributes."""

    def __init__(self, chance: random.Random, encoding: Encoding) -> None:
        self.values: dict[str, tuple[Any, ...]] = {}
        pieces: list[Any] = []
        for name in "abc"[: chance.choice((1, 1, 2, 2, 3))]:
            if chance.random() < 0.7:
                pieces.append(Literal(chance.choice(LITERALS)))
            of, desc, values = chance.choice(SMALL)
            placeholder = "A" if chance.random() < 0.2 else None
            self.values[name] = values + (None,) * (placeholder is not None)
            pieces.append(Part(name, of, desc, placeholder=placeholder))
        if chance.random() < 0.2:
            pieces.append(Literal(chance.choice(LITERALS)))
        merged: list[Any] = []
        for piece in pieces:
            if (
                merged
                and isinstance(piece, Literal)
                and isinstance(merged[-1], Literal)
            ):
                merged[-1] = Literal(merged[-1].text + piece.text)
            else:
                merged.append(piece)
        self.template = Template(tuple(merged), encoding)

    @property
    def parts(self) -> list[Part]:
        return [piece for piece in self.template.pieces if isinstance(piece, Part)]

    def keys(self) -> set[str]:
        found = set()
        for values in self.assignments(list(self.values)):
            try:
                key = encode(self.template, values)
            except KeyValueError:
                continue
            if key is not None:
                found.add(key)
        return found

    def assignments(self, names: list[str]) -> list[dict[str, Any]]:
        return [
            dict(zip(names, choice, strict=True))
            for choice in product(*(self.values[name] for name in names))
        ]


def random_case(chance: random.Random) -> Case:
    encoding = Encoding(raw=chance.random() < 0.25)
    while True:
        case = Case(chance, encoding)
        if not check(case.template):
            return case


def random_range(
    chance: random.Random, case: Case
) -> tuple[TextRange | None, list[dict[str, Any]], dict[str, Domain]] | None:
    """A range over a template, all its parameters, and what is known of them."""
    count = chance.randint(0, len(case.parts))
    fixed: dict[str, Source] = {
        p.attribute: Given(p.attribute) for p in case.parts[:count]
    }
    domains: dict[str, Domain] = {}
    for name in fixed:
        if chance.random() < 0.3:
            value = chance.choice([v for v in case.values[name] if v is not None])
            if chance.random() < 0.5:
                fixed[name] = Fixed(value)
            else:
                fixed[name] = Each(name)
                domains[name] = Domain((value,))
    names = [name for name, source in fixed.items() if not isinstance(source, Fixed)]
    params = case.assignments(names)
    params = [
        p
        for p in params
        if all(p[n] in (d.values or ()) for n, d in domains.items() if n in p)
    ]
    tests: list[Comparison] = []
    if count < len(case.parts) and chance.random() < 0.8:
        part = case.parts[count]
        present = [value for value in case.values[part.attribute] if value is not None]
        low, high = chance.choice(
            [
                ("gte", ""),
                ("gt", ""),
                ("", "lte"),
                ("", "lt"),
                ("gt", "lt"),
                ("gte", "lte"),
            ]
        )
        if isinstance(part.type, String) and chance.random() < 0.3:
            low, high = "begins_with", ""
        if chance.random() < 0.1:
            low, high = "present", ""
        for name, operator in (("from", low), ("to", high)):
            if operator == "present":
                tests.append(Comparison(Compare.PRESENT))
            elif operator:
                known = chance.choice(present) if chance.random() < 0.3 else None
                source: Source = Given(name) if known is None else Fixed(known)
                tests.append(comparison(operator, [source]))
                if known is None:
                    params = [{**p, name: value} for p in params for value in present]
                    if operator == "begins_with":
                        short = {value[:n] for value in present for n in (1, 2)}
                        params = [
                            {**p, name: value}
                            for p in params
                            for value in sorted(short)
                        ]
    found = text_range(case.template, fixed, tests)
    if isinstance(found, Refusal):
        return None
    return found, params, domains


@pytest.mark.parametrize("seed", range(12))
def test_reads_touch_what_the_automata_say(seed: int) -> None:
    chance = random.Random(seed)
    touched = 0
    for _ in range(120):
        reader, other = random_case(chance), random_case(chance)
        drawn = random_range(chance, reader)
        if drawn is None:
            continue
        found, params, domains = drawn
        encoding = reader.template.encoding
        keys = other.keys()
        expected = (
            bool(keys)
            if found is None
            else any(touches(found, encoding, p, key) for p in params for key in keys)
        )
        witness = overlap(reach(found, encoding, domains), language(other.template))

        context = (reader.template.pieces, found, other.template.pieces, witness)
        assert (witness is not None) == expected, context
        if isinstance(witness, str):
            touched += 1
            values = decode(other.template, witness)
            assert values is not None, context
            assert encode(other.template, values) == witness
            if found is not None:
                proof = parameters(found, encoding, witness, domains)
                assert proof is not None, context
                assert touches(found, encoding, proof, witness)
    assert touched


@pytest.mark.parametrize("seed", range(6))
def test_identity_is_sharing_a_key(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(150):
        one, other = random_case(chance), random_case(chance)
        shared = one.keys() & other.keys()
        found = overlap(language(one.template), language(other.template))
        assert (found is not None) == bool(shared), (one.template, other.template)
        assert found is None or found in shared


@pytest.mark.parametrize("seed", range(4))
def test_what_is_known_of_attributes_narrows_their_texts(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(100):
        one, other = random_case(chance), random_case(chance)
        domains = {}
        for name, values in one.values.items():
            some = tuple(v for v in values if v is not None and chance.random() < 0.3)
            missing = chance.random() < 0.5
            domains[name] = Domain(some or None, missing)
            kept = some or tuple(v for v in values if v is not None)
            has_placeholder = None in values and missing and not some
            one.values[name] = kept + (None,) * has_placeholder
        shared = one.keys() & other.keys()
        found = overlap(language(one.template, domains), language(other.template))
        assert (found is not None) == bool(shared)


@pytest.mark.parametrize("seed", range(3))
def test_intervals_of_texts(seed: int) -> None:
    chance = random.Random(seed)
    texts = ["", *("".join(t) for n in (1, 2, 3) for t in product("abc", repeat=n))]
    for _ in range(150):
        low, high = chance.choice(texts), chance.choice([None, *texts[1:]])
        endless = high is not None and chance.random() < 0.5
        builder = Builder()
        found = builder.finish(builder.between(Texts(low, high, endless)))
        top = None if high is None else high + high[-1] * 9 * endless
        for text in texts:
            end = Builder()
            one = end.finish(end.literal(text, end.state(accepting=True)))
            inside = low <= text and (top is None or text <= top)
            assert (common_text(found, one) == text) == inside, (
                low,
                high,
                endless,
                text,
            )


# --- by hand ------------------------------------------------------------------------------------------


def key(*pieces: Any) -> Template:
    return Template(
        tuple(Literal(p) if isinstance(p, str) else Part(p[0], p[1]) for p in pieces)
    )


TEXT = ("t", String())
ORDERS = key("ORDER#", ("at", Timestamp()), "#", ("id", Ulid()))


@pytest.mark.parametrize(
    ("other", "touched"),
    [
        (key("ORDER#PROFILE"), False),
        (key("ORDER#", ("at", Timestamp())), True),
        (key("ORDER#", ("on", Date())), True),
        (key("ORDER#", TEXT), True),
        (key("ORDERS#", TEXT), False),
        (key("ORDER#", ("flag", Boolean())), False),
        (key("ORDER#", ("id", Uuid())), True),
        (key("PAYMENT#", ("at", Timestamp())), False),
        (key(TEXT), False),
        (key(TEXT, "#X"), False),
    ],
)
def test_a_range_of_moments_beside_others(other: Template, touched: bool) -> None:
    found = text_range(ORDERS, {}, [comparison("gte", [Given("at")])])
    assert isinstance(found, TextRange)
    witness = overlap(reach(found, Encoding()), language(other))
    assert (witness is not None) == touched
    if isinstance(witness, str):
        values = decode(other, witness)
        assert values is not None
        assert encode(other, values) == witness
        assert parameters(found, Encoding(), witness) is not None


def test_a_prefix_catches_longer_keys() -> None:
    found = text_range(key("A#", TEXT, "#", ("u", String())), {"t": Given("t")})
    assert overlap(reach(found, Encoding()), language(key("A#", TEXT, "#X#", TEXT)))
    assert not overlap(reach(found, Encoding()), language(key("A#", TEXT)))
    assert overlap(reach(found, Encoding()), natural(String()))


def test_natural_text_shares_everything() -> None:
    for template in (ORDERS, key("META"), key(TEXT, "#", ("u", String()))):
        assert overlap(language(template), natural(String())) is not None
    assert overlap(language(key("META")), natural(String(charset="a-z"))) is None
    assert overlap(language(key("#META")), natural(Date())) is None


def test_the_successor_of_a_prefix_is_read_too() -> None:
    """Text from a value on is read up to `T$` and that included; a natural value can be `T$`."""
    found = text_range(key("T#", TEXT), {}, [comparison("gte", [Fixed("a")])])
    exactly = String(charset="T$", min_length=2, max_length=2)
    assert overlap(reach(found, Encoding()), natural(exactly)) == "T$"


def test_constants_keep_cases_apart() -> None:
    state = enum("CLOSED", "OPEN")
    template = key("ISSUE#", ("state", state), "#", ("n", Integer(0, 99)))
    found = text_range(template, {"state": Fixed("OPEN")})
    closed = {"state": Domain(("CLOSED",))}
    assert overlap(reach(found, Encoding()), language(template, closed)) is None
    assert overlap(reach(found, Encoding()), language(template)) == "ISSUE#OPEN#00"


def test_shards() -> None:
    by = Part("n", Integer(0, 9))
    template = Template((Literal("Q#"), Shard(10, (by,))))
    fanned = text_range(template, {"shard": Each("shard")})
    assert overlap(reach(fanned, Encoding()), language(template)) == "Q#0"
    few = {"shard": Domain((3, 4))}
    assert overlap(reach(fanned, Encoding(), few), language(template)) == "Q#3"
    assert (
        overlap(reach(fanned, Encoding()), language(key("Q#", ("n", Integer(0, 10)))))
        is None
    )


def test_the_calendar() -> None:
    bucket = Template((Literal("D#"), Part("at", Timestamp(), bucket="%Y-%m-%d")))
    assert (
        overlap(language(bucket), language(key("D#", ("on", Date())))) == "D#0001-01-01"
    )
    assert overlap(language(bucket), language(key("D#2026-13-01"))) is None
    reversed_day = Template((Literal("D#"), Part("on", Date(), desc=True)))
    assert decode(reversed_day, "D#7973-92-98") == {"on": dt.date(2026, 7, 1)}
    assert overlap(language(reversed_day), language(key("D#2026-07-01"))) is None


# --- natural keys -------------------------------------------------------------------------------------

TEXTS = ["".join(t) for n in (1, 2, 3) for t in product("AB", repeat=n)]
SHORT = String(charset="AB", max_length=3)
LESS: dict[str, Any] = {
    ">=": lambda value, low, high: low <= value,
    ">": lambda value, low, high: low < value,
    "<=": lambda value, low, high: value <= high,
    "<": lambda value, low, high: value < high,
    "between": lambda value, low, high: low <= value <= high,
    "begins_with": lambda value, low, high: value.startswith(low),
    "=": lambda value, low, high: value == low,
}


@pytest.mark.parametrize("form", list(RangeForm))
def test_ranges_on_natural_text(form: RangeForm) -> None:
    for one, other in product(TEXTS, repeat=2):
        low = None if form in (RangeForm.AT_MOST, RangeForm.BELOW) else Fixed(one)
        high = (
            Fixed(other)
            if form in (RangeForm.AT_MOST, RangeForm.BELOW, RangeForm.BETWEEN)
            else None
        )
        found = natural_reach(SHORT, form, low, high)
        for text in ("A", "AB", "BA", "BBB"):
            exactly = natural(SHORT, Domain((text,)))
            expected = LESS[form.value](text, one, other)
            assert (overlap(found, exactly) is not None) == expected, (
                form,
                one,
                other,
                text,
            )


def test_parameters_reach_as_far_as_values_go() -> None:
    beyond = natural(String(charset="C-Z"))
    assert overlap(natural_reach(SHORT, RangeForm.AT_LEAST, Given("v")), beyond)
    assert (
        overlap(natural_reach(SHORT, RangeForm.AT_MOST, None, Given("v")), beyond)
        is None
    )
    assert (
        overlap(natural_reach(SHORT, RangeForm.BETWEEN, Given("v"), Given("w")), beyond)
        is None
    )
    assert (
        overlap(natural_reach(SHORT, RangeForm.BEGINS_WITH, Given("v")), beyond) is None
    )
    assert overlap(natural_reach(SHORT, None), beyond)
    below = natural_reach(
        SHORT, RangeForm.BETWEEN, Given("v"), Fixed("B"), high_open=True
    )
    assert overlap(below, natural(String(charset="B"))) is None
    assert overlap(below, natural(String(charset="AB"))) == "A"


def test_numbers() -> None:
    whole, part = Integer(0, 10), Decimal(5, 2)
    at_least = natural_reach(whole, RangeForm.AT_LEAST, Fixed(10))
    above = natural_reach(whole, RangeForm.ABOVE, Fixed(10))
    assert overlap(at_least, natural(whole)) == 10
    assert overlap(above, natural(whole)) is None
    assert overlap(above, natural(part)) == Number("10.01")
    inside = natural_reach(
        part, RangeForm.BETWEEN, Fixed(Number("1.5")), Fixed(Number(2)), high_open=True
    )
    assert overlap(inside, natural(whole)) is None
    assert overlap(inside, natural(part)) == Number("1.50")
    assert (
        overlap(natural_reach(whole, RangeForm.EQUALS, Given("n")), natural(part))
        is not None
    )
    assert overlap(natural(Integer(0, 5)), natural(Integer(6, 9))) is None
    moment = dt.datetime(2026, 7, 1, tzinfo=dt.UTC)
    ttl = Timestamp(stored=Stored.EPOCH_SECONDS)
    assert overlap(natural(ttl, Domain((moment,))), natural(Integer())) == 1782864000
    with pytest.raises(TypeError, match="numbers or text"):
        overlap(natural(whole), natural(String()))


def test_binary() -> None:
    prefix = natural_reach(Binary(), RangeForm.BEGINS_WITH, Fixed(b"\xff"))
    assert overlap(prefix, natural(Binary())) == "\xff"
    assert overlap(prefix, natural(Binary(), Domain((b"\xfe\xff",)))) is None
    below = natural_reach(Binary(), RangeForm.BELOW, None, Fixed(b"\1"))
    assert overlap(below, natural(Binary(), Domain((b"\0\xff\xff",)))) is not None
    assert overlap(below, natural(Binary(), Domain((b"\1",)))) is None
