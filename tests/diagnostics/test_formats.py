"""Diagnostics for tools: one to a line, JSON, GitHub's commands, SARIF."""

from __future__ import annotations

import json

from dyngen.diagnostics import concise, github, json_list, sarif
from dyngen.diagnostics.model import Diagnostic, Label, Severity, Span
from dyngen.diagnostics.sarif import RuleText

FILE = "specs/my orders.yaml"


def span(line: int) -> Span:
    return Span(FILE, line, 3, line, 9)


LATER = Diagnostic(
    "DG341",
    "100% unused: `a`, `b`",
    Label(span(12), "paid for"),
    (Label(span(4), "the table"), Label(span(5))),
    ("remove it", "or read it"),
    Severity.WARNING,
)
FIRST = Diagnostic("DG201", "no key\nanswers it", Label(span(2)))
ADVICE = Diagnostic("DG312", "a time", Label(span(2), "only"), severity=Severity.ADVICE)
FOUND = [LATER, ADVICE, FIRST]


def test_concise() -> None:
    assert concise.render(FOUND) == (
        f"{FILE}:2:3: error DG201 no key\\nanswers it\n"
        f"{FILE}:2:3: advice DG312 a time\n"
        f"{FILE}:12:3: warning DG341 100% unused: `a`, `b`\n"
    )
    assert concise.render([]) == ""


def test_json() -> None:
    found = json.loads(json_list.render(FOUND))
    assert [each["code"] for each in found] == ["DG201", "DG312", "DG341"]
    assert found[2] == {
        "code": "DG341",
        "severity": "warning",
        "message": "100% unused: `a`, `b`",
        "file": FILE,
        "line": 12,
        "column": 3,
        "end_line": 12,
        "end_column": 9,
        "label": "paid for",
        "secondary": [
            {
                "file": FILE,
                "line": line,
                "column": 3,
                "end_line": line,
                "end_column": 9,
                "label": label,
            }
            for line, label in ((4, "the table"), (5, ""))
        ],
        "help": ["remove it", "or read it"],
    }
    assert json.loads(json_list.render([])) == []


def test_github_escapes_what_would_end_a_command() -> None:
    place = "file=specs/my orders.yaml,line={0},col=3,endLine={0},endColumn=9"
    assert github.render(FOUND).splitlines() == [
        f"::error {place.format(2)},title=DG201::no key%0Aanswers it",
        f"::notice {place.format(2)},title=DG312::a time",
        f"::warning {place.format(12)},title=DG341::"
        "100%25 unused: `a`, `b`%0Aremove it%0Aor read it",
    ]
    odd = Diagnostic("DG001", "x", Label(Span("a,b:c%.yaml", 1, 1, 1, 2)))
    assert "file=a%2Cb%3Ac%25.yaml," in github.render([odd])


def test_sarif() -> None:
    rule = RuleText("DG341", "unused-index", "Nobody reads it", "# DG341\n")
    other = RuleText("DG342", "unread-values", "Nobody asks", "# DG342\n")
    log = json.loads(sarif.render(FOUND, "1.2.3", [rule, other]))
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("dyngen", "1.2.3")
    assert driver["rules"] == [
        {"id": "DG201"},
        {"id": "DG312"},
        {
            "id": "DG341",
            "name": "unused-index",
            "shortDescription": {"text": "Nobody reads it"},
            "help": {"text": "# DG341\n", "markdown": "# DG341\n"},
        },
    ]
    results = run["results"]
    assert [r["level"] for r in results] == ["error", "note", "warning"]
    for result in results:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    last = results[2]
    assert last["message"]["text"] == "100% unused: `a`, `b`\nremove it\nor read it"
    [location] = last["locations"]
    assert location == {
        "physicalLocation": {
            "artifactLocation": {"uri": "specs/my%20orders.yaml"},
            "region": {
                "startLine": 12,
                "startColumn": 3,
                "endLine": 12,
                "endColumn": 9,
            },
        },
        "message": {"text": "paid for"},
    }
    assert [each["id"] for each in last["relatedLocations"]] == [1, 2]
    assert "message" not in last["relatedLocations"][1]
