"""Lists, sets, maps and whole documents as DynamoDB stores them, and back.

As in `stored`, a function named after a type raises InvalidValue for a value that cannot be stored, with
the name of what it was given for, and a `parse_` function StoredValueError for a form that it cannot decode. What is read cannot be changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, NoReturn, TypeVar

from . import limits, scalars, stored
from .errors import InvalidValue, StoredValueError
from .wire import AttributeValue

K = TypeVar("K")
V = TypeVar("V")

_SETS = (("SS", "S"), ("NS", "N"), ("BS", "B"))


class FrozenDict(dict[K, V]):
    """A mapping that cannot be changed; equal to a dict with the same contents."""

    __slots__ = ()

    def _refuse(self: Any, *_: object, **__: object) -> NoReturn:
        raise TypeError("this mapping cannot be changed; make a new one with dict(...)")

    __setitem__ = _refuse
    __delitem__ = _refuse
    __ior__ = _refuse
    clear = _refuse
    pop = _refuse
    popitem = _refuse
    setdefault = _refuse  # pyright: ignore[reportAssignmentType]
    update = _refuse  # pyright: ignore[reportAssignmentType]

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (dict(self),))


def list_(
    values: Iterable[V], name: str, encode: Callable[[V, str], AttributeValue]
) -> AttributeValue:
    """A list, each element by `encode`. Raises InvalidValue."""
    if not isinstance(values, list | tuple):
        raise InvalidValue(
            f"expected a list or tuple, not a value of type {type(values).__name__}"
        ).of(name)
    return {"L": [encode(value, name) for value in values]}


def parse_list(
    value: AttributeValue, name: str, parse: Callable[[AttributeValue, str], V]
) -> tuple[V, ...]:
    """The list stored as attribute `name`, each element by `parse`. Raises StoredValueError."""
    return tuple(
        [parse(element, name) for element in stored.content(value, "L", name, "a list")]
    )


def set_(
    values: Iterable[V], name: str, encode: Callable[[V, str], AttributeValue]
) -> AttributeValue:
    """A set of strings, numbers or binaries, each member by `encode`, in a fixed order.

    Raises InvalidValue, also for an empty set: DynamoDB stores none, so leave the attribute out.
    """
    if not isinstance(values, set | frozenset):
        raise InvalidValue(
            f"expected a set, not a value of type {type(values).__name__}"
        ).of(name)
    if not values:
        raise InvalidValue("an empty set cannot be stored").of(name)
    members = [encode(value, name) for value in values]
    [kind] = members[0]
    return {f"{kind}S": sorted({member[kind] for member in members})}


def parse_set(
    value: AttributeValue, name: str, parse: Callable[[AttributeValue, str], V]
) -> frozenset[V]:
    """The set stored as attribute `name`, each member by `parse`. Raises StoredValueError."""
    for plural, kind in _SETS:
        members = value.get(plural)
        if members is not None:
            if kind == "S" and parse is stored.parse_text:
                return frozenset(members)
            return frozenset([parse({kind: member}, name) for member in members])
    raise StoredValueError(name, "a set")


def map_(
    values: Mapping[str, V], name: str, encode: Callable[[V, str], AttributeValue]
) -> AttributeValue:
    """A map from text that is not empty, each value by `encode`. Raises InvalidValue."""
    if not isinstance(values, Mapping):
        raise InvalidValue(
            f"expected a mapping, not a value of type {type(values).__name__}"
        ).of(name)
    try:
        return {
            "M": {
                limits.name(scalars.plain_text(key)): encode(value, name)
                for key, value in values.items()
            }
        }
    except InvalidValue as error:
        raise error.of(name) from None


def parse_map(
    value: AttributeValue, name: str, parse: Callable[[AttributeValue, str], V]
) -> Mapping[str, V]:
    """The map stored as attribute `name`, each value by `parse`. Raises StoredValueError."""
    content = stored.content(value, "M", name, "a map")
    return FrozenDict({key: parse(element, name) for key, element in content.items()})


def json(document: object, name: str = "") -> AttributeValue:
    """Any document of None, bool, numbers, text, bytes, lists, sets and mappings from text.

    Numbers are stored as they print: 0.1 is 0.1. Raises InvalidValue.
    """
    try:
        return _document(document, 0)
    except InvalidValue as error:
        raise error.of(name) from None


def _document(value: object, level: int) -> AttributeValue:
    if level > limits.ITEM_LEVELS:
        raise InvalidValue(
            f"a document must not be nested more than {limits.ITEM_LEVELS} levels deep"
        )
    if isinstance(value, list | tuple):
        return list_(value, "", lambda element, _: _document(element, level + 1))
    if isinstance(value, Mapping):
        return map_(value, "", lambda element, _: _document(element, level + 1))
    if isinstance(value, set | frozenset):
        return _document_set(value)
    return _document_scalar(value)


def _document_scalar(value: object) -> AttributeValue:
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return stored.boolean(value)
        case int() | Decimal():
            return {"N": scalars.decimal_text(scalars.plain_decimal(value))}
        case float():
            return stored.floating(value)
        case str():
            return stored.text(value)
        case bytes():
            return stored.binary(value)
    raise InvalidValue(f"a document cannot hold a value of type {type(value).__name__}")


def _document_set(values: set[Any] | frozenset[Any]) -> AttributeValue:
    kinds = {next(iter(_document(value, 0))) for value in values}
    if len(kinds) > 1 or not kinds <= {"S", "N", "B"}:
        raise InvalidValue("a set must hold either text, or numbers, or bytes")
    return set_(values, "", json)


def parse_json(value: AttributeValue, name: str) -> Any:
    """The document stored as attribute `name`, numbers as Decimal. Raises StoredValueError."""
    [kind] = value
    parse = _PARSERS.get(kind)
    if parse is None:
        raise StoredValueError(name, "a value of a known type")
    return parse(value, name)


_PARSERS: dict[str, Callable[[AttributeValue, str], Any]] = {
    "NULL": lambda _value, _name: None,
    "BOOL": stored.parse_boolean,
    "S": stored.parse_text,
    "N": stored.parse_decimal,
    "B": stored.parse_binary,
    "L": lambda value, name: parse_list(value, name, parse_json),
    "M": lambda value, name: parse_map(value, name, parse_json),
    "SS": lambda value, name: parse_set(value, name, stored.parse_text),
    "NS": lambda value, name: parse_set(value, name, stored.parse_decimal),
    "BS": lambda value, name: parse_set(value, name, stored.parse_binary),
}
