"""Where the project is, where output goes, and how a spec is named in it."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

from dyngen.cli.failures import Unusable

DEFAULT_OUT = "generated"


def project_folder(spec: Path) -> Path | None:
    """The folder of the nearest pyproject.toml at or above a spec."""
    for folder in _absolute(spec).parents:
        if (folder / "pyproject.toml").is_file():
            return folder
    return None


def header_path(spec: Path) -> str:
    """A spec as generated files name it: from the project's folder, with forward slashes.

    Outside a project it is the file's name alone, so that nothing depends on the machine.
    """
    folder = project_folder(spec)
    if folder is None:
        return spec.name
    return _absolute(spec).relative_to(folder).as_posix()


def output_folder(spec: Path, out: Path | None) -> Path:
    """The folder that holds one folder per service.

    `out`, else `out` under [tool.dyngen] of the spec's project, else `generated` in the project's
    folder, or in the current one. Raises Unusable for a pyproject.toml that says nonsense.
    """
    if out is not None:
        return out
    folder = project_folder(spec)
    if folder is None:
        return Path(DEFAULT_OUT)
    return Path(os.path.relpath(folder / _configured_out(folder / "pyproject.toml")))


def _configured_out(pyproject: Path) -> str:
    try:
        settings = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Unusable(f"cannot read {pyproject}: {error}") from error
    tool = settings.get("tool", {}).get("dyngen", {})
    unknown = sorted(set(tool) - {"out"})
    if unknown:
        raise Unusable(
            f"{pyproject}: [tool.dyngen] knows no `{unknown[0]}`, only `out`"
        )
    out = tool.get("out", DEFAULT_OUT)
    if not isinstance(out, str) or not out:
        raise Unusable(
            f"{pyproject}: `out` under [tool.dyngen] must be a folder's name"
        )
    return out


def _absolute(path: Path) -> Path:
    """Absolute without resolving links: the project is where the path leads, as written."""
    return Path(os.path.abspath(path))
