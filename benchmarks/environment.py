"""The environment of the benchmarks: the packages of requirements.txt, under `.bench`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from benchmarks.processes import ROOT

FOLDER = ROOT / ".bench"
_REQUIREMENTS = Path(__file__).with_name("requirements.txt")
_DONE = FOLDER / "requirements.txt"


def prepare(interpreter: str) -> Path:
    """The environment's interpreter; it is made anew if it is of other requirements or Python.

    Raises CalledProcessError.
    """
    python = FOLDER / "bin" / "python"
    wanted = f"# {interpreter}\n{_REQUIREMENTS.read_text()}"
    if not _DONE.is_file() or _DONE.read_text() != wanted:
        subprocess.run([interpreter, "-m", "venv", "--clear", str(FOLDER)], check=True)
        install = [
            str(python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]
        subprocess.run(
            [*install, "-r", str(_REQUIREMENTS)], check=True, stdin=subprocess.DEVNULL
        )
        _DONE.write_text(wanted)
    return python


def versions(python: Path) -> tuple[str, dict[str, str]]:
    """The version of Python, and those of the packages measured; not installed ones have none."""
    names = [
        line.partition("==")[0].partition("[")[0]
        for line in _REQUIREMENTS.read_text().splitlines()
        if "==" in line
    ]
    program = (
        "import importlib.metadata as m, json, platform, sys\n"
        "def v(n):\n"
        "    try: return m.version(n)\n"
        "    except m.PackageNotFoundError: return ''\n"
        "print(json.dumps([platform.python_version(), {n: v(n) for n in sys.argv[1:]}]))"
    )
    found = subprocess.run(
        [str(python), "-c", program, "botocore", *names],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    version, packages = json.loads(found)
    return version, packages
