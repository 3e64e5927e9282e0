"""Cursors: where a paged read stopped, as opaque text that is checked when it comes back.

A cursor holds the version of this format, a fingerprint of the pattern with its parameters, and the
key of the last item returned of each stream. Whoever holds it can take it apart and build another,
so nothing in it is believed: the keys must be of the right attributes and types and must lie within
the very key ranges that the read is limited to. With a secret, cursors are signed (HMAC-SHA256), and
one that was changed in any way is refused before its contents are looked at.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .conditions import Condition, Name, Value
from .errors import InvalidCursor
from .streams import KeyRange, Read, Stream
from .wire import PARTITION_KEY_BYTES, AttributeValue, ClockValue, Item, comparable

_VERSION = 1
_MALFORMED = "this is not a cursor"
_SIGNATURE_BYTES = 32
_NUMBER = re.compile(r"-?[0-9]{1,126}(\.[0-9]{1,170})?(E[+-]?[0-9]{1,3})?")
_ESCAPED = 6  # characters that JSON needs for a control character
_MOST_REST = 256  # characters around the keys

Positions = Mapping[int, Item]
"""The position of the last item returned, by the number of its stream."""


def distinct(streams: Sequence[Stream]) -> tuple[Stream, ...]:
    """The streams that hold anything, each once, in an order that does not depend on theirs.

    A parameter with several values may be a set, whose order differs from process to process; the
    number of a stream in a cursor must not.
    """
    kept = {_text(_of_stream(stream)): stream for stream in streams if not stream.empty}
    return tuple(kept[text] for text in sorted(kept))


def encode(
    read: Read, streams: Sequence[Stream], positions: Positions, secret: bytes | None
) -> str:
    """The cursor of a read that stopped at `positions`."""
    keys = [
        [number, [_content(position[name]) for name in read.key_types]]
        for number, position in positions.items()
    ]
    payload = _text([_VERSION, _fingerprint(read, streams), keys]).encode()
    return _base64(_signature(payload, secret) + payload)


def decode(
    read: Read, streams: Sequence[Stream], cursor: str, secret: bytes | None
) -> Positions:
    """The positions at which the read stopped.

    Raises:
        InvalidCursor: this read, with these parameters, did not give out the cursor.
    """
    try:
        positions = _decoded(read, streams, cursor, secret)
        given_out = encode(read, streams, positions, secret)
    except InvalidCursor:
        raise
    except (ValueError, TypeError, RecursionError):
        raise InvalidCursor(_MALFORMED) from None
    if not positions or given_out != cursor:
        raise InvalidCursor(_MALFORMED)
    return positions


def _decoded(
    read: Read, streams: Sequence[Stream], cursor: str, secret: bytes | None
) -> Positions:
    """What the cursor says. Raises InvalidCursor, or what malformed text makes a parser raise."""
    if len(cursor) > _longest(read, streams):
        raise ValueError("no cursor is as long")
    version, fingerprint, keys = json.loads(_verified(_of_base64(cursor), secret))
    if version != _VERSION or fingerprint != _fingerprint(read, streams):
        raise InvalidCursor(
            "this cursor is from another access pattern, or from other parameters"
        )
    return dict(_position(read, streams, *entry) for entry in keys)


# --- what a cursor is bound to --------------------------------------------------------------------


def _fingerprint(read: Read, streams: Sequence[Stream]) -> str:
    bound = [
        read.pattern,
        read.table,
        read.index,
        list(read.key_types.items()),
        read.forward,
        [_of_stream(stream) for stream in streams],
        None if read.filter is None else _of_condition(read.filter),
    ]
    digest = hashlib.sha256(_text(bound).encode()).digest()
    return _base64(digest[:12])


def _of_stream(stream: Stream) -> list[Any]:
    equal = [[name, _of_value(value)] for name, value in stream.equal.items()]
    return [equal, None if stream.range is None else _of_range(stream.range)]


def _of_range(range_: KeyRange) -> list[Any]:
    return [range_.attribute, range_.operator, *map(_of_value, range_.values)]


def _of_condition(condition: Condition) -> list[Any]:
    bound: list[Any] = []
    for piece in condition.pieces:
        match piece:
            case Name(path):
                bound.append([path])
            case Value(value):
                bound.append(_of_value(value))
            case text:
                bound.append(text)
    return bound


def _of_value(value: AttributeValue) -> AttributeValue | None:
    """The value, unless it is the clock's, which is another one with every page."""
    return None if isinstance(value, ClockValue) else value


# --- keys -----------------------------------------------------------------------------------------


def _position(
    read: Read, streams: Sequence[Stream], number: object, contents: Sequence[object]
) -> tuple[int, Item]:
    """One stream's number and position. Raises ValueError, TypeError or InvalidCursor."""
    if type(number) is not int or not 0 <= number < len(streams):
        raise ValueError("there is no such stream")
    position = {
        name: _value(kind, content)
        for (name, kind), content in zip(read.key_types.items(), contents, strict=True)
    }
    stream = streams[number]
    for name, value in stream.equal.items():
        if comparable(position[name]) != comparable(value):
            raise InvalidCursor("this cursor points into another partition")
    side = stream.side(position)
    if side and not stream.clocked(side):
        raise InvalidCursor("this cursor points outside the keys that this read covers")
    return number, position


def _content(value: AttributeValue) -> str:
    """A key's value as JSON text; the type is known from the attribute."""
    [content] = value.values()
    return base64.b64encode(content).decode() if isinstance(content, bytes) else content


def _value(kind: str, content: object) -> AttributeValue:
    """The key's value that has this content. Raises ValueError."""
    if not isinstance(content, str) or not content:
        raise ValueError("a key is not empty")
    match kind:
        case "N":
            if _NUMBER.fullmatch(content) is None:
                raise ValueError("not a number")
            return {"N": content}
        case "B":
            return {"B": base64.b64decode(content, validate=True)}
        case _:
            content.encode()  # no lone surrogates
            return {"S": content}


# --- text -----------------------------------------------------------------------------------------


def _longest(read: Read, streams: Sequence[Stream]) -> int:
    """The length that no cursor of this read exceeds."""
    keys = len(streams) * len(read.key_types) * (PARTITION_KEY_BYTES * _ESCAPED + 3)
    return (_MOST_REST + len(streams) * 16 + keys) * 4 // 3


def _text(content: object) -> str:
    return json.dumps(
        content, ensure_ascii=False, separators=(",", ":"), default=_base64
    )


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _of_base64(text: str) -> bytes:
    """The bytes. Raises ValueError."""
    padded = text + "=" * (-len(text) % 4)
    return base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True)


def _signature(payload: bytes, secret: bytes | None) -> bytes:
    return b"" if secret is None else hmac.digest(secret, payload, "sha256")


def _verified(signed: bytes, secret: bytes | None) -> bytes:
    """What was signed. Raises InvalidCursor."""
    if secret is None:
        return signed
    signature, payload = signed[:_SIGNATURE_BYTES], signed[_SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _signature(payload, secret)):
        raise InvalidCursor("this cursor was changed, or signed with another secret")
    return payload
