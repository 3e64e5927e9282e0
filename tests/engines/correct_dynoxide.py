"""A pytest plugin for suites on dynoxide: makes good what that engine gets wrong.

dynoxide 1.2.1 takes `begins_with` on a sort key without regard to the case of ASCII letters, where
DynamoDB compares bytes (AWS: Limits of `Query`, and so do moto and ministack). Suites store items
whose keys differ in case alone, so every prefix read would be seen to read them. What leaves the
client therefore is the range that means the same, from the prefix to the greatest text that begins
with it; the suite still sees, guards and records the request that the repository made.
"""

from __future__ import annotations

import json
import re
from typing import Any

import boto3
import pytest

_BEGINS_WITH = re.compile(r"begins_with\s*\(\s*(#\w+)\s*,\s*(:\w+)\s*\)")
_HIGH = ":dynoxide_high"
_SORT_BYTES = 1024
_FILLERS = ("\U0010ffff", "\uffff", "\u07ff", "\u007f")  # of 4, 3, 2 and 1 bytes


def pytest_configure(config: pytest.Config) -> None:
    """Correct the requests of every client that the suite makes."""
    make = boto3.Session.client

    def client(*arguments: Any, **options: Any) -> Any:
        made = make(*arguments, **options)
        made.meta.events.register("before-call.dynamodb.Query", _correct)
        return made

    boto3.Session.client = client  # type: ignore[method-assign]


def _correct(params: dict[str, Any], **_: object) -> None:
    body = json.loads(params["body"])
    found = _BEGINS_WITH.search(body["KeyConditionExpression"])
    if found is None:
        return
    name, value = found.groups()
    values = body["ExpressionAttributeValues"]
    if list(values[value]) != ["S"]:
        return
    body["KeyConditionExpression"] = _BEGINS_WITH.sub(
        f"{name} BETWEEN {value} AND {_HIGH}", body["KeyConditionExpression"]
    )
    values[_HIGH] = {"S": greatest(values[value]["S"])}
    params["body"] = json.dumps(body).encode()


def greatest(prefix: str) -> str:
    """The greatest text of a sort key that begins with this."""
    text = prefix
    for filler in _FILLERS:
        room = _SORT_BYTES - len(text.encode())
        text += filler * (room // len(filler.encode()))
    return text
