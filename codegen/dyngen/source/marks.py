"""From places in the text that is parsed to places in the file as the author wrote it."""

from __future__ import annotations

from dataclasses import dataclass

from dyngen.diagnostics.model import Span
from dyngen.source.quoting import Repair


@dataclass(frozen=True, slots=True)
class Places:
    """The lines that are parsed, and the repairs that made them from the author's."""

    file: str
    lines: tuple[str, ...]
    repairs: tuple[Repair, ...] = ()

    @classmethod
    def of(cls, text: str, file: str) -> Places:
        """The places of a text as it was written."""
        return cls(file, tuple(line.removesuffix("\r") for line in text.split("\n")))

    @property
    def text(self) -> str:
        """The text to parse."""
        return "\n".join(self.lines)

    def repaired(self, repair: Repair) -> Places:
        """With one more repair made."""
        return Places(self.file, repair.apply(self.lines), (*self.repairs, repair))

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """A stretch of the text parsed (lines and columns from 0), in the author's text."""
        return Span(
            self.file,
            line + 1,
            self._column(line, column) + 1,
            end_line + 1,
            self._column(end_line, end_column) + 1,
        )

    def point(self, line: int, column: int) -> Span:
        """One character; the end of the text, where the place is behind it."""
        last = self.last_line(line)
        if line > last:
            line, column = last, len(self.lines[last].rstrip())
        return self.span(line, column, line, column + 1)

    def last_line(self, line: int) -> int:
        """`line`, or where only blank lines are left, the last one that is not blank."""
        filled = (n for n, text in enumerate(self.lines) if text.strip())
        return min(line, max(filled, default=0))

    def _column(self, line: int, column: int) -> int:
        for repair in reversed(self.repairs):
            column = repair.original_column(line, column)
        return column
