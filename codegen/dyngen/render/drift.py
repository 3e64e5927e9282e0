"""Shows how the folder on disk differs from what would be generated."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from dyngen.render.disk import Action, Changes, Verb
from dyngen.render.lock import LOCK_NAME


def drift(changes: Changes) -> Iterator[str]:
    """A unified diff from the disk to what a build would write, line by line without line ends.

    The lock follows from the rest, so it is only named, and only where nothing else differs.
    """
    differs = False
    for action in changes.actions:
        if action.verb is not Verb.KEEP:
            differs = True
            yield from _file_diff(changes, action)
    if changes.drifted and not differs:
        state = "missing" if changes.lock_on_disk is None else "out of date"
        yield f"{LOCK_NAME} is {state}; the files are as they would be generated"


def _file_diff(changes: Changes, action: Action) -> Iterator[str]:
    found = changes.found[action.path]
    if found.obstacle is not None:
        yield f"{action.path}: {found.obstacle} in its place"
        return
    output = changes.outputs.get(action.path)
    old = (found.data or b"").decode("utf-8", "backslashreplace")
    new = output.text if output else ""
    yield from difflib.unified_diff(
        _lines(old),
        _lines(new),
        action.path if found.data is not None else "/dev/null",
        action.path if output else "/dev/null",
        lineterm="",
    )


def _lines(text: str) -> list[str]:
    """Lines as a diff shows them; only a line feed ends one."""
    *lines, last = text.split("\n")
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines
