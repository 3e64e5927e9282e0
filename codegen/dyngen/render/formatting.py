"""Formats rendered Python with black, and leaves out what has not changed.

black dominates the time of a build (about 0.6 s per 1,000 lines), so it is imported only when some
text is new, and never sees text that the lock knows.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from dyngen.render.lock import FileHashes, Lock, sha256

_COLLECTED = 5  # files after which what black leaves behind is collected: some MB each

Told = Callable[[int, int], None]
"""Told how many files are formatted, and how many are to be."""


class RenderedCodeInvalid(Exception):
    """A rendered module is not Python: a fault of dyngen, never of the spec."""


@dataclass(frozen=True, slots=True)
class Output:
    """A file as it is to stand on disk, and its hashes."""

    text: str
    hashes: FileHashes


@cache
def formatter_version() -> str:
    """The formatter and its version, without importing it."""
    # black's own version module: `importlib.metadata` would take a tenth of an unchanged build.
    from _black_version import version  # type: ignore[import-untyped]

    return f"black {version}"


def finish(
    raw: Mapping[str, str],
    lock: Lock | None,
    on_disk: Mapping[str, bytes],
    formatted: Told = lambda done, total: None,
) -> dict[str, Output]:
    """The final text of every file.

    A file whose raw text and formatter are those of the lock, and which stands on disk as the lock
    records it, is taken from there. `formatted` is told of each file that black was given. Raises
    RenderedCodeInvalid.
    """
    reusable = lock if lock and lock.formatter == formatter_version() else None
    outputs = {
        path: _reused(path, text, reusable, on_disk) for path, text in raw.items()
    }
    new = [path for path, output in outputs.items() if output is None]
    slow = [path for path in new if _wants_formatting(path)]
    final = {path: raw[path] for path in new}
    with _collector_paused():
        for done, path in enumerate(slow, start=1):
            final[path] = format_python(raw[path], path)
            formatted(done, len(slow))
            if done % _COLLECTED == 0:
                gc.collect()
    return {
        path: output or _output(raw[path], final[path])
        for path, output in outputs.items()
    }


def _reused(
    path: str, text: str, lock: Lock | None, on_disk: Mapping[str, bytes]
) -> Output | None:
    """The file as it stands on disk, if that is what its text becomes."""
    known = lock.files.get(path) if lock else None
    data = on_disk.get(path)
    if known is None or data is None or known.raw != sha256(text.encode()):
        return None
    return Output(data.decode(), known) if sha256(data) == known.formatted else None


def _output(raw: str, final: str) -> Output:
    hashes = FileHashes(raw=sha256(raw.encode()), formatted=sha256(final.encode()))
    return Output(final, hashes)


def format_python(text: str, path: str) -> str:
    """One module in black's default style, whatever the user's own configuration says.

    Raises RenderedCodeInvalid if the text does not compile.
    """
    import black
    from black.parsing import InvalidInput

    try:
        formatted = black.format_str(text, mode=black.Mode())
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compile(formatted, path, "exec", dont_inherit=True)
    except (InvalidInput, SyntaxError, Warning, ValueError) as error:
        raise RenderedCodeInvalid(f"{path}: {error}") from error
    return formatted


def _wants_formatting(path: str) -> bool:
    """The runtime and the harness are copied as they stand in this project, formatted already."""
    folders = path.split("/")[:-1]
    copied = any(f == "_runtime" or f.endswith("_harness") for f in folders)
    return path.endswith(".py") and not copied


@contextmanager
def _collector_paused() -> Iterator[None]:
    """black's trees make the garbage collector's work grow faster than the text."""
    was_enabled = gc.isenabled()
    gc.disable()
    gc.freeze()  # so that collecting what black leaves behind does not look at all else
    try:
        yield
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()
