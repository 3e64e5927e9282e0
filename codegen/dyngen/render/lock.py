"""dyngen.lock: what was generated, from what, and by which versions.

The lock is how dyngen knows its own files: one that it lists, and whose hash still matches, may be
overwritten or deleted. The hash of the unformatted text lets a rebuild leave the formatter out. The
design is kept so that a later version can say what a change of the spec means for a live table.
Versions stand here and not in the generated files, where every upgrade would change every file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

LOCK_NAME = "dyngen.lock"
"""The lock's name, in the folder of the service."""

_LAYOUT = 1


class LockUnreadable(Exception):
    """The lock is not what dyngen writes, for instance after a merge conflict."""


@dataclass(frozen=True, slots=True)
class FileHashes:
    """SHA-256, in hex, of a file's text before and after formatting."""

    raw: str
    formatted: str


@dataclass(frozen=True, slots=True)
class Lock:
    """The content of dyngen.lock; `files` by their path below the service's folder."""

    dyngen: str
    formatter: str
    files: Mapping[str, FileHashes]
    design: Mapping[str, object]


def sha256(data: bytes) -> str:
    """The hash that the lock records, in hex."""
    return hashlib.sha256(data).hexdigest()


def safe_path(path: str) -> bool:
    """Whether a path stays below the folder it is joined to, on every platform."""
    parts = PurePosixPath(path).parts
    return (
        bool(parts)
        and "/".join(parts) == path
        and not path.startswith("/")
        and not any(part == ".." for part in parts)
        and not any(char in path for char in '\\:\0\n\r"<>|?*')
    )


def dumps(lock: Lock) -> str:
    """The lock as text; the same lock gives the same bytes."""
    document = {
        "lock": _LAYOUT,
        "dyngen": lock.dyngen,
        "formatter": lock.formatter,
        "files": {
            path: {"raw": hashes.raw, "formatted": hashes.formatted}
            for path, hashes in sorted(lock.files.items())
        },
        "design": lock.design,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def loads(text: str) -> Lock:
    """Read a lock. Raises LockUnreadable for anything that `dumps` does not write."""
    try:
        document = json.loads(text)
        if document["lock"] != _LAYOUT:
            raise LockUnreadable(
                f"it has layout {document['lock']!r}, this dyngen knows {_LAYOUT}"
            )
        files = {
            path: FileHashes(raw=hashes["raw"], formatted=hashes["formatted"])
            for path, hashes in document["files"].items()
        }
        lock = Lock(
            document["dyngen"], document["formatter"], files, document["design"]
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LockUnreadable(f"it is not a lock that dyngen wrote ({error})") from error
    for path in files:
        if not safe_path(path):
            raise LockUnreadable(f"it lists {path!r}, which is outside its folder")
    return lock
