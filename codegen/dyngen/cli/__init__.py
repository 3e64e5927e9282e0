"""The command line: commands and exit codes, and nothing else.

0 is clean, 1 findings or drift, 2 misuse, unreadable input or an internal error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from dyngen import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. `--version` answers without importing anything."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:
        print(f"dyngen {__version__}")
        return 0
    from dyngen.cli.run import run

    return run(given)
