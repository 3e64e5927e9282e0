"""Faults: lost responses and throttled requests, at random; the SDK then tries again."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from aiobotocore.awsrequest import AioAWSResponse
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.httpsession import URLLib3Session

FAULTS = 0.02  # of all requests; half are lost after the engine did its work


@dataclass(slots=True)
class Faults:
    """What goes wrong, and how often it did.

    `response`: AWSResponse, or for aiobotocore AioAWSResponse.
    """

    random: random.Random
    response: type[AWSResponse] | type[AioAWSResponse] = AWSResponse
    active: bool = True
    counts: Counter[str] = field(default_factory=Counter)
    session: URLLib3Session = field(default_factory=URLLib3Session)

    def before_send(self, request: Any, **_: object) -> Any:
        """Handle botocore's `before-send.dynamodb.*`: what is returned is the response."""
        if not self.active or self.random.random() >= FAULTS:
            return None
        if self.random.random() < 0.5:
            self.session.send(request)
            self.counts["responses lost"] += 1
            return self._failure(request.url, 500, "InternalServerError")
        self.counts["requests throttled"] += 1
        return self._failure(request.url, 400, "ProvisionedThroughputExceededException")

    def _failure(self, url: str, status: int, kind: str) -> Any:
        body = f'{{"__type": "com.amazonaws.dynamodb.v20120810#{kind}"}}'
        return self.response(url, status, HTTPHeaders(), _Body(body.encode()))


class _Body:
    def __init__(self, content: bytes) -> None:
        self.content = content

    def stream(self, **_: object) -> list[bytes]:
        """As urllib3's responses give it."""
        return [self.content]

    async def read(self) -> bytes:
        """As aiobotocore asks for it."""
        return self.content
