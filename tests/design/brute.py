"""Small random designs, and what is read and what matches decided item by item.

Nothing here uses the planner: membership in an index, key conditions and predicates are evaluated
from their definitions, so that agreement means something.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from dyngen.design.contents import KeyPart, Variant, variants
from dyngen.design.model import (
    Attribute,
    Case,
    Computed,
    Const,
    Entity,
    Index,
    KeyAttribute,
    KeyForm,
    KeySchema,
    Natural,
    Param,
    Schema,
    Table,
    Test,
)
from dyngen.design.plans import KeyEquals, KeyRange, NativeValue, Route
from dyngen.diagnostics.model import Span
from dyngen.keys.model import (
    Each,
    Encoding,
    Fixed,
    Given,
    Literal,
    Missing,
    Part,
    Piece,
    RangeForm,
    Source,
    Template,
)
from dyngen.keys.ranges import evaluate
from dyngen.keys.template import check, encode
from dyngen.spec.model import Operator
from dyngen.types.model import (
    Boolean,
    Enum,
    Integer,
    Member,
    String,
    ValueType,
    key_type,
)

HERE = Span("t", 1, 1, 1, 2)
LETTERS = Enum("Letters", (Member("A", "A"), Member("AB", "AB"), Member("C", "C")))
TYPES: dict[str, ValueType] = {
    "text": String(max_length=8),
    "kind": LETTERS,
    "number": Integer(-1, 2),
    "flag": Boolean(),
    "maybe": Enum("Maybe", (Member("X", "X"), Member("Y", "Y"))),
}
DOMAIN: dict[str, tuple[Any, ...]] = {
    "text": ("p", "p#", "p1", "q"),
    "kind": ("A", "AB", "C"),
    "number": (-1, 0, 1, 2),
    "flag": (False, True),
    "maybe": (None, "X", "Y"),
}
Item = dict[str, Any]


def items() -> list[Item]:
    """Every item there can be."""
    return [
        dict(zip(DOMAIN, values, strict=True)) for values in product(*DOMAIN.values())
    ]


# --- random designs -------------------------------------------------------------------------------


def design(rng: random.Random) -> Schema:
    """One entity with a plain table key and one random index."""
    attributes = tuple(
        Attribute(name, name, of, HERE, optional=name == "maybe")
        for name, of in TYPES.items()
    )
    keys: dict[str, KeyForm] = {"id": Natural("text", HERE)}
    width = rng.choice([1, 1, 1, 2])
    partition = [_key(rng, f"pk{n}", keys) for n in range(width)]
    sort = [_key(rng, f"sk{n}", keys) for n in range(rng.choice([0, 1, 1, 1, 2, 3]))]
    names = [k.name for k in (*partition, *sort)]
    if len(set(names)) < len(names):
        return design(rng)
    index = Index("I", KeySchema(tuple(partition), tuple(sort)), HERE)
    table = Table("T", KeySchema((KeyAttribute("id", "S"),), ()), (index,), HERE)
    entity = Entity("E", "T", attributes, keys, HERE)
    return Schema("s", (table,), (entity,))


def _key(rng: random.Random, name: str, keys: dict[str, KeyForm]) -> KeyAttribute:
    if rng.random() < 0.4:
        attribute = rng.choice(["text", "kind", "number", "maybe"])
        keys[attribute] = Natural(attribute, HERE)
        return KeyAttribute(attribute, key_type(TYPES[attribute]) or "S")
    if rng.random() < 0.25:
        cases = tuple(
            Case(_template(rng), (_constant_test("kind", group),), HERE)
            for group in (("A",), ("AB", "C"))
        )
    else:
        when = (_when(rng),) if rng.random() < 0.4 else ()
        cases = (Case(_template(rng), when, HERE),)
    keys[name] = Computed(cases, HERE)
    return KeyAttribute(name, "S")


def _template(rng: random.Random) -> Template:
    while True:
        pieces: list[Piece] = []
        if rng.random() < 0.6:
            pieces.append(Literal(rng.choice(["P#", "R#", "v"])))
        for position in range(rng.choice([0, 1, 1, 2, 3])):
            if position:
                pieces.append(Literal(rng.choice(["#", "#", "#", "#Z#", "/"])))
            name = rng.choice(list(TYPES))
            pieces.append(
                Part(
                    name,
                    TYPES[name],
                    desc=name == "number" and rng.random() < 0.4,
                    placeholder=(
                        "none" if name == "maybe" and rng.random() < 0.5 else None
                    ),
                )
            )
        template = Template(tuple(pieces))
        if pieces and not check(template):
            return template


def _when(rng: random.Random) -> Test:
    choice = rng.choice(["kind", "kinds", "flag", "present", "absent", "number"])
    match choice:
        case "kind":
            return _constant_test("kind", (rng.choice(DOMAIN["kind"]),))
        case "kinds":
            return _constant_test("kind", tuple(rng.sample(DOMAIN["kind"], 2)))
        case "flag":
            return _constant_test("flag", (rng.choice([False, True]),))
        case "number":
            bound = Const(rng.choice(DOMAIN["number"]), HERE)
            return Test("number", Operator.GTE, (bound,), HERE)
        case _:
            return Test("maybe", Operator(choice), (), HERE)


def _constant_test(name: str, values: tuple[Any, ...]) -> Test:
    operands = tuple(Const(v, HERE) for v in values)
    operator = Operator.EQ if len(values) == 1 else Operator.IN
    return Test(name, operator, operands, HERE)


def question(rng: random.Random, schema: Schema) -> tuple[Test, ...]:
    """Random conditions, most of them near to what the index can answer.

    Parameters are named after the attribute and the operand's place.
    """
    if rng.random() < 0.3:
        names = rng.sample(list(TYPES), rng.choice([1, 2, 2, 3, 3, 4]))
        return tuple(_test(rng, name, rng.choice(_operators(name))) for name in names)
    entity, index = schema.entities[0], schema.tables[0].indexes[0]
    own = rng.choice(variants(entity, schema.tables[0], index) or (None,))
    if own is None:
        return (_test(rng, "text", Operator.EQ),)
    fixed = dict.fromkeys(n for part in own.partition for n in _names(part))
    sort = [n for part in own.sort for n in _names(part) if n not in fixed]
    depth = rng.randrange(len(sort) + 1)
    tests = {name: _test(rng, name, Operator.EQ) for name in [*fixed, *sort[:depth]]}
    if sort[depth:] and rng.random() < 0.6:
        name = sort[depth]
        tests[name] = _test(rng, name, rng.choice(_operators(name)))
    for key in own.keys:
        form = entity.keys[key.key.name]
        for case in form.cases if isinstance(form, Computed) else ():
            if case.template == key.template and rng.random() < 0.9:
                tests.update({test.attribute: test for test in case.when})
    if rng.random() < 0.8 and "maybe" in {*fixed, *sort}:
        tests.setdefault("maybe", Test("maybe", Operator.PRESENT, (), HERE))
    return tuple(tests.values())


def _names(part: KeyPart) -> list[str]:
    if part.attribute is not None:
        return [part.attribute]
    return [p.attribute for p in part.value_parts if isinstance(p, Part)]


def _operators(name: str) -> list[Operator]:
    choices = [Operator.EQ] * 5 + [Operator.IN, Operator.PRESENT]
    if name in {"text", "number"}:
        choices += [
            Operator.BETWEEN,
            Operator.GTE,
            Operator.GT,
            Operator.LTE,
            Operator.LT,
        ]
    if name == "text":
        choices.append(Operator.BEGINS_WITH)
    if name == "maybe":
        choices += [Operator.PRESENT, Operator.ABSENT]
    return choices


def _test(rng: random.Random, name: str, operator: Operator) -> Test:
    values = [v for v in DOMAIN[name] if v is not None]
    if operator in (Operator.PRESENT, Operator.ABSENT):
        return Test(name, operator, (), HERE)
    if operator is Operator.IN:
        chosen = tuple(Const(v, HERE) for v in rng.sample(values, 2))
        return Test(name, operator, chosen, HERE)
    count = 2 if operator is Operator.BETWEEN else 1
    operands = tuple(
        (
            Const(rng.choice(values), HERE)
            if rng.random() < 0.35
            else Param(f"{name}_{n}", TYPES[name], HERE, attribute=name)
        )
        for n in range(count)
    )
    return Test(name, operator, operands, HERE)


def parameters(rng: random.Random, tests: tuple[Test, ...]) -> dict[str, Any]:
    """Random values for the parameters of `tests`."""
    return {
        operand.name: rng.choice([v for v in DOMAIN[test.attribute] if v is not None])
        for test in tests
        for operand in test.operands
        if isinstance(operand, Param)
    }


# --- what matches ---------------------------------------------------------------------------------


def matches(item: Item, tests: tuple[Test, ...], given: Mapping[str, Any]) -> bool:
    """Whether the item satisfies every test."""
    return all(holds(item[t.attribute], t, given) for t in tests)


def holds(value: Any, test: Test, given: Mapping[str, Any]) -> bool:
    """One test on one value, by its definition."""
    if test.operator is Operator.ABSENT:
        return value is None
    if value is None:
        return False
    operands = [
        given[o.name] if isinstance(o, Param) else o.value
        for o in test.operands
        if isinstance(o, Param | Const)
    ]
    match test.operator:
        case Operator.PRESENT:
            return True
        case Operator.EQ:
            return bool(value == operands[0])
        case Operator.IN:
            return value in operands
        case Operator.BETWEEN:
            return bool(operands[0] <= value <= operands[1])
        case Operator.GTE:
            return bool(value >= operands[0])
        case Operator.GT:
            return bool(value > operands[0])
        case Operator.LTE:
            return bool(value <= operands[0])
        case Operator.LT:
            return bool(value < operands[0])
        case Operator.BEGINS_WITH:
            return str(value).startswith(operands[0])
    raise AssertionError(test.operator)


# --- what is read ---------------------------------------------------------------------------------


def key_values(item: Item, entity: Entity, schema: KeySchema) -> dict[str, Any] | None:
    """The item's key attributes in an index; None if it is not in it."""
    found = {}
    for key in schema.all:
        form = entity.keys[key.name]
        value: Any
        if isinstance(form, Natural):
            value = item[form.attribute]
        else:
            value = None
            for case in form.cases:
                if all(holds(item[t.attribute], t, {}) for t in case.when):
                    value = encode(case.template, item)
        if value is None:
            return None
        found[key.name] = value
    return found


def read(
    route: Route, variant: Variant, given: Mapping[str, Any], stored: list[Item]
) -> list[Item]:
    """The items that DynamoDB would read for the route, in order, one stream after another."""
    assert variant.index is not None
    schema = variant.index.key
    inside = [
        (keys, item)
        for item in stored
        if (keys := key_values(item, variant.entity, schema)) is not None
    ]
    found: list[Item] = []
    for each in _streams(route, given):
        values = {**given, **each}
        chosen = [
            (keys, item)
            for keys, item in inside
            if all(keys[e.attribute] == _value(e, values) for e in route.equals)
            and _in_range(route.range, keys, values)
        ]
        chosen.sort(key=lambda pair: [pair[0][k.name] for k in schema.sort])
        if not route.forward:
            chosen.reverse()
        found += [item for _, item in chosen]
    return found


def _streams(route: Route, given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    choices = [
        dict.fromkeys(given[f.parameter] if f.parameter else f.values)
        for f in route.fan_outs
    ]
    for values in product(*choices):
        yield {f.variable: v for f, v in zip(route.fan_outs, values, strict=True)}


def _value(condition: KeyEquals, values: Mapping[str, Any]) -> Any:
    return _key_value(condition.value, values)


def _key_value(value: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(value, NativeValue):
        return _source(value.source, values)
    return evaluate(value.text, Encoding(), values)


def _source(source: Source, values: Mapping[str, Any]) -> Any:
    match source:
        case Given(parameter=name) | Each(variable=name):
            return values[name]
        case Fixed(value=value):
            return value
        case Missing():
            return None
    raise AssertionError(source)


def _in_range(
    condition: KeyRange | None, keys: Mapping[str, Any], values: Mapping[str, Any]
) -> bool:
    if condition is None:
        return True
    key = keys[condition.attribute]
    low = None if condition.low is None else _key_value(condition.low, values)
    high = None if condition.high is None else _key_value(condition.high, values)
    match condition.form:
        case RangeForm.EQUALS:
            return bool(key == low)
        case RangeForm.BEGINS_WITH:
            return str(key).startswith(str(low))
        case RangeForm.BETWEEN:
            above = key > low if condition.low_exclusive else key >= low
            below = key < high if condition.high_exclusive else key <= high
            return bool(above and below)
        case RangeForm.AT_LEAST:
            return bool(key >= low)
        case RangeForm.AT_MOST:
            return bool(key <= high)
        case RangeForm.ABOVE:
            return bool(key > low)
        case RangeForm.BELOW:
            return bool(key < high)
    raise AssertionError(condition.form)
