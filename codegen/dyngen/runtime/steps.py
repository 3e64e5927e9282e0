"""Work that needs requests, apart from who sends them: a client that blocks, or one that is awaited."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

R = TypeVar("R")

Response = Mapping[str, Any]
"""What an operation returns."""


@dataclass(frozen=True, slots=True)
class Request:
    """A call of the client's method `operation`, to be made after `delay` seconds."""

    operation: str
    arguments: Mapping[str, Any]
    delay: float = 0.0


Steps = Generator[Sequence[Request], Sequence[Response], R]
"""Work that needs requests: it yields those that may be sent side by side, is sent their responses
in the same order (or thrown the ClientError of one that failed), and returns its result."""
