"""Places inside a scalar."""

from __future__ import annotations

from dataclasses import replace

from dyngen.diagnostics.model import Span


def inside(span: Span, text: str, start: int, end: int) -> Span:
    """Where `text[start:end]` stands, `text` being the value of the scalar at `span`.

    The whole span, where that cannot be told: for text over several lines, with escapes, or
    behind an alias.
    """
    width = span.end_column - span.column
    if span.line != span.end_line or width - len(text) not in (0, 2):
        return span
    first = span.column + (width - len(text)) // 2
    return replace(span, column=first + start, end_column=first + end)
