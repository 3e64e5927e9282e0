"""Design rules: what an experienced DynamoDB engineer would say of a valid spec.

Each module of this package is one rule: `CODE`, `SEVERITY`, and `check(design)`, which yields what
it finds. Its docstring says what is checked, why it matters, and when to ignore it. A new module is
found by itself; nothing has to be registered.

Codes: DG310–DG319 keys, DG320 partitions, DG330 reads, DG340 indexes, DG350 tables, DG360 names.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from dyngen.design.plans import Design
from dyngen.diagnostics.build import warning
from dyngen.diagnostics.model import Diagnostic, Severity

CRASHED = "DG300"
"""The code of the finding that a rule itself has failed."""


class Rule(Protocol):
    """A design rule, as each module of this package is one."""

    CODE: str
    SEVERITY: Severity

    def check(self, design: Design) -> Iterator[Diagnostic]:
        """What the rule has to say about a design."""


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, in order of its code."""
    modules = (
        import_module(f"{__name__}.{found.name}")
        for found in pkgutil.iter_modules(__path__)
    )
    rules = (cast(Rule, module) for module in modules)
    return tuple(sorted(rules, key=lambda rule: rule.CODE))


def run_rules(
    design: Design, rules: Iterable[Rule] | None = None
) -> tuple[Diagnostic, ...]:
    """What the rules (all, unless said otherwise) find; a rule that crashes is a finding too."""
    chosen = all_rules() if rules is None else rules
    return tuple(finding for rule in chosen for finding in _run(rule, design))


def _run(rule: Rule, design: Design) -> list[Diagnostic]:
    try:
        return list(rule.check(design))
    except Exception as error:
        return [
            warning(
                CRASHED,
                f"rule {rule.CODE} failed: {type(error).__name__}: {error}",
                design.schema.tables[0].span,
                help=["this is a fault of dyngen; please report it with the spec"],
            )
        ]
