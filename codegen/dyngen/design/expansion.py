"""Computed attributes inside keys, written out as what they are computed from.

A write that knows the inputs of a `computed` attribute knows its value. The key's text is then made of
these inputs themselves, which is sure only where it comes out the same: of text, where escaping each
piece escapes the whole, and no piece may hold what a raw key ends the text with; of integers, where
the pieces are as wide as the number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dyngen.design.after import After
from dyngen.design.model import Entity
from dyngen.keys.languages import characters_of
from dyngen.keys.model import Encoding, Literal, Part, Piece, Template
from dyngen.keys.texts import length_bounds
from dyngen.runtime.scalars import escape
from dyngen.types.model import Integer, String


def expanded(
    template: Template, entity: Entity, after: Mapping[str, After]
) -> Template:
    """The template of a key with those computed attributes written out that the call does not know."""
    pieces: list[Piece] = []
    for piece in template.pieces:
        for each in _pieces(piece, template.encoding, entity, after):
            last = pieces[-1] if pieces else None
            if isinstance(each, Literal) and isinstance(last, Literal):
                pieces[-1] = Literal(last.text + each.text)
            else:
                pieces.append(each)
    return Template(tuple(pieces), template.encoding)


def _pieces(
    piece: Piece, encoding: Encoding, entity: Entity, after: Mapping[str, After]
) -> tuple[Piece, ...]:
    if not isinstance(piece, Part) or after[piece.attribute].source is not None:
        return (piece,)
    computed = entity.attribute(piece.attribute).computed
    if computed is None or not _alike(piece, computed):
        return (piece,)
    inner = tuple(_written_out(computed, encoding))
    parts = [part for part in inner if isinstance(part, Part)]
    if all(part.placeholder is None for part in (piece, *parts)):
        return inner
    if not all(after[part.attribute].sure for part in parts):
        return (piece,)  # what stands for none is not what its inputs make
    return tuple(
        replace(each, placeholder=None) if isinstance(each, Part) else each
        for each in inner
    )


def _written_out(computed: Template, encoding: Encoding) -> Iterator[Piece]:
    """The pieces of a computed attribute as they stand in a key."""
    for piece in computed.pieces:
        match piece:
            case Literal(text=text) if not encoding.raw:
                yield Literal(escape(text))
            case Part():
                yield replace(piece, before="")
            case _:
                yield piece


def _alike(part: Part, computed: Template) -> bool:
    """Whether the text of the value in a key is that of its pieces."""
    match part.type:
        case String():
            return not part.before or not _may_hold(computed, part.before)
        case Integer(minimum=int(minimum), maximum=int(maximum)):
            width = len(str(maximum))
            fixed = length_bounds(computed) == (width, width)
            return fixed and minimum >= 0 and not part.desc
        case _:
            return False


def _may_hold(template: Template, char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in characters_of(template))
