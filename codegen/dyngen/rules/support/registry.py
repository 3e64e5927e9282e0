"""The rules that there are."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from dyngen import rules
from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject

CRASHED = "DG300"
"""The code of the finding that a rule itself has failed."""

UNUSED_IGNORE = "DG399"
"""The code of the rule that runs last: it looks at what the others did."""


class Rule(Protocol):
    """A design rule, as each module of `dyngen.rules` is one."""

    __name__: str
    __doc__: str | None
    CODE: str
    SEVERITY: Severity

    def check(self, subject: Subject) -> Iterator[Finding]:
        """What the rule has to say."""


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, in order of its code."""
    modules = (
        import_module(f"{rules.__name__}.{found.name}")
        for found in pkgutil.iter_modules(rules.__path__)
        if not found.ispkg
    )
    found = (cast(Rule, module) for module in modules)
    return tuple(sorted(found, key=lambda rule: rule.CODE))


def find_rule(code: str) -> Rule | None:
    """The rule with this code."""
    return next((rule for rule in all_rules() if code == rule.CODE), None)


def rule_name(rule: Rule) -> str:
    """The name of a rule: `unused-index`."""
    return rule.__name__.rpartition(".")[2].replace("_", "-")
