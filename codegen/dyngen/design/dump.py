"""The design as plain JSON values, for `dyngen explain --format json` and for dyngen.lock.

Every dataclass becomes an object whose "kind" is the class's name in snake case. Fields that hold
their default are left out, and so are places in the source and estimates: moving a line, or knowing
more of the data, changes no design. What JSON has no form for is an object of one key:
{"decimal": "1.5"}, {"bytes": "00ff"}, {"timestamp": "2026-07-01T00:00:00Z"}, {"date": "2026-07-01"}.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from typing import Any

from dyngen.design.estimates import Estimates
from dyngen.diagnostics.model import Span
from dyngen.source import nodes


def dump(value: object) -> Any:
    """A part of a design, or a whole one, as JSON values; the same design gives the same result."""
    match value:
        case nodes.Scalar() | nodes.Sequence() | nodes.Mapping():
            return dump(plain(value))
        case Mapping():
            return {str(key): dump(each) for key, each in value.items()}
        case set() | frozenset():
            return sorted((dump(each) for each in value), key=repr)
        case tuple() | list():
            return [dump(each) for each in value]
    if dataclasses.is_dataclass(value):
        return _dump_dataclass(value)
    return _dump_scalar(value)


def plain(node: nodes.Node) -> Any:
    """A node of the spec as Python values: dict, list, str, int, Decimal, bool."""
    match node:
        case nodes.Scalar(value=value):
            return value
        case nodes.Sequence(items=items):
            return [plain(item) for item in items]
        case nodes.Mapping(entries=entries):
            return {str(entry.key.value): plain(entry.value) for entry in entries}


def _dump_scalar(value: object) -> Any:
    match value:
        case Enum():
            return value.value
        case None | bool() | int() | float() | str():
            return value
        case Decimal():
            return {"decimal": str(value)}
        case bytes():
            return {"bytes": value.hex()}
        case dt.datetime():
            utc = value.astimezone(dt.UTC).isoformat()
            return {"timestamp": utc.replace("+00:00", "Z")}
        case dt.date():
            return {"date": value.isoformat()}
        case _:
            raise TypeError(f"a design holds no {type(value).__name__}")


def _dump_dataclass(value: Any) -> dict[str, Any]:
    dumped: dict[str, Any] = {"kind": _snake(type(value).__name__)}
    for field in dataclasses.fields(value):
        content = getattr(value, field.name)
        if isinstance(content, Span | Estimates) or _is_default(field, content):
            continue
        dumped[field.name] = dump(content)
    return dumped


def _is_default(field: dataclasses.Field[Any], content: object) -> bool:
    if field.default is not dataclasses.MISSING:
        return bool(type(content) is type(field.default) and content == field.default)
    if field.default_factory is not dataclasses.MISSING:
        return bool(content == field.default_factory())
    return False


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
