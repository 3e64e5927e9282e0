"""The YAML parser's events, with places in the file as the author wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

import yaml

from dyngen.diagnostics.model import Span
from dyngen.source.marks import Places

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Kind(Enum):
    """What an event tells."""

    SCALAR = auto()
    ALIAS = auto()
    SEQUENCE = auto()
    MAPPING = auto()
    END = auto()  # of a sequence or mapping
    DOCUMENT = auto()


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `line` and `column` (from 0) are those of the text parsed, repairs included."""

    kind: Kind
    span: Span
    line: int
    column: int
    value: str = ""  # of a scalar
    plain: bool = False  # a scalar without quotes
    flow: bool = False  # a collection in braces or brackets
    anchor: str = ""  # the name of an anchor, or of the one an alias stands for
    tagged: bool = False

    @property
    def null(self) -> bool:
        """Whether YAML reads this as no value."""
        return (
            self.kind is Kind.SCALAR
            and self.plain
            and not self.tagged
            and self.value in ("", "~", "null", "Null", "NULL")
        )


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the parser stopped; places as in `Event`.

    The C parser and the Python one agree on places and contexts, not on every problem's wording.
    """

    problem: str
    context: str
    line: int
    column: int
    context_line: int
    context_column: int


class SyntaxFault(Exception):
    """The text is no YAML."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.problem)
        self.fault = fault


def parse(places: Places) -> Iterator[Event]:
    """The events of a text. Raises `SyntaxFault` where it is no YAML."""
    try:
        for event in yaml.parse(places.text, Loader=_LOADER):
            known = _event(event, places)
            if known is not None:
                yield known
    except yaml.MarkedYAMLError as fault:
        at = fault.problem_mark or fault.context_mark
        opened = fault.context_mark or at
        raise SyntaxFault(
            Fault(
                fault.problem or "",
                fault.context or "",
                at.line if at else 0,
                at.column if at else 0,
                opened.line if opened else 0,
                opened.column if opened else 0,
            )
        ) from None


def _event(event: yaml.Event, places: Places) -> Event | None:
    """None for the ends of documents and for the stream's ends."""
    start, end = event.start_mark, event.end_mark
    if start is None or end is None:
        return None
    line, column = start.line, start.column
    span = places.span(line, column, end.line, end.column)
    match event:
        case yaml.ScalarEvent():
            return Event(
                Kind.SCALAR,
                span,
                line,
                column,
                value=event.value,
                plain=not event.style,
                anchor=event.anchor or "",
                tagged=event.tag is not None,
            )
        case yaml.AliasEvent():
            return Event(Kind.ALIAS, span, line, column, anchor=event.anchor or "")
        case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
            sequence = isinstance(event, yaml.SequenceStartEvent)
            return Event(
                Kind.SEQUENCE if sequence else Kind.MAPPING,
                span,
                line,
                column,
                flow=bool(event.flow_style),
                anchor=event.anchor or "",
                tagged=event.tag is not None,
            )
        case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
            return Event(Kind.END, span, line, column)
        case yaml.DocumentStartEvent():
            return Event(Kind.DOCUMENT, span, line, column)
        case _:
            return None
