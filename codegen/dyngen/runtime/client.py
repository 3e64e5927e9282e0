"""The client that repositories are given, and the one place where requests are sent.

Everything above this module is free of input and output: it yields requests and is sent responses,
so that the same code serves a blocking client and an asynchronous one.
"""

# ruff: noqa: D102

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from botocore.exceptions import (  # type: ignore[import-untyped,unused-ignore]
    ClientError,
)

R = TypeVar("R")

Response = Mapping[str, Any]
"""What an operation returns."""


class Client(Protocol):
    """The part of a DynamoDB client that repositories use.

    Properties that return any callable, so that boto3's own untyped client and the typed ones of
    boto3-stubs and types-boto3 all fit. Each is the operation of its name.
    """

    @property
    def get_item(self) -> Callable[..., Any]: ...
    @property
    def put_item(self) -> Callable[..., Any]: ...
    @property
    def update_item(self) -> Callable[..., Any]: ...
    @property
    def delete_item(self) -> Callable[..., Any]: ...
    @property
    def query(self) -> Callable[..., Any]: ...
    @property
    def scan(self) -> Callable[..., Any]: ...
    @property
    def batch_get_item(self) -> Callable[..., Any]: ...
    @property
    def batch_write_item(self) -> Callable[..., Any]: ...
    @property
    def transact_get_items(self) -> Callable[..., Any]: ...
    @property
    def transact_write_items(self) -> Callable[..., Any]: ...


@dataclass(frozen=True, slots=True)
class Request:
    """A call of the client's method `operation`, to be made after `delay` seconds."""

    operation: str
    arguments: Mapping[str, Any]
    delay: float = 0.0


Steps = Generator[Sequence[Request], Sequence[Response], R]
"""Work that needs requests: it yields those that may be sent side by side, is sent their responses
in the same order (or thrown the ClientError of one that failed), and returns its result."""


def run(client: Client, steps: Steps[R], sleep: Callable[[float], None]) -> R:
    """The result of `steps`, their requests sent one after another by a blocking client."""
    try:
        requests = next(steps)
        while True:
            try:
                responses = [_send(client, request, sleep) for request in requests]
            except ClientError as error:
                requests = steps.throw(error)
            else:
                requests = steps.send(responses)
    except StopIteration as stop:
        result: R = stop.value
        return result


def _send(client: Client, request: Request, sleep: Callable[[float], None]) -> Response:
    if request.delay:
        sleep(request.delay)
    response: Response = getattr(client, request.operation)(**request.arguments)
    return response


def error_code(error: ClientError) -> str:
    """DynamoDB's name of the error."""
    return str(error.response.get("Error", {}).get("Code", ""))
