"""The commands' answers and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from dyngen import __version__
from dyngen.cli import main
from dyngen.cli import run as running

ROOT = Path(__file__).parents[2]
PETS = ROOT / "specs" / "pet_documents.yaml"
BROKEN = "dyngen: 1\nservice: shop\ntables: {}\nentites: {}\n"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN)
    return path


@pytest.mark.parametrize("arguments", [["--version"]])
def test_version(capsys, arguments):
    assert main(arguments) == 0
    assert capsys.readouterr().out == f"dyngen {__version__}\n"


def test_help_names_every_command(capsys):
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for command in ("build", "explain", "lint", "prove", "schema"):
        assert f"\n  {command} " in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["bild"],
        ["build"],
        ["build", "--nothing"],
        ["explain", str(PETS), "documents", "more"],
        ["build", "--check", "--force", str(PETS)],
    ],
)
def test_misuse_exits_2(capsys, arguments):
    assert main(arguments) == 2
    assert "Usage: dyngen" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["build", "lint", "explain", "prove"])
def test_unreadable_input_exits_2(capsys, command, tmp_path):
    missing = tmp_path / "missing.yaml"
    assert main([command, str(missing)]) == 2
    assert capsys.readouterr().err == (
        f"dyngen: cannot read {missing}: No such file or directory\n"
    )
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"service: caf\xe9\n")
    assert main([command, str(latin)]) == 2
    assert "is not UTF-8 (at byte 12)" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["build", "explain", "prove"])
def test_a_broken_spec_exits_1_with_its_diagnostics(capsys, command, broken):
    assert main([command, str(broken)]) == 1
    said = capsys.readouterr()
    assert "did you mean `entities`?" in said.err
    assert f"{broken.as_posix()}:4:1" in said.err
    assert said.out == ""


def test_lint_prints_findings_of_all_specs(capsys, broken, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(BROKEN)
    assert main(["lint", str(broken), str(other), str(PETS)]) == 1
    out = capsys.readouterr().out
    assert f"{broken.as_posix()}:4:1" in out
    assert f"{other.as_posix()}:4:1" in out
    assert "\x1b" not in out


def test_lint_says_that_nothing_was_found(capsys):
    assert main(["lint", str(PETS)]) == 0
    assert capsys.readouterr().out == "Nothing found in 1 spec.\n"


def test_schema_is_json(capsys):
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["$schema"].startswith("http")


def test_explain_a_pattern(capsys):
    assert main(["explain", str(PETS), "documents_about_pet"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("documents_about_pet\n  All documents about a pet,")
    assert '"IndexName": "PetGSI"' in out
    assert "vaccinations" not in out


def test_explain_all_as_json(capsys):
    assert main(["explain", str(PETS), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "vaccinations_of_pet" in [each["pattern"] for each in found]
    assert {"pattern", "description", "routes", "plan"} == set(found[0])


def test_explain_an_unknown_pattern(capsys):
    assert main(["explain", str(PETS), "document_of_pet"]) == 2
    assert "did you mean `documents_of_pet`?" in capsys.readouterr().err


def test_an_internal_error_is_short_and_exits_2(capsys, monkeypatch):
    def fail(*_, **__):
        raise KeyError("oops")

    monkeypatch.setattr(running.dyngen, "main", fail)
    assert main(["schema"]) == 2
    assert capsys.readouterr().err == (
        "dyngen: internal error: KeyError: 'oops' (cli/run.py:26)\n"
        "This is a fault of dyngen, whatever the spec says; please report it with the "
        "spec.\n"
    )


def test_colours_on_a_terminal_only(capsys, broken, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    main(["lint", str(broken)])
    assert "\x1b[" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    main(["lint", str(broken)])
    assert "\x1b[" not in capsys.readouterr().out


# --- instant --------------------------------------------------------------------------------------


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{code}\nimport sys; print(*sys.modules, file=sys.stderr)",
        ],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "codegen")},
    )
    return set(done.stderr.split())


def test_version_imports_nothing():
    loaded = modules_after("from dyngen.cli import main; main(['--version'])")
    assert not loaded & {"click", "yaml", "jinja2", "black", "jsonschema"}


def test_help_imports_nothing_but_click():
    loaded = modules_after("from dyngen.cli import main; main(['--help'])")
    assert "click" in loaded
    assert not loaded & {"yaml", "jinja2", "black", "jsonschema", "botocore"}


def test_lint_needs_no_templates_and_no_formatter():
    loaded = modules_after(
        f"from dyngen.cli import main; main(['lint', {str(PETS)!r}])"
    )
    assert not loaded & {"jinja2", "black", "botocore"}
