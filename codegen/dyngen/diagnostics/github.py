"""Diagnostics as workflow commands: GitHub shows them beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable

from dyngen.diagnostics.model import Diagnostic, Severity

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.ADVICE: "notice",
}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """`::warning file=...,line=...,title=DG331::pages of ...`, in order of place."""
    ordered = sorted(diagnostics, key=lambda each: each.sort_key)
    return "".join(f"{_command(each)}\n" for each in ordered)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.primary.span
    properties = {
        "file": span.file,
        "line": span.line,
        "col": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
        "title": diagnostic.code,
    }
    placed = ",".join(f"{name}={_property(str(v))}" for name, v in properties.items())
    text = "\n".join([diagnostic.message, *diagnostic.help])
    return f"::{_COMMANDS[diagnostic.severity]} {placed}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
