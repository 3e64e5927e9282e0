"""Compiled templates are kept between runs, and their folder may be of no use."""

from __future__ import annotations

import pytest
from dyngen.render import template_cache
from dyngen.render.cache import cache_folder
from jinja2 import DictLoader, Environment


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def render(text: str) -> str:
    environment = Environment(
        loader=DictLoader({"t": text}),
        bytecode_cache=template_cache.template_cache(),
    )
    return environment.get_template("t").render()


def entries():
    return [p for p in (cache_folder() / "templates").iterdir() if p.is_file()]


def test_a_template_is_kept_and_a_change_is_noticed():
    assert render("a{{ 1 }}") == "a1"
    assert len(entries()) == 1
    assert render("a{{ 1 }}") == "a1"
    assert render("b{{ 2 }}") == "b2"


def test_a_damaged_entry_is_made_anew():
    render("a{{ 1 }}")
    (entry,) = entries()
    whole = entry.read_bytes()
    for damaged in (b"", b"nonsense", whole[:-10], whole[:30]):
        entry.write_bytes(damaged)
        assert render("a{{ 1 }}") == "a1"


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path):
    (tmp_path / "cache").write_text("a file")
    assert template_cache.template_cache() is None
    assert render("a{{ 1 }}") == "a1"


def test_a_folder_that_cannot_be_written_is_no_error(monkeypatch):
    def full(*_, **__):
        raise OSError("no space left")

    monkeypatch.setattr("tempfile.NamedTemporaryFile", full)
    assert render("a{{ 1 }}") == "a1"
