"""Tables and indexes: physical names, key types, settings, and DynamoDB's limits."""

import pytest
from dyngen.design.model import Computed, KeyAttribute, Natural, Projection
from dyngen.keys.model import Encoding, Literal, Part
from dyngen.source.nodes import Scalar

from .inline_schema import (
    problem_of,
    problems_of,
    schema_of,
    with_keys,
    words,
)

ORDER = (
    "{attributes: {customer: string, order_id: ulid, status: [A, B], order_date: timestamp, "
    "total: {type: integer, min: 0, max: 9}}}"
)


def named(keys: tuple[KeyAttribute, ...]) -> list[tuple[str, str]]:
    return [(key.name, key.type) for key in keys]


def test_a_composite_key_is_one_derived_attribute() -> None:
    schema = schema_of(
        with_keys(
            "{partition_key: customer, sort_key: order_id, indexes: {"
            "ByStatus: {partition_key: customer, sort_key: [status, order_date], "
            "strategy: composite}, "
            "Local: {type: local, sort_key: [status, total]}}}",
            ORDER,
        )
    )
    (table,) = schema.tables
    assert named(table.index("ByStatus").key.sort) == [("status#order_date", "S")]
    assert named(table.index("Local").key.all) == [
        ("customer", "S"),
        ("status#total", "S"),
    ]
    form = schema.entities[0].keys["status#order_date"]
    assert isinstance(form, Computed)
    pieces = form.cases[0].template.pieces
    assert [p.attribute if isinstance(p, Part) else p for p in pieces] == [
        "status",
        Literal("#"),
        "order_date",
    ]


def test_a_multi_attribute_key_is_the_default_of_a_global_index() -> None:
    schema = schema_of(
        with_keys(
            "{partition_key: order_id, indexes: {"
            "Native: {partition_key: [customer, status], sort_key: [total, order_date]}}}",
            ORDER,
        )
    )
    index = schema.tables[0].index("Native")
    assert named(index.key.partition) == [("customer", "S"), ("status", "S")]
    assert named(index.key.sort) == [("total", "N"), ("order_date", "S")]


def test_names_in_camel_case_and_a_delimiter_of_its_own() -> None:
    schema = schema_of(
        with_keys(
            "{partition_key: customer, sort_key: [status, order_date], "
            "key_encoding: raw, delimiter: '|', indexes: {"
            "ByDate: {partition_key: orderDate, projection: [order_id, total]}}}",
            ORDER,
            top="names: camelCase\n",
        )
    )
    (table,) = schema.tables
    assert table.encoding == Encoding(raw=True, delimiter="|")
    assert named(table.key.all) == [("customer", "S"), ("status|orderDate", "S")]
    assert named(table.index("ByDate").key.all) == [("orderDate", "S")]
    assert table.index("ByDate").included == ("orderId", "total")
    assert schema.entities[0].keys["orderDate"] == Natural(
        "order_date", schema.entities[0].attribute("order_date").span
    )


def test_the_type_of_a_key_that_no_entity_has() -> None:
    schema = schema_of(
        with_keys(
            "{partition_key: customer, indexes: {"
            "Later: {partition_key: {name: score, type: number}}}}",
            ORDER,
        )
    )
    assert named(schema.tables[0].index("Later").key.all) == [("score", "N")]
    assert "score" not in schema.entities[0].keys


def test_projections() -> None:
    schema = schema_of(
        with_keys(
            "{partition_key: customer, indexes: {"
            "All: {partition_key: status}, Keys: {partition_key: status, projection: keys_only}}}",
            ORDER,
        )
    )
    (table,) = schema.tables
    assert table.index("All").projection is Projection.ALL
    assert table.index("Keys").projection is Projection.KEYS_ONLY


def test_ttl_bears_its_stored_name() -> None:
    schema = schema_of(
        with_keys(
            "{partition_key: id, ttl: expires_at}",
            "{attributes: {id: string, expires_at: {type: timestamp, stored: epoch_seconds}}}",
            top="names: camelCase\n",
        )
    )
    ttl = schema.tables[0].settings["ttl"]
    assert isinstance(ttl, Scalar)
    assert ttl.value == "expiresAt"


@pytest.mark.parametrize(
    ("table", "code", "marked", "says"),
    [
        ("{partition_key: custmer}", "DG120", "custmer", "no entity of `Things`"),
        (
            "{partition_key: customer, indexes: {I: {partition_key: staus}}}",
            "DG120",
            "staus",
            "has a key or an attribute `staus`",
        ),
        (
            "{partition_key: customer, sort_key: [status, dat]}",
            "DG120",
            "dat",
            "`dat`",
        ),
        (
            "{partition_key: customer, indexes: {I: {sort_key: status}}}",
            "DG130",
            "I",
            "has no partition key",
        ),
        (
            "{partition_key: order_id, indexes: {I: {partition_key: status, "
            "sort_key: [customer, order_id, order_date, total, x]}}}",
            "DG131",
            "x",
            "has 5 attributes",
        ),
        (
            "{partition_key: customer, indexes: {I: {type: local, sort_key: status}}}",
            "DG132",
            "I",
            "needs a table with a sort key",
        ),
        (
            "{partition_key: customer, sort_key: order_id, indexes: {I: {type: local}}}",
            "DG132",
            "I",
            "has no sort key",
        ),
        (
            "{partition_key: customer, sort_key: order_id, indexes: {"
            "I: {type: local, partition_key: status, sort_key: total}}}",
            "DG132",
            "status",
            "another partition key",
        ),
        (
            "{partition_key: customer, indexes: {"
            "I: {partition_key: status, strategy: composite}}}",
            "DG133",
            "composite",
            "no key of several attributes",
        ),
        (
            "{partition_key: customer, sort_key: order_id, indexes: {I: {type: local, "
            "sort_key: [status, total], strategy: multi_attribute}}}",
            "DG133",
            "multi_attribute",
            "a local index cannot",
        ),
        (
            "{partition_key: customer, indexes: {"
            "I: {partition_key: status, sort_key: [total, status]}}}",
            "DG134",
            "status",
            "stands twice in the key of `I`",
        ),
        (
            "{partition_key: customer, indexes: {"
            "I: {partition_key: status, projection: [total, totl]}}}",
            "DG135",
            "totl",
            "has an attribute `totl`",
        ),
        (
            "{partition_key: customer, indexes: {"
            "I: {partition_key: status, projection: [total, total]}}}",
            "DG135",
            "total",
            "stands twice in the projection",
        ),
        (
            "{partition_key: customer, ttl: order_date}",
            "DG137",
            "timestamp",
            "cannot expire",
        ),
        ("{partition_key: customer, ttl: expires}", "DG137", "expires", "no entity of"),
        ("{partition_key: customer, delimiter: '|'}", "DG138", "'|'", "goes with"),
        (
            "{partition_key: customer, indexes: {"
            "I: {partition_key: status, billing: {read: 1, write: 1}}}}",
            "DG139",
            "{read: 1, write: 1}",
            "billed on demand",
        ),
        (
            "{partition_key: customer, type_attribute: total}",
            "DG109",
            "total",
            "stored as",
        ),
        (
            "{partition_key: customer, type_attribute: customer}",
            "DG109",
            "customer",
            "key",
        ),
        (
            "{partition_key: customer, key_encoding: raw, delimiter: '{'}",
            "DG138",
            "'{'",
            "cannot hold braces",
        ),
        (
            "{partition_key: customer, sort_key: [{name: x, type: string}, total]}",
            "DG129",
            "string",
            "whose type is its own",
        ),
        ("{partition_key: flags}", "DG123", "flags", "cannot be a key"),
    ],
)
def test_what_is_wrong_with_a_table(
    table: str, code: str, marked: str, says: str
) -> None:
    entity = ORDER.replace("}}}", "}, flags: boolean, x: string}}")
    text = with_keys(table, entity)
    problem = next(p for p in problems_of(text) if p.code == code)
    assert words(text, problem.primary) == marked
    assert says in problem.message


TWO = """\
dyngen: 1
service: things
tables:
  Things: {partition_key: PK, sort_key: when}
entities:
  First:
    attributes: {a: string, when: timestamp}
    keys: {PK: "A#{a}"}
  Second:
    attributes: {b: string, when: {type: timestamp, stored: epoch_seconds}}
    keys: {PK: "B#{b}"}
"""


def test_entities_that_store_a_key_differently() -> None:
    problem = problem_of(TWO)
    assert problem.code == "DG122"
    assert problem.message == "`when` is a string and a number"
    assert [label.text for label in problem.secondary] == [
        "a timestamp in First",
        "a timestamp in Second",
    ]


def test_an_attribute_stored_under_two_names() -> None:
    text = TWO.replace("stored: epoch_seconds", "name: WHEN")
    codes = [p.code for p in problems_of(text)]
    assert codes == ["DG121"]


def test_which_table() -> None:
    two = "  More: {partition_key: id}\n"
    text = with_keys("{partition_key: id}", "{attributes: {id: string}}").replace(
        "entities:", f"{two}entities:"
    )
    problem = problem_of(text)
    assert problem.code == "DG113"
    assert words(text, problem.primary) == "Thing"
    named_wrong = text.replace("{attributes:", "{table: Thigs, attributes:")
    assert problem_of(named_wrong).help == ("did you mean `Things`?",)


def test_a_table_without_entities() -> None:
    text = with_keys(
        "{partition_key: id}", "{table: Things, attributes: {id: string}}"
    ).replace("entities:", "  More: {partition_key: id}\nentities:")
    assert problem_of(text).message == "no entity is stored in `More`"


def projecting(count: int) -> str:
    names = ", ".join(f"a{n}" for n in range(count))
    return f"{{partition_key: status, projection: [{names}]}}"


def indexes(count: int, each: str) -> str:
    return ", ".join(f"I{n:02}: {each}" for n in range(count))


@pytest.mark.parametrize(
    ("count", "each", "says"),
    [
        (21, "{partition_key: status}", "21 global indexes"),
        (6, "{type: local, sort_key: status}", "6 local indexes"),
        (
            1,
            projecting(21),
            "projects 21",
        ),
        (
            6,
            projecting(18),
            "more than 100",
        ),
    ],
)
def test_limits(count: int, each: str, says: str) -> None:
    attributes = "".join(f", a{n}: string" for n in range(21))
    table = f"{{partition_key: id, sort_key: x, indexes: {{{indexes(count, each)}}}}}"
    text = with_keys(
        table, f"{{attributes: {{id: string, x: string, status: string{attributes}}}}}"
    )
    problem = problem_of(text)
    assert problem.code == "DG136"
    assert says in problem.message


def test_twenty_global_and_five_local_indexes_are_fine() -> None:
    table = (
        "{partition_key: id, sort_key: x, indexes: {"
        + indexes(20, "{partition_key: status}")
        + ", "
        + ", ".join(f"L{n}: {{type: local, sort_key: status}}" for n in range(5))
        + "}}"
    )
    schema_of(with_keys(table, "{attributes: {id: string, x: string, status: string}}"))


def test_a_composite_key_named_like_an_attribute() -> None:
    text = with_keys(
        "{partition_key: a, sort_key: [b, c]}",
        "{attributes: {a: string, b: string, c: string, d: {type: string, name: b#c}}}",
    )
    problem = problem_of(text)
    assert problem.code == "DG109"
    assert words(text, problem.primary) == "b, c"
