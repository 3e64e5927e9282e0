"""Diagnostics as SARIF 2.1.0, which code scanning services and editors import."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from dyngen.diagnostics.model import Diagnostic, Label, Severity, Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.ADVICE: "note",
}


@dataclass(frozen=True, slots=True)
class RuleText:
    """What is told of a rule: its name (`unused-index`), a title, and its page as Markdown."""

    code: str
    name: str
    title: str
    page: str


def render(
    diagnostics: Iterable[Diagnostic], version: str, rules: Iterable[RuleText] = ()
) -> str:
    """One run of the tool; `rules` are told for the codes that are reported."""
    ordered = sorted(diagnostics, key=lambda each: each.sort_key)
    codes = sorted({each.code for each in ordered})
    told = {rule.code: rule for rule in rules}
    run = {
        "tool": {
            "driver": {
                "name": "dyngen",
                "version": version,
                "rules": [_rule(code, told.get(code)) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, codes) for each in ordered],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str, rule: RuleText | None) -> dict[str, Any]:
    if rule is None:
        return {"id": code}
    return {
        "id": code,
        "name": rule.name,
        "shortDescription": {"text": rule.title},
        "help": {"text": rule.page, "markdown": rule.page},
    }


def _result(diagnostic: Diagnostic, codes: Sequence[str]) -> dict[str, Any]:
    text = "\n".join([diagnostic.message, *diagnostic.help])
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": codes.index(diagnostic.code),
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": text},
        "locations": [_location(diagnostic.primary)],
    }
    if diagnostic.secondary:
        result["relatedLocations"] = [
            {"id": number, **_location(label)}
            for number, label in enumerate(diagnostic.secondary, 1)
        ]
    return result


def _location(label: Label) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": _place(label.span)}
    if label.text:
        location["message"] = {"text": label.text}
    return location


def _place(span: Span) -> dict[str, Any]:
    return {
        "artifactLocation": {"uri": quote(span.file)},
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        },
    }
