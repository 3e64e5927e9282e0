"""Faults that no engine shows on its own: unprocessed batches and lost responses."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.httpsession import URLLib3Session


@dataclass(slots=True)
class Faults:
    """What is to go wrong next. All zero: nothing."""

    unprocessed: int = 0
    """How many batch requests from now on the engine leaves wholly unprocessed."""

    lost: int = 0
    """How many responses from now on get lost after the engine did its work."""

    _batch: dict[str, Any] = field(default_factory=dict)

    def on_request(self, params: Mapping[str, Any], **_: object) -> None:
        """Handle botocore's `provide-client-params.dynamodb.*`."""
        self._batch = copy.deepcopy(params.get("RequestItems", {}))

    def before_call(
        self, model: Any, **_: object
    ) -> tuple[AWSResponse, dict[str, Any]] | None:
        """Handle botocore's `before-call.dynamodb.*`: what is returned is the response."""
        if self.unprocessed == 0 or model.name not in (
            "BatchGetItem",
            "BatchWriteItem",
        ):
            return None
        self.unprocessed -= 1
        answer = (
            {"Responses": {}, "UnprocessedKeys": self._batch}
            if model.name == "BatchGetItem"
            else {"UnprocessedItems": self._batch}
        )
        return AWSResponse("", 200, HTTPHeaders(), None), answer

    def before_send(self, request: Any, **_: object) -> AWSResponse | None:
        """Handle botocore's `before-send.dynamodb.*`: a server error in place of the response.

        Every handler of this event runs, so moto's does the work all the same; a real engine is
        sent the request here. botocore then retries, as it does when a connection breaks.
        """
        if self.lost == 0:
            return None
        self.lost -= 1
        if os.environ.get("DYNGEN_ENDPOINT_URL"):
            URLLib3Session().send(request)
        body = b'{"__type": "InternalServerError"}'
        return AWSResponse(request.url, 500, HTTPHeaders(), _Body(body))


@dataclass(slots=True)
class _Body:
    content: bytes

    def stream(self, **_: object) -> list[bytes]:
        """The body, as urllib3's responses give it."""
        return [self.content]
