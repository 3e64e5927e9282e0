"""Text that YAML takes for something else unless it is quoted: finding it, and quoting it.

Key templates are full of YAML's own characters: `sk: #META` is a comment, `sk: {a}#{b}` a mapping
and `sk: {a}-{b}` no YAML at all. A repair stands for the text the author meant; the reader
reports it, goes on with it, and so finds the faults behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_KEY = re.compile(
    r"""(?P<before>^|[\s{\[,])(?P<key>"[^"\\]*"|'[^']*'|[^\s"'{}\[\],:&*!|>%@`#-][^\s"'{}\[\],:]*):(?=\s)[ ]*(?:&\S+[ ]+)?"""
)
# `{a}#{b}`, `X#{a}`: words and parts in braces without spaces between them
_TEMPLATE = re.compile(r"""(?:[^{}\[\],\s"']|\{[^{},\s"']+\})+""")
_NO_COMMENT = re.compile(r"\s+(?=#[^\s#])")
_NEVER_FIRST = "%@`"
_NOT_IN_KEYS = set("{}[],#:")


@dataclass(frozen=True, slots=True)
class Repair:
    """Text of one line that is to be quoted.

    Line and columns count from 0; the columns are those of the line before the repair.
    """

    line: int
    start: int
    end: int
    key: str
    text: str
    reason: str

    @property
    def replacement(self) -> str:
        """What is to stand there instead."""
        return quoted(self.text)

    @property
    def remedy(self) -> str:
        """The line's entry as it is to be written."""
        entry = f"{self.key}: {self.replacement}" if self.key else self.replacement
        return f"quote it: `{entry}`"

    def apply(self, lines: tuple[str, ...]) -> tuple[str, ...]:
        """The lines with this repair made."""
        line = lines[self.line]
        line = f"{line[: self.start]}{self.replacement}{line[self.end :]}"
        return (*lines[: self.line], line, *lines[self.line + 1 :])

    def original_column(self, line: int, column: int) -> int:
        """The column that a column of the repaired line had before."""
        if line != self.line or column <= self.start:
            return column
        shift = len(self.replacement) - (self.end - self.start)
        return max(self.start, column - shift)


def quoted(text: str) -> str:
    """`text` as a YAML double-quoted scalar."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def key(text: str) -> str:
    """`text` as the key of a YAML mapping, quoted where it must be: `"reactions.{emoji}"`."""
    return quoted(text) if set(text) & _NOT_IN_KEYS else text


@dataclass(frozen=True, slots=True)
class Swallowed:
    """Text that YAML took for a comment, and its column."""

    start: int
    text: str


def swallowed(line: str, column: int) -> Swallowed | None:
    """The text that a comment behind `column` swallowed.

    None for a real comment, which has a space after its `#`.
    """
    match = _NO_COMMENT.match(line, column)
    if match is None:
        return None
    start = match.end()
    flow = _context(line, start).depth > 0
    return Swallowed(start, line[start : _end(line, start, flow=flow)])


def template_at(line: str, column: int) -> str | None:
    """The key template that begins with the `{` at `column`, if it looks like one."""
    text = line[column : _end(line, column, flow=_context(line, column).depth > 0)]
    return text if _TEMPLATE.fullmatch(text) else None


def suspects(line: str, number: int, *, flow: bool) -> list[Repair]:
    """Values of a line that no reading of YAML can take for the text they are.

    `flow`: the line begins inside braces. To be asked only where YAML failed.
    """
    found: list[Repair] = []
    seen = 0
    for match in _KEY.finditer(line):
        start = match.end()
        where = _context(line, start)
        if where.quoted or start < seen:
            continue
        if _context(line, match.start("key"), seen).comment:
            break
        in_flow = flow or where.depth > 0
        text = line[start : _end(line, start, flow=in_flow)]
        reason = _fault(text, in_flow)
        if reason is not None:
            seen = start + len(text)
            found.append(Repair(number, start, seen, match["key"], text, reason))
    return found


def with_colon(line: str, number: int, column: int) -> list[Repair]:
    """The value that holds the colon at `column`, which YAML takes for another key's."""
    match = _KEY.search(line)
    if match is None or match.end() >= column or line[match.end()] in "{[\"'":
        return []
    start = match.end()
    end = _end(line, start, flow=False)
    reason = "`: ` inside makes it a mapping"
    return [Repair(number, start, end, match["key"], line[start:end], reason)]


def _fault(text: str, flow: bool) -> str | None:
    """Why YAML does not take `text`, unquoted, for text; None where it does or may."""
    if not text:
        return None
    if text[0] in _NEVER_FIRST:
        return f"`{text[0]}` cannot begin text"
    if flow and text[0] == "#" and text[1:2] not in ("", " "):
        return "`#` after a space begins a comment"
    if "{" in text and _TEMPLATE.fullmatch(text):
        if text[0] == "{":
            return "`{` begins a mapping"
        if flow:
            return "`{` cannot stand in text inside braces"
    return None


def _end(line: str, start: int, *, flow: bool) -> int:
    """Where a value ends, going by what the author means: before a comment, and inside braces
    before a comma or an unmatched brace."""
    depth = 0
    for at in range(start, len(line)):
        character = line[at]
        if character == "#" and at > start and line[at - 1].isspace():
            return len(line[:at].rstrip())
        if character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
        if flow and (depth < 0 or (character == "," and depth == 0)):
            return len(line[:at].rstrip())
    return len(line.rstrip())


@dataclass(frozen=True, slots=True)
class _Context:
    """What surrounds a column: open braces and brackets, an open quotation, a comment."""

    depth: int
    quoted: bool
    comment: bool


def _context(line: str, column: int, since: int = 0) -> _Context:
    depth, quote, comment = 0, "", False
    for at in range(since, column):
        character = line[at]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
        elif character == "#" and (at == 0 or line[at - 1].isspace()):
            comment = True
    return _Context(depth, bool(quote), comment)
