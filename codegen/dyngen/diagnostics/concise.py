"""Diagnostics one to a line, as editors and grep like them."""

from __future__ import annotations

from collections.abc import Iterable

from dyngen.diagnostics.excerpt import visible
from dyngen.diagnostics.model import Diagnostic


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """`specs/orders.yaml:12:5: warning DG331 pages of ...`, in order of place."""
    ordered = sorted(diagnostics, key=lambda each: each.sort_key)
    return "".join(f"{_line(each)}\n" for each in ordered)


def _line(diagnostic: Diagnostic) -> str:
    span = diagnostic.primary.span
    place = f"{visible(span.file)}:{span.line}:{span.column}"
    said = f"{diagnostic.severity} {diagnostic.code} {visible(diagnostic.message)}"
    return f"{place}: {said}"
