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
from dyngen.cli.sources import Compiled, compile_text, read_text, report
from dyngen.design.dump import dump
from dyngen.design.plans import Design
from dyngen.render import disk
from dyngen.render.disk import Changes, Verb
from dyngen.render.drift import drift
from dyngen.render.lock import LOCK_NAME, LockUnreadable, loads, sha256
from dyngen.render.memory import Built, recall, remember, tool_of


def build(specs: Sequence[Path], out: Path | None, *, force: bool) -> int:
    """Write the output of every spec; nothing at all if one of them has an error."""
    targets = _targets(specs, out, force=force)
    if targets is None:
        return 1
    everything = [_changes(target, force=force) for target in targets]
    for target, changes in zip(targets, everything, strict=True):
        disk.apply(changes)
        if not changes.refused:
            _remember(target, changes)
        click.echo(_summary(changes))
    for changes in everything:
        _report_refused(changes)
    return int(any(changes.refused for changes in everything))


def check(specs: Sequence[Path], out: Path | None) -> int:
    """Write nothing; print how the output differs from what would be written."""
    targets = _targets(specs, out, force=False)
    if targets is None:
        return 1
    drifted = False
    for target in targets:
        changes = _changes(target, force=False)
        if changes.drifted:
            drifted = True
            click.echo(f"{changes.root.as_posix()} is not what {target.spec} gives:")
            for line in drift(changes):
                click.echo(line)
        else:
            click.echo(f"{changes.root.as_posix()}: clean")
    return int(drifted)


@dataclass(frozen=True, slots=True)
class _Target:
    """A spec and the folder that it is built into.

    Attributes:
        header: what generated files call the spec.
        text: the hash of the spec's text.
        tool: the hash of all else that its output follows from.
        intact: the last build by the same tool, if its output stands as it was written.
        compiled: None if that was made from the same text, and there is nothing to say about it.
        service: the name of the folder inside `folder`; None if the spec has an error.
    """

    spec: Path
    folder: Path
    header: str
    text: str
    tool: str
    intact: Changes | None
    compiled: Compiled | None
    service: str | None


def _target(spec: Path, out: Path | None, *, force: bool) -> _Target:
    folder, header, text = output_folder(spec, out), header_path(spec), read_text(spec)
    tool, known = tool_of(header), sha256(text.encode())
    built = None if force else recall(spec, folder, tool)
    intact = None if built is None else disk.unchanged(folder / built.service)
    if built and intact and built.spec == known and built.silent:
        return _Target(spec, folder, header, known, tool, intact, None, built.service)
    compiled = compile_text(spec, text)
    service = None if compiled.design is None else compiled.design.schema.service
    return _Target(spec, folder, header, known, tool, intact, compiled, service)


def _targets(
    specs: Sequence[Path], out: Path | None, *, force: bool
) -> list[_Target] | None:
    """Every spec; None, all errors printed, if one has an error."""
    targets = [_target(path, out, force=force) for path in specs]
    report(target.compiled for target in targets if target.compiled is not None)
    folders: dict[str, Path] = {}
    for target in targets:
        if target.service is None:
            return None
        other = folders.setdefault(target.service.casefold(), target.spec)
        if other is not target.spec:
            raise Unusable(
                f"{other} and {target.spec} both call their service `{target.service}`, so they "
                "would share a folder; rename one of them"
            )
    return targets


def _changes(target: _Target, *, force: bool) -> Changes:
    """What is to be done for a spec without errors."""
    if target.compiled is None or target.compiled.design is None:
        assert target.intact is not None
        return target.intact
    design = target.compiled.design
    dumped = dump(design)
    if target.intact is not None and loads(target.intact.lock_text).design == dumped:
        return target.intact
    return _compare(design, dumped, target, force=force)


def _remember(target: _Target, changes: Changes) -> None:
    """Note that the folder is as it should be."""
    silent = target.compiled is None or not target.compiled.diagnostics
    lock = sha256(changes.lock_text.encode())
    built = Built(target.text, target.tool, changes.root.name, lock, silent)
    remember(target.spec, target.folder, built)


def _compare(
    design: Design, dumped: Mapping[str, object], target: _Target, *, force: bool
) -> Changes:
    # Imported here: most builds change nothing, and need not render.
    from dyngen.render.project import render

    service = design.schema.service
    root = target.folder / service
    try:
        files = render(design, target.header)
        with progress(f"Formatting {service}") as formatted:
            return disk.compare(root, files, dumped, force=force, formatted=formatted)
    except LockUnreadable as error:
        raise Unusable(
            f"cannot use {(root / LOCK_NAME).as_posix()}: {error}\n"
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
