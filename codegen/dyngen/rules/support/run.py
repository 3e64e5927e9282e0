"""Runs rules over a spec, and leaves out what it says to ignore."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Severity
from dyngen.rules.support.registry import CRASHED, UNUSED_IGNORE, Rule, all_rules
from dyngen.rules.support.subject import Finding, Scope, Subject
from dyngen.spec.model import Ignore


def run_rules(
    subject: Subject, rules: Iterable[Rule] | None = None
) -> tuple[Diagnostic, ...]:
    """What the rules (all, unless said otherwise) find; a rule that crashes is a finding too.

    Rules run in order of their codes; the last one is told which ignores have silenced something.
    """
    found: list[Diagnostic] = []
    chains = {id(chain[0]): chain for chain in subject.scopes}
    matched: set[Ignore] = set()
    ran: set[str] = set()
    chosen = all_rules() if rules is None else rules
    for rule in sorted(chosen, key=lambda rule: rule.CODE):
        if rule.CODE == UNUSED_IGNORE:
            subject = replace(subject, ran=frozenset(ran), matched=frozenset(matched))
        try:
            findings = list(rule.check(subject))
        except Exception as failure:
            found.append(_crashed(rule, failure, subject))
            continue
        ran.add(rule.CODE)
        for finding in findings:
            ignored = _ignore(rule.CODE, chains[id(finding.about)])
            if ignored is None:
                found.append(_diagnostic(rule, finding))
            else:
                matched.add(ignored)
    return tuple(found)


def _ignore(code: str, chain: Iterable[Scope]) -> Ignore | None:
    """The nearest word that a rule is to be ignored."""
    return next(
        (
            ignore
            for scope in chain
            for ignore in scope.ignores
            if ignore.code.text == code
        ),
        None,
    )


def _diagnostic(rule: Rule, finding: Finding) -> Diagnostic:
    return error(
        rule.CODE,
        finding.message,
        finding.span,
        finding.label,
        secondary=finding.secondary,
        help=finding.help,
        severity=rule.SEVERITY,
    )


def _crashed(rule: Rule, failure: Exception, subject: Subject) -> Diagnostic:
    return error(
        CRASHED,
        f"rule {rule.CODE} failed: {type(failure).__name__}: {failure}",
        subject.spec.service.span,
        help=["this is a fault of dyngen; please report it with the spec"],
        severity=Severity.WARNING,
    )
