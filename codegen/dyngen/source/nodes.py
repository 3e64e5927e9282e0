"""YAML values that remember where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from dyngen.diagnostics.model import Span

ScalarValue = str | int | Decimal | bool


@dataclass(frozen=True, slots=True)
class Scalar:
    """Text, a whole number, a decimal number, or a boolean. There is no null in a spec."""

    value: ScalarValue
    span: Span


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a mapping with its value."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping, in the order written; keys are text and occur once.

    `complete`: whether everything written is there; what could not be read was reported and left
    out.
    """

    entries: tuple[Entry, ...]
    span: Span
    complete: bool = True

    def get(self, key: str) -> Node | None:
        """The value at `key`, or None."""
        return next((e.value for e in self.entries if e.key.value == key), None)


Node = Scalar | Sequence | Mapping
