"""A bar on a terminal, for what takes long."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

Progress = Callable[[int, int], None]
"""Told how much is done, and how much there is to do."""


@contextlib.contextmanager
def progress(label: str) -> Iterator[Progress]:
    """A bar on standard error that appears with the first news; nothing where that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    with contextlib.ExitStack() as shown:
        bars: list[Any] = []

        def show(done: int, total: int) -> None:
            if not bars:
                bar = click.progressbar(length=total, label=label, file=sys.stderr)
                bars.append(shown.enter_context(bar))
            bars[0].length = total
            bars[0].update(done - bars[0].pos)

        yield show
