"""`dyngen init`: what it writes builds, lints clean, and is never overwritten."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from dyngen.cli import main
from dyngen.source import schema

ROOT = Path(__file__).parents[2]
WRITTEN = [
    ".gitattributes",
    ".github/workflows/dyngen.yml",
    ".pre-commit-config.yaml",
    "specs/dyngen.schema.json",
    "specs/orders.yaml",
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_the_first_spec_builds_and_lints_clean(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init"]) == 0
    assert sorted(files(project)) == WRITTEN
    assert main(["lint", "specs/orders.yaml"]) == 0
    assert "Nothing found in 1 spec." in capsys.readouterr().out
    assert main(["build", "specs/orders.yaml"]) == 0
    assert main(["build", "--check", "specs/orders.yaml"]) == 0
    assert (project / "generated" / "customer_orders").is_dir()


def test_a_second_time_nothing_is_written(project: Path) -> None:
    assert main(["init"]) == 0
    before = files(project)
    assert main(["init"]) == 0
    assert files(project) == before


def test_what_exists_is_left_as_it_is(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "specs").mkdir()
    (project / "specs" / "orders.yaml").write_text("mine")
    (project / ".gitattributes").write_text("*.png binary")
    assert main(["init"]) == 0
    assert (project / "specs" / "orders.yaml").read_text() == "mine"
    assert (project / ".gitattributes").read_text().splitlines() == [
        "*.png binary",
        "generated/** linguist-generated=true eol=lf",
        "specs/dyngen.schema.json linguist-generated=true eol=lf",
    ]
    assert "specs/orders.yaml: left as it is" in capsys.readouterr().out


def test_output_goes_where_the_project_says(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.dyngen]\nout = "src/generated"\n')
    assert main(["init"]) == 0
    marked = (project / ".gitattributes").read_text()
    assert marked.startswith("src/generated/** linguist-generated=true")
    workflow = yaml.safe_load((project / ".github/workflows/dyngen.yml").read_text())
    steps = [step.get("run") for step in workflow["jobs"]["dyngen"]["steps"]]
    assert steps[-1] == "pytest src/generated"


def test_in_another_folder(project: Path) -> None:
    assert main(["init", "shop"]) == 0
    assert sorted(files(project / "shop")) == WRITTEN
    assert "generated/** " in (project / "shop" / ".gitattributes").read_text()


def test_the_schema_beside_the_spec_is_the_compilers(project: Path) -> None:
    assert main(["init"]) == 0
    written = (project / "specs" / "dyngen.schema.json").read_text(encoding="utf-8")
    assert written == schema.text()


# --- what the project ships for the projects of others --------------------------------------------


def test_hooks_call_commands_that_exist(project: Path) -> None:
    assert main(["init"]) == 0
    assert main(["build", "specs/orders.yaml"]) == 0
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in hooks] == ["dyngen-lint", "dyngen-check"]
    for hook in hooks:
        program, *arguments = hook["entry"].split()
        assert program == "dyngen"
        assert main([*arguments, "specs/orders.yaml"]) == 0


def test_what_init_writes_for_ci_names_what_exists(project: Path) -> None:
    assert main(["init"]) == 0
    assert main(["build", "specs/orders.yaml"]) == 0
    workflow = yaml.safe_load((project / ".github/workflows/dyngen.yml").read_text())
    steps = [step.get("run") for step in workflow["jobs"]["dyngen"]["steps"]]
    config = yaml.safe_load((project / ".pre-commit-config.yaml").read_text())
    entries = [hook["entry"] for each in config["repos"] for hook in each["hooks"]]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ran = 0
    for line in filter(None, [*steps, *entries]):
        program, *words = shlex.split(line)
        if program == "sh":
            program, *words = shlex.split(words[1])
        if program == "pip":
            [name] = re.findall(r"dyngen\[(\w+)\]", words[-1])
            assert name in extras["optional-dependencies"]
        elif program == "pytest":
            assert [(project / word).is_dir() for word in words] == [True]
        else:
            assert program == "dyngen"
            options = [word for word in words if word != "specs/*.yaml"]
            assert main([*options, "specs/orders.yaml"]) == 0
            ran += 1
    assert ran == 4


def test_the_action_checks_unless_told_otherwise() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["inputs"]["command"]["default"] == "check"
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        # What a workflow passes in must not be pasted into a script.
        assert "inputs." not in step.get("run", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dyngen.cli"],
        check=True,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "codegen"),
            "_DYNGEN_COMPLETE": f"{shell}_source",
        },
    )
    assert "_DYNGEN_COMPLETE" in done.stdout
