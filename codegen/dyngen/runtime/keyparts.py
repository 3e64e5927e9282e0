"""Values read back from computed keys: all that an index holds which projects keys alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from .errors import StoredValueError
from .wire import AttributeValue

T = TypeVar("T")


def parts(
    value: AttributeValue, name: str, pattern: re.Pattern[str]
) -> Mapping[str, str]:
    """The texts of a key's parts, by the groups of `pattern`. Raises StoredValueError."""
    match = pattern.fullmatch(value.get("S", ""))
    if match is None:
        raise StoredValueError(name, "a key of this entity")
    return match.groupdict()


def parse(text: str, name: str, parse_text: Callable[[str], T]) -> T:
    """The value of one part of the key attribute `name`. Raises StoredValueError."""
    try:
        return parse_text(text)
    except ValueError:
        raise StoredValueError(name, "a key of this entity") from None
