"""Asynchronous repositories behind the tests of blocking ones: the same suite proves both.

They are given the engine's blocking client, its operations made awaitable, so that the same requests
pass the same guard. What is awaited is awaited here.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from typing import Any

_LOOP = asyncio.new_event_loop()
_END = object()


class Awaited:
    """A client whose operations are awaited, in front of a blocking one."""

    def __init__(self, client: Any) -> None:
        self._client = client

    @property
    def meta(self) -> Any:
        """What botocore keeps of the client."""
        return self._client.meta

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call = getattr(self._client, name)

        async def operation(**arguments: Any) -> Any:
            return call(**arguments)

        return operation


class Blocking:
    """An asynchronous service object, repository or query, used like a blocking one."""

    def __init__(self, of: Any) -> None:
        self._of = of

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._of, name)
        if not callable(found):
            return Blocking(found)

        def call(*arguments: Any, **named: Any) -> Any:
            return _settled(found(*arguments, **named))

        return call

    def __iter__(self) -> Iterator[Any]:
        items = aiter(self._of)
        while (item := _LOOP.run_until_complete(anext(items, _END))) is not _END:
            yield item


def _settled(result: Any) -> Any:
    if inspect.iscoroutine(result):
        return _LOOP.run_until_complete(result)
    return Blocking(result) if hasattr(result, "__aiter__") else result


async def at_once(seconds: float) -> None:
    """Waits no time at all."""
