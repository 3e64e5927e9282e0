"""Conditions against entities: typed constants, named parameters, and what is refused."""

import datetime as dt
from decimal import Decimal

import pytest
from dyngen.design.conditions import Role, resolve_where
from dyngen.design.model import (
    AnyOf,
    ClockNow,
    Condition,
    Const,
    Entity,
    ItemAttribute,
    Not,
    Operand,
    Param,
    Schema,
)
from dyngen.design.model import (
    Test as Comparison,
)
from dyngen.design.parameters import merge_params
from dyngen.diagnostics.model import Diagnostic
from dyngen.source.yaml_reader import read
from dyngen.spec.conditions import read_where
from dyngen.spec.model import Operator
from dyngen.spec.nodes import Reading
from dyngen.types.model import String

from .inline_schema import schema_of, words

SPEC = """\
dyngen: 1
service: things
types:
  State: [CLOSED, OPEN]
tables:
  Things: {partition_key: PK, sort_key: SK}
entities:
  Thing:
    attributes:
      owner: string
      code: {type: string, fold: upper, max_length: 4}
      n: {type: integer, min: 1, max: 99}
      price: {type: decimal, digits: 6, places: 2}
      state: State
      rank: [LOW, HIGH]
      open: boolean
      at: timestamp
      day: {type: date, optional: true}
      raw: binary
      item: ulid
      tags: {type: set, of: string}
      notes: {type: list, of: string}
      counts: {type: map, of: integer}
      address: {type: object, attributes: {city: {type: string, name: town}}}
      doc: json
    keys: {PK: "T#{owner}", SK: "{n}"}
  Other:
    attributes: {owner: string, n: {type: integer, min: 1, max: 5}, only: string}
    keys: {PK: "O#{owner}", SK: "{n}"}
"""


@pytest.fixture(scope="module")
def schema() -> Schema:
    return schema_of(SPEC)


class Resolved:
    """What a `where` resolves to."""

    def __init__(
        self, text: str, schema: Schema, role: Role = Role.WHERE, *names: str
    ) -> None:
        self.text = text
        root, problems = read(text, "spec.yaml")
        assert root is not None, problems
        reading = Reading(frozenset(("Thing", "Other")))
        where = read_where(reading, root, transaction=True)
        assert not reading.found
        together = tuple(schema.entity(name) for name in names)
        entity = together[0] if together else schema.entity("Thing")
        self.conditions, self.params, self.problems = resolve_where(
            where,
            entity,
            role=role,
            together=together,
            items={"other": schema.entity("Other")},
        )

    def one(self) -> Condition:
        assert not self.problems
        (condition,) = self.conditions
        return condition

    def problem(self) -> Diagnostic:
        (problem,) = self.problems
        return problem


def operand(of: Operand) -> object:
    match of:
        case Param(name=name):
            return f"<{name}>"
        case Const(value=value):
            return value
        case ClockNow():
            return "now"
        case ItemAttribute(item=item, attribute=attribute):
            return f"{item}.{attribute}"


@pytest.mark.parametrize(
    ("written", "operator", "operands"),
    [
        ("owner: eq", "eq", ["<owner>"]),
        ("n: between", "between", ["<n_from>", "<n_to>"]),
        ("n: gte", "gte", ["<n_from>"]),
        ("n: lte", "lte", ["<n_to>"]),
        ("n: gt", "gt", ["<n_after>"]),
        ("n: lt", "lt", ["<n_before>"]),
        ("owner: begins_with", "begins_with", ["<owner_prefix>"]),
        ("state: in", "in", ["<state_in>"]),
        ("state: {in: {param: states}}", "in", ["<states>"]),
        ("n: {gte: {param: since}}", "gte", ["<since>"]),
        ("state: OPEN", "eq", ["OPEN"]),
        ("state: {in: [OPEN, CLOSED]}", "in", ["OPEN", "CLOSED"]),
        ("state: {lt: OPEN}", "lt", ["OPEN"]),
        ("open: true", "eq", [True]),
        ("n: 5", "eq", [5]),
        ("price: 5", "eq", [Decimal("5.00")]),
        ('owner: {eq: "now"}', "eq", ["now"]),
        ("code: {eq: ab}", "eq", ["AB"]),
        (
            'at: {gte: "2026-07-01T02:00:00.123456+02:00"}',
            "gte",
            [dt.datetime(2026, 7, 1, 0, 0, 0, 123000, tzinfo=dt.UTC)],
        ),
        ("day: {eq: 2026-02-28}", "eq", [dt.date(2026, 2, 28)]),
        ("at: {lt: now}", "lt", ["now"]),
        ("day: absent", "absent", []),
        (
            "item: {eq: 01arz3ndektsv4rrffq69g5fav}",
            "eq",
            ["01ARZ3NDEKTSV4RRFFQ69G5FAV"],
        ),
        ("owner: other.owner", "eq", ["other.owner"]),
    ],
)
def test_a_condition(
    schema: Schema, written: str, operator: str, operands: list[object]
) -> None:
    test = Resolved(written, schema).one()
    assert isinstance(test, Comparison)
    assert test.attribute == written.partition(":")[0]
    assert test.operator is Operator(operator)
    assert [operand(o) for o in test.operands] == operands


def test_parameters_know_their_attribute(schema: Schema) -> None:
    found = Resolved("state: in\nn: {gte: {param: since}}", schema)
    states, since = found.params
    assert (states.many, states.attribute, states.renamed) == (True, "state", False)
    assert (since.many, since.attribute, since.renamed) == (False, "n", True)


@pytest.mark.parametrize(
    ("written", "path", "operands"),
    [
        ("address.city: eq", ("town",), ["<address_town>"]),
        ("counts.a: {lt: 3}", ("a",), [3]),
        ('"counts.{key}": {lt: 3}', ("{key}",), [3]),
        ("doc.a.b: {eq: x}", ("a", "b"), ["x"]),
        ("tags: {contains: {param: tag}}", (), ["<tag>"]),
        ("tags: contains", (), ["<tags>"]),
        ("notes: {size: {lt: 10}}", (), [10]),
        ("owner: {ne: x}", (), ["x"]),
        ("people: 1", (), None),
    ],
)
def test_guards(
    schema: Schema, written: str, path: tuple[str, ...], operands: list[object] | None
) -> None:
    found = Resolved(written, schema, Role.GUARD)
    if operands is None:
        assert found.problem().code == "DG111"
        return
    test = found.one()
    assert isinstance(test, Comparison)
    assert test.path == path
    assert [operand(o) for o in test.operands] == operands


def test_a_path_with_a_parameter_takes_it(schema: Schema) -> None:
    found = Resolved('"counts.{key}": {lt: {param: most}}', schema, Role.GUARD)
    assert [p.name for p in found.params] == ["key", "most"]


def test_not_and_any(schema: Schema) -> None:
    negated = Resolved("not: {tags: {contains: a}}", schema, Role.GUARD).one()
    assert isinstance(negated, Not)
    either = Resolved("any: [{n: 1}, {open: true}]", schema, Role.FILTER).one()
    assert isinstance(either, AnyOf)
    assert len(either.of) == 2


@pytest.mark.parametrize(
    ("written", "code", "marked", "says"),
    [
        ("ownr: eq", "DG111", "ownr", "no attribute `ownr`"),
        ("open: gt", "DG140", "gt", "`gt` does not work on a boolean"),
        ("n: begins_with", "DG140", "begins_with", "does not work on an integer"),
        ("at: begins_with", "DG140", "begins_with", "does not work on a timestamp"),
        ("tags: eq", "DG140", "eq", "does not work on a set"),
        ("owner: ne", "DG141", "ne", "cannot stand in `where`"),
        ("address.city: eq", "DG141", "address.city", "lies inside an attribute"),
        ("any: [{n: 1}]", "DG141", "any: [{n: 1}]", "cannot stand in `where`"),
        ("state: OPN", "DG142", "OPN", "`OPN` is no value of State"),
        ("n: 100", "DG142", "100", "100 is more than the greatest value, 99"),
        ("n: true", "DG142", "true", "`true` is no integer"),
        ("price: {eq: 0.001}", "DG142", "0.001", "more than 2 decimal places"),
        ("day: {eq: 2026-02-30}", "DG142", "2026-02-30", "is no date"),
        ("at: {eq: 2026-07-01}", "DG142", "2026-07-01", "is no timestamp"),
        ("owner: {eq: 5}", "DG142", "5", "`5` is no text"),
        ("code: {eq: abcde}", "DG142", "abcde", "longer than 4"),
        ("raw: {eq: abc}", "DG142", "abc", "cannot be written"),
        ("n: {between: [5, 1]}", "DG142", "between: [5, 1]", "nothing lies between"),
        ("owner: someone", "DG143", "someone", "`someone` is no operator"),
        ("owner: beetween", "DG143", "beetween", "`beetween` is no operator"),
        ("n: beetween", "DG143", "beetween", "is no operator"),
        ("n: {lt: now}", "DG148", "now", "`now` is the clock's time"),
        ("rank: gt", "DG149", "gt", "not declared in the order"),
        ("owner: othr.owner", "DG146", "othr.owner", "no item `othr`"),
        ("owner: other.ownr", "DG111", "other.ownr", "no attribute `ownr`"),
        ("owner: other.n", "DG146", "other.n", "is an integer"),
    ],
)
def test_what_is_refused(
    schema: Schema, written: str, code: str, marked: str, says: str
) -> None:
    problem = Resolved(written, schema).problem()
    assert problem.code == code
    assert words(written, problem.primary) == marked
    assert says in problem.message


@pytest.mark.parametrize(
    ("written", "help"),
    [
        ("state: opened", "did you mean `OPEN`?"),
        ("owner: beetween", "did you mean `between`?"),
        ("owner: someone", 'for that value write `{eq: "someone"}`'),
        ("rank: gt", "`values: {LOW: 1_LOW, HIGH: 2_HIGH}`"),
    ],
)
def test_remedies(schema: Schema, written: str, help: str) -> None:
    assert help in " ".join(Resolved(written, schema).problem().help)


def test_a_path_that_leads_nowhere(schema: Schema) -> None:
    found = Resolved("address.cty: eq", schema, Role.GUARD).problem()
    assert (found.code, found.help) == ("DG150", ("did you mean `city`?",))
    assert Resolved("owner.x: eq", schema, Role.GUARD).problem().code == "DG150"


# --- several entities --------------------------------------------------------------------------------


def test_a_bare_name_stands_for_every_entity_that_has_it(schema: Schema) -> None:
    for names in (("Thing", "Other"), ("Other", "Thing")):
        found = Resolved("owner: eq\nOther.only: eq", schema, Role.WHERE, *names)
        assert not found.problems
        tested = [c.attribute for c in found.conditions if isinstance(c, Comparison)]
        assert tested == (["owner"] if names[0] == "Thing" else ["owner", "only"])


def test_a_bare_name_of_different_types(schema: Schema) -> None:
    problem = Resolved("n: eq", schema, Role.WHERE, "Thing", "Other").problem()
    assert problem.code == "DG145"
    assert len(problem.secondary) == 2


def test_what_no_entity_has_is_reported_by_the_first(schema: Schema) -> None:
    problem = Resolved("onli: eq", schema, Role.WHERE, "Thing", "Other").problem()
    assert problem.message == "neither `Thing` nor `Other` has an attribute `onli`"
    assert problem.help == ("did you mean `only`?",)


def test_an_entity_that_is_not_read(schema: Schema) -> None:
    problem = Resolved("Other.only: eq", schema, Role.WHERE, "Thing").problem()
    assert problem.code == "DG112"


# --- parameters ------------------------------------------------------------------------------------


def param(entity: Entity, name: str, attribute: str, renamed: bool = False) -> Param:
    of = entity.attribute(attribute)
    return Param(name, of.type, of.span, attribute=attribute, renamed=renamed)


def test_one_name_is_one_parameter(schema: Schema) -> None:
    entity = schema.entity("Thing")
    owner = param(entity, "owner", "owner")
    assert merge_params([owner, owner]) == ((owner,), [])
    merged, problems = merge_params([owner, param(entity, "owner", "code", True)])
    assert (merged, problems) == ((owner,), [])


def test_a_key_in_a_map_is_any_text(schema: Schema) -> None:
    entity = schema.entity("Thing")
    key = Param(
        "key", String(min_length=1), entity.span, attribute="counts", map_key=True
    )
    state = param(entity, "key", "state", True)
    assert merge_params([key, state]) == ((state,), [])
    assert merge_params([state, key]) == ((state,), [])
    _, (problem,) = merge_params([key, param(entity, "key", "n", True)])
    assert problem.code == "DG144"


def test_parameters_that_clash(schema: Schema) -> None:
    entity = schema.entity("Thing")
    owner = param(entity, "x", "owner", True)
    _, (problem,) = merge_params([owner, param(entity, "x", "n", True)])
    assert problem.code == "DG144"
    assert problem.primary.text == "an integer for `n`"
    _, (by_chance,) = merge_params(
        [param(entity, "x", "owner"), param(entity, "x", "code")]
    )
    assert by_chance.code == "DG144"
