"""Runs a command and turns whatever it raises into a short message and an exit code."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from dyngen.cli.commands import dyngen
from dyngen.cli.failures import Unusable

_PACKAGE = Path(__file__).parents[1]


def run(arguments: Sequence[str]) -> int:
    """The exit code of the command that `arguments` spell."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = dyngen.main(list(arguments), "dyngen", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 2
    except Unusable as error:
        click.echo(f"dyngen: {error}", err=True)
        return 2
    except BrokenPipeError:
        # Whoever read our output has gone, and Python must not fail again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except OSError as error:
        click.echo(f"dyngen: {error}", err=True)
        return 2
    except Exception as error:
        click.echo(f"dyngen: {_internal(error)}", err=True)
        return 2
    return code if isinstance(code, int) else 0


def _internal(error: Exception) -> str:
    """An internal error in one line, with the last place of our own code that it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)]
    place = ""
    if ours:
        file = Path(ours[-1].filename).relative_to(_PACKAGE).as_posix()
        place = f" ({file}:{ours[-1].lineno})"
    return (
        f"internal error: {type(error).__name__}: {error}{place}\n"
        "This is a fault of dyngen, whatever the spec says; please report it with the spec."
    )
