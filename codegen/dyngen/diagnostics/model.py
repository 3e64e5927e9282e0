"""A diagnostic is a value: code, severity, message, places and remedies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding weighs: errors and warnings exit 1, advice exits 0."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a source file; lines and columns count from 1, the end column is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Label:
    """A place and what is to be said about it (the text may be empty)."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    Codes: DG0xx text and structure, DG1xx names and references, DG2xx plans and writes (errors
    that nothing may ignore), DG3xx and up design rules.
    """

    code: str
    message: str
    primary: Label
    secondary: tuple[Label, ...] = ()
    help: tuple[str, ...] = ()
    severity: Severity = Severity.ERROR

    @property
    def sort_key(self) -> tuple[Span, str, str]:
        """Order of report: by place, then code."""
        return (self.primary.span, self.code, self.message)
