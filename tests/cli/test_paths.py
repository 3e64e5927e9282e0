"""Where output goes, and how a spec is named in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from dyngen.cli.failures import Unusable
from dyngen.cli.paths import header_path, output_folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[tool.dyngen]\nout = "made/here"\n')
    (tmp_path / "specs" / "deep").mkdir(parents=True)
    return tmp_path


def test_a_spec_is_named_from_its_project_wherever_one_stands(project, monkeypatch):
    for folder, spec in (
        (project, "specs/deep/orders.yaml"),
        (project / "specs", "deep/orders.yaml"),
        (project / "specs" / "deep", "orders.yaml"),
        (Path("/"), project / "specs/deep/orders.yaml"),
        (project / "specs", "../specs/deep/orders.yaml"),
    ):
        monkeypatch.chdir(folder)
        assert header_path(Path(spec)) == "specs/deep/orders.yaml"


def test_the_nearest_project_counts(project):
    (project / "specs" / "pyproject.toml").write_text("")
    spec = project / "specs" / "deep" / "orders.yaml"
    assert header_path(spec) == "deep/orders.yaml"
    assert output_folder(spec, None).resolve() == project / "specs" / "generated"


def test_without_a_project_only_the_name_counts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spec = tmp_path / "specs" / "orders.yaml"
    assert header_path(spec) == "orders.yaml"
    assert output_folder(spec, None) == Path("generated")


def test_out_is_configured_from_the_projects_folder(project, monkeypatch):
    spec = project / "specs" / "orders.yaml"
    monkeypatch.chdir(project)
    assert output_folder(spec, None) == Path("made/here")
    monkeypatch.chdir(project / "specs")
    assert output_folder(spec, None).resolve() == project / "made" / "here"


def test_out_on_the_command_line_wins(project):
    assert output_folder(project / "orders.yaml", Path("other")) == Path("other")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.dyngen]\nout = 5\n", "`out` under"),
        ('[tool.dyngen]\nout = ""\n', "`out` under"),
        ('[tool.dyngen]\noutput = "x"\n', "knows no `output`"),
        ("[tool.dyngen\n", "cannot read"),
    ],
)
def test_a_wrong_setting_is_refused(project, text, said):
    (project / "pyproject.toml").write_text(text)
    with pytest.raises(Unusable, match=said):
        output_folder(project / "orders.yaml", None)
