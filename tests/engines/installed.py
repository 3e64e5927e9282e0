"""The engines, at the versions that the suites are known to agree with, under `.engines`.

There, too: environments with the oldest boto3 that generated packages run with, and a new one.

Run as a script, this puts them there (`make engines`).
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

DYNOXIDE_VERSION = "1.2.1"
MINISTACK_VERSION = "1.5.33"
OLDEST_BOTO3 = "1.35.16"
NEWEST_BOTO3 = "1.44.8"
_OF_SUITES = ("hypothesis==6.170.17", "moto==5.2.5", "pytest==9.2.0", "pyyaml==6.0.4")

_FOLDER = Path(__file__).parents[2] / ".engines"
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}


def dynoxide() -> Path:
    """The binary of dynoxide, an HTTP server over SQLite; it may not be there."""
    return _dynoxide_folder() / "node_modules" / _dynoxide_package() / "dynoxide"


def ministack() -> Path:
    """The command of ministack, in an environment of its own, as it pins botocore."""
    return _ministack_folder() / "bin" / "ministack"


def python_with_boto3(version: str) -> Path:
    """The interpreter of an environment that has this boto3, and what a suite needs."""
    return _boto3_folder(version) / "bin" / "python"


def install() -> None:
    """Install what is not there yet. Raises CalledProcessError and OSError."""
    if not dynoxide().is_file():
        wanted = f"{_dynoxide_package()}@{DYNOXIDE_VERSION}"
        options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"]
        _dynoxide_folder().mkdir(parents=True, exist_ok=True)
        _run(["npm", "install", "--silent", *options, wanted], _dynoxide_folder())
    if not ministack().is_file():
        _environment(_ministack_folder(), f"ministack=={MINISTACK_VERSION}")
    for version in (OLDEST_BOTO3, NEWEST_BOTO3):
        if not python_with_boto3(version).is_file():
            pinned = f"boto3=={version}", f"botocore=={version}"
            _environment(_boto3_folder(version), *pinned, *_OF_SUITES)


def _environment(folder: Path, *wanted: str) -> None:
    """A new environment with these packages."""
    try:
        venv.create(folder, with_pip=True, clear=True)
        _run([str(folder / "bin" / "pip"), "install", "--quiet", *wanted], folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)  # half an environment is none
        raise


def _dynoxide_folder() -> Path:
    return _FOLDER / f"dynoxide-{DYNOXIDE_VERSION}"


def _ministack_folder() -> Path:
    return _FOLDER / f"ministack-{MINISTACK_VERSION}"


def _boto3_folder(version: str) -> Path:
    return _FOLDER / f"boto3-{version}"


def _dynoxide_package() -> str:
    machine = platform.machine().lower()
    return f"@dynoxide/{sys.platform}-{_MACHINES.get(machine, machine)}"


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    install()
