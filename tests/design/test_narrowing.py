"""Whether an attribute can have every value of another one."""

from __future__ import annotations

from decimal import Decimal

import pytest
from dyngen.design.model import Attribute
from dyngen.design.narrowing import holds_all
from dyngen.diagnostics.model import Span
from dyngen.keys.model import Encoding, Literal, Part, Template
from dyngen.python.suite import samples
from dyngen.types import model as types
from dyngen.types.model import Precision, Stored, ValueType

AT = Span("spec.yaml", 1, 1, 1, 2)
LOWER, UPPER = types.String(fold="lower"), types.String(fold="upper")
SAMPLES: tuple[ValueType, ...] = (
    types.String(),
    LOWER,
    UPPER,
    types.String(charset="a-z"),
    types.String(charset="A-Za-z0-9"),
    types.String(charset="^/"),
    types.String(min_length=3),
    types.String(min_length=2, max_length=5),
    types.Integer(),
    types.Integer(0, 20),
    types.Integer(minimum=-1),
    types.Integer(maximum=9),
    types.Decimal(),
    types.Decimal(digits=3),
    types.Decimal(digits=3, places=1),
    types.Decimal(places=0),
    types.Decimal(minimum=Decimal(0), maximum=Decimal("10.5")),
    types.Binary(),
    types.Binary(2, 2),
    types.Ulid(),
    types.Timestamp(Precision.SECONDS),
    types.Timestamp(Precision.MICROSECONDS),
)


def attribute(of: ValueType, computed: Template | None = None) -> Attribute:
    return Attribute("x", "x", of, AT, computed=computed)


@pytest.mark.parametrize(
    ("wide", "narrow", "expected"),
    [
        (types.String(), types.String(min_length=1), True),
        (types.String(min_length=1), types.String(), True),  # in a key, none is empty
        (types.String(min_length=2), types.String(), False),
        (types.String(max_length=9), types.String(max_length=10), False),
        (types.String(max_length=9), types.String(), False),
        (types.String(charset="a-z0-9"), types.String(charset="0-9a"), True),
        (types.String(charset="a-z"), types.String(charset="a-z_"), False),
        (types.String(), types.String(charset="^a-z"), True),
        (LOWER, types.String(charset="^A-Z"), True),  # on both sides of the surrogates
        (LOWER, types.String(charset="0-9"), True),
        (LOWER, types.String(), False),
        (types.String(), LOWER, True),
        (LOWER, UPPER, False),
        (types.Integer(), types.Integer(1, 5), True),
        (types.Integer(1, 5), types.Integer(1, 6), False),
        (types.Integer(minimum=1), types.Integer(), False),
        (types.Decimal(digits=4, places=2), types.Decimal(digits=3, places=1), True),
        (types.Decimal(digits=4, places=2), types.Decimal(digits=4, places=1), False),
        (types.Decimal(digits=4, places=2), types.Decimal(digits=3), False),
        (types.Decimal(digits=4), types.Decimal(digits=4, places=2), True),
        (
            types.Decimal(digits=4),
            types.Decimal(places=1, minimum=Decimal("-99.5"), maximum=Decimal("999.5")),
            True,
        ),
        (
            types.Decimal(digits=4),
            types.Decimal(places=2, minimum=Decimal(0), maximum=Decimal(999)),
            False,
        ),
        (types.Binary(1, 16), types.Binary(2, 16), True),
        (types.Binary(2), types.Binary(), False),
        (types.Timestamp(), types.Timestamp(Precision.SECONDS), True),
        (types.Timestamp(), types.Timestamp(Precision.MICROSECONDS), False),
        (
            types.Timestamp(Precision.SECONDS, Stored.EPOCH_SECONDS),
            types.Timestamp(Precision.MILLISECONDS, Stored.EPOCH_SECONDS),
            True,  # which keeps seconds alone
        ),
        (types.Uuid(), types.Uuid(), True),
    ],
)
def test_options(wide: ValueType, narrow: ValueType, expected: bool) -> None:
    assert holds_all(attribute(wide), attribute(narrow)) is expected


@pytest.mark.parametrize("wide", SAMPLES, ids=repr)
@pytest.mark.parametrize("narrow", SAMPLES, ids=repr)
def test_what_is_held_is_valid(wide: ValueType, narrow: ValueType) -> None:
    if type(wide) is not type(narrow):
        return
    if holds_all(attribute(wide), attribute(narrow)):
        values = (*samples.pool(narrow, "xY"), *samples.ends(narrow))
        assert all(samples.valid(wide, each) for each in values)
    assert holds_all(attribute(wide), attribute(wide))


MONTH = Template(
    (Literal("M"), Part("at", types.Timestamp(), bucket="%Y-%m")), Encoding(raw=True)
)
NAME = Template(
    (Part("name", types.String(charset="é", min_length=3)),), Encoding(raw=True)
)


@pytest.mark.parametrize(
    ("wide", "computed", "expected"),
    [
        (types.String(), MONTH, True),
        (types.String(charset="M0-9-", min_length=8, max_length=8), MONTH, True),
        (types.String(max_length=7), MONTH, False),
        (types.String(min_length=9), MONTH, False),
        (types.String(charset="0-9-"), MONTH, False),
        (types.String(charset="é"), NAME, True),
        (types.String(min_length=4), NAME, False),  # bytes are not characters
    ],
)
def test_computed_text(wide: ValueType, computed: Template, expected: bool) -> None:
    narrow = attribute(types.String(), computed)
    assert holds_all(attribute(wide), narrow) is expected
