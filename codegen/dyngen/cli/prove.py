"""`dyngen prove`: run a spec's suite somewhere temporary, and show what each read costs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from dyngen.cli.failures import Unusable
from dyngen.cli.measure import Measure, Measured
from dyngen.cli.paths import header_path
from dyngen.cli.sources import compile_file, report
from dyngen.design.dump import dump
from dyngen.design.plans import Design, ReadPlan
from dyngen.python import names
from dyngen.render import disk
from dyngen.render.project import render

_HEADINGS = (
    "pattern",
    "reads",
    "items read",
    "returned",
    "read units",
    "filter: items",
    "filter: units",
)
_FIRST_NUMBER = 2


def prove(spec: Path) -> int:
    """Build, run the suite, print the table; 1 if a proof fails. Raises Unusable."""
    compiled = compile_file(spec)
    report([compiled])
    if compiled.design is None:
        return 1
    _need("pytest", "boto3", "moto", "hypothesis")
    with TemporaryDirectory(prefix="dyngen-") as folder:
        root = Path(folder) / compiled.design.schema.service
        files = render(compiled.design, header_path(spec))
        disk.apply(disk.compare(root, files, dump(compiled.design)))
        code, reads = _run_suite(root)
    if code != 0:
        click.echo("The suite has failed: the proof does not hold.", err=True)
        return 1
    click.echo()
    for line in table(compiled.design, reads):
        click.echo(line)
    return 0


def table(design: Design, reads: Iterable[Measured]) -> Iterator[str]:
    """One row for each read pattern, and more where its calls read different numbers of items."""
    by_test: dict[str, list[Measured]] = {}
    for measured in reads:
        by_test.setdefault(measured.test, []).append(measured)
    rows = [
        _row(plan, measured)
        for plan in design.reads
        for measured in by_test.get(f"Test{names.class_name(plan.name)}", ())
    ]
    return _aligned([_HEADINGS, *dict.fromkeys(rows)])


def _row(plan: ReadPlan, measured: Measured) -> tuple[str, ...]:
    return (
        plan.name,
        measured.place,
        str(measured.read),
        str(measured.returned),
        f"{measured.units:g}",
        str(measured.stored),
        f"{measured.stored_units:g}",
    )


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns, texts to the left and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if column >= _FIRST_NUMBER else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _run_suite(root: Path) -> tuple[int, list[Measured]]:
    import pytest

    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(root / ".hypothesis")
    measure = Measure()
    options = ["-q", "--no-header", "-p", "no:cacheprovider", "-c", os.devnull]
    tests = str(root / "tests")
    code = pytest.main([*options, f"--rootdir={root}", tests], plugins=[measure])
    return int(code), measure.reads


def _need(*modules: str) -> None:
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise Unusable(
            f"the suite needs {', '.join(missing)}; "
            "install it with `pip install 'dyngen[prove]'`"
        )
