"""Types and attributes, from what is written to what they mean."""

from decimal import Decimal

import pytest
from dyngen.design.model import DefaultNow, DefaultValue
from dyngen.types import model as types
from dyngen.types.model import Member, Precision, Stored, ValueType

from .inline_schema import (
    attribute_of,
    entity_of,
    problem_of,
    problems_of,
    schema_of,
    with_attributes,
    words,
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("string", types.String()),
        (
            "{type: string, min_length: 1, max_length: 9, charset: a-z, fold: lower}",
            types.String(1, 9, "a-z", "lower"),
        ),
        ("{type: integer, min: -5, max: 5}", types.Integer(-5, 5)),
        (
            "{type: decimal, digits: 12, places: 2, min: 0}",
            types.Decimal(12, 2, Decimal("0.00"), None),
        ),
        (
            "{type: string, charset: '^\\d\\]'}",
            types.String(charset="^\\d\\]"),
        ),
        ("float", types.Float()),
        ("boolean", types.Boolean()),
        ("{type: binary, max_length: 16}", types.Binary(0, 16)),
        ("timestamp", types.Timestamp()),
        (
            "{type: timestamp, precision: microseconds}",
            types.Timestamp(Precision.MICROSECONDS),
        ),
        (
            "{type: timestamp, stored: epoch_seconds}",
            types.Timestamp(Precision.SECONDS, Stored.EPOCH_SECONDS),
        ),
        (
            "{type: timestamp, stored: epoch_milliseconds, precision: seconds}",
            types.Timestamp(Precision.SECONDS, Stored.EPOCH_MILLISECONDS),
        ),
        ("date", types.Date()),
        ("uuid", types.Uuid()),
        ("ulid", types.Ulid()),
        ("json", types.Json()),
        ("{type: list, of: string}", types.List(types.String())),
        ("{type: set, of: {type: integer, min: 1}}", types.Set(types.Integer(1))),
        (
            "{type: map, of: {type: list, of: date}}",
            types.Map(types.List(types.Date())),
        ),
        (
            "[LOW, HIGH]",
            types.Enum("ThingLastOne", (Member("LOW", "LOW"), Member("HIGH", "HIGH"))),
        ),
        (
            "{values: {HIGH: 1_HIGH, LOW: 3_LOW}}",
            types.Enum(
                "ThingLastOne", (Member("HIGH", "1_HIGH"), Member("LOW", "3_LOW"))
            ),
        ),
        (
            "{type: list, of: [A]}",
            types.List(types.Enum("ThingLastOne", (Member("A", "A"),))),
        ),
        (
            "{type: object, attributes: {city: string, kind: {type: [A], optional: true}}}",
            types.Object(
                "ThingLastOne",
                (
                    types.Field("city", "city", types.String()),
                    types.Field(
                        "kind",
                        "kind",
                        types.Enum("ThingLastOneKind", (Member("A", "A"),)),
                        optional=True,
                    ),
                ),
            ),
        ),
    ],
)
def test_a_type(written: str, expected: ValueType) -> None:
    assert attribute_of(f"last_one: {written}").type == expected


NAMED = """\
types:
  Money: {type: decimal, digits: 12, places: 2}
  Price: {type: Money, min: 0}
  State: [OPEN, CLOSED]
  Counts: {type: map, of: integer, default: {}}
  Code: {type: string, generated: false, optional: true, max_length: 5}
  Box: {type: object, attributes: {state: State, size: [S, L]}}
"""


def test_a_named_type_is_used_with_its_options() -> None:
    counts = attribute_of("x: Counts", NAMED)
    assert counts.type == types.Map(types.Integer())
    assert counts.default == DefaultValue({})
    code = attribute_of("x: {type: Code, min_length: 2}", NAMED)
    assert code.type == types.String(2, 5)
    assert code.optional


def test_a_named_type_of_another() -> None:
    assert attribute_of("x: Price", NAMED).type == types.Decimal(12, 2, Decimal("0.00"))


def test_named_enums_and_objects_keep_their_name() -> None:
    schema = schema_of(with_attributes("x: State, y: Box", NAMED))
    state = types.Enum("State", (Member("OPEN", "OPEN"), Member("CLOSED", "CLOSED")))
    size = types.Enum("BoxSize", (Member("S", "S"), Member("L", "L")))
    box = types.Object(
        "Box",
        (types.Field("state", "state", state), types.Field("size", "size", size)),
    )
    assert [a.type for a in schema.entities[0].attributes[1:]] == [state, box]
    assert schema.named_types["Box"] == box


def test_stored_names() -> None:
    text = with_attributes(
        "order_date: date, _internal_id: string, x: {type: string, name: the-X}",
        "names: camelCase\n",
    )
    stored = [a.stored for a in entity_of(text).attributes]
    assert stored == ["id", "orderDate", "_internalId", "the-X"]


def test_what_fills_an_attribute() -> None:
    made = attribute_of("at: {type: timestamp, default: now}")
    assert made.default == DefaultNow()
    assert made.filled
    touched = attribute_of("at: {type: date, on_write: now}")
    assert touched.on_write
    generated = attribute_of("x: {type: ulid, generated: true}")
    assert generated.generated
    state = attribute_of("x: {type: [OPEN, SHUT], default: SHUT}")
    assert state.default == DefaultValue("SHUT")
    assert not state.filled


def test_the_default_of_an_enum_is_its_stored_text() -> None:
    made = attribute_of("x: {values: {HIGH: 1_HIGH}, default: HIGH}")
    assert made.default == DefaultValue("1_HIGH")


def test_a_version_is_the_last_attribute() -> None:
    text = with_attributes("x: string") + "    version: {name: _v}\n"
    entity = entity_of(text)
    assert entity.version is entity.attributes[-1]
    assert entity.version is not None
    assert (entity.version.name, entity.version.stored) == ("version", "_v")


def test_computed_attributes() -> None:
    entity = entity_of(
        with_attributes(
            "at: {type: timestamp, optional: true}, day: date, "
            'year: {type: integer, computed: "{at:%Y}"}, '
            'month: {type: string, computed: "{day:%Y-%m}"}, '
            'stamp: {type: integer, computed: "{day:%Y%m%d}"}'
        )
    )
    year, month, stamp = entity.attributes[-3:]
    assert year.type == types.Integer(1, 9999)
    assert year.optional
    assert not month.optional
    assert month.computed is not None
    assert stamp.type == types.Integer(10101, 99991231)


@pytest.mark.parametrize(
    ("attributes", "code", "marked", "says"),
    [
        ("x: strin", "DG100", "strin", "there is no type `strin`"),
        ("x: {type: list, of: Strng}", "DG100", "Strng", "there is no type `Strng`"),
        ("x: {type: enum}", "DG100", "enum", "written by its values"),
        ("x: {type: string, min: 1}", "DG102", "min", "`min` is no option of a string"),
        (
            "x: {type: date, precision: seconds}",
            "DG102",
            "precision",
            "no option of a date",
        ),
        (
            "x: {type: string, of: date}",
            "DG102",
            "date",
            "`of` is no option of a string",
        ),
        (
            "x: {type: list, of: {type: date, optional: true}}",
            "DG102",
            "optional",
            "member",
        ),
        ("x: {type: integer, min: 5, max: 1}", "DG103", "5", "`min`, 5, is more"),
        ("x: {type: decimal, digits: 2, places: 3}", "DG103", "3", "`places`, 3"),
        ("x: {type: decimal, places: 1, min: 0.55}", "DG103", "0.55", "decimal places"),
        ("x: {type: string, charset: z-a}", "DG103", "z-a", "no set of characters"),
        ("x: {type: string, charset: 'a]b'}", "DG103", "'a]b'", "no set of characters"),
        ("x: {type: string, charset: '[a'}", "DG103", "'[a'", "no set of characters"),
        (
            "x: {type: timestamp, stored: epoch_seconds, precision: milliseconds}",
            "DG103",
            "milliseconds",
            "keeps no milliseconds",
        ),
        ("x: list", "DG103", "list", "a list needs the type of its members"),
        (
            "x: {type: set, of: boolean}",
            "DG103",
            "boolean",
            "a set cannot hold a boolean",
        ),
        ("x: [A, B, A]", "DG103", "A", "stands twice"),
        ("x: {values: {A: same, B: same}}", "DG103", "same", "stands twice"),
        ("x: object", "DG103", "object", "an object needs attributes"),
        ("x: {type: integer, default: now}", "DG148", "now", "`x` is an integer"),
        ("x: {type: integer, default: a}", "DG104", "a", "`a` is no integer"),
        ("x: {type: [A, B], default: C}", "DG104", "C", "is no value of ThingX"),
        ("x: {type: integer, default: {}}", "DG104", "{}", "no default of an integer"),
        ("x: {type: string, generated: true}", "DG105", "x", "cannot be generated"),
        ("x: {type: string, on_write: now}", "DG148", "now", "`x` is a string"),
        (
            "x: {type: ulid, generated: true, default: 01ARZ3NDEKTSV4RRFFQ69G5FAV}",
            "DG105",
            "x",
            "`generated` and `default`",
        ),
        ('x: {type: date, computed: "{id}"}', "DG105", '"{id}"', "cannot be computed"),
        (
            'x: {type: string, computed: "{id}", optional: true}',
            "DG105",
            "x",
            "`optional` says nothing",
        ),
        (
            'x: {type: integer, computed: "{id}"}',
            "DG106",
            '"{id}"',
            "not always a number",
        ),
        ('x: {type: string, computed: "{it}"}', "DG111", "it", "no attribute `it`"),
        ("any: string", "DG107", "any", "cannot be called `any`"),
        ("shard: string", "DG107", "shard", "cannot be called `shard`"),
        ("x: {type: string, name: id}", "DG109", "x", "stored as `id`"),
    ],
)
def test_what_is_wrong_with_an_attribute(
    attributes: str, code: str, marked: str, says: str
) -> None:
    text = with_attributes(attributes)
    problem = problem_of(text)
    assert problem.code == code
    assert words(text, problem.primary) == marked
    assert says in problem.message


def test_a_computed_number_has_to_fit() -> None:
    text = with_attributes(
        'day: date, x: {type: integer, min: 1, max: 30, computed: "{day:%d}"}'
    )
    problem = problem_of(text)
    assert problem.code == "DG106"
    assert problem.message == "`x` can become anything from 1 to 31"
    assert [words(text, label) for label in problem.secondary] == ['"{day:%d}"']


def test_a_computed_attribute_of_a_computed_one() -> None:
    text = with_attributes(
        'x: {type: string, computed: "{id}"}, y: {type: string, computed: "{x}"}'
    )
    problem = problem_of(text)
    assert (problem.code, words(text, problem.primary)) == ("DG106", "x")


def test_a_type_that_contains_itself_is_reported_once() -> None:
    types_ = "types:\n  A: {type: list, of: B}\n  B: {type: map, of: A}\n"
    problem = problem_of(with_attributes("x: A, y: B", types_))
    assert problem.code == "DG101"
    assert problem.primary.text == "`A` contains `B` contains `A`"


def test_a_broken_named_type_is_reported_once() -> None:
    types_ = "types:\n  A: {type: strin}\n"
    problem = problem_of(
        with_attributes("x: A, y: A, z: {type: A, optional: true}", types_)
    )
    assert problem.code == "DG100"
    assert problem.help == ("did you mean `string`?",)


def test_names_of_types() -> None:
    taken = problem_of(with_attributes("x: string", "types:\n  date: string\n"))
    assert (taken.code, taken.message) == (
        "DG108",
        "a type cannot be called `date`: that is a type already",
    )
    clash = problem_of(
        with_attributes(
            "state: [A, B], x: ThingState", "types:\n  ThingState: [C, D]\n"
        )
    )
    assert clash.code == "DG108"
    entity = problem_of(with_attributes("x: Thing", "types:\n  Thing: [C, D]\n"))
    assert entity.code == "DG108"


def test_an_alias_of_a_type_is_no_second_type() -> None:
    types_ = "types:\n  State: [A, B]\n  Same: {type: State, default: A}\n"
    assert problems_of(with_attributes("x: State, y: Same", types_)) == []


def test_options_that_belong_to_attributes() -> None:
    types_ = "types:\n  A: {type: string, name: x}\n"
    assert problem_of(with_attributes("x: A", types_)).code == "DG102"


def test_a_version_and_an_attribute_of_that_name() -> None:
    text = with_attributes("version: string") + "    version: true\n"
    problem = problem_of(text)
    assert problem.code == "DG107"
    assert "version token" in problem.message
