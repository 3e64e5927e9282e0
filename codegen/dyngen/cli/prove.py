"""`dyngen prove`: run a spec's suite somewhere temporary, and measure what each pattern costs."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from dyngen.cli.failures import Unusable
from dyngen.cli.paths import header_path
from dyngen.cli.progress import progress
from dyngen.cli.sources import compile_file, report
from dyngen.design.dump import dump
from dyngen.design.plans import Design
from dyngen.prove.measure import measure
from dyngen.prove.report import Report, as_json, markdown, text
from dyngen.prove.writes import writes
from dyngen.render import disk
from dyngen.render.project import render

_ENDPOINT = "DYNGEN_ENDPOINT_URL"

FORMATS: dict[str, Callable[[Report], str]] = {
    "text": text,
    "json": as_json,
    "markdown": markdown,
}


def prove(spec: Path, *, items: int | None, engine: str | None, form: str) -> int:
    """Build, run the suite, measure, print; 1 if a proof fails. Raises Unusable.

    `engine` is `moto` or a URL; None leaves it to the environment. `form` is one of FORMATS.
    """
    compiled = compile_file(spec)
    report([compiled])
    design = compiled.design
    if design is None:
        return 1
    _need("pytest", "boto3", "moto", "hypothesis")
    with TemporaryDirectory(prefix="dyngen-") as folder, _engine(engine):
        root = Path(folder) / design.schema.service
        files = render(design, header_path(spec))
        disk.apply(disk.compare(root, files, dump(design)))
        if _run_suite(root) != 0:
            click.echo("The suite has failed: the proof does not hold.", err=True)
            return 1
        found = _report(design, root, items)
    click.echo(FORMATS[form](found))
    return 0


def _report(design: Design, root: Path, items: int | None) -> Report:
    with _importable(root), progress("Loading items") as loaded:
        results = measure(design, items, loaded)
    return Report(design, results, tuple(writes(design)))


def _run_suite(root: Path) -> int:
    """pytest's exit code; what it prints goes to standard error."""
    import pytest

    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(root / ".hypothesis")
    options = [
        "-q",
        "--tb=short",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
    ]
    with contextlib.redirect_stdout(sys.stderr):
        return int(pytest.main([*options, f"--rootdir={root}", str(root / "tests")]))


@contextlib.contextmanager
def _engine(engine: str | None) -> Iterator[None]:
    before = os.environ.get(_ENDPOINT)
    if engine == "moto":
        os.environ.pop(_ENDPOINT, None)
    elif engine is not None:
        os.environ[_ENDPOINT] = engine
    try:
        yield
    finally:
        os.environ.pop(_ENDPOINT, None)
        if before is not None:
            os.environ[_ENDPOINT] = before


@contextlib.contextmanager
def _importable(root: Path) -> Iterator[None]:
    """The package and its suite can be imported."""
    folders = [str(root), str(root / "tests")]
    sys.path[:0] = folders
    try:
        yield
    finally:
        sys.path[:] = [each for each in sys.path if each not in folders]


def _need(*modules: str) -> None:
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise Unusable(
            f"the suite needs {', '.join(missing)}; "
            "install it with `pip install 'dyngen[prove]'`"
        )
