"""A DynamoDB client whose requests are recorded, for the tests of the runtime."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import boto3
from botocore.config import Config


@dataclass
class Engine:
    """A client whose requests are recorded, and can be changed or answered on the way.

    `requests` holds the operation and the parameters of each. `limit` is set on every Query and Scan
    that has none, so that a few items make several pages.
    """

    client: Any
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    read: int = 0
    limit: int | None = None

    def on_request(self, params: dict[str, Any], model: Any, **_: object) -> None:
        if self.limit is not None and model.name in ("Query", "Scan"):
            params.setdefault("Limit", self.limit)
        self.requests.append((model.name, dict(params)))

    def on_response(self, parsed: dict[str, Any], **_: object) -> None:
        self.read += parsed.get("ScannedCount", 0)

    def put(self, table: str, *items: dict[str, Any]) -> None:
        for item in items:
            self.client.put_item(TableName=table, Item=item)
        self.forget()

    def forget(self) -> None:
        self.requests.clear()
        self.read = 0

    @property
    def operations(self) -> list[str]:
        return [operation for operation, _ in self.requests]


def new_client() -> Any:
    return boto3.client(
        "dynamodb",
        region_name="eu-west-1",
        aws_access_key_id="testing",
        aws_secret_access_key="testing",
        config=Config(retries={"mode": "legacy", "max_attempts": 3}),
    )


def key(*names: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": name, "KeyType": kind}
        for name, kind in zip(names, ("HASH", "RANGE"), strict=False)
    ]
