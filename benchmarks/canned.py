"""The same hundred items for everyone, and the responses that hold them.

Values are fixed, so that runs can be compared. An item has 12 attributes and about 445 bytes, counted
as DynamoDB counts them.
"""

from __future__ import annotations

import datetime as dt
import json
from binascii import crc32
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import StrEnum
from types import SimpleNamespace
from typing import Any

from botocore.awsrequest import AWSResponse

TABLE = "Documents"
ITEMS = 100
BATCH = 25
OWNER = "0b5e4a7c-6f0d-4c1e-9a53-2f6f2f1d8b11"
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_START = dt.datetime(2026, 7, 1, 8, 30, 0, 125000, tzinfo=dt.UTC)

AttributeValue = dict[str, Any]
Item = dict[str, AttributeValue]


class Status(StrEnum):
    """The values of the enum, for the peers' models."""

    ARCHIVED = "ARCHIVED"
    DRAFT = "DRAFT"
    PUBLISHED = "PUBLISHED"


def iso(moment: dt.datetime) -> str:
    """The text of a moment that most packages read: UTC, milliseconds, `Z`."""
    return f"{moment.isoformat(timespec='milliseconds')[:-6]}Z"


def values(number: int) -> dict[str, Any]:
    """One document as plain Python values."""
    made = _START + dt.timedelta(minutes=number)
    return {
        "owner_id": OWNER,
        "document_id": f"01J1PB7Z8D{number:014d}{_ALPHABET[number % 32]}K",
        "title": f"Minutes of the planning meeting of the board, part {number:03d}",
        "summary": "What was decided, who will do it, and by when it is to be done. "
        * 2,
        "status": list(Status)[number % 3],
        "created_at": made,
        "folder": "shared/planning/2026",
        "size": 1024 + number,
        "price": Decimal(f"{number}.25"),
        "shared": number % 2 == 0,
        "revision": number % 7,
        "reviewer": "someone.elsewhere@example.com",
    }


DOCUMENTS = [values(number) for number in range(ITEMS)]


def stored(
    document: Mapping[str, Any], moment: Callable[[dt.datetime], str] = iso
) -> Item:
    """The document as DynamoDB stores it; `moment` writes a timestamp."""
    return {name: _attribute(value, moment) for name, value in document.items()}


def _attribute(value: Any, moment: Callable[[dt.datetime], str]) -> AttributeValue:
    match value:
        case bool():
            return {"BOOL": value}
        case int() | Decimal():
            return {"N": str(value)}
        case dt.datetime():
            return {"S": moment(value)}
        case _:
            return {"S": str(value)}


def bodies(moment: Callable[[dt.datetime], str] = iso) -> dict[str, bytes]:
    """The body of the response to each operation."""
    items = [stored(document, moment) for document in DOCUMENTS]
    responses: dict[str, Any] = {
        "Query": {"Items": items, "Count": ITEMS, "ScannedCount": ITEMS},
        "GetItem": {"Item": items[0]},
        "PutItem": {},
        "BatchWriteItem": {"UnprocessedItems": {}},
    }
    return {
        name: json.dumps(response, separators=(",", ":")).encode()
        for name, response in responses.items()
    }


def headers(body: bytes) -> dict[str, str]:
    """What DynamoDB sends along."""
    return {
        "Content-Type": "application/x-amz-json-1.0",
        "Content-Length": str(len(body)),
        "x-amz-crc32": str(crc32(body)),
        "x-amzn-RequestId": "0" * 52,
    }


def operation(target: str | bytes) -> str:
    """The operation that the header X-Amz-Target names."""
    text = target.decode() if isinstance(target, bytes) else target
    return text.rpartition(".")[2]


def answer(client: Any, moment: Callable[[dt.datetime], str] = iso) -> None:
    """Let a client of botocore take its responses from here; nothing goes over any network."""
    prepared = {name: (headers(body), body) for name, body in bodies(moment).items()}

    def respond(request: Any, **_: object) -> AWSResponse:
        header, body = prepared[operation(request.headers["X-Amz-Target"])]
        stream = SimpleNamespace(stream=lambda **_: iter([body]))
        return AWSResponse(request.url, 200, header, stream)

    client.meta.events.register("before-send.dynamodb", respond)
