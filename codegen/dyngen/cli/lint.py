"""`dyngen lint`: everything that is wrong with specs, or could be better."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from dyngen.cli.sources import Compiled, compile_file, report
from dyngen.diagnostics.model import Diagnostic
from dyngen.rules.support.run import run_rules
from dyngen.rules.support.subject import Subject


def lint(specs: Sequence[Path]) -> int:
    """Print the findings of all specs; 1 if one of them is an error or a warning."""
    compiled = [compile_file(path) for path in specs]
    advice = [each for spec in compiled for each in _advice(spec)]
    found = report(compiled, advice, to=sys.stdout)
    if not advice and not any(spec.diagnostics for spec in compiled):
        count = len(compiled)
        click.echo(f"Nothing found in {count} spec{'' if count == 1 else 's'}.")
    return int(found)


def _advice(spec: Compiled) -> tuple[Diagnostic, ...]:
    """What rules find in all that could be planned."""
    compilation = spec.compilation
    if compilation.spec is None or compilation.design is None:
        return ()
    return run_rules(Subject(compilation.spec, compilation.design, compilation.whole))
