"""Regular expressions that take key texts apart."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dyngen.keys.encoding import encoder
from dyngen.keys.languages import placeholder_text
from dyngen.keys.model import Encoding, Literal, Part, Piece, Shard, Template
from dyngen.python import names
from dyngen.runtime import keytext, scalars

_ESCAPED_TEXT = r"[^\x00-$]+"  # characters up to `$` are never part of escaped text


def key_pattern(template: Template) -> str:
    """A regular expression of the texts of a template; groups are named after the attributes.

    It may match what is no key: parsing the parts decides that.
    """
    seen: set[str] = set()
    found = []
    for piece in template.pieces:
        one = _piece(piece, template.encoding)
        if isinstance(piece, Part) and piece.attribute not in seen:
            seen.add(piece.attribute)
            one = f"(?P<{names.snake(piece.attribute)}>{one})"
        found.append(f"(?:{one})" if "|" in one and one[0] != "(" else one)
    return "".join(found)


def any_key_pattern(templates: Iterable[Template]) -> str:
    """A regular expression of the texts of several templates, without names."""
    return "|".join(
        re.sub(r"\(\?P<\w+>", "(?:", key_pattern(template)) for template in templates
    )


def _piece(piece: Piece, encoding: Encoding) -> str:
    match piece:
        case Literal(text=text):
            return _literal(text)
        case Shard(count=count):
            return _shape(keytext.Shards(count).text(0))
        case Part():
            return _part(piece, encoding)


def _part(part: Part, encoding: Encoding) -> str:
    one = _value(part, encoding)
    if part.placeholder is None:
        return one
    return f"{_literal(placeholder_text(part, encoding))}|{one}"


def _value(part: Part, encoding: Encoding) -> str:
    made = encoder(part, encoding)
    match made:
        case keytext.Text(delimiter=None):
            return _ESCAPED_TEXT
        case keytext.Text(delimiter=delimiter):
            return f"[^{re.escape(delimiter)}]+" if delimiter else "(?s:.+)"
        case keytext.Binary():
            return "(?:[0-9a-f]{2})+"
        case keytext.Choice(values=values, raw=raw):
            texts = values if raw else tuple(map(scalars.escape, values))
            return "|".join(map(_literal, sorted(texts, key=len, reverse=True)))
        case keytext.Boolean():
            return "false|true"
        case keytext.Uuid():
            return "[0-9a-f-]{36}"
        case keytext.Ulid():
            return "[0-9A-Z]{26}"
        case keytext.Ordered():
            signed = made.least.startswith("-") or made.greatest.startswith("-")
            return ("-?" if signed else "") + _shape(made.greatest.lstrip("-"))


def _literal(text: str) -> str:
    """A regular expression that matches `text` alone."""
    return re.sub(r"[\\.^$*+?{}\[\]|()]", r"\\\g<0>", text)


def _shape(text: str) -> str:
    """All texts with digits where `text` has some."""
    return re.sub("[0-9]+", lambda digits: f"[0-9]{{{len(digits[0])}}}", _literal(text))
