"""What a write does to an item: as changes that DynamoDB makes, or as values of the item's class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dyngen.design.model import Attribute, Default, DefaultValue, Entity, Natural
from dyngen.design.plans import KeyWrite, SourceTest, ValueWrite, WriteCase
from dyngen.design.room import amount_type
from dyngen.keys.model import Clock, Given, Source
from dyngen.python import names, types
from dyngen.python.expressions import CLOCK, Body, Variable, name_of
from dyngen.python.literals import text, tuple_of
from dyngen.python.model.operations import Filling
from dyngen.python.predicates import holds
from dyngen.types.model import Date, Integer, List, Set, String, Ulid, ValueType

_ENVIRONMENT = "self._environment"


# --- what the repository fills in -------------------------------------------------------------------


def filling(entity: Entity, item: str, *, create: bool) -> Filling:
    """What a write fills into `item`: all that is left out on create, else what every write sets."""
    statements: list[str] = []
    fields: list[str] = []
    for attribute in entity.attributes:
        name = names.attribute(attribute.name)
        if attribute.on_write:
            fields.append(f"{name}={_filled(attribute, statements)}")
        elif create and attribute.filled:
            value = _filled(attribute, statements)
            fields.append(
                f"{name}={value} if {item}.{name} is UNSET else {item}.{name}"
            )
    if entity.version is not None:
        name = names.attribute(entity.version.name)
        fields.append(f"{name}={_ENVIRONMENT}.new_token()")
    return Filling(tuple(statements), tuple(fields))


def _filled(attribute: Attribute, statements: list[str]) -> str:
    if attribute.generated:
        kind = "ulid" if isinstance(attribute.type, Ulid) else "uuid"
        return f"{_ENVIRONMENT}.new_{kind}()"
    if not statements:
        statements.append(CLOCK)
    return "now.date()" if isinstance(attribute.type, Date) else "now"


# --- changes that DynamoDB makes --------------------------------------------------------------------


def version_change(entity: Entity, token: str) -> str | None:
    """The change of the version, where there is one; `token` is its stored form."""
    if entity.version is None:
        return None
    return f"writing.set_to({text(entity.version.stored)}, {token})"


def new_token() -> str:
    """The stored form of a version that was not given before."""
    return f"stored.text({_ENVIRONMENT}.new_token())"


def value_change(write: ValueWrite, body: Body) -> str:
    """The change of one attribute that a pattern writes."""
    attribute = body.entity.attribute(write.attribute)
    steps = [
        (
            body.variables[step.parameter].source
            if step.parameter is not None
            else text(step.name or "")
        )
        for step in write.path
    ]
    stored = text(attribute.stored)
    path = tuple_of([stored, *steps]) if steps else stored
    of = write.type or attribute.type
    operand = write.operand
    match write.verb:
        case "remove":
            return f"writing.remove({path})"
        case _ if operand is None:
            raise TypeError(f"{write.verb} needs an operand")
        case "set":
            form = body.entity.keys
            natural = next(
                (
                    key
                    for key, each in form.items()
                    if isinstance(each, Natural)
                    and each.attribute == write.attribute
                    and not steps
                ),
                None,
            )
            value = (
                body.stored(operand, of)
                if natural is None
                else body.natural_key(natural, of, operand)
            )
            return f"writing.set_to({path}, {_or_nothing(value, operand, of, body)})"
        case "add" if not isinstance(of, Set):
            return f"writing.add_to({path}, {body.stored(operand, amount_type(of))})"
        case verb:
            function = {"add": "add_to", "append": "append_to", "delete": "delete_from"}
            return f"writing.{function[verb]}({path}, {_collection(operand, of, body)})"


def _or_nothing(value: str, operand: Source, of: ValueType, body: Body) -> str:
    """A value to set, or None to remove the attribute."""
    if not isinstance(operand, Given):
        return value
    variable = body.variables[operand.parameter]
    if isinstance(of, Set):
        return f"{value} if {variable.source} else None"
    if variable.optional:
        return f"{value} if {variable.source} is not None else None"
    return value


def _collection(operand: Source, of: ValueType, body: Body) -> str:
    """The stored form of a list or set of the one element given."""
    if not isinstance(of, List | Set):
        raise TypeError("only lists and sets have elements")
    element = body.value(operand, of.of)
    kind = f"[{element}]" if isinstance(of, List) else f"{{{element}}}"
    return types.encode(of, kind, name_of(operand))


def key_change(write: KeyWrite, body: Body) -> str:
    """The change of one attribute that follows from others."""
    stored = text(write.attribute)
    if not write.cases:
        return f"writing.remove({stored})"
    chosen = "None"
    for case in reversed(write.cases):
        value = _derived_value(write, case, body)
        condition = " and ".join(_holds(test, body) for test in case.tests)
        chosen = f"{value} if {condition} else {chosen}" if condition else value
    return f"writing.set_to({stored}, {chosen})"


def _derived_value(write: KeyWrite, case: WriteCase, body: Body) -> str:
    computed = next(
        (
            a
            for a in body.entity.attributes
            if a.computed is not None and a.stored == write.attribute
        ),
        None,
    )
    if computed is None or computed.computed is None:
        return body.key(write.attribute, body.key_text(case.text))
    value = body.computed_text(case.text, computed.computed.encoding)
    if isinstance(computed.type, Integer):
        value = f"int({value})"
    return types.encode(computed.type, value, text(computed.name))


def _holds(test: SourceTest, body: Body) -> str:
    source = body.value(test.source, test.type)
    optional = (
        isinstance(test.source, Given)
        and body.variables[test.source.parameter].optional
    )
    return holds(body, test.test, test.type, Variable(source, optional))


def upsert_changes(
    entity: Entity,
    defaults: tuple[tuple[str, Default], ...],
    key: Mapping[str, Source],
    type_attribute: str | None,
    body: Body,
) -> Iterator[str]:
    """What an update that may create its item writes besides: all that a new one must have."""
    own = {k.name for k in body.table.key.all}
    for name, source in key.items():
        attribute = entity.attribute(name)
        if attribute.stored not in own:
            value = body.stored(source, attribute.type)
            chosen = _or_nothing(value, source, attribute.type, body)
            yield f"writing.set_to({text(attribute.stored)}, {chosen})"
    if type_attribute is not None:
        kind = types.stored_constant(String(), entity.name)
        yield f"writing.set_to({text(type_attribute)}, {kind})"
    for name, default in defaults:
        attribute = entity.attribute(name)
        known = default.value if isinstance(default, DefaultValue) else None
        if known == () and isinstance(attribute.type, Set):
            continue  # an empty set is not stored
        value = (
            types.stored_constant(attribute.type, known)
            if isinstance(default, DefaultValue)
            else body.stored(Clock(), attribute.type)
        )
        yield f"writing.default_to({text(attribute.stored)}, {value})"


# --- values of the item's class -----------------------------------------------------------------------


def new_value(write: ValueWrite, item: str, body: Body) -> str:
    """The keyword argument of `replace` that makes the change of one attribute of `item`."""
    attribute = body.entity.attribute(write.attribute)
    name = names.attribute(attribute.name)
    of = attribute.type
    current = f"{item}.{name}"
    if write.verb == "remove" or write.operand is None:
        return f"{name}={'frozenset()' if isinstance(of, Set) else None}"
    inner = of.of if isinstance(of, List | Set) and write.verb != "set" else of
    value = body.value(write.operand, inner)
    empty = {List: "()", Set: "frozenset()"}.get(type(of), "0")
    known = f"({current} or {empty})" if attribute.optional else current
    match write.verb:
        case "set":
            return f"{name}={value}"
        case "append":
            return f"{name}=(*{known}, {value})"
        case "delete":
            return f"{name}={known} - {{{value}}}"
        case _ if isinstance(of, Set):
            return f"{name}={known} | {{{value}}}"
        case _:
            return f"{name}={known} + {value}"
