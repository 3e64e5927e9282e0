"""The jinja2 environment of all templates, and where the templates are."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dyngen.render.template_cache import template_cache


def templates_folder() -> Path:
    """The folder of templates: inside the installed package, else beside `codegen/` in a checkout.

    Raises FileNotFoundError if it is in neither place.
    """
    package = Path(str(files("dyngen")))
    for folder in (package / "templates", package.parents[1] / "templates"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError("the templates of dyngen are missing; install it anew")


@cache
def environment() -> Environment:
    """The environment: an unknown name is an error, and nothing is escaped.

    Escaping is not jinja2's here: whatever a template prints was made a literal, a docstring or a
    comment before (`dyngen.python.literals`).
    """
    return Environment(
        loader=FileSystemLoader(templates_folder(), encoding="utf-8"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=template_cache(),
    )
