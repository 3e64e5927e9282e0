"""`dyngen init`: a first spec, and what makes a project check it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import click

from dyngen.cli.paths import output_folder
from dyngen.render.environment import templates_folder

_OUT = "@OUT@"
_SPEC = "specs/orders.yaml"
_SCHEMA = "specs/dyngen.schema.json"


def init(folder: Path) -> int:
    """Write what is missing; files that exist are left as they are. Always 0."""
    for path, text in _files(folder):
        _write(folder / path, text)
    _mark_generated(folder)
    click.echo(f"Next: dyngen explain {(folder / _SPEC).as_posix()}")
    return 0


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    yield _SPEC, _template("orders.yaml")
    schema = files("dyngen").joinpath("spec.schema.json")
    yield _SCHEMA, schema.read_text(encoding="utf-8")
    workflow = _template("workflow.yml").replace(_OUT, _out(folder))
    yield ".github/workflows/dyngen.yml", workflow
    yield ".pre-commit-config.yaml", _template("pre-commit-config.yaml")


def _template(name: str) -> str:
    return (templates_folder() / "init" / name).read_text(encoding="utf-8")


def _out(folder: Path) -> str:
    """Where output goes, from the folder."""
    out = output_folder(folder / _SPEC, None)
    return (
        out.relative_to(folder).as_posix() if out.is_relative_to(folder) else out.name
    )


def _write(path: Path, text: str) -> None:
    if path.exists():
        click.echo(f"{path.as_posix()}: left as it is")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"{path.as_posix()}: written")


def _mark_generated(folder: Path) -> None:
    """Have Git keep line ends, and reviews fold, what is generated."""
    path = folder / ".gitattributes"
    lines = [
        f"{_out(folder)}/** linguist-generated=true eol=lf",
        f"{_SCHEMA} linguist-generated=true eol=lf",
    ]
    known = path.read_text(encoding="utf-8") if path.exists() else ""
    missing = [line for line in lines if line not in known.splitlines()]
    if not missing:
        click.echo(f"{path.as_posix()}: left as it is")
        return
    if known and not known.endswith("\n"):
        known += "\n"
    text = known + "".join(f"{line}\n" for line in missing)
    path.write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"{path.as_posix()}: written")
