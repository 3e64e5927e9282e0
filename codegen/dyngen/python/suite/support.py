"""The support module of a suite: tables, entities, sample items and random ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dyngen.design.contents import needed
from dyngen.design.model import (
    Case,
    Computed,
    Entity,
    Index,
    KeySchema,
    Natural,
    Projection,
    Schema,
    Table,
)
from dyngen.design.plans import EntityWrites
from dyngen.python import docs, names
from dyngen.python.entities import key_attributes
from dyngen.python.literals import docstring, strings, text
from dyngen.python.suite import samples
from dyngen.python.suite.model import KindSource
from dyngen.python.suite.oracle import Writer
from dyngen.python.suite.sources import plain, source
from dyngen.python.suite.specimens import base, clocked, given, stem
from dyngen.python.suite.uniques import unique_source
from dyngen.runtime import scalars
from dyngen.types import model as types
from dyngen.types.model import ValueType

_FAR = 10**6
_LONGEST_TEXT = 12
_INDENT = 4


# --- tables ---------------------------------------------------------------------------------------


def table_arguments(table: Table) -> dict[str, Any]:
    """The arguments of CreateTable. Billing is on demand, whatever the service pays for."""
    keys = [table.key, *(index.key for index in table.indexes)]
    kinds = {each.name: each.type for key in keys for each in key.all}
    arguments: dict[str, Any] = {
        "TableName": table.name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in kinds.items()
        ],
        "KeySchema": _key_schema(table.key),
    }
    for group, local in (
        ("LocalSecondaryIndexes", True),
        ("GlobalSecondaryIndexes", False),
    ):
        indexes = [_index(index) for index in table.indexes if index.local is local]
        if indexes:
            arguments[group] = indexes
    return arguments


def _key_schema(key: KeySchema) -> list[dict[str, str]]:
    return [
        *({"AttributeName": each.name, "KeyType": "HASH"} for each in key.partition),
        *({"AttributeName": each.name, "KeyType": "RANGE"} for each in key.sort),
    ]


def _index(index: Index) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": index.projection.value.upper()}
    if index.projection is Projection.INCLUDE:
        projection["NonKeyAttributes"] = list(index.included)
    return {
        "IndexName": index.name,
        "KeySchema": _key_schema(index.key),
        "Projection": projection,
    }


# --- entities -------------------------------------------------------------------------------------


def kind_source(schema: Schema, entity: Entity, writes: EntityWrites) -> KindSource:
    """One entity in the support module."""
    table = schema.table(entity.table)
    item = names.item_variable(entity.name)
    sample = base(entity)
    said = f"A plain {entity.name}, but for the values given."
    return KindSource(
        constant=names.kind(entity.name),
        sample=sample_function(entity),
        docstring=docstring(said, _INDENT),
        plain=tuple(
            f"{names.attribute(each.name)}={source(each.type, sample[each.name])}"
            for each in given(entity)
        ),
        class_name=names.class_name(entity.name),
        item=item,
        table=text(table.name),
        repository=names.repository_attribute(entity.name, entity.plural),
        module=names.repository_module(entity.name),
        key=tuple(
            f"{text(name)}: {item}.{name}"
            for each in key_attributes(entity, table)
            for name in [names.attribute(each.name)]
        ),
        random=tuple(
            f"{names.attribute(each.name)}="
            f"{strategy(each.type, stem(each), optional=each.optional)}"
            for each in given(entity)
        ),
        indexes=tuple(
            f"{text(index.name)}: lambda {item}: {_holds(entity, index, item)}"
            for index in table.indexes
        ),
        operations=f"frozenset({strings(sorted(entity.operations))})",
        changeable=strings(map(names.attribute, writes.changeable)),
        version=(
            None
            if entity.version is None
            else strings((names.attribute(entity.version.name), entity.version.stored))
        ),
        clocked=tuple(
            f"{text(names.attribute(name))}: {plain(now)}"
            for name, now in clocked(entity).items()
        ),
        unique=tuple(unique_source(schema, entity, each) for each in entity.unique),
    )


def sample_function(entity: Entity) -> str:
    """The name of the function that makes a sample item."""
    return f"sample_{names.snake(entity.name)}"


def _holds(entity: Entity, index: Index, item: str) -> str:
    """Whether an index holds an item: it has all of the index's key attributes (AWS: GSI.html)."""
    writer = Writer(entity, item)
    conditions: list[str] = []
    for key in index.key.all:
        match entity.keys.get(key.name):
            case None:
                return "False"
            case Natural(attribute=attribute):
                conditions += _present(entity, (attribute,), item)
            case Computed(cases=cases):
                ways = [" and ".join(_case(entity, case, writer)) for case in cases]
                if all(ways):
                    conditions.append(
                        ways[0] if len(ways) == 1 else f"({' or '.join(ways)})"
                    )
    return " and ".join(dict.fromkeys(conditions)) or "True"


def _case(entity: Entity, case: Case, writer: Writer) -> Iterator[str]:
    yield from (writer.part(test) for test in case.when)
    yield from _present(entity, tuple(needed(case.template)), writer.item)


def _present(entity: Entity, attributes: tuple[str, ...], item: str) -> Iterator[str]:
    for name in attributes:
        if entity.attribute(name).optional:
            yield f"{item}.{names.attribute(name)} is not None"


# --- random values --------------------------------------------------------------------------------


def strategy(of: ValueType, stem: str, *, optional: bool) -> str:
    """A strategy for values of a type: often one of a few values that lie near each other."""
    found = _anything(of)
    match of:
        case types.Enum() | types.Boolean():
            pass
        case _:
            few = ", ".join(source(of, each) for each in samples.pool(of, stem)[:5])
            found = f"draws.usually(({few},), {found})"
    return f"strategies.none() | {found}" if optional else found


def _drawn_between(of: types.Integer | types.Decimal) -> tuple[Any, Any]:
    """The numbers to draw lie within the type's bounds, and within a million where it has none."""
    low: Any
    high: Any
    low, high = of.bounds
    if low is None:
        low = -_FAR if high is None or high > -_FAR else high - _FAR
    if high is None:
        high = _FAR if low < _FAR else low + _FAR
    return low, high


def _anything(of: ValueType) -> str:
    match of:
        case types.String():
            return _texts(of)
        case types.Integer():
            low, high = _drawn_between(of)
            return f"strategies.integers({low}, {high})"
        case types.Decimal():
            bounds = _drawn_between(of)
            unplaced = 3 if of.digits is None else 0
            places = unplaced if of.places is None else of.places
            return f"draws.decimals({', '.join(map(_decimal, bounds))}, {places})"
        case types.Float():
            return "draws.floats()"
        case types.Boolean():
            return "strategies.booleans()"
        case types.Binary(min_length=least, max_length=longest):
            most = max(least, _LONGEST_TEXT if longest is None else min(longest, 12))
            return f"strategies.binary(min_size={max(least, 1)}, max_size={most})"
        case types.Timestamp():
            unit = of.kept.value
            return f"draws.timestamps(dt.timedelta({unit}=1))"
        case types.Date():
            return "strategies.dates()"
        case types.Uuid():
            return "draws.uuids()"
        case types.Ulid():
            return "draws.ulids()"
        case types.Json():
            return "draws.documents()"
        case types.Enum(name=name):
            return f"strategies.sampled_from({names.class_name(name)})"
        case types.List(of=element):
            return f"strategies.lists({_anything(element)}, max_size=3).map(tuple)"
        case types.Set(of=element):
            return (
                f"strategies.frozensets({_anything(element)}, min_size=1, max_size=3)"
            )
        case types.Map(of=element):
            return f"strategies.dictionaries(draws.names(), {_anything(element)}, max_size=3)"
        case types.Object(name=name, fields=fields):
            parts = [f"{names.attribute(f.name)}={_field(f)}" for f in fields]
            return f"strategies.builds({names.class_name(name)}, {', '.join(parts)})"


def _field(of: types.Field) -> str:
    return (
        f"strategies.none() | {_anything(of.type)}"
        if of.optional
        else _anything(of.type)
    )


def _decimal(bound: object) -> str:
    return f"Decimal({text(str(bound))})"


def _texts(of: types.String) -> str:
    least = max(of.min_length, 1)
    most = max(
        least, _LONGEST_TEXT if of.max_length is None else min(of.max_length, 12)
    )
    return f"draws.texts({plain(_alphabet(of))}, {least}, {most})"


def _alphabet(of: types.String) -> str | None:
    """The ASCII characters that a type allows; None where any character is allowed."""
    if of.charset is None and of.fold is None:
        return None
    pattern = scalars.charset_pattern(of.charset) if of.charset else None
    return "".join(
        char
        for char in map(chr, range(0x20, 0x7F))
        if scalars.folded(char, of.fold) == char
        and (pattern is None or pattern.fullmatch(char))
    )


def scans_literal(scans: frozenset[tuple[str, str | None]]) -> str:
    """The declared scans, as a display."""
    pairs = [
        f"({text(table)}, {plain(index)})" for table, index in sorted(scans, key=str)
    ]
    return f"frozenset({{{', '.join(pairs)}}})" if pairs else "frozenset()"


def described(description: str, otherwise: str) -> str:
    """The docstring of a test class."""
    return docstring(docs.sentence(description) or otherwise, _INDENT)
