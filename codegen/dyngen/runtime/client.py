"""The client that repositories are given, and the one place where requests are sent.

What takes several requests is free of input and output: it yields requests and is sent responses,
so that the same code serves a blocking client (`run`) and an asynchronous one (`run_async`).
"""

# ruff: noqa: D102

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from botocore.exceptions import (  # type: ignore[import-untyped,unused-ignore]
    ClientError,
)

from .clock import Environment
from .steps import Request, Response, Steps

R = TypeVar("R")


class Client(Protocol):
    """The part of a DynamoDB client that repositories use.

    Properties that return any callable, so that boto3's own untyped client, the typed ones of
    boto3-stubs and types-boto3, and those of aiobotocore all fit. Each is the operation of its name.
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


def run(client: Client, steps: Steps[R], environment: Environment) -> R:
    """The result of `steps`, their requests sent one after another by a blocking client."""
    try:
        requests = next(steps)
        while True:
            try:
                responses = [_send(client, each, environment) for each in requests]
            except ClientError as error:
                requests = steps.throw(error)
            else:
                requests = steps.send(responses)
    except StopIteration as stop:
        result: R = stop.value
        return result


async def run_async(client: Client, steps: Steps[R], environment: Environment) -> R:
    """The result of `steps`, their requests sent side by side by an asynchronous client."""
    gate = asyncio.Semaphore(environment.concurrency)
    try:
        requests = next(steps)
        while True:
            try:
                responses = await _send_all(client, requests, environment, gate)
            except ClientError as error:
                requests = steps.throw(error)
            else:
                requests = steps.send(responses)
    except StopIteration as stop:
        result: R = stop.value
        return result


def _send(client: Client, request: Request, environment: Environment) -> Response:
    if request.delay:
        environment.sleep(request.delay)
    response: Response = getattr(client, request.operation)(**request.arguments)
    return response


async def _send_all(
    client: Client,
    requests: Sequence[Request],
    environment: Environment,
    gate: asyncio.Semaphore,
) -> list[Response]:
    """The responses. Raises the first error when all requests have come to an end: none of them
    goes on behind the back of whoever handles it."""

    async def send(request: Request) -> Response:
        if request.delay:
            await environment.sleep_async(request.delay)
        async with gate:
            call = getattr(client, request.operation)
            response: Response = await call(**request.arguments)
            return response

    if len(requests) == 1:
        return [await send(requests[0])]
    outcomes = await asyncio.gather(*map(send, requests), return_exceptions=True)
    responses: list[Response] = []
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
        responses.append(outcome)
    return responses


def error_code(error: ClientError) -> str:
    """DynamoDB's name of the error."""
    return str(error.response.get("Error", {}).get("Code", ""))
