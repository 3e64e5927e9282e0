"""Text and values of a spec as Python source. The only way that text of a spec reaches code.

Whatever a spec holds (quotes, backslashes, braces, line ends, control characters, surrogates),
what comes back is one literal, docstring or comment that Python reads as the value again, in the
form that black would give it.
"""

from __future__ import annotations

import datetime as dt
import re
import textwrap
from collections.abc import Iterable
from decimal import Decimal

WIDTH = 88

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
_LINE_ENDS = re.compile("\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


def text(value: str) -> str:
    """A string literal, in double quotes unless single ones save escapes."""
    quote = "'" if '"' in value and "'" not in value else '"'
    return f"{quote}{_escaped(value, quote)}{quote}"


def pattern(value: str) -> str:
    """A literal of a regular expression: a raw string where that can hold it."""
    if "\\" not in value or '"' in value or not value.isprintable():
        return text(value)
    return f'r"{value}"' if not value.endswith("\\") else text(value)


def interpolated(pieces: Iterable[str | Expression]) -> str:
    """A string literal of texts and expressions: an f-string where it holds an expression.

    Expressions may hold no quotes, backslashes or braces (Python 3.11 allows none there).
    """
    parts = list(pieces)
    if not any(isinstance(part, Expression) for part in parts):
        return text("".join(str(part) for part in parts))
    if len(parts) == 1:
        return str(parts[0])
    body = "".join(
        (
            f"{{{part}}}"
            if isinstance(part, Expression)
            else _escaped(part, '"').replace("{", "{{").replace("}", "}}")
        )
        for part in parts
    )
    return f'f"{body}"'


class Expression(str):
    """Python source, as opposed to text that is to become a literal."""

    __slots__ = ()


def value(of: object) -> str:
    """A literal of a constant: text, number, boolean, bytes, date, moment, or an empty container.

    Raises TypeError for anything else.
    """
    match of:
        case str():
            return text(of)
        case bool() | int():
            return repr(of)
        case bytes():
            return _bytes(of)
        case Decimal():
            return f"Decimal({text(str(of))})"
        case dt.datetime():
            return _moment(of)
        case dt.date():
            return f"dt.date({of.year}, {of.month}, {of.day})"
        case float():
            return repr(of)
        case dict() | list() if not of:
            return repr(of)
        case _:
            raise TypeError(f"no literal for {type(of).__name__}")


def strings(values: Iterable[str]) -> str:
    """A tuple of string literals."""
    return tuple_of(text(each) for each in values)


def tuple_of(sources: Iterable[str]) -> str:
    """A tuple display of expressions."""
    parts = list(sources)
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def docstring(body: str, indent: int) -> str:
    """The docstring that says `body`, wrapped to the width of the code, to stand at `indent`.

    The text comes without the indent of its first line. Paragraphs are parted by empty lines; a line
    that begins with blanks keeps its indent, and what it wraps to stands four further in.
    """
    paragraphs = "\n".join(lines_of(body)).strip().split("\n")
    width = WIDTH - indent
    if len(paragraphs) == 1 and len(paragraphs[0]) + 6 > width:
        width -= 6  # so that the quotes never stand alone behind a full line
    lines = [line for each in paragraphs for line in _wrapped(each, width)]
    margin = " " * indent
    escaped = _escaped_docstring("\n".join(lines)).split("\n")
    indented = "\n".join(f"{margin}{line}" if line else "" for line in escaped)
    end = f"\n{margin}" if len(escaped) > 1 else ""
    return f'"""{indented[indent:]}{end}"""'


def comment(body: str) -> str:
    """A comment of one line. What it says can't be taken for a directive to a tool."""
    shown = visible(" ".join(lines_of(body))).strip()
    return f"# {shown}"


def lines_of(body: str) -> list[str]:
    """The lines of a text, whatever ends them, without characters that would not show."""
    return [
        visible(line.replace("\t", "    ")).rstrip() for line in _LINE_ENDS.split(body)
    ]


def visible(line: str) -> str:
    """The text with each character that would not show named: `<U+202E>`."""
    return "".join(
        char if char.isprintable() else f"<U+{ord(char):04X}>" for char in line
    )


def _escaped(value: str, quote: str) -> str:
    return "".join(_character(char, quote) for char in value)


def _character(char: str, quote: str) -> str:
    if char == quote:
        return f"\\{char}"
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escaped_docstring(body: str) -> str:
    """Backslashes doubled, and every quote escaped that could end the docstring."""
    edges = (0, len(body) - 1)
    return "".join(
        (
            "\\\\"
            if char == "\\"
            else (
                '\\"'
                if char == '"' and (at in edges or '"' in (body[at - 1], body[at + 1]))
                else char
            )
        )
        for at, char in enumerate(body)
    )


def _wrapped(line: str, width: int) -> list[str]:
    body = line.lstrip(" ")
    lead = line[: len(line) - len(body)]
    if not body:
        return [""]
    return textwrap.wrap(
        body,
        width,
        initial_indent=lead,
        subsequent_indent=f"{lead}    " if lead else "",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _bytes(value_: bytes) -> str:
    source = repr(value_)
    if source.startswith("b'") and '"' not in source:
        return f'b"{source[2:-1]}"'
    return source


def _moment(moment: dt.datetime) -> str:
    utc = moment.astimezone(dt.UTC)
    fields = [utc.year, utc.month, utc.day, utc.hour, utc.minute]
    if utc.second or utc.microsecond:
        fields.append(utc.second)
    if utc.microsecond:
        fields.append(utc.microsecond)
    return f"dt.datetime({', '.join(map(str, fields))}, tzinfo=dt.UTC)"
