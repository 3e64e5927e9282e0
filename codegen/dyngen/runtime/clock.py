"""Time, chance and identity: what a repository takes from its surroundings, so that tests can give it."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import random
import secrets
import threading
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


def utc_now() -> dt.datetime:
    """The time, in UTC."""
    return dt.datetime.now(dt.UTC)


def new_uuid() -> str:
    """A random UUID (version 4) in canonical text."""
    return str(uuid.uuid4())


def new_token() -> str:
    """A random token of 96 bits: a version, or the token of a request."""
    return secrets.token_urlsafe(12)


class MonotonicUlids:
    """Makes ULIDs, each greater than the one before, from any thread.

    See https://github.com/ulid/spec. Within one millisecond, and while the clock stands behind an
    earlier time, the random part counts up from a random start.
    """

    def __init__(self, milliseconds: Callable[[], int]) -> None:
        self._milliseconds = milliseconds
        self._lock = threading.Lock()
        self._last = 0

    def __call__(self) -> str:
        """The next ULID."""
        now = self._milliseconds()
        with self._lock:
            if now > self._last >> _RANDOM_BITS:
                # The top bit is left free, so that counting does not reach the next millisecond.
                self._last = now << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS - 1)
            else:
                self._last += 1
            number = self._last
        return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))

    def reset(self) -> None:
        """Forget the last ULID: a forked process must not count on from its parent's."""
        self._lock = threading.Lock()
        self._last = 0


new_ulid: Final = MonotonicUlids(lambda: time.time_ns() // 1_000_000)
"""A ULID in canonical text, greater than all that this process made before."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=new_ulid.reset)


@dataclass(frozen=True, slots=True)
class Environment:
    """What a repository takes from its surroundings.

    Attributes:
        clock: the time, with a time zone.
        new_ulid: a ULID that was not given before.
        new_uuid: a UUID that was not given before.
        new_token: a token that was not given before.
        random: a number from 0 to less than 1.
        sleep: waits for so many seconds.
        sleep_async: the same, for asynchronous repositories.
        concurrency: the most requests that one call of an asynchronous repository sends side by
            side.
    """

    clock: Callable[[], dt.datetime] = utc_now
    new_ulid: Callable[[], str] = new_ulid
    new_uuid: Callable[[], str] = new_uuid
    new_token: Callable[[], str] = new_token
    random: Callable[[], float] = random.random
    sleep: Callable[[float], None] = time.sleep
    sleep_async: Callable[[float], Awaitable[None]] = asyncio.sleep
    concurrency: int = 8


DEFAULT_ENVIRONMENT: Final = Environment()
"""The computer's own clock and randomness."""
