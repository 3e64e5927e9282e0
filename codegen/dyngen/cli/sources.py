"""Reads specs from disk, compiles them, and reports what was found."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import click

from dyngen.cli.failures import Unusable
from dyngen.compile import Compilation, compile_all
from dyngen.design.plans import Design
from dyngen.diagnostics.model import Diagnostic, Severity
from dyngen.diagnostics.text import render
from dyngen.python import clashes, limits


@dataclass(frozen=True, slots=True)
class Compiled:
    """One spec: its path, its text, and what the compiler made of it."""

    path: Path
    text: str
    compilation: Compilation

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What there is to say about it."""
        return self.compilation.diagnostics

    @property
    def design(self) -> Design | None:
        """The design; None if the spec has an error."""
        return self.compilation.design if self.compilation.whole else None


def read_text(path: Path) -> str:
    """The text of a spec. Raises Unusable if it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise Unusable(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Unusable(
            f"cannot read {path}: it is not UTF-8 (at byte {error.start})"
        ) from error


def compile_file(path: Path) -> Compiled:
    """Compile one spec. Raises Unusable if it cannot be read."""
    return compile_text(path, read_text(path))


def compile_text(path: Path, text: str) -> Compiled:
    """Compile the text of one spec."""
    compilation = compile_all(text, path.as_posix())
    if compilation.spec is not None and compilation.design is not None:
        found = [
            *clashes.check(compilation.spec, compilation.design),
            *limits.check(compilation.design),
        ]
        compilation = replace(
            compilation, diagnostics=(*compilation.diagnostics, *found)
        )
    return Compiled(path, text, compilation)


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
