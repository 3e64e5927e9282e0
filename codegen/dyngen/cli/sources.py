"""Reads specs from disk, compiles them, and reports what was found."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import click

from dyngen.cli.failures import Unusable
from dyngen.compile import compile_all
from dyngen.design.plans import Design
from dyngen.diagnostics.model import Diagnostic, Severity
from dyngen.diagnostics.text import render
from dyngen.python import clashes


@dataclass(frozen=True, slots=True)
class Compiled:
    """One spec: its path, its text, and what the compiler made of it; no design if it has errors."""

    path: Path
    text: str
    design: Design | None
    diagnostics: tuple[Diagnostic, ...]


def compile_file(path: Path) -> Compiled:
    """Compile one spec. Raises Unusable if it cannot be read."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise Unusable(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Unusable(
            f"cannot read {path}: it is not UTF-8 (at byte {error.start})"
        ) from error
    compiled = compile_all(text, path.as_posix())
    found = list(compiled.diagnostics)
    if compiled.spec is not None and compiled.design is not None:
        found += clashes.check(compiled.spec, compiled.design)
    whole = all(d.severity is not Severity.ERROR for d in found)
    return Compiled(path, text, compiled.design if whole else None, tuple(found))


def report(
    compiled: Iterable[Compiled],
    more: Iterable[Diagnostic] = (),
    *,
    to: TextIO | None = None,
) -> bool:
    """Print all diagnostics, sorted; True if one of them is an error or a warning."""
    specs = list(compiled)
    found = [d for spec in specs for d in spec.diagnostics]
    found += more
    stream = to or sys.stderr
    sources = {spec.path.as_posix(): spec.text for spec in specs}
    text = render(found, sources, color=wants_color(stream))
    click.echo(text, nl=False, file=stream)
    return any(d.severity is not Severity.ADVICE for d in found)


def wants_color(stream: TextIO) -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR")
