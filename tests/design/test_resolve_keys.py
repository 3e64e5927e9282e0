"""Computed keys: templates, cases, shards, and what an entity says of itself."""

import pytest
from dyngen.design.model import Computed, Const, Natural
from dyngen.diagnostics.model import Severity
from dyngen.keys.model import Literal, Part, Shard
from dyngen.spec.model import Operator
from dyngen.types.model import String

from .inline_schema import (
    entity_of,
    problem_of,
    problems_of,
    with_keys,
    words,
)

TABLE = (
    "{partition_key: PK, sort_key: SK, indexes: {"
    "Queue: {partition_key: queue, sort_key: number}}}"
)
ATTRIBUTES = (
    "attributes: {owner: string, number: {type: integer, min: 1, max: 999}, "
    "state: [OPEN, CLOSED], open: boolean, at: timestamp, "
    "note: {type: string, optional: true}}"
)
KEYS = 'PK: "O#{owner}", SK: "{number}"'


def thing(keys: str = "", rest: str = "", *, table: str = TABLE, top: str = "") -> str:
    """A spec whose entity has the table's key, and these."""
    more = f", {keys}" if keys else ""
    return with_keys(table, f"{{{ATTRIBUTES}, keys: {{{KEYS}{more}}}{rest}}}", top=top)


def test_forms() -> None:
    entity = entity_of(thing('queue: "Q#{state}#{note|none}"'))
    assert entity.keys["number"] == Natural("number", entity.attribute("number").span)
    queue = entity.keys["queue"]
    assert isinstance(queue, Computed)
    (case,) = queue.cases
    assert case.when == ()
    literal, state, between, note = case.template.pieces
    assert (literal, between) == (Literal("Q#"), Literal("#"))
    assert isinstance(state, Part)
    assert isinstance(note, Part)
    assert (note.attribute, note.placeholder, note.type) == ("note", "none", String())


def test_cases_with_conditions() -> None:
    entity = entity_of(
        thing(
            "queue: [{value: O, when: {state: OPEN, note: present}}, "
            "{value: C, when: {state: CLOSED}}]"
        )
    )
    queue = entity.keys["queue"]
    assert isinstance(queue, Computed)
    state, note = queue.cases[0].when
    assert (state.attribute, state.operator) == ("state", Operator.EQ)
    assert [o.value for o in state.operands if isinstance(o, Const)] == ["OPEN"]
    assert (note.attribute, note.operator) == ("note", Operator.PRESENT)


@pytest.mark.parametrize(
    "whens",
    [
        ("{state: OPEN}", "{state: CLOSED}"),
        ("{open: true}", "{open: false}"),
        ("{note: present}", "{note: absent}"),
        ("{number: {lt: 10}}", "{number: {gte: 10}}"),
        ("{number: {in: [1, 2]}}", "{number: {between: [3, 5]}}"),
        ('{owner: {begins_with: "a"}}', '{owner: {eq: "b"}}'),
        ("{state: OPEN, open: true}", "{state: OPEN, open: false}"),
    ],
)
def test_cases_that_exclude_one_another(whens: tuple[str, str]) -> None:
    first, second = whens
    entity_of(
        thing(f"queue: [{{value: A, when: {first}}}, {{value: B, when: {second}}}]")
    )


@pytest.mark.parametrize(
    "whens",
    [
        ("{state: OPEN}", "{open: true}"),
        ("{state: {in: [OPEN, CLOSED]}}", "{state: CLOSED}"),
        ("{number: {lte: 10}}", "{number: {gte: 10}}"),
        ('{owner: {begins_with: "a"}}', '{owner: {eq: "ab"}}'),
    ],
)
def test_cases_that_can_both_hold(whens: tuple[str, str]) -> None:
    first, second = whens
    text = thing(
        f"queue: [{{value: AA, when: {first}}}, {{value: BB, when: {second}}}]"
    )
    problem = problem_of(text)
    assert problem.code == "DG126"
    assert words(text, problem.primary) == "BB"
    assert [words(text, label) for label in problem.secondary] == ["AA"]


def test_shards() -> None:
    entity = entity_of(
        thing('queue: {value: "Q#{shard}", shards: {count: 10, by: [owner, number]}}')
    )
    queue = entity.keys["queue"]
    assert isinstance(queue, Computed)
    shard = queue.cases[0].template.pieces[1]
    assert isinstance(shard, Shard)
    assert shard.count == 10
    assert [part.attribute for part in shard.by] == ["owner", "number"]


@pytest.mark.parametrize(
    ("keys", "code", "marked", "says"),
    [
        ('queue: "Q#{stat}"', "DG111", "stat", "no attribute `stat`"),
        ('queue: "Q#{state"', "DG170", "{state", "not closed"),
        ('queue: "Q$1"', "DG170", "$1", "must not hold"),
        ('queue: "{at:desc|none}"', "DG173", "at", "never missing"),
        ('queue: "{owner:desc}"', "DG172", "owner", "cannot be inverted"),
        ('queue: "{owner}/{number}"', "DG172", "owner", "does not say where it ends"),
        ('queue: "Q#{shard}"', "DG171", "shard", "how many shards"),
        (
            "queue: {value: Queue, shards: {count: 3, by: owner}}",
            "DG171",
            "Queue",
            "where the shard number goes",
        ),
        (
            'queue: {value: "{shard}", shards: {count: 3, by: ownr}}',
            "DG111",
            "ownr",
            "no attribute `ownr`",
        ),
        (
            "queue: {value: Q, when: {state: OPEN, owner: eq}}",
            "DG147",
            "eq",
            "constants",
        ),
        ("queue: {value: Q, when: {state: OPN}}", "DG142", "OPN", "no value of"),
        (
            "queue: {value: Q, when: {stat: OPEN}}",
            "DG111",
            "stat",
            "no attribute `stat`",
        ),
        (
            "queue: {value: Q, when: {number: {gt: 5, lt: 3}}}",
            "DG127",
            "{number: {gt: 5, lt: 3}}",
            "never holds",
        ),
        (
            "queue: {value: Q, when: {not: {state: OPEN}}}",
            "DG141",
            "not: {state: OPEN}",
            "cannot stand in `when`",
        ),
        ('queu: "Q"', "DG125", "queu", "no key of `Things` is called `queu`"),
        (
            'number: "{state}"',
            "DG109",
            "number",
            "both a computed key and an attribute",
        ),
    ],
)
def test_what_is_wrong_with_a_key(keys: str, code: str, marked: str, says: str) -> None:
    table = TABLE.replace(
        "partition_key: queue", "partition_key: {name: queue, type: string}"
    )
    text = thing(keys, table=table)
    problem = problem_of(text)
    assert problem.code == code
    assert words(text, problem.primary) == marked
    assert says in problem.message


def test_two_entities_of_which_one_lacks_the_other_key_attribute() -> None:
    text = with_keys(
        "{partition_key: PK, indexes: {I: {partition_key: IPK, sort_key: ISK}}}",
        '{attributes: {a: string}, keys: {PK: "A#{a}", IPK: "A", ISK: "{a}"}}',
        more='  Other: {attributes: {b: string}, keys: {PK: "B#{b}", IPK: "B"}}\n',
    )
    problem = problem_of(text)
    assert problem.code == "DG128"
    assert problem.message == (
        "Other computes `IPK`, but has no `ISK`, so it is in no index"
    )


# --- the table's key -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ('SK: "{note}"', "`note` is optional, but the table's key `SK` needs it"),
        ("SK: {value: A, when: {state: OPEN}}", "might have no `SK`"),
        ('SK: "{at:%Y-%m}"', "keeps only `%Y-%m` of `at`"),
    ],
)
def test_every_item_needs_the_table_key(key: str, says: str) -> None:
    text = with_keys(
        "{partition_key: PK, sort_key: SK}",
        f'{{{ATTRIBUTES}, keys: {{PK: "O#{{owner}}", {key}}}}}',
    )
    assert says in problem_of(text).message


def test_cases_of_the_table_key_that_cover_everything() -> None:
    entity = entity_of(
        with_keys(
            "{partition_key: PK, sort_key: SK}",
            f'{{{ATTRIBUTES}, keys: {{PK: "O#{{owner}}", SK: ['
            '{value: "1#{number}", when: {state: OPEN}}, '
            '{value: "2#{number}", when: {state: CLOSED}}]}}',
        )
    )
    assert entity.id == ("owner", "number", "state")


def test_an_optional_attribute_with_a_placeholder() -> None:
    entity = entity_of(
        with_keys(
            "{partition_key: PK, sort_key: SK}",
            f'{{{ATTRIBUTES}, keys: {{PK: "O#{{owner}}", SK: "N#{{note|none}}"}}}}',
        )
    )
    assert entity.id == ("owner", "note")


def test_an_entity_without_the_table_key() -> None:
    text = with_keys(
        "{partition_key: PK, sort_key: SK}",
        f'{{{ATTRIBUTES}, keys: {{PK: "O#{{owner}}"}}}}',
        more='  Other: {attributes: {b: string}, keys: {PK: "B#{b}", SK: A}}\n',
    )
    problem = problem_of(text)
    assert problem.code == "DG124"
    assert words(text, problem.primary) == "Thing"
    assert [words(text, label) for label in problem.secondary] == ["SK"]


@pytest.mark.parametrize(
    ("owner", "severity"),
    [("max_length: 300", Severity.WARNING), ("min_length: 1100", Severity.ERROR)],
)
def test_keys_that_are_too_long(owner: str, severity: Severity) -> None:
    text = with_keys(
        "{partition_key: PK, sort_key: SK}",
        f"{{attributes: {{owner: {{type: string, {owner}}}}}, "
        'keys: {PK: A, SK: "S#{owner}"}}',
    )
    problem = problem_of(text)
    assert (problem.code, problem.severity) == ("DG174", severity)


# --- identity, uniqueness, operations, tenant ------------------------------------------------------


def test_the_id_is_what_the_key_is_made_of() -> None:
    assert entity_of(thing('queue: "Q"')).id == ("owner", "number")
    assert entity_of(thing('queue: "Q"', ", id: [number, owner]")).id == (
        "number",
        "owner",
    )


@pytest.mark.parametrize(
    ("rest", "code", "marked", "says"),
    [
        (", id: [owner]", "DG151", "owner", "holds `number`, which is not in the `id`"),
        (", id: [owner, number, at]", "DG151", "at", "does not hold `at`"),
        (", id: [owner, numbr]", "DG111", "numbr", "no attribute `numbr`"),
        (", unique: [[ownr]]", "DG111", "ownr", "no attribute `ownr`"),
        (", unique: [{owner: Lookup}]", "DG112", "Lookup", "no entity `Lookup`"),
        (
            ", unique: [[owner]], operations: [create, put]",
            "DG153",
            "put",
            "cannot keep the unique attributes",
        ),
        (", operations: [creat]", "DG153", "creat", "no operation"),
    ],
)
def test_what_an_entity_says_of_itself(
    rest: str, code: str, marked: str, says: str
) -> None:
    text = thing('queue: "Q"', rest)
    problem = problem_of(text)
    assert problem.code == code
    assert words(text, problem.primary) == marked
    assert says in problem.message


def test_unique_takes_blind_writes_out_of_the_operations() -> None:
    entity = entity_of(thing('queue: "Q"', ", unique: [[owner, note], [at]]"))
    assert [key.attributes for key in entity.unique] == [("owner", "note"), ("at",)]
    assert entity.operations == {"get", "create", "update", "delete", "batch_get"}


@pytest.mark.parametrize(
    ("table", "attributes", "says"),
    [
        ("{partition_key: n}", "n: integer, email: string", "markers of unique"),
        (
            "{partition_key: id, ttl: gone}",
            "id: string, email: string, gone: {type: timestamp, stored: epoch_seconds}",
            "items that expire",
        ),
        ("{partition_key: id}", "id: string, email: json", "which no key can hold"),
    ],
)
def test_where_unique_markers_cannot_live(
    table: str, attributes: str, says: str
) -> None:
    problem = problem_of(
        with_keys(table, f"{{attributes: {{{attributes}}}, unique: [[email]]}}")
    )
    assert problem.code == "DG152"
    assert says in problem.message


def test_the_tenant_is_in_every_partition_key() -> None:
    top = "tenant: owner\n"
    entity_of(thing('queue: "Q#{owner}"', top=top))
    text = thing('queue: "Q#{state}"', top=top)
    problem = problem_of(text)
    assert problem.code == "DG160"
    assert problem.message == (
        "the partition key of index `Queue` does not hold the tenant of Thing"
    )
    lacking = problem_of(thing('queue: "Q#{owner}"', top="tenant: tenant\n"))
    assert lacking.message == "Thing has no attribute `tenant`, the tenant"


# --- the whole spec ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("json", "standard library"),
        ("JSON", "standard library"),
        ("boto3", "generated code imports"),
        ("tests", "something else"),
        ("class", "a word of Python"),
        ("_private", "private"),
        ("../../x", "no Python identifier"),
        ("größe", "no Python identifier"),
        ("two words", "no Python identifier"),
    ],
)
def test_names_that_no_package_can_have(name: str, says: str) -> None:
    text = thing('queue: "Q"').replace("service: things", f'service: "{name}"')
    problem = problem_of(text)
    assert problem.code == "DG161"
    assert says in problem.primary.text


def test_names_in_sizes_and_rates() -> None:
    text = thing('queue: "Q"', top="sizes: {Thin: 400}\nrates: {things: 5}\n")
    assert [p.message for p in problems_of(text)] == [
        "there is no entity `Thin`",
        "there is no pattern or method `things`",
    ]


def test_all_problems_at_once_and_none_twice() -> None:
    text = """\
dyngen: 1
service: json
types:
  Money: {type: decimal, places: two}
tables:
  Orders:
    partition_key: customer_id
    sort_key: order_id
    indexes:
      ByTotal: {partition_key: total}
      ByState: {partition_key: stat}
entities:
  Order:
    attributes:
      customer_id: strng
      order_id: ulid
      total: Money
      price: Money
      state: [OPEN, CLOSED]
    keys:
      queue: "Q#{sate}"
access_patterns:
  orders: {query: Order, where: {customer_id: eq, state: OPN, sate: eq}, order_by: tota}
"""
    assert [(p.code, words(text, p.primary)) for p in problems_of(text)] == [
        ("DG161", "json"),
        ("DG103", "two"),
        ("DG120", "stat"),
        ("DG100", "strng"),
        ("DG125", "queue"),
        ("DG111", "sate"),
        ("DG142", "OPN"),
        ("DG111", "sate"),
        ("DG111", "tota"),
    ]


@pytest.mark.parametrize(
    ("keys", "marked", "meant"),
    [
        ('pk: "T#{n}", sk: X, queu: Q, rank: "{n}"', "queu", "queue"),
        ('pkk: "T#{n}", sk: X, queue: Q, rank: "{n}"', "pkk", "pk"),
    ],
)
def test_a_misspelt_key_is_reported_once(keys: str, marked: str, meant: str) -> None:
    text = f"""\
dyngen: 1
service: tasks
tables:
  Tasks:
    partition_key: pk
    sort_key: sk
    indexes: {{Queue: {{partition_key: queue, sort_key: rank}}}}
entities:
  Task: {{attributes: {{n: ulid}}, keys: {{{keys}}}}}
"""
    problem = problem_of(text)
    assert (problem.code, words(text, problem.primary)) == ("DG125", marked)
    assert problem.help == (f"did you mean `{meant}`?",)
    assert [words(text, label) for label in problem.secondary] == [meant]
