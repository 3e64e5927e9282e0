"""The mark of a value that the repository fills in."""

from __future__ import annotations

from typing import Any


class _Unset:
    """The type of `UNSET`; copies and pickles are the one instance."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSET"

    def __reduce__(self) -> str:
        return "UNSET"


UNSET: Any = _Unset()
"""Not given: `create` fills it in, and other writes refuse an entity that still has it."""
