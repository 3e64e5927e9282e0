"""Responses decoded in one go.

botocore takes most of the time of a read to look at each member of each attribute value for what its
model says of it. In the responses of the operations on items there is nothing to be found but the
base64 of binary values. So a handler of botocore's event before it parses a response takes the body
as JSON, as it is. It steps aside for whatever is not such a response, which botocore then parses as
ever: errors, broken JSON (so that a checksum that does not match leads to a repetition), binary
values, other protocols, versions of botocore without the event. The client returns the same either
way.
"""

from __future__ import annotations

import re
from typing import Any

from .client import Client

try:
    from orjson import loads  # type: ignore[import-not-found,unused-ignore]
except ImportError:
    from json import loads  # type: ignore[assignment,unused-ignore]

_BINARY = re.compile(b'"BS?"').search

# Other operations return next to nothing, and a handler that finds nothing takes time as well.
_OPERATIONS = (
    "BatchGetItem",
    "DeleteItem",
    "GetItem",
    "Query",
    "Scan",
    "TransactGetItems",
    "UpdateItem",
)


def decode_fast(client: Client) -> None:
    """Let the client decode its responses in one go, from now on.

    A client of boto3 or aiobotocore; any other one is left as it is.
    """
    events = getattr(getattr(client, "meta", None), "events", None)
    if events is None:
        return
    for operation in _OPERATIONS:
        events.register(
            f"before-parse.dynamodb.{operation}",
            _decode,
            unique_id=f"dyngen-decode-fast-{operation}",
        )


def _decode(
    operation_model: Any,
    response_dict: dict[str, Any],
    customized_response_dict: dict[str, Any],
    **_: object,
) -> None:
    """Put the contents of the body into what botocore adds to the parsed response."""
    body = response_dict["body"]
    if (
        response_dict["status_code"] != 200
        or _holds_binary(body)
        or _protocol(operation_model.service_model) != "json"
    ):
        return
    try:
        contents = loads(body)
    except ValueError:
        return
    if isinstance(contents, dict):
        for name in operation_model.output_shape.members:
            if contents.get(name) is not None:
                customized_response_dict[name] = contents[name]
        response_dict["body"] = b""


def _protocol(service_model: Any) -> str:
    """What requests and responses are written in. Versions of botocore that know one have no word."""
    found: str = getattr(service_model, "resolved_protocol", "json")
    return found


def _holds_binary(body: bytes) -> bool:
    """Whether there may be a binary value, or a set of them."""
    # Most bodies hold no `"B` at all, and the first search is ten times as fast: it looks for the B.
    return b'"B' in body and _BINARY(body) is not None
