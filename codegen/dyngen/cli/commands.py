"""The commands and their options. Each imports what it needs when it runs, so that help is instant."""

from __future__ import annotations

from pathlib import Path

import click

from dyngen import __version__

_SPEC = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="dyngen %(version)s")
def dyngen() -> None:
    """Compile specs of DynamoDB access patterns into repositories, CloudFormation and proofs."""


@dyngen.command()
@click.argument("folder", default=".", type=_FOLDER)
def init(folder: Path) -> int:
    """Write a first spec that explains itself, and have CI check it."""
    from dyngen.cli import init as command

    return command.init(folder)


@dyngen.command()
@click.argument("specs", nargs=-1, required=True, type=_SPEC, metavar="SPEC...")
@click.option(
    "--out",
    type=_FOLDER,
    help="Where each service gets its folder. Default: `out` under [tool.dyngen] in the nearest "
    "pyproject.toml, else generated/.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing; exit 1 with a diff if the output is not what would be written.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Overwrite and delete generated files even if they were edited by hand.",
)
def build(specs: tuple[Path, ...], out: Path | None, check: bool, force: bool) -> int:
    """Write what specs give, and delete what they no longer give."""
    from dyngen.cli import build as command

    if check and force:
        raise click.UsageError("--check writes nothing, so --force has no use with it")
    if check:
        return command.check(specs, out)
    return command.build(specs, out, force=force)


@dyngen.command()
@click.argument("specs", nargs=-1, required=True, type=_SPEC, metavar="SPEC...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "concise", "json", "github", "sarif"]),
    default="text",
    show_default=True,
    help="How to print what is found.",
)
@click.option(
    "--select",
    multiple=True,
    metavar="CODE",
    help="Run only this design rule, or those whose codes begin so. Errors are always reported.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="CODE",
    help="Leave out this design rule, or those whose codes begin so.",
)
def lint(
    specs: tuple[Path, ...], form: str, select: tuple[str, ...], ignore: tuple[str, ...]
) -> int:
    """Report what is wrong with specs, or could be better."""
    from dyngen.cli import lint as command

    return command.lint(specs, form, select, ignore)


@dyngen.command()
@click.argument("spec", type=_SPEC, metavar="SPEC|CODE")
@click.argument("pattern", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print it.",
)
def explain(spec: Path, pattern: str | None, form: str) -> int:
    """Show the plan and the exact request of access patterns, or what a CODE means."""
    from dyngen.cli import codes
    from dyngen.cli import explain as command

    if pattern is None and codes.is_code(str(spec)):
        return codes.explain_code(str(spec))
    return command.explain(spec, pattern, as_json=form == "json")


@dyngen.command()
@click.argument("spec", type=_SPEC)
@click.option(
    "--items",
    type=click.IntRange(min=1),
    help="How many items of each entity to measure with. Default: as many as `sizes` says, else 1000.",
)
@click.option(
    "--engine",
    metavar="moto|URL",
    help="What to run on. Default: the URL in DYNGEN_ENDPOINT_URL, else moto, in this process.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How to print it.",
)
def prove(spec: Path, items: int | None, engine: str | None, form: str) -> int:
    """Run a spec's suite, and measure what each pattern costs."""
    from dyngen.cli import prove as command

    if engine not in (None, "moto") and not engine.startswith(("http://", "https://")):
        raise click.UsageError("--engine is `moto` or the URL of an engine")
    return command.prove(spec, items=items, engine=engine, form=form)


@dyngen.command()
def schema() -> int:
    """Print the JSON Schema of specs, for editors."""
    from importlib.resources import files

    text = files("dyngen").joinpath("spec.schema.json").read_text(encoding="utf-8")
    click.echo(text, nl=False)
    return 0
