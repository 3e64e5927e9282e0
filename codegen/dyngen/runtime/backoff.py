"""How long to wait before something is tried again."""

from __future__ import annotations

from collections.abc import Callable

_FIRST_DELAY = 0.05  # seconds
_LONGEST_DELAY = 5.0
_MOST_FAILURES = 10


class Backoff:
    """Waits between attempts: longer and longer while attempts fail, up to a longest wait.

    A wait is a random part of its ceiling, so that clients that failed together do not try again
    together.

    Attributes:
        delay: how long to wait before the next attempt, in seconds.
    """

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._failures = 0
        self.delay = 0.0

    @property
    def exhausted(self) -> bool:
        """Whether so many attempts in a row have failed that no other one should be made."""
        return self._failures >= _MOST_FAILURES

    def fail(self) -> None:
        """The attempt achieved nothing."""
        self._failures += 1
        self._wait()

    def advance(self, *, completed: bool) -> None:
        """The attempt achieved something; all of it, if `completed`."""
        self._failures = 0
        if completed:
            self.delay = 0.0
        else:
            self._wait()

    def _wait(self) -> None:
        ceiling = min(_LONGEST_DELAY, _FIRST_DELAY * 2**self._failures)
        self.delay = self._random() * ceiling
