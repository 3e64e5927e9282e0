"""Attribute values as they go over the wire (`{"S": "text"}`), and DynamoDB's order of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from typing import Any

AttributeValue = Mapping[str, Any]
"""One value with its type: `{"S": "text"}`, `{"N": "1.5"}`, `{"BOOL": True}`, ..."""

Item = Mapping[str, AttributeValue]
"""An item, a part of one, or a key: attribute values by stored name."""

PARTITION_KEY_BYTES = 2048
"""The most bytes of a partition key, of all its attributes together (AWS: Constraints.html)."""

SORT_KEY_BYTES = 1024
"""The most bytes of a sort key, of all its attributes together (AWS: Constraints.html)."""

_GREATEST = ("", "\x7f", "\u07ff", "\uffff")  # characters of 0 to 3 bytes
_LEAST_NUMBER = Decimal("1E-130")
_NUMBERS = Context(prec=38, Emin=-130, Emax=125)


class ClockValue(dict[str, Any]):
    """An attribute value that was taken from the clock.

    The pages of one read are asked for at different times, so a cursor does not bind such a value.
    """

    __slots__ = ()


def comparable(value: AttributeValue) -> Any:
    """What compares as DynamoDB orders the values of one key attribute.

    Text by UTF-8 bytes (which is the order of code points, and so of `str`), numbers by value,
    binary by unsigned bytes.
    """
    [(kind, content)] = value.items()
    return Decimal(content) if kind == "N" else content


def is_blank(value: AttributeValue) -> bool:
    """Whether this is empty text or binary, which no key attribute can be."""
    [content] = value.values()
    return content in ("", b"")


def next_value(value: AttributeValue) -> AttributeValue:
    """The least value of a sort key above `value`; where there is none, one above all others."""
    [(kind, content)] = value.items()
    match kind:
        case "S":
            neighbour: Any = _text_above(content)
        case "B":
            neighbour = _binary_above(content)
        case _:
            neighbour = str(_step(Decimal(content), _NUMBERS.next_plus))
    return _like(value, kind, neighbour)


def previous_value(value: AttributeValue) -> AttributeValue:
    """A value below `value` that no other value of a sort key below it exceeds.

    Where there is none: empty text or binary, which no key holds, or minus infinity.
    """
    [(kind, content)] = value.items()
    match kind:
        case "S":
            neighbour: Any = _text_below(content)
        case "B":
            neighbour = _binary_below(content)
        case _:
            neighbour = str(_step(Decimal(content), _NUMBERS.next_minus))
    return _like(value, kind, neighbour)


def least_within(value: AttributeValue, most: int) -> AttributeValue | None:
    """The least text or binary of at most `most` bytes that is not below `value`; None if there is none."""
    [(kind, content)] = value.items()
    if _bytes(content) <= most:
        return value
    if kind == "B":
        raised = content[:most].rstrip(b"\xff")
        return _like(value, kind, _raised(raised)) if raised else None
    text = _cut(content, most)
    while text:
        last, text = ord(text[-1]), text[:-1]
        if last < 0x10FFFF:
            above = text + chr(0xE000 if last == 0xD7FF else last + 1)
            if _bytes(above) <= most:
                return _like(value, kind, above)
    return None


def greatest_within(value: AttributeValue, most: int) -> AttributeValue:
    """The greatest text or binary of at most `most` bytes that is not above `value`."""
    [(kind, content)] = value.items()
    if _bytes(content) <= most:
        return value
    if kind == "B":
        return _like(value, kind, content[:most])
    text = _cut(content, most)
    return _like(value, kind, text + _GREATEST[most - _bytes(text)])


def _bytes(content: str | bytes) -> int:
    return len(content if isinstance(content, bytes) else content.encode())


def _cut(text: str, most: int) -> str:
    """The characters of the text that fit into so many bytes."""
    return text.encode()[:most].decode(errors="ignore")


def _like(value: AttributeValue, kind: str, content: Any) -> AttributeValue:
    return (ClockValue if isinstance(value, ClockValue) else dict)({kind: content})


def _step(number: Decimal, step: Callable[[Decimal], Decimal]) -> Decimal:
    """The neighbour that `step` finds, but none between 0 and the least number that can be stored."""
    neighbour = step(number)
    if neighbour and neighbour.copy_abs() < _LEAST_NUMBER:  # abs() would round
        return Decimal(0) if number else _LEAST_NUMBER.copy_sign(neighbour)
    return neighbour


def _text_above(text: str) -> str:
    longer = text + "\0"
    if len(longer.encode()) <= SORT_KEY_BYTES:
        return longer
    while text:
        last, text = ord(text[-1]), text[:-1]
        if last < 0x10FFFF:
            above = text + chr(0xE000 if last == 0xD7FF else last + 1)
            if len(above.encode()) <= SORT_KEY_BYTES:
                return above
    return longer


def _text_below(text: str) -> str:
    if not text or text[-1] == "\0":
        return text[:-1]
    last = ord(text[-1])
    below = text[:-1] + chr(0xD7FF if last == 0xE000 else last - 1)
    full, rest = divmod(SORT_KEY_BYTES - len(below.encode()), 4)
    return below + "\U0010ffff" * full + _GREATEST[rest]


def _binary_above(content: bytes) -> bytes:
    if len(content) < SORT_KEY_BYTES:
        return content + b"\0"
    kept = content.rstrip(b"\xff")
    if not kept:
        return content + b"\0"
    return _raised(kept)


def _raised(content: bytes) -> bytes:
    """The bytes with the last one, which is not 255, raised by one."""
    return content[:-1] + bytes([content[-1] + 1])


def _binary_below(content: bytes) -> bytes:
    if not content or content[-1] == 0:
        return content[:-1]
    return (content[:-1] + bytes([content[-1] - 1])).ljust(SORT_KEY_BYTES, b"\xff")
