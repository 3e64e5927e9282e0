"""Faults that no engine shows on its own: throttling, conflicts, unprocessed batches, lost responses.

A client under faults behaves as AWS's would: what botocore retries is retried by botocore, only
without its waits.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ClientError
from botocore.httpsession import URLLib3Session

_BATCHES = {"BatchGetItem": "UnprocessedKeys", "BatchWriteItem": "UnprocessedItems"}
_TRANSACTION = "TransactWriteItems"
_WRITES = ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem")
_NOWHERE = "https://nowhere.invalid/"


@dataclass(slots=True)
class Faults:
    """What is to go wrong next. All zero: nothing."""

    raw: Any
    """A client without faults, on the same engine."""

    unprocessed: int = 0
    """How many batch requests from now on the engine leaves wholly unprocessed."""

    halved: int = 0
    """How many batch requests from now on it leaves half unprocessed."""

    throttled: int = 0
    """How many requests from now on it refuses to do at this moment."""

    conflicts: int = 0
    """How many transactions from now on it cancels since others write the same items."""

    lost: int = 0
    """How many responses to writes from now on get lost after the engine did its work."""

    meanwhile: Callable[[], None] | None = None
    """What someone else does after the next GetItem."""

    repeated: bool = False
    """Whether a request had to be repeated, since `clear`."""

    _params: dict[str, Any] = field(default_factory=dict)
    _left: dict[str, Any] | None = None
    _done: set[str] = field(default_factory=set)

    def clear(self) -> None:
        """Let nothing go wrong any more."""
        self.unprocessed = self.halved = self.throttled = 0
        self.conflicts = self.lost = 0
        self.meanwhile, self.repeated = None, False

    # --- botocore's events ------------------------------------------------------------------------

    def on_request(self, params: dict[str, Any], model: Any, **_: object) -> None:
        """Handle `provide-client-params.dynamodb.*`: what is left unprocessed is not even sent."""
        self._params = copy.deepcopy(params)
        self._left = None
        if model.name in _BATCHES and self.halved > 0 and not self.unprocessed:
            self.halved -= 1
            params["RequestItems"], self._left = _halves(self._params["RequestItems"])

    def before_call(
        self, model: Any, **_: object
    ) -> tuple[AWSResponse, dict[str, Any]] | None:
        """Handle `before-call.dynamodb.*`: what is returned is the response."""
        if model.name in _BATCHES and self.unprocessed > 0:
            self.unprocessed -= 1
            left = {_BATCHES[model.name]: self._params["RequestItems"]}
            return _answer(200, {"Responses": {}, **left})
        if model.name == _TRANSACTION:
            return self._transaction()
        return None

    def before_send(
        self, request: Any, event_name: str, **_: object
    ) -> AWSResponse | None:
        """Handle `before-send.dynamodb.*`: an error in place of the response.

        Every handler of this event runs, so moto's does the work all the same, unless the request
        goes nowhere; a real engine is sent the request here. botocore then retries, as it does when
        a connection breaks.
        """
        if self.throttled > 0:
            self.throttled -= 1
            request.url = _NOWHERE
            return _error(request, 400, "ProvisionedThroughputExceededException")
        if self.lost == 0 or not event_name.endswith(_WRITES):
            return None
        self.lost -= 1
        if os.environ.get("DYNGEN_ENDPOINT_URL"):
            URLLib3Session().send(request)
        return _error(request, 500, "InternalServerError")

    def needs_retry(self, response: Any, **_: object) -> float | None:
        """Handle `needs-retry.dynamodb.*`: at once, if the error was made here."""
        if response is None or not isinstance(response[0].raw, _Body):
            return None
        self.repeated = True
        return 0.0

    def after_call(self, parsed: dict[str, Any], model: Any, **_: object) -> None:
        """Handle `after-call.dynamodb.*`."""
        if self._left is not None:
            parsed[_BATCHES[model.name]] = self._left
        if model.name == "GetItem" and self.meanwhile is not None:
            act, self.meanwhile = self.meanwhile, None
            act()

    # --- transactions -----------------------------------------------------------------------------

    def _transaction(self) -> tuple[AWSResponse, dict[str, Any]] | None:
        """The answer to a transaction that conflicts, or that is repeated after it was done.

        The engine knows a transaction by its token, and answers a second time without doing it
        again (AWS: API_TransactWriteItems). moto does not know tokens, so that is done here: when
        the response is lost, the first repetition finds the transaction still in progress.
        """
        token = self._params.get("ClientRequestToken", "")
        if token in self._done:
            return _answer(200, {})
        if self.conflicts > 0:
            self.conflicts -= 1
            return _answer(400, _cancelled(len(self._params["TransactItems"])))
        if self.lost == 0:
            return None
        self.lost -= 1
        try:
            self.raw.transact_write_items(**self._params)
        except ClientError:
            return None  # nothing was done, and so it goes the second time
        self._done.add(token)
        self.repeated = True
        return _answer(400, {"Error": {"Code": "TransactionInProgressException"}})


def _halves(
    asked: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The half of a batch that is sent, the greater one, and the half that is left."""
    [(table, requests)] = asked.items()
    whole = requests["Keys"] if isinstance(requests, dict) else requests
    middle = (len(whole) + 1) // 2
    sent, left = (
        {**requests, "Keys": part} if isinstance(requests, dict) else part
        for part in (whole[:middle], whole[middle:])
    )
    return {table: sent}, {table: left} if whole[middle:] else {}


def _cancelled(actions: int) -> dict[str, Any]:
    others = [{"Code": "None"}] * (actions - 1)
    return {
        "Error": {"Code": "TransactionCanceledException"},
        "CancellationReasons": [{"Code": "TransactionConflict"}, *others],
    }


def _answer(status: int, parsed: dict[str, Any]) -> tuple[AWSResponse, dict[str, Any]]:
    return AWSResponse("", status, HTTPHeaders(), None), parsed


def _error(request: Any, status: int, code: str) -> AWSResponse:
    body = json.dumps({"__type": code}).encode()
    return AWSResponse(request.url, status, HTTPHeaders(), _Body(body))


@dataclass(slots=True)
class _Body:
    content: bytes

    def stream(self, **_: object) -> list[bytes]:
        """The body, as urllib3's responses give it."""
        return [self.content]
