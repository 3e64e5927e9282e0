"""Keeps compiled templates between runs, in the user's cache folder.

Compiling them takes longer than rendering. An entry is used only if it was made from the very same
text of the template by the same jinja2 and Python; a folder that cannot be used is no error.
"""

from __future__ import annotations

from contextlib import suppress

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from dyngen.render.cache import cache_folder


def template_cache() -> FileSystemBytecodeCache | None:
    """The cache; None where there is no place for it."""
    folder = cache_folder() / "templates"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return _Cache(str(folder))


class _Cache(FileSystemBytecodeCache):
    """A cache that may be damaged, read-only or full."""

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except Exception:
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)
