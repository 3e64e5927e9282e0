"""`dyngen build`: from specs to folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from dyngen.cli.failures import Unusable
from dyngen.cli.paths import header_path, output_folder
from dyngen.cli.progress import progress
from dyngen.cli.sources import Compiled, compile_file, report
from dyngen.design.dump import dump
from dyngen.design.plans import Design
from dyngen.render import disk
from dyngen.render.disk import Changes, Verb
from dyngen.render.drift import drift
from dyngen.render.lock import LOCK_NAME, LockUnreadable
from dyngen.render.memory import is_remembered, origin_of, remember


def build(specs: Sequence[Path], out: Path | None, *, force: bool) -> int:
    """Write the output of every spec; nothing at all if one of them has an error."""
    services = _compile(specs)
    if services is None:
        return 1
    targets = [_target(spec, design, out) for spec, design in services]
    everything = [_compare(target, force=force) for target in targets]
    for target, changes in zip(targets, everything, strict=True):
        disk.apply(changes)
        if not changes.refused:
            remember(target.root, target.origin, changes.lock_text)
        click.echo(_summary(changes))
    for changes in everything:
        _report_refused(changes)
    return int(any(changes.refused for changes in everything))


def check(specs: Sequence[Path], out: Path | None) -> int:
    """Write nothing; print how the output differs from what would be written."""
    services = _compile(specs)
    if services is None:
        return 1
    drifted = False
    for spec, design in services:
        changes = _compare(_target(spec, design, out), force=False)
        if changes.drifted:
            drifted = True
            click.echo(f"{changes.root.as_posix()} is not what {spec.path} gives:")
            for line in drift(changes):
                click.echo(line)
        else:
            click.echo(f"{changes.root.as_posix()}: clean")
    return int(drifted)


@dataclass(frozen=True, slots=True)
class _Target:
    """A design, the folder that it is built into, and how files name the spec."""

    design: Design
    dumped: Mapping[str, object]
    root: Path
    header: str
    origin: str


def _target(spec: Compiled, design: Design, out: Path | None) -> _Target:
    root = output_folder(spec.path, out) / design.schema.service
    header, dumped = header_path(spec.path), dump(design)
    return _Target(design, dumped, root, header, origin_of(dumped, header))


def _compile(specs: Sequence[Path]) -> list[tuple[Compiled, Design]] | None:
    """Every spec with its design; None, all errors printed, if one has none."""
    compiled = [compile_file(path) for path in specs]
    report(compiled)
    services = [(spec, spec.design) for spec in compiled if spec.design is not None]
    if len(services) < len(compiled):
        return None
    folders: dict[str, Path] = {}
    for spec, design in services:
        service = design.schema.service
        other = folders.setdefault(service.casefold(), spec.path)
        if other is not spec.path:
            raise Unusable(
                f"{other} and {spec.path} both call their service `{service}`, so they "
                "would share a folder; rename one of them"
            )
    return services


def _compare(target: _Target, *, force: bool) -> Changes:
    try:
        if not force and is_remembered(target.root, target.origin):
            changes = disk.unchanged(target.root)
            if changes is not None:
                return changes
        # Imported here: most builds change nothing, and need not render.
        from dyngen.render.project import render

        files = render(target.design, target.header)
        with progress(f"Formatting {target.design.schema.service}") as formatted:
            return disk.compare(
                target.root, files, target.dumped, force=force, formatted=formatted
            )
    except LockUnreadable as error:
        raise Unusable(
            f"cannot use {(target.root / LOCK_NAME).as_posix()}: {error}\n"
            "Remove it and build again: files that are as they would be generated are adopted."
        ) from error


def _summary(changes: Changes) -> str:
    counts = Counter(action.verb for action in changes.actions)
    written = counts[Verb.CREATE] + counts[Verb.UPDATE]
    parts = [
        f"{count} {word}"
        for count, word in (
            (written, "written"),
            (counts[Verb.DELETE], "deleted"),
            (counts[Verb.REFUSE], "left alone"),
        )
        if count
    ]
    files = f"{changes.file_count} files"
    return f"{changes.root.as_posix()}: {files}, {', '.join(parts) or 'unchanged'}"


def _report_refused(changes: Changes) -> None:
    for action in changes.refused:
        path = (changes.root / action.path).as_posix()
        remedy = (
            "move your change elsewhere, or build with --force to lose it"
            if action.forcible
            else "move it out of the way"
        )
        click.echo(f"error: {path} was left alone: {action.reason}", err=True)
        click.echo(f"  = help: {remedy}", err=True)
