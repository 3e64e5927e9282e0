"""What is known of particular engines: which count capacity units, and what one gets wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

_AWS = ".amazonaws.com"
_DYNOXIDE = "Dynoxide/"

_BEGINS_WITH = re.compile(r"begins_with\s*\(\s*(#\w+)\s*,\s*(:\w+)\s*\)")
_HIGH = ":dyngen_high"
_SORT_BYTES = 1024
_FILLERS = ("\U0010ffff", "\uffff", "\u07ff", "\u007f")  # of 4, 3, 2 and 1 bytes


def is_dynoxide(client: Any) -> bool:
    """Whether the engine behind a client is dynoxide."""
    headers = client.list_tables(Limit=1)["ResponseMetadata"]["HTTPHeaders"]
    return str(headers.get("server", "")).startswith(_DYNOXIDE)


def is_aws(url: str) -> bool:
    """Whether this is an endpoint of DynamoDB itself."""
    return (urlsplit(url).hostname or "").endswith(_AWS)


# --- capacity units -------------------------------------------------------------------------------


def ask_for_units(params: dict[str, Any], **_: object) -> None:
    """Handle botocore's `provide-client-params.dynamodb.*`: have the engine report units."""
    params["ReturnConsumedCapacity"] = "INDEXES"


def reported_units(response: Mapping[str, Any]) -> float:
    """The units of a response to a request that asked for them; 0 if the request failed."""
    consumed = response.get("ConsumedCapacity", ())
    several = [consumed] if isinstance(consumed, Mapping) else consumed
    return float(sum(each["CapacityUnits"] for each in several))


# --- dynoxide's begins_with -----------------------------------------------------------------------


def correct_prefix(params: dict[str, Any], **_: object) -> None:
    """Handle botocore's `before-call.dynamodb.Query`: ask dynoxide for a range, not a prefix.

    dynoxide 1.2.1 takes `begins_with` on a sort key without regard to the case of ASCII letters,
    where DynamoDB compares bytes. A suite stores items whose keys differ in nothing else, so every
    read of a prefix would find them. What leaves the client is therefore the range that means the
    same; the request that the repository made is guarded and recorded before that.
    """
    body = json.loads(params["body"])
    found = _BEGINS_WITH.search(body["KeyConditionExpression"])
    if found is None:
        return
    name, value = found.groups()
    prefix = body["ExpressionAttributeValues"][value].get("S")
    if prefix is None:
        return
    body["KeyConditionExpression"] = _BEGINS_WITH.sub(
        f"{name} BETWEEN {value} AND {_HIGH}", body["KeyConditionExpression"]
    )
    body["ExpressionAttributeValues"][_HIGH] = {"S": greatest(prefix)}
    params["body"] = json.dumps(body).encode()


def greatest(prefix: str) -> str:
    """The greatest text of a sort key that begins with this."""
    text = prefix
    for filler in _FILLERS:
        room = _SORT_BYTES - len(text.encode())
        text += filler * (room // len(filler.encode()))
    return text
