"""What writes do to sample items, worked out on their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dyngen.design.model import Default, DefaultValue, Entity, Natural
from dyngen.design.plans import KeyEquals, NativeValue, TextValue, ValueWrite
from dyngen.keys.model import Clock, Encoded, Part, Source
from dyngen.python.suite.nested import Values
from dyngen.python.suite.oracle import NOW, now_as, value_of
from dyngen.types.model import Set, ValueType, inside


def written(
    entity: Entity, values: Values, writes: Sequence[ValueWrite], call: Values
) -> Values:
    """An item's values after these writes; `call` holds parameters, items by their values."""
    after = dict(values)
    for write in writes:
        attribute = entity.attribute(write.attribute)
        operand = None if write.operand is None else value_of(write.operand, call)
        if isinstance(write.operand, Clock):
            operand = now_as(attribute.type)
        steps = [
            step.name if step.name is not None else str(call[step.parameter or ""])
            for step in write.path
        ]
        value = _applied(
            write.verb, attribute.type, after.get(attribute.name), steps, operand
        )
        emptied = value == frozenset() and attribute.optional  # none is stored empty
        after[attribute.name] = None if emptied else value
    return {name: value for name, value in after.items() if value is not None}


def supplied(defaults: Sequence[tuple[str, Default]]) -> dict[str, object]:
    """The values that an upsert stores where nothing else supplies one."""
    return {
        name: default.value if isinstance(default, DefaultValue) else NOW
        for name, default in defaults
    }


def key_sources(
    entity: Entity, key: Sequence[KeyEquals]
) -> Iterator[tuple[str, Source]]:
    """Where the attributes of the table's key get their values from."""
    for each in key:
        match each.value:
            case NativeValue(source=origin):
                form = entity.keys.get(each.attribute)
                if isinstance(form, Natural):
                    yield form.attribute, origin
            case TextValue(text=pieces):
                for piece in pieces:
                    if isinstance(piece, Encoded) and isinstance(piece.part, Part):
                        yield piece.part.attribute, piece.source


def _applied(
    verb: str,
    of: ValueType,
    value: object,
    steps: Sequence[str | None],
    operand: object,
) -> object:
    """What an attribute becomes."""
    if steps:
        name, *others = map(str, steps)
        entries = dict(value) if isinstance(value, Mapping) else {}
        below = inside(of, name)
        entries[name] = _applied(verb, below, entries.get(name), others, operand)
        return {key: each for key, each in entries.items() if each is not None}
    match verb, value:
        case "remove", _:
            return None
        case "add", frozenset():
            return value | {operand}
        case "add", None if isinstance(of, Set):
            return frozenset({operand})
        case "add", None:
            return operand
        case "add", _:
            return value + operand  # type: ignore[operator]
        case "append", tuple():
            return (*value, operand)
        case "append", _:
            return (operand,)
        case "delete", frozenset():
            return value - {operand}
        case "delete", _:
            return frozenset()
        case _:
            return operand
