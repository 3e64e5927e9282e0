"""Values as the Python expressions that the suite writes them as."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from uuid import UUID

from dyngen.python import literals, names
from dyngen.testkit.ids import ulid_number
from dyngen.types.model import (
    Enum,
    Field,
    List,
    Map,
    Object,
    Set,
    Timestamp,
    Ulid,
    Uuid,
    ValueType,
)

_GREATEST = 2**128 - 1


def source(of: ValueType, value: object) -> str:
    """The expression of a value of a type: enums by member, objects by their class."""
    if value is None:
        return "None"
    match of, value:
        case Enum(), str():
            return _member(of, value)
        case Timestamp(), dt.datetime():
            return (
                f"at({literals.text(f'{value.astimezone(dt.UTC).isoformat()[:-6]}Z')})"
            )
        case Ulid(), str():
            return f"ulid({_number(ulid_number(value))})"
        case Uuid(), str():
            return f"uuid({_number(UUID(value).int)})"
        case Object(), Mapping():
            return _object(of, value)
        case List(of=element), tuple():
            return literals.tuple_of(source(element, each) for each in value)
        case Set(of=element), frozenset():
            return _set(element, value)
        case Map(of=element), Mapping():
            return _mapping((key, source(element, each)) for key, each in value.items())
        case _:
            return plain(value)


def plain(value: object) -> str:
    """The expression of a value without a type: an attribute value, a document, a constant."""
    match value:
        case None:
            return "None"
        case Mapping():
            return _mapping((str(key), plain(each)) for key, each in value.items())
        case list():
            return f"[{', '.join(map(plain, value))}]"
        case tuple():
            return literals.tuple_of(map(plain, value))
        case _:
            return literals.value(value)


def _number(value: int) -> str:
    return "2**128 - 1" if value == _GREATEST else str(value)


def _mapping(pairs: Iterable[tuple[str, str]]) -> str:
    return f"{{{', '.join(f'{literals.text(key)}: {each}' for key, each in pairs)}}}"


def _member(of: Enum, stored: str) -> str:
    member = next(each for each in of.members if each.stored == stored)
    return f"{names.class_name(of.name)}.{names.enum_member(member.name)}"


def _object(of: Object, value: Mapping[str, object]) -> str:
    given = ", ".join(
        _argument(field, value) for field in of.fields if field.stored in value
    )
    return f"{names.class_name(of.name)}({given})"


def _argument(field: Field, value: Mapping[str, object]) -> str:
    return f"{names.attribute(field.name)}={source(field.type, value[field.stored])}"


def _set(of: ValueType, values: frozenset[object]) -> str:
    members = sorted(source(of, each) for each in values)
    return f"frozenset({{{', '.join(members)}}})" if members else "frozenset()"
