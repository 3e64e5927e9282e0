"""Templates of computed keys and computed attributes: parsed, looked up, checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from dyngen.design.contents import needed
from dyngen.design.layout import Draft
from dyngen.design.model import Attribute
from dyngen.design.paths import unknown_attribute
from dyngen.diagnostics.build import Reporter, error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.keys.model import SHARD, Encoding, Literal, Part, Piece, Shard, Template
from dyngen.keys.syntax import RawPart, TemplateError, parse_pieces
from dyngen.keys.template import check
from dyngen.spec import model as spec
from dyngen.spec.nodes import part_of
from dyngen.types.model import Integer

COMPUTED = Encoding(raw=True)
"""Computed attributes are values that users see: nothing in them is escaped."""

_RANGES = {
    "%Y": ("0001", "9999"),
    "%G": ("0001", "9999"),
    "%m": ("01", "12"),
    "%d": ("01", "31"),
    "%j": ("001", "366"),
    "%V": ("01", "53"),
    "%H": ("00", "23"),
    "%M": ("00", "59"),
    "%S": ("00", "59"),
}
_DIRECTIVE = re.compile(r"%[A-Za-z]")


def key_template(
    text: spec.Name, draft: Draft, encoding: Encoding, shards: spec.Shards | None = None
) -> tuple[Template | None, list[Diagnostic]]:
    """The template of a computed key; None if something in it is wrong, or not known."""
    reader = _Reader(text, draft, draft.attributes.all, encoding, shards)
    return reader.template(), reader.found


def compute_attributes(
    draft: Draft,
) -> tuple[Draft, list[Diagnostic]]:
    """The draft with the templates of its computed attributes.

    They are absent where one of their inputs is; integers get their range from the template.
    """
    found: list[Diagnostic] = []
    broken = set(draft.attributes.broken)
    templates = draft.attributes.templates
    inputs = [a for a in draft.attributes.all if a.name not in templates]
    computed: list[Attribute] = []
    for attribute in draft.attributes.all:
        text = templates.get(attribute.name)
        if text is None:
            computed.append(attribute)
            continue
        reader = _Reader(text, draft, inputs, COMPUTED, None, computed=tuple(templates))
        template = reader.template()
        found += reader.found
        made = None
        if template is not None:
            made, problems = _computed(attribute, text, template, inputs)
            found += problems
        if made is None:
            broken.add(attribute.name)
        else:
            computed.append(made)
    attributes = replace(
        draft.attributes, all=tuple(computed), broken=frozenset(broken)
    )
    return replace(draft, attributes=attributes), found


@dataclass(slots=True)
class _Reader(Reporter):
    """Reads one template."""

    text: spec.Name
    draft: Draft
    attributes: Sequence[Attribute]
    encoding: Encoding
    shards: spec.Shards | None
    computed: Collection[
        str
    ] = ()  # names that may not be used, being computed themselves

    def template(self) -> Template | None:
        parsed = parse_pieces(self.text.text)
        if isinstance(parsed, TemplateError):
            at = part_of(self.text, parsed.offset, len(self.text.text))
            self.report("DG170", parsed.message, at, parsed.help)
            return None
        made = [self.piece(piece) for piece in parsed]
        places = [self.place(piece) for piece in parsed]
        self.shards_used(parsed)
        pieces = tuple(piece for piece in made if piece is not None)
        self.shards_spread(pieces)
        if len(pieces) < len(made) or self.found:
            return None
        template = Template(pieces, self.encoding)
        for problem in check(template):
            self.report(
                "DG172",
                problem.message,
                places[problem.piece],
                problem.help,
                self.declared(pieces[problem.piece]),
            )
        return None if self.found else template

    def piece(self, piece: Literal | RawPart) -> Piece | None:
        if isinstance(piece, Literal):
            return piece
        if piece.attribute == SHARD:
            return self.shard(piece)
        attribute = self.attribute(piece.attribute, self.name_span(piece))
        if attribute is None:
            return None
        if piece.placeholder is not None and not attribute.optional:
            self.report(
                "DG173",
                f"`{piece.attribute}` is never missing, so `|{piece.placeholder}` "
                "stands for nothing",
                self.name_span(piece),
                "leave it out, or make the attribute `optional: true`",
                [Label(attribute.span, "declared here")],
            )
            return None
        return Part(
            attribute.name,
            attribute.type,
            piece.desc,
            piece.bucket,
            piece.placeholder,
        )

    def attribute(self, name: str, span: Span) -> Attribute | None:
        """The attribute of a part; None if it is unknown (reported) or broken."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        if name in self.computed:
            self.report(
                "DG106",
                f"`{name}` is computed itself",
                span,
                "compute both from what is stored",
            )
        elif name not in self.draft.attributes.broken:
            self.found.append(
                unknown_attribute(spec.Name(name, span), self.draft.bare, name)
            )
        return None

    # --- shards ------------------------------------------------------------------------------------

    def shard(self, piece: RawPart) -> Shard | None:
        if self.shards is None:
            self.report(
                "DG171",
                "`{shard}` needs to know how many shards there are",
                self.name_span(piece),
                "add `shards: {count: 10, by: ...}` beside `value`",
            )
            return None
        if piece.desc or piece.bucket or piece.placeholder:
            self.report(
                "DG171",
                "`{shard}` is a number that stands alone",
                self.name_span(piece),
                "write `{shard}`",
            )
            return None
        by = [self.attribute(name.text, name.span) for name in self.shards.by]
        known = [attribute for attribute in by if attribute is not None]
        if len(known) < len(by):
            return None
        parts = tuple(Part(a.name, a.type) for a in known)
        return Shard(self.shards.count, parts)

    def shards_used(self, pieces: Sequence[Literal | RawPart]) -> None:
        used = [p for p in pieces if isinstance(p, RawPart) and p.attribute == SHARD]
        if self.shards is not None and not used:
            self.report(
                "DG171",
                "the key's text does not say where the shard number goes",
                self.text.span,
                'put `{shard}` into it: `"QUEUE#{shard}"`',
                [Label(self.shards.span, "shards are declared here")],
            )

    def shards_spread(self, pieces: Sequence[Piece]) -> None:
        """Refuse shards that the rest of the key decides: items of one key are then in one shard."""
        if self.shards is None:
            return
        whole = {p.attribute for p in pieces if isinstance(p, Part) and not p.bucket}
        whole |= {
            each.name
            for each in self.attributes
            if each.computed is not None
            and all(
                isinstance(p, Literal) or _of(p, whole) for p in each.computed.pieces
            )
        }
        for piece in pieces:
            if isinstance(piece, Shard) and all(
                by.attribute in whole for by in piece.by
            ):
                names = " and ".join(f"`{by.attribute}`" for by in piece.by)
                self.report(
                    "DG171",
                    f"the shard follows from {names}, which the key holds already, so it spreads "
                    "nothing",
                    self.shards.span,
                    "let `by` name what differs between items of one key, such as their id",
                )

    # --- places ------------------------------------------------------------------------------------

    def place(self, piece: Literal | RawPart) -> Span:
        if isinstance(piece, RawPart):
            return self.name_span(piece)
        return self.text.span

    def declared(self, piece: Piece) -> list[Label]:
        """Where the attribute of a part is declared."""
        if not isinstance(piece, Part):
            return []
        attribute = next(a for a in self.attributes if a.name == piece.attribute)
        return [Label(attribute.span, "declared here")]

    def name_span(self, piece: RawPart) -> Span:
        start = piece.offset + 1
        return part_of(self.text, start, start + len(piece.attribute))


# --- computed attributes ----------------------------------------------------------------------------


def _computed(
    attribute: Attribute,
    text: spec.Name,
    template: Template,
    inputs: Sequence[Attribute],
) -> tuple[Attribute | None, list[Diagnostic]]:
    optional = {a.name for a in inputs if a.optional}
    made = replace(
        attribute,
        computed=template,
        optional=any(name in optional for name in needed(template)),
    )
    if not isinstance(attribute.type, Integer):
        return made, []
    digits = _digits(template)
    if digits is None:
        return None, [
            error(
                "DG106",
                f"this text is not always a number, as the integer `{attribute.name}` "
                "has to be",
                text.span,
                help=[
                    "use buckets and integers of fixed width alone, or `type: string`"
                ],
            )
        ]
    least, greatest = digits
    low, high = attribute.type.minimum, attribute.type.maximum
    if (low is not None and low > least) or (high is not None and high < greatest):
        return None, [
            error(
                "DG106",
                f"`{attribute.name}` can become anything from {least} to {greatest}",
                attribute.type_span or attribute.span,
                secondary=[Label(text.span, "computed here")],
                help=["leave `min` and `max` out: they follow from the template"],
            )
        ]
    of = Integer(least if low is None else low, greatest if high is None else high)
    return replace(made, type=of), []


def _digits(template: Template) -> tuple[int, int] | None:
    """The least and the greatest number that the template can make; None if it makes others too."""
    low = high = ""
    for piece in template.pieces:
        match piece:
            case Literal(text=text) if text.isdecimal():
                low, high = low + text, high + text
            case Part(bucket=str(bucket)) if not _DIRECTIVE.sub("", bucket):
                for directive in _DIRECTIVE.findall(bucket):
                    least, greatest = _RANGES[directive]
                    low, high = low + least, high + greatest
            case Part(
                type=Integer(minimum=int(minimum), maximum=int(maximum)),
                desc=False,
                placeholder=None,
            ) if (
                minimum >= 0
            ):
                width = len(str(maximum))
                low, high = low + f"{minimum:0{width}}", high + f"{maximum:0{width}}"
            case _:
                return None
    return (int(low), int(high)) if low else None


def _of(piece: Piece, names: Collection[str]) -> bool:
    """Whether a piece of a template is made of these attributes."""
    return isinstance(piece, Part) and piece.attribute in names
