"""Diagnostics as a JSON array, for tools: everything that a diagnostic holds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from dyngen.diagnostics.model import Diagnostic, Label


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """An array of objects, in order of place; lines and columns count from 1, ends are exclusive."""
    ordered = sorted(diagnostics, key=lambda each: each.sort_key)
    found = [_diagnostic(each) for each in ordered]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        **_label(diagnostic.primary),
        "secondary": [_label(each) for each in diagnostic.secondary],
        "help": list(diagnostic.help),
    }


def _label(label: Label) -> dict[str, Any]:
    span = label.span
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "label": label.text,
    }
