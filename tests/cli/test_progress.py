"""What takes long shows that it goes on, on a terminal."""

from __future__ import annotations

import io
import sys

import pytest
from dyngen.cli.progress import progress
from dyngen.render.formatting import finish


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with progress("Formatting shop") as told:
        told(1, 2)
        told(2, 2)
    return stream.getvalue()


def test_a_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, Terminal())
    assert "Formatting shop" in text
    assert "100%" in text


def test_nothing_else_shows_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, io.StringIO()) == ""


def test_no_news_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress("Formatting shop"):
        assert terminal.getvalue() == ""


def test_each_file_that_black_is_given_is_told() -> None:
    told: list[tuple[int, int]] = []
    files = {"a.py": "x = 1\n", "b.md": "b\n", "c/_runtime/d.py": "", "e.py": "y=2\n"}
    outputs = finish(files, None, {}, lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]
    assert list(outputs) == list(files)
    assert outputs["e.py"].text == "y = 2\n"
