"""What the tests of faults start from: a spec that is built, imported, and given its tables on moto."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from built_packages import create_tables, designed, imported
from moto_client import _credentials, client
from running import HEAD, Running

__all__ = ["_credentials", "client"]


@pytest.fixture
def build(tmp_path: Path, client: Any) -> Iterator[Callable[[str], Running]]:
    """Builds a spec, without the two lines that every spec begins with."""
    with ExitStack() as stack:

        def build(spec: str) -> Running:
            design = designed(HEAD + spec)
            package = stack.enter_context(imported(design, tmp_path))
            create_tables(client, design.schema)
            return Running(package, client)

        yield build
