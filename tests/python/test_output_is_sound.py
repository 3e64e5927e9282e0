"""What type checkers, linters and black say of a package, and what a build may depend on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import black
import pytest
from built_packages import HEADER, designed, write
from dyngen.python.package import package_files

HERE = Path(__file__).parent
TASKS = (HERE / "tasks.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of tasks, formatted."""
    folder = tmp_path_factory.mktemp("sound")
    write(designed(TASKS), folder)
    for path in (folder / "tasks").glob("*.py"):
        text = black.format_str(path.read_text("utf-8"), mode=black.Mode())
        path.write_text(text, "utf-8")
    return folder


def run(folder: Path, *command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_mypy_has_nothing_to_say(folder: Path) -> None:
    run(folder, "mypy", "--strict", "tasks")


@pytest.mark.slow
def test_pyright_has_nothing_to_say(folder: Path) -> None:
    run(folder, "pyright", "--pythonpath", sys.executable, "tasks")


@pytest.mark.slow
def test_a_linter_has_nothing_to_say(folder: Path) -> None:
    run(
        folder,
        "ruff",
        "check",
        "--isolated",
        "--select=E,F,I,B,UP,W",
        "--ignore=E501",
        "tasks",
    )


def test_black_changes_layout_only() -> None:
    for path, text in package_files(designed(TASKS), HEADER).items():
        if path.endswith(".py"):
            once = black.format_str(text, mode=black.Mode())
            assert black.format_str(once, mode=black.Mode()) == once
            assert once.splitlines()[0] == HEADER


def test_every_file_has_the_header() -> None:
    for path, text in package_files(designed(TASKS), HEADER).items():
        assert text.startswith(f"{HEADER}\n") or path.endswith("py.typed")


def test_the_same_spec_gives_the_same_bytes_under_any_hash_seed(tmp_path: Path) -> None:
    script = (
        "import hashlib, sys\n"
        "from dyngen.compile import compile_spec\n"
        "from dyngen.python.package import package_files\n"
        "design, _ = compile_spec(sys.stdin.read(), 'tasks.yaml')\n"
        "files = package_files(design, '# x')\n"
        "print(hashlib.sha256(repr(files).encode()).hexdigest())\n"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            input=TASKS,
            capture_output=True,
            text=True,
            check=True,
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": str(HERE.parents[1] / "codegen"),
            },
        ).stdout
        for seed in ("0", "1")
    }
    assert len(digests) == 1
