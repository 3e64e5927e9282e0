"""Which characters a spec may hold, before any of it is read as YAML."""

from __future__ import annotations

import re

from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Span

_MOST_REPORTED = 10

# Besides what YAML 1.1 does not allow: characters that end a line for YAML but not for editors,
# so that every line number after them would be wrong.
_REFUSED = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    "|\r(?!\n)"
    "|^ *\t",
    re.MULTILINE,
)
_LINE_ENDS = {
    "\r": "a carriage return without a line feed",
    "\x85": "the line end U+0085",
    "\u2028": "the line separator U+2028",
    "\u2029": "the paragraph separator U+2029",
}


def check(text: str, file: str) -> list[Diagnostic]:
    """The characters that a spec must not hold, each with its place (DG001); the first ten."""
    found: list[Diagnostic] = []
    line, line_start, seen = 1, 0, 0
    for match in _REFUSED.finditer(text):
        at = match.end() - 1
        line += text.count("\n", seen, at)
        line_start = text.rfind("\n", 0, at) + 1
        seen = at
        column = at - line_start + 1
        message, label, remedy = _describe(text[at], at)
        found.append(
            error(
                "DG001",
                message,
                Span(file, line, column, line, column + 1),
                label,
                help=[remedy],
            )
        )
        if len(found) == _MOST_REPORTED:
            break
    return found


def _describe(character: str, at: int) -> tuple[str, str, str]:
    """Message, label and remedy."""
    code = f"U+{ord(character):04X}"
    if character == "\t":
        return "a tab in the indentation", "YAML indents by spaces", "use spaces"
    if character in _LINE_ENDS:
        return (
            f"{_LINE_ENDS[character]} in the text",
            "ends a line for YAML, but not for editors",
            "end lines with a line feed; inside double quotes, "
            f"write it `\\{_escaped(character)}`",
        )
    if character == "\ufeff" and at == 0:
        return (
            "the file begins with a byte order mark",
            "",
            "save it as UTF-8 without a byte order mark",
        )
    if "\ud800" <= character <= "\udfff":
        return f"half a character ({code})", "", "take it out"
    return (
        f"the character {code} cannot stand in YAML",
        "",
        f"take it out, or write it `\\{_escaped(character)}` inside double quotes",
    )


def _escaped(character: str) -> str:
    number = ord(character)
    return f"x{number:02X}" if number < 0x100 else f"u{number:04X}"
