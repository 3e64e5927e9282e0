"""`dyngen lint`: everything that is wrong with specs, or could be better."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from dyngen.cli.sources import compile_file, report
from dyngen.rules import run_rules


def lint(specs: Sequence[Path]) -> int:
    """Print the findings of all specs; 1 if one of them is an error or a warning."""
    compiled = [compile_file(path) for path in specs]
    advice = [d for spec in compiled if spec.design for d in run_rules(spec.design)]
    found = report(compiled, advice, to=sys.stdout)
    if not advice and not any(spec.diagnostics for spec in compiled):
        count = len(compiled)
        click.echo(f"Nothing found in {count} spec{'' if count == 1 else 's'}.")
    return int(found)
