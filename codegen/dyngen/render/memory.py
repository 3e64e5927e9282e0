"""Remembers what a folder was last built from, so that an unchanged build renders nothing.

The memory is one small file per output folder, in the user's cache folder. It is believed only if
everything is as it was: the design, the header, dyngen itself with what it renders and formats by, the
lock, and every file that the lock lists. Without it a build takes longer, and gives the same.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from dyngen.render.cache import cache_folder
from dyngen.render.formatting import formatter_version
from dyngen.render.lock import LOCK_NAME, sha256

_PACKAGE = Path(__file__).parents[1]


def origin_of(design: Mapping[str, object], header: str) -> str:
    """A hash of all that the text of a service's files follows from."""
    parts = [
        json.dumps(design),
        header,
        formatter_version(),
        sys.version,
        *_stamps(),
    ]
    return sha256("\0".join(parts).encode())


def is_remembered(root: Path, origin: str) -> bool:
    """Whether the folder's last build came from the same, and left the lock that is there now."""
    try:
        remembered = _file(root).read_text(encoding="utf-8")
        lock = (root / LOCK_NAME).read_bytes()
    except (OSError, UnicodeDecodeError):
        return False
    return remembered == _entry(origin, lock)


def remember(root: Path, origin: str, lock_text: str) -> None:
    """Note what the folder came from, once it is as it should be."""
    file = _file(root)
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_text(_entry(origin, lock_text.encode()), encoding="utf-8")


def _entry(origin: str, lock: bytes) -> str:
    return f"{origin} {sha256(lock)}\n"


def _file(root: Path) -> Path:
    return cache_folder() / "built" / sha256(os.path.abspath(root).encode())


def _stamps() -> Iterator[str]:
    """Size and time of every file that the output depends on: dyngen's, its templates, jinja2's."""
    templates = _PACKAGE.parents[1] / "templates"
    jinja2 = find_spec("jinja2")
    folders = [_PACKAGE, templates]
    if jinja2 is not None and jinja2.origin is not None:
        folders.append(Path(jinja2.origin).parent)
    for folder in folders:
        yield from sorted(_stamps_below(str(folder)))


def _stamps_below(folder: str) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _stamps_below(entry.path)
        else:
            found = entry.stat()
            yield f"{entry.path} {found.st_size} {found.st_mtime_ns}"
