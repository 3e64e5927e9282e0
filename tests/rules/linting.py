"""Specs written inside tests, and what rules say of them."""

from __future__ import annotations

from collections.abc import Iterable

from dyngen.compile import compile_all
from dyngen.diagnostics.model import Diagnostic
from dyngen.rules.support.registry import Rule
from dyngen.rules.support.run import run_rules
from dyngen.rules.support.subject import Subject


def subject(text: str) -> Subject:
    """A spec that has no errors."""
    found = compile_all(text, "spec.yaml")
    assert not found.diagnostics, [d.message for d in found.diagnostics]
    assert found.spec is not None
    assert found.design is not None
    return Subject(found.spec, found.design)


def lint(text: str, rules: Iterable[Rule] | None = None) -> tuple[Diagnostic, ...]:
    """What rules (all, unless said otherwise) find in a spec."""
    return run_rules(subject(text), rules)


def places(found: Iterable[Diagnostic]) -> list[tuple[int, str]]:
    """Lines and codes."""
    return sorted((d.primary.span.line, d.code) for d in found)
