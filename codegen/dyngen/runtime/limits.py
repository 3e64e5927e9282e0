"""What DynamoDB takes of one request, so that more is refused before it is sent.

AWS: Constraints.html. What only the stored item can tell, such as how large an update makes it, is
left to DynamoDB.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .capacity import item_size, value_size
from .errors import InvalidRequest, InvalidValue, KeyValueError
from .wire import PARTITION_KEY_BYTES, SORT_KEY_BYTES, AttributeValue, Item

ITEM_BYTES = 400 * 1024
"""The most bytes of an item, names included."""

ITEM_LEVELS = 32
"""How deep lists and maps may lie in one another."""

EXPRESSION_BYTES = 4096
"""The most bytes of one expression, its placeholders as they stand in it."""

EXPRESSION_OPERATORS = 300
"""The most operators and functions of one expression; `=` of a SET is none."""

TRANSACTION_ACTIONS = 100
"""The most items of one transaction."""

TRANSACTION_BYTES = 4 * 1024 * 1024
"""The most bytes of the items of one transaction."""

SUBSTITUTED_BYTES = 2 * 1024 * 1024
"""The most bytes of all names and values that placeholders of one request stand for."""

NAME_BYTES = 64 * 1024 - 1
"""The most bytes of the name of an attribute, or of the key of an entry of a map."""

_COMPARISONS = re.compile("<>|<=|>=|[<>=]|AND|OR|NOT|BETWEEN|IN|[a-z_]+\\(")
_ARITHMETIC = re.compile("[+-]|[a-z_]+\\(")
_CHARACTER_BYTES = 4  # the most of one in UTF-8
_FEWER_BYTES = 1000  # of expressions in which no 300 operators find room


def stored(item: Item) -> Item:
    """`item`, if it is no larger, and not deeper, than an item can be. Raises InvalidValue."""
    if _small_and_flat(item):
        return item
    size = item_size(item)
    if size > ITEM_BYTES:
        raise InvalidValue(
            f"the item would have {size} bytes; DynamoDB stores at most {ITEM_BYTES}"
        )
    for attribute, value in item.items():
        levels = _levels(value)
        if levels > ITEM_LEVELS:
            raise InvalidValue(
                f"`{attribute}` would have {levels} levels of lists and maps; DynamoDB stores at"
                f" most {ITEM_LEVELS}"
            )
    return item


def _small_and_flat(item: Item) -> bool:
    """Whether the item is far from all limits, as most are: the length of its text tells it soon."""
    length = 0
    for attribute, value in item.items():
        for kind, content in value.items():
            if kind in {"S", "N"}:
                length += len(attribute) + len(content)
            elif kind in {"L", "M"}:
                return False
            else:
                length += len(attribute) + len(repr(content))
    return length * _CHARACTER_BYTES <= ITEM_BYTES


def _levels(value: AttributeValue) -> int:
    match value:
        case {"L": elements}:
            return 1 + max(map(_levels, elements), default=0)
        case {"M": entries}:
            return 1 + max(map(_levels, entries.values()), default=0)
        case _:
            return 0


def name(text: str) -> str:
    """`text`, if an attribute or an entry of a map can be called so. Raises InvalidValue."""
    size = len(text.encode())
    if not 1 <= size <= NAME_BYTES:
        raise InvalidValue(
            f"the key of an entry of a map has 1 to {NAME_BYTES} bytes, not {size}"
        )
    return text


def partition_key(values: Iterable[AttributeValue]) -> None:
    """Refuse attributes that are too long for one partition key. Raises KeyValueError."""
    _room("partition", values, PARTITION_KEY_BYTES)


def sort_key(values: Iterable[AttributeValue]) -> int:
    """The bytes that these attributes of a sort key leave to others. Raises KeyValueError."""
    return _room("sort", values, SORT_KEY_BYTES)


def _room(word: str, values: Iterable[AttributeValue], most: int) -> int:
    size = sum(map(value_size, values))
    if size > most:
        raise KeyValueError(
            f"the attributes of a {word} key have {size} bytes together, not at most {most}"
        )
    return most - size


def expression(kind: str, text: str) -> str:
    """The expression `text`, if it is not too long and has not too many operators.

    `kind`: what DynamoDB calls the argument, such as `FilterExpression`. Raises InvalidRequest.
    """
    if len(text) <= _FEWER_BYTES:
        return text
    if len(text) > EXPRESSION_BYTES:
        raise InvalidRequest(
            f"the {kind} would have {len(text)} bytes; DynamoDB takes at most"
            f" {EXPRESSION_BYTES}: write or ask for less at once"
        )
    counted = operators(kind, text)
    if counted > EXPRESSION_OPERATORS:
        raise InvalidRequest(
            f"the {kind} would have {counted} operators; DynamoDB takes at most"
            f" {EXPRESSION_OPERATORS}: write or ask for less at once"
        )
    return text


def operators(kind: str, text: str) -> int:
    """The operators and functions of an expression whose names and values are placeholders."""
    pattern = _ARITHMETIC if kind == "UpdateExpression" else _COMPARISONS
    return len(pattern.findall(text))


def substituted(names: Iterable[str], values: Iterable[AttributeValue]) -> None:
    """Refuse names and values that one request has no room for. Raises InvalidRequest.

    Of values, texts and binaries count, which alone can come to so much.
    """
    contents = (value.get("S") or value.get("B", "") for value in values)
    size = sum(
        len(content if isinstance(content, bytes) else content.encode())
        for content in (*names, *contents)
    )
    if size > SUBSTITUTED_BYTES:
        raise InvalidRequest(
            f"the call names values of {size} bytes; an expression of DynamoDB takes at"
            f" most {SUBSTITUTED_BYTES}"
        )


def transaction(actions: int, items: Iterable[Item]) -> None:
    """Refuse a transaction of too many actions, or that stores too much. Raises InvalidRequest."""
    if actions > TRANSACTION_ACTIONS:
        raise InvalidRequest(
            f"{actions} actions in one transaction; DynamoDB takes at most {TRANSACTION_ACTIONS}"
        )
    size = sum(map(item_size, items))
    if size > TRANSACTION_BYTES:
        raise InvalidRequest(
            f"the items of the transaction have {size} bytes; DynamoDB takes at most"
            f" {TRANSACTION_BYTES}"
        )
