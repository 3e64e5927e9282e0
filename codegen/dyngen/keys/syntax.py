"""The grammar of templates: literal text, and parts in braces.

`{x}` a value, `{x:desc}` in reversed order, `{x:%Y-%m}` a bucket of time, `{x|none}` with a text that
stands for a missing value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dyngen.keys.model import Literal

DIRECTIVES = "YmdHMSjGV"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_PLACEHOLDER = re.compile(r"[A-Za-z0-9_.-]+")
_WRITTEN_PART = re.compile(r"([^:|]*)(?::([^|]*))?(?:\|(.*))?", re.DOTALL)
_NO_LITERAL = re.compile(r"[^ -#%-~]")  # printable ASCII without `$`
_FORMAT = re.compile(f"(?:%[{DIRECTIVES}]|[&-z~])*")


@dataclass(frozen=True, slots=True)
class RawPart:
    """A part as written: the attribute is not looked up. `offset` is where its brace stands."""

    attribute: str
    offset: int
    desc: bool = False
    bucket: str | None = None
    placeholder: str | None = None


@dataclass(frozen=True, slots=True)
class TemplateError:
    """What is wrong with a template, at which character of it, and the remedy."""

    offset: int
    message: str
    help: str


def parse_pieces(text: str) -> tuple[Literal | RawPart, ...] | TemplateError:
    """The pieces of a template, or the first thing that is wrong with it."""
    if not text:
        return TemplateError(0, "a key's text is empty", "DynamoDB refuses empty keys")
    pieces: list[Literal | RawPart] = []
    piece: Literal | RawPart | TemplateError
    offset = 0
    while offset < len(text):
        if text[offset] == "{":
            end = text.find("}", offset)
            if end < 0:
                return TemplateError(offset, "this brace is not closed", "add a `}`")
            piece = _part(text[offset + 1 : end], offset)
            offset = end + 1
        else:
            end = min(
                (
                    at
                    for at in (text.find("{", offset), text.find("}", offset))
                    if at >= 0
                ),
                default=len(text),
            )
            piece = _literal(text[offset:end], offset)
            if text[end : end + 1] == "}" and not isinstance(piece, TemplateError):
                return TemplateError(
                    end, "this brace was not opened", "add a `{` before the name"
                )
            offset = end
        if isinstance(piece, TemplateError):
            return piece
        pieces.append(piece)
    return tuple(pieces)


def _literal(text: str, offset: int) -> Literal | TemplateError:
    wrong = _NO_LITERAL.search(text)
    if wrong is None:
        return Literal(text)
    return TemplateError(
        offset + wrong.start(),
        f"the text of a key must not hold {wrong[0]!r}",
        "use printable ASCII characters other than `$`, which bounds ranges",
    )


def _part(text: str, offset: int) -> RawPart | TemplateError:
    written = _WRITTEN_PART.fullmatch(text)
    name, form, placeholder = written.groups() if written else (text, None, None)
    inside = offset + 1
    if _NAME.fullmatch(name) is None:
        return TemplateError(
            inside,
            f"`{name}` is not the name of an attribute",
            "a part is written `{attribute}`, `{attribute:desc}`, `{attribute:%Y-%m}` or"
            " `{attribute|none}`",
        )
    if placeholder is not None and _PLACEHOLDER.fullmatch(placeholder) is None:
        return TemplateError(
            offset + text.index("|") + 2,
            f"`{placeholder}` cannot stand for a missing value",
            "use letters, digits, `_`, `-` and `.`",
        )
    if form is None or form == "desc":
        return RawPart(name, offset, form == "desc", placeholder=placeholder)
    problem = format_problem(form)
    if problem is not None:
        return TemplateError(inside + len(name) + 1, *problem)
    return RawPart(name, offset, bucket=form, placeholder=placeholder)


def format_problem(form: str) -> tuple[str, str] | None:
    """What is wrong with a bucket's format, and the remedy."""
    if "%" not in form:
        return (
            f"`{form}` is no way to write a value",
            "use `desc`, or a bucket such as `%Y-%m`",
        )
    if _FORMAT.fullmatch(form) is None:
        names = " ".join(f"%{name}" for name in DIRECTIVES)
        return (
            f"`{form}` is no bucket",
            f"use {names}, and punctuation after `%` in ASCII",
        )
    return None
