"""Specs written inside tests, and what the reader makes of them."""

from dyngen.diagnostics.model import Diagnostic
from dyngen.source.yaml_reader import read
from dyngen.spec.model import AccessPattern, Entity, Spec
from dyngen.spec.reader import read_spec

HEAD = "dyngen: 1\nservice: things\n"
BODY = """\
tables:
  Things: {partition_key: id}
entities:
  Thing:
    attributes: {id: string}
  Other:
    attributes: {id: string}
"""


def read_text(text: str) -> tuple[Spec | None, list[Diagnostic]]:
    """The spec that a whole text says; its YAML has to be right."""
    root, problems = read(text, "spec.yaml")
    assert root is not None, problems
    assert not problems
    return read_spec(root, "spec.yaml")


def read_ok(text: str) -> Spec:
    """The spec of a text that has nothing wrong."""
    spec, problems = read_text(text)
    assert not problems
    assert spec is not None
    return spec


def read_pattern(text: str) -> AccessPattern:
    """The one access pattern of a spec."""
    spec = read_ok(f"{HEAD}{BODY}access_patterns:\n  pattern: {text}\n")
    return spec.access_patterns[0]


def pattern_problems(text: str) -> list[Diagnostic]:
    """What is wrong with a pattern."""
    _, problems = read_text(f"{HEAD}{BODY}access_patterns:\n  pattern: {text}\n")
    return problems


def read_entity(text: str) -> Entity:
    """The entity that a flow mapping says."""
    spec = read_ok(
        f"{HEAD}tables: {{Things: {{partition_key: id}}}}\nentities:\n  Thing: {text}\n"
    )
    return spec.entities[0]


def marked(text: str, problem: Diagnostic) -> str:
    """The words of the text that a problem marks."""
    span = problem.primary.span
    assert span.line == span.end_line
    return text.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1]
