"""`dyngen lint`: everything that is wrong with specs, or could be better."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from dyngen import __version__
from dyngen.cli.sources import Compiled, compile_file, wants_color
from dyngen.diagnostics import concise, github, json_list, sarif, text
from dyngen.diagnostics.model import Diagnostic, Severity
from dyngen.diagnostics.sarif import RuleText
from dyngen.rules.support.pages import markdown, page
from dyngen.rules.support.registry import Rule, all_rules, rule_name
from dyngen.rules.support.run import run_rules
from dyngen.rules.support.subject import Subject


def lint(
    specs: Sequence[Path], form: str, select: Sequence[str], ignore: Sequence[str]
) -> int:
    """Print the findings of all specs; 1 if one of them is an error or a warning.

    `select` and `ignore` hold codes of design rules, or what codes begin with. Raises click.UsageError
    for one that fits no rule.
    """
    rules = _chosen(select, ignore)
    compiled = [compile_file(path) for path in specs]
    found = [d for spec in compiled for d in (*spec.diagnostics, *_advice(spec, rules))]
    click.echo(_render(form, found, compiled), nl=False)
    return int(any(d.severity is not Severity.ADVICE for d in found))


def _chosen(select: Sequence[str], ignore: Sequence[str]) -> list[Rule]:
    rules = list(all_rules())
    for code in (*select, *ignore):
        if not any(rule.CODE.startswith(code) for rule in rules):
            raise click.UsageError(f"there is no design rule {code}")
    return [
        rule
        for rule in rules
        if (not select or rule.CODE.startswith(tuple(select)))
        and not rule.CODE.startswith(tuple(ignore))
    ]


def _advice(spec: Compiled, rules: Iterable[Rule]) -> tuple[Diagnostic, ...]:
    """What rules find in all that could be planned."""
    compilation = spec.compilation
    if compilation.spec is None or compilation.design is None:
        return ()
    subject = Subject(compilation.spec, compilation.design, compilation.whole)
    return run_rules(subject, rules)


def _render(
    form: str, found: Sequence[Diagnostic], compiled: Sequence[Compiled]
) -> str:
    match form:
        case "concise":
            return concise.render(found)
        case "json":
            return json_list.render(found)
        case "github":
            return github.render(found)
        case "sarif":
            return sarif.render(found, __version__, _rule_texts())
        case _:
            sources = {spec.path.as_posix(): spec.text for spec in compiled}
            said = text.render(found, sources, color=wants_color(sys.stdout))
            return said or _nothing(len(compiled))


def _rule_texts() -> Iterator[RuleText]:
    for rule in all_rules():
        yield RuleText(rule.CODE, rule_name(rule), page(rule).title, markdown(rule))


def _nothing(count: int) -> str:
    return f"Nothing found in {count} spec{'' if count == 1 else 's'}.\n"
