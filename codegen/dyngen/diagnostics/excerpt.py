"""A source line as a terminal shows it: tabs, wide and invisible characters, too long lines."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from dyngen.diagnostics.model import Span

_TAB = 4
_LONGEST = 110
_BEFORE = 40  # columns shown before the mark of a line that is cut
_ELLIPSIS = "…"


def split(text: str) -> list[str]:
    """The lines of a text, as editors number them."""
    return [line.removesuffix("\r") for line in text.split("\n")]


def visible(text: str) -> str:
    """`text` on one line, and with nothing in it that could steer a terminal."""
    if text.isprintable():
        return text
    return "".join(c if _harmless(c) else _escape(c) for c in text)


def width(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    return len(text) if text.isascii() else sum(_width(c) for c in text)


@dataclass(frozen=True, slots=True)
class View:
    """The part of a line that is shown. `columns[n]` is where its character `n` begins."""

    text: str
    columns: tuple[int, ...]

    def mark(self, span: Span) -> tuple[int, int]:
        """Where the mark of a span on this line begins, and how wide it is (at least 1)."""
        end_column = span.end_column if span.end_line == span.line else None
        start = self._at(span.column)
        end = self._at(end_column) if end_column is not None else len(self.text)
        shown = width(self.text)
        return start, max(1, min(end, shown) - start)

    def _at(self, column: int) -> int:
        """The terminal column of a column that counts characters from 1."""
        index = max(0, column - 1)
        if index < len(self.columns):
            return min(max(0, self.columns[index]), width(self.text))
        return self.columns[-1]


def view(line: str, span: Span) -> View:
    """The line as it is shown for a mark at `span`."""
    pieces: list[str] = []
    columns: list[int] = []
    at = 0
    for character in line:
        piece = " " * (_TAB - at % _TAB) if character == "\t" else _shown(character)
        pieces.append(piece)
        columns.append(at)
        at += width(piece)
    columns.append(at)
    if at <= _LONGEST:
        return View("".join(pieces), tuple(columns))
    return _cut(pieces, columns, span)


def _cut(pieces: list[str], columns: list[int], span: Span) -> View:
    """A window of a long line around the place that is marked."""
    place = columns[min(max(0, span.column - 1), len(columns) - 1)]
    left = max(0, min(place - _BEFORE, columns[-1] - _LONGEST))
    first = next(n for n, at in enumerate(columns) if at >= left)
    inside = [n for n in range(first, len(pieces)) if columns[n + 1] <= left + _LONGEST]
    last = inside[-1] + 1
    before = _ELLIPSIS if first else ""
    after = _ELLIPSIS if last < len(pieces) else ""
    text = before + "".join(pieces[first:last]) + after
    shift = len(before) - columns[first]
    return View(text, tuple(at + shift for at in columns))


def _shown(character: str) -> str:
    return character if _harmless(character) else "\N{REPLACEMENT CHARACTER}"


def _harmless(character: str) -> bool:
    """Not a control, a separator of lines, a mark of direction or half a character."""
    return character.isprintable() or unicodedata.category(character) == "Zs"


def _escape(character: str) -> str:
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(character)
    if short is not None:
        return short
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
