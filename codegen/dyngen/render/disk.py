"""Reconciles a service's folder with what is to be generated: the only step that touches the disk.

`decide` is a pure function from (wanted, lock, found) to actions. A file is overwritten or deleted
only if the lock lists it and its hash still matches; anything else at a path that dyngen wants is the
user's, is reported, and stays unless forced. Only paths that are wanted or in the lock are looked at.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dyngen import __version__
from dyngen.render.formatting import Output, Told, finish, formatter_version
from dyngen.render.lock import (
    LOCK_NAME,
    FileHashes,
    Lock,
    LockUnreadable,
    dumps,
    loads,
    safe_path,
    sha256,
)


@dataclass(frozen=True, slots=True)
class Found:
    """What stands at a path: nothing, a regular file (`data`), or an `obstacle` in words."""

    data: bytes | None = None
    obstacle: str | None = None


class Verb(StrEnum):
    """What happens to one path."""

    CREATE = "create"
    UPDATE = "update"
    KEEP = "keep"
    DELETE = "delete"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Action:
    """A decision about one path; `reason` says why it is refused, `forcible` whether --force helps."""

    verb: Verb
    path: str
    reason: str = ""
    forcible: bool = True


@dataclass(frozen=True, slots=True)
class Changes:
    """What a build would do in the folder `root`.

    `lock_text` is the lock to be written. `drifted` tells whether anything is not as it should be;
    versions in the lock alone are no drift, so that an upgrade turns no build red.
    """

    root: Path
    actions: tuple[Action, ...]
    outputs: Mapping[str, Output]
    found: Mapping[str, Found]
    lock_text: str
    lock_on_disk: bytes | None
    drifted: bool

    @property
    def file_count(self) -> int:
        """How many files the folder is to have, beside the lock."""
        return sum(action.verb is not Verb.DELETE for action in self.actions)

    @property
    def refused(self) -> tuple[Action, ...]:
        """The paths that were left alone although they differ."""
        return tuple(a for a in self.actions if a.verb is Verb.REFUSE)


def compare(
    root: Path,
    raw: Mapping[str, str],
    design: Mapping[str, object],
    *,
    force: bool = False,
    formatted: Told = lambda done, total: None,
) -> Changes:
    """Find out what has to be done in `root`; nothing is written.

    Args:
        root: the service's folder; it may not exist yet.
        raw: unformatted text by path below `root`.
        design: the dump of the design, recorded in the lock.
        force: overwrite and delete what was edited by hand, too.
        formatted: told how many files are formatted, and how many are to be.

    Raises LockUnreadable, RenderedCodeInvalid, OSError.
    """
    for path in raw:
        if not safe_path(path):
            raise ValueError(f"{path!r} is outside the output folder")
    found_lock = look(root, LOCK_NAME)
    lock = _read_lock(found_lock, force)
    paths = sorted({*raw, *(lock.files if lock else ())})
    found = {path: look(root, path) for path in paths}
    on_disk = {p: f.data for p, f in found.items() if f.data is not None}
    outputs = finish(raw, lock, on_disk, formatted)
    known = lock.files if lock else {}
    actions = decide(
        {path: output.hashes.formatted for path, output in outputs.items()},
        {path: hashes.formatted for path, hashes in known.items()},
        found,
        force=force,
    )
    new_lock = Lock(
        __version__,
        formatter_version(),
        _locked(actions, outputs, known),
        design,
    )
    clean = (
        lock is not None
        and all(action.verb is Verb.KEEP for action in actions)
        and lock.files == new_lock.files
        and lock.design == design
    )
    return Changes(
        root, actions, outputs, found, dumps(new_lock), found_lock.data, not clean
    )


def unchanged(root: Path) -> Changes | None:
    """The changes of a build that has nothing to do; None if a file is not as the lock says.

    Raises LockUnreadable, OSError.
    """
    found_lock = look(root, LOCK_NAME)
    lock = _read_lock(found_lock, force=False)
    if lock is None or found_lock.data is None:
        return None
    found = {path: look(root, path) for path in lock.files}
    for path, hashes in lock.files.items():
        data = found[path].data
        if data is None or sha256(data) != hashes.formatted:
            return None
    kept = tuple(Action(Verb.KEEP, path) for path in sorted(lock.files))
    text = found_lock.data.decode()
    return Changes(root, kept, {}, found, text, found_lock.data, drifted=False)


def decide(
    wanted: Mapping[str, str],
    locked: Mapping[str, str],
    found: Mapping[str, Found],
    *,
    force: bool,
) -> tuple[Action, ...]:
    """One action for every path that is wanted, or locked and still there; sorted by path.

    `wanted` and `locked` map paths to the hash of the final text.
    """
    actions = []
    for path in sorted({*wanted, *locked}):
        action = _decide_one(path, wanted.get(path), locked.get(path), found[path])
        if force and action is not None and action.verb is Verb.REFUSE:
            action = _forced(action, wanted=path in wanted)
        if action is not None:
            actions.append(action)
    return tuple(actions)


def apply(changes: Changes) -> None:
    """Do what was decided: write what changed, delete what is stale, the lock last. Raises OSError."""
    for action in changes.actions:
        target = changes.root / action.path
        if action.verb in (Verb.CREATE, Verb.UPDATE):
            _write(target, changes.outputs[action.path].text)
        elif action.verb is Verb.DELETE:
            target.unlink(missing_ok=True)
            _prune(target.parent, changes.root)
    if changes.lock_text.encode() != changes.lock_on_disk:
        _write(changes.root / LOCK_NAME, changes.lock_text)


def look(root: Path, path: str) -> Found:
    """What stands at `path` below `root`. A symbolic link, there or on the way, is an obstacle."""
    at = root
    steps = path.split("/")
    for depth, step in enumerate(["", *steps]):
        at = at / step if step else at
        last = depth == len(steps)
        try:
            mode = at.lstat().st_mode
        except FileNotFoundError:
            return Found()
        if stat.S_ISLNK(mode):
            return Found(obstacle="there is a symbolic link")
        if last and stat.S_ISREG(mode):
            return Found(data=at.read_bytes())
        if last or not stat.S_ISDIR(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "something else than a folder"
            return Found(obstacle=f"there is {kind}")
    raise AssertionError("a path has at least one step")


def _read_lock(found: Found, force: bool) -> Lock | None:
    if found.obstacle is not None:
        raise LockUnreadable(found.obstacle)
    if found.data is None:
        return None
    try:
        return loads(found.data.decode())
    except UnicodeDecodeError as error:
        unreadable = LockUnreadable(f"it is not text ({error})")
    except LockUnreadable as error:
        unreadable = error
    if force:
        return None
    raise unreadable


def _decide_one(
    path: str, wanted: str | None, locked: str | None, found: Found
) -> Action | None:
    if found.obstacle is not None:
        return Action(Verb.REFUSE, path, found.obstacle, forcible=False)
    if found.data is None:
        return None if wanted is None else Action(Verb.CREATE, path)
    here = sha256(found.data)
    if here == wanted:
        return Action(Verb.KEEP, path)
    if here == locked:
        return Action(Verb.DELETE if wanted is None else Verb.UPDATE, path)
    return Action(Verb.REFUSE, path, _why_not_ours(wanted, locked))


def _why_not_ours(wanted: str | None, locked: str | None) -> str:
    if wanted is None:
        return "it is no longer generated, but was edited by hand"
    return "dyngen did not write it" if locked is None else "it was edited by hand"


def _forced(action: Action, *, wanted: bool) -> Action:
    if not action.forcible:
        return action
    return Action(Verb.UPDATE if wanted else Verb.DELETE, action.path)


def _locked(
    actions: Iterable[Action],
    outputs: Mapping[str, Output],
    known: Mapping[str, FileHashes],
) -> dict[str, FileHashes]:
    """The files of the next lock: a refused path stays as it was known, or unknown."""
    files = {}
    for action in actions:
        if action.verb is Verb.REFUSE:
            if action.path in known:
                files[action.path] = known[action.path]
        elif action.verb is not Verb.DELETE:
            files[action.path] = outputs[action.path].hashes
    return files


def _write(target: Path, text: str) -> None:
    """Write atomically: readers see the old file or the new one, never a part."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _prune(folder: Path, root: Path) -> None:
    """Remove folders that the deletion of a file has left empty."""
    while folder != root:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
