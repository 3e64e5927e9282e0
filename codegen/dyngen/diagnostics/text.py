"""Diagnostics as text for people: code, place, the marked line, what else matters, the remedy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dyngen.diagnostics import excerpt
from dyngen.diagnostics.model import Diagnostic, Label, Severity, Span

_WIDTH = 100
_HELP = "= help: "

# Words for wrapping; what stands between backquotes is to be copied and stays in one piece.
_WORD = re.compile(r"(?:`[^`]*`|[^\s`]|`)+")

_RED, _YELLOW, _CYAN, _BLUE, _BOLD = "1;31", "1;33", "1;36", "1;34", "1"
_COLORS = {
    Severity.ERROR: _RED,
    Severity.WARNING: _YELLOW,
    Severity.ADVICE: _CYAN,
}
_NOUNS = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.ADVICE: ("piece of advice", "pieces of advice"),
}


def render(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], color: bool = False
) -> str:
    """All diagnostics in order of place, and a line that sums them up; empty if there are none.

    `sources` holds the text of each file by the name that spans have for it; where it is missing,
    places are told without their lines. `color` adds ANSI colours for a terminal.
    """
    ordered = sorted(diagnostics, key=lambda each: each.sort_key)
    if not ordered:
        return ""
    lines = {file: excerpt.split(text) for file, text in sources.items()}
    paint = _Paint(color)
    blocks = [_block(each, lines, paint) for each in ordered]
    return "\n".join([*blocks, paint(_summary(ordered), _BOLD) + "\n"])


@dataclass(frozen=True, slots=True)
class _Paint:
    """Wraps text in a colour, if there are to be colours."""

    on: bool

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.on and text else text


def _block(
    diagnostic: Diagnostic, sources: Mapping[str, list[str]], paint: _Paint
) -> str:
    """One diagnostic, ending in a newline."""
    style = _COLORS[diagnostic.severity]
    groups = _grouped(diagnostic)
    margin = len(str(max(group[0].span.line for group in groups)))
    bar = paint(f"{'':{margin}} |", _BLUE)
    head = paint(f"{diagnostic.severity}[{diagnostic.code}]", style)
    message = paint(f": {excerpt.visible(diagnostic.message)}", _BOLD)
    out = [head + message]
    for number, group in enumerate(groups):
        span = group[0].span
        arrow = "-->" if number == 0 else ":::"
        place = f"{excerpt.visible(span.file)}:{span.line}:{span.column}"
        if number == 1:
            out.append(bar)
        out.append(f"{'':{margin}}{paint(arrow, _BLUE)} {place}")
        source = _source_line(sources, span)
        labels = [excerpt.visible(label.text) for label in group]
        if source is None:
            out.extend(f"{bar} {text}" for text in labels if text)
            continue
        if number == 0:
            out.append(bar)
        view = excerpt.view(source, span)
        out.append(f"{paint(f'{span.line:>{margin}} |', _BLUE)} {view.text}".rstrip())
        for label, text in zip(group, labels, strict=True):
            primary = label is diagnostic.primary
            start, width = view.mark(label.span)
            mark = ("^" if primary else "-") * width
            marked = paint(f"{mark} {text}".rstrip(), style if primary else _BLUE)
            out.append(f"{bar} {'':{start}}{marked}")
    for remedy in diagnostic.help:
        out.extend(_help(remedy, margin, paint))
    return "\n".join(out) + "\n"


def _grouped(diagnostic: Diagnostic) -> list[list[Label]]:
    """The labels of each line together: the primary one's line first, then in order."""
    groups: dict[tuple[str, int], list[Label]] = {}
    for label in (diagnostic.primary, *diagnostic.secondary):
        groups.setdefault((label.span.file, label.span.line), []).append(label)
    return list(groups.values())


def _source_line(sources: Mapping[str, list[str]], span: Span) -> str | None:
    lines = sources.get(span.file, [])
    return lines[span.line - 1] if 0 < span.line <= len(lines) else None


def _help(remedy: str, margin: int, paint: _Paint) -> list[str]:
    """A remedy, wrapped; one of several lines (a definition to paste) is left as it is."""
    indent = f"{'':{margin}} {paint('=', _BLUE)} {paint('help', _BOLD)}: "
    rest = " " * (margin + 1 + len(_HELP))
    if "\n" in remedy:
        lines = [excerpt.visible(line) for line in remedy.rstrip("\n").split("\n")]
    else:
        lines = _wrapped(excerpt.visible(remedy), _WIDTH - len(rest))
    first, *others = lines
    return [indent + first, *(f"{rest}{line}".rstrip() for line in others)]


def _wrapped(text: str, width: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in _WORD.findall(text):
        longer = f"{line} {word}" if line else word
        if line and excerpt.width(longer) > width:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]


def _summary(diagnostics: list[Diagnostic]) -> str:
    counts = Counter(each.severity for each in diagnostics)
    parts = [
        f"{counts[severity]} {nouns[counts[severity] > 1]}"
        for severity, nouns in _NOUNS.items()
        if counts[severity]
    ]
    if len(parts) > 1:
        parts = [", ".join(parts[:-1]), parts[-1]]
    return f"Found {' and '.join(parts)}."
