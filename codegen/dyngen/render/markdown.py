"""Text of a spec inside Markdown: escaped as prose, or quoted as code."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[\\`*\[\]<>|&~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_BLOCK_START = re.compile(r"^([#+=\-]|\d+(?=[.)]))")


def prose(text: str) -> str:
    """Text on one line that Markdown shows as it is."""
    line = " ".join(_visible(text).split())
    escaped = _SPECIAL.sub(r"\\\g<0>", line)
    return _BLOCK_START.sub(_escaped_start, escaped)


def code(text: str) -> str:
    """Text as a code span, also inside a table."""
    line = " ".join(_visible(text).split())
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if longest or not line else ""
    return f"{fence}{padding}{line}{padding}{fence}".replace("|", r"\|")


def comment(text: str) -> str:
    """Text inside an HTML comment, which `--` would end."""
    return re.sub("-(?=-)|-$", "- ", " ".join(_visible(text).split())).rstrip()


def _escaped_start(match: re.Match[str]) -> str:
    start = match[0]
    return f"{start}\\" if start.isdigit() else f"\\{start}"


def _visible(text: str) -> str:
    return "".join(
        char if char.isprintable() or char.isspace() else f"<U+{ord(char):04X}>"
        for char in text
    )
