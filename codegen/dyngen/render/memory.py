"""Remembers what a spec was last built into, so that an unchanged build compiles and renders nothing.

The memory is one small file per spec and output folder, in the user's cache folder. It is believed only
if everything is as it was: the spec's text or at least its design, the header, dyngen itself with what
it renders and formats by, the lock, and every file that the lock lists. Without it a build takes longer,
and gives the same.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from dyngen.render.cache import cache_folder
from dyngen.render.formatting import formatter_version
from dyngen.render.lock import LOCK_NAME, safe_path, sha256

_PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Built:
    """A build.

    Attributes:
        spec: the hash of the spec's text.
        tool: the hash of all else that it was made by.
        service: the name of the folder that it wrote.
        lock: the hash of the lock that it left.
        silent: whether there was nothing to say about the spec.
    """

    spec: str
    tool: str
    service: str
    lock: str
    silent: bool


def tool_of(header: str) -> str:
    """A hash of all that the files of a service follow from, beside its spec."""
    parts = [header, formatter_version(), sys.version, *_stamps()]
    return sha256("\0".join(parts).encode())


def recall(spec: Path, folder: Path, tool: str) -> Built | None:
    """The last build of the spec into the folder, if it was made by the same, and its lock still stands."""
    try:
        built = Built(**json.loads(_file(spec, folder).read_text(encoding="utf-8")))
        if built.tool != tool or not safe_path(built.service):
            return None
        lock = (folder / built.service / LOCK_NAME).read_bytes()
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return built if built.lock == sha256(lock) else None


def remember(spec: Path, folder: Path, built: Built) -> None:
    """Note what a spec was built into, once that is as it should be."""
    file = _file(spec, folder)
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(built)), encoding="utf-8")


def _file(spec: Path, folder: Path) -> Path:
    places = map(os.path.abspath, (spec, folder))
    return cache_folder() / "built" / sha256("\0".join(places).encode())


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
