"""One YAML document to nodes.

Nothing in a spec surprises: only `true`, `false`, decimal integers and decimals are not text; keys
are text and occur once; there is no null, no tag, no merge key and one document. Nothing is ever
constructed from a tag, and what aliases can unfold to is bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.diagnostics.suggest import did_you_mean
from dyngen.source import quoting
from dyngen.source.events import Event, Kind, parse
from dyngen.source.marks import Places
from dyngen.source.nodes import Entry, Mapping, Node, Scalar, ScalarValue, Sequence
from dyngen.source.quoting import Repair

_MOST_DIGITS = 38
_MOST_ALIASED = 50_000
_DEEPEST = 40

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+")
_COMMENT = "`#` after a space begins a comment"


class Stop(Exception):
    """Reading cannot go on; the diagnostic is there."""


@dataclass(slots=True)
class _Anchor:
    """A value with a name; no node yet while it is being read."""

    span: Span
    node: Node | None = None


class Composer:
    """Composes one document from the parser's events.

    Afterwards `diagnostics` holds what is wrong, and `repairs` the values that must be quoted
    (none without `may_repair`); where there are repairs, the text is to be read again with them.
    """

    def __init__(self, places: Places, *, may_repair: bool) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.repairs: list[Repair] = []
        self._places = places
        self._may_repair = may_repair
        self._events = parse(places)
        self._anchors: dict[str, _Anchor] = {}
        self._aliased = 0

    def compose(self) -> Mapping | None:
        """The document's mapping, or None.

        Raises `SyntaxFault` where the text is no YAML, and `Stop`.
        """
        next(self._events, None)  # the document's start
        event = next(self._events, None)
        if event is None or event.null:
            self._error(
                "DG009",
                "the file holds no spec",
                Span(self._places.file, 1, 1, 1, 2),
                help=[
                    "begin with `dyngen: 1`, or let `dyngen init` write a first spec"
                ],
            )
            return None
        node = self._node(event, "", depth=1)
        second = next(self._events, None)
        if second is not None:
            self._error(
                "DG009",
                "a second document begins here",
                second.span,
                help=["write one spec a file, without `---` inside"],
            )
        if isinstance(node, Mapping):
            return node
        if node is not None:
            self._error(
                "DG009",
                "a spec is a mapping",
                node.span,
                help=["begin with `dyngen: 1`"],
            )
        return None

    # --- nodes

    def _node(self, event: Event, owner: str, depth: int) -> Node | None:
        """The node that begins with `event`, the value of the key `owner`.

        None where there is none, which was then reported.
        """
        if event.kind is Kind.ALIAS:
            return self._alias(event, depth)
        self._refuse_tag(event)
        if depth > _DEEPEST:
            self._too_deep(event.span)
        anchor = self._anchor(event)
        node: Node | None
        if event.kind is Kind.SCALAR:
            node = self._scalar(event)
        elif event.kind is Kind.SEQUENCE:
            node = self._sequence(event, depth)
        else:
            node = self._mapping(event, owner, depth)
        if anchor is not None:
            anchor.node = node
        return node

    def _scalar(self, event: Event) -> Scalar:
        text = event.value
        if not event.plain:
            return Scalar(text, event.span)
        return Scalar(self._plain(text, event.span), event.span)

    def _plain(self, text: str, span: Span) -> ScalarValue:
        """What text without quotes stands for."""
        if text in ("true", "false"):
            return text == "true"
        whole = _INTEGER.fullmatch(text) is not None
        if not whole and _DECIMAL.fullmatch(text) is None:
            return text
        if len(text.lstrip("-0.").replace(".", "")) > _MOST_DIGITS:
            self._error(
                "DG010",
                f"a number of more than {_MOST_DIGITS} digits",
                span,
                "DynamoDB keeps no more",
                help=["shorten it, or quote it if it is text"],
            )
            return 0
        return int(text) if whole else Decimal(text)

    def _sequence(self, start: Event, depth: int) -> Sequence:
        items: list[Node] = []
        while (event := next(self._events)).kind is not Kind.END:
            if event.null:
                self._no_value(event, None)
                continue
            node = self._node(event, "", depth + 1)
            if node is not None:
                items.append(node)
        return Sequence(tuple(items), _collection_span(start, event, items))

    def _mapping(self, start: Event, owner: str, depth: int) -> Mapping | Scalar:
        entries: list[Entry] = []
        seen: dict[str, Span] = {}
        template: Repair | None = None
        complete = True
        while (event := next(self._events)).kind is not Kind.END:
            key = self._key(event, depth)
            value_event = next(self._events)
            if value_event.null:
                complete = False
                template = template or self._lone_template(start, owner)
                if template is None:
                    self._no_value(value_event, key)
                continue
            name = "" if key is None else str(key.value)
            value = self._node(value_event, name, depth + 1)
            if key is None or value is None:
                complete = False
            elif name in seen:
                self._given_twice(name, seen[name], key.span)
            else:
                seen[name] = key.span
                entries.append(Entry(key, value))
        if template is not None:
            self.repairs.append(template)
            return Scalar(template.text, start.span)
        last: list[Node] = [entries[-1].value] if entries else []
        span = _collection_span(start, event, last)
        return Mapping(tuple(entries), span, complete)

    def _given_twice(self, name: str, first: Span, second: Span) -> None:
        self._error(
            "DG004",
            f"`{name}` is given twice",
            second,
            secondary=[Label(first, "first given here")],
            help=["keep one of them"],
        )

    def _key(self, event: Event, depth: int) -> Scalar | None:
        """A mapping's key, as text; None where it is none, which was then reported."""
        if event.kind is Kind.SCALAR:
            self._refuse_tag(event)
            if event.anchor:
                self._error(
                    "DG006", "an anchor on a key", event.span, help=["take it off"]
                )
            if event.plain and event.value == "<<":
                self._error(
                    "DG006",
                    "merge keys are not part of the language",
                    event.span,
                    help=["write the entries out; an alias stands for a whole value"],
                )
                return None
            if event.value:
                return Scalar(event.value, event.span)
        else:
            node = self._node(event, "", depth + 1)
            if node is None or (isinstance(node, Scalar) and node.value):
                return node
        self._error(
            "DG009", "a key must be text", event.span, help=["write `key: value`"]
        )
        return None

    # --- what is refused, and what must be quoted

    def _no_value(self, event: Event, key: Scalar | None) -> None:
        """Notes a null, or the repair where a comment swallowed the value."""
        name = "" if key is None else str(key.value)
        if event.value:
            self._error(
                "DG005",
                f"`{name}` has no value" if name else "an item without a value",
                event.span,
                "there is no null in a spec",
                help=[f'leave it out; if it is text, quote it: `"{event.value}"`'],
            )
            return
        if self._may_repair and event.line < len(self._places.lines):
            text = quoting.swallowed(self._places.lines[event.line], event.column)
            if text is not None:
                end = text.start + len(text.text)
                self.repairs.append(
                    Repair(event.line, text.start, end, name, text.text, _COMMENT)
                )
                return
        self._error(
            "DG005",
            f"`{name}` has no value" if name else "an item without a value",
            event.span if key is None else key.span,
            help=["write a value behind it, or leave it out"],
        )

    def _lone_template(self, start: Event, owner: str) -> Repair | None:
        """`{name}`: a mapping for YAML, a key template for its author."""
        if not (start.flow and owner and self._may_repair):
            return None
        line = self._places.lines[start.line]
        column = line.index("{", start.column)  # behind an anchor
        text = quoting.template_at(line, column)
        if text is None:
            return None
        end = column + len(text)
        reason = "`{` begins a mapping"
        return Repair(start.line, column, end, owner, text, reason)

    def _refuse_tag(self, event: Event) -> None:
        if not event.tagged:
            return
        line = self._places.lines[event.line]
        start = line.index("!", event.column)
        end = next((n for n in range(start, len(line)) if line[n] in " ,"), len(line))
        self._error(
            "DG008",
            "tags are not part of the language",
            self._places.span(event.line, start, event.line, end),
            help=["take it out; text that begins with `!` must be quoted"],
        )

    # --- anchors and aliases

    def _anchor(self, event: Event) -> _Anchor | None:
        if not event.anchor:
            return None
        end = event.column + 1 + len(event.anchor)
        span = self._places.span(event.line, event.column, event.line, end)
        known = self._anchors.get(event.anchor)
        if known is not None:
            self._error(
                "DG006",
                f"the anchor `&{event.anchor}` is given twice",
                span,
                secondary=[Label(known.span, "first given here")],
                help=["give one of them another name"],
            )
        anchor = self._anchors[event.anchor] = _Anchor(span)
        return anchor

    def _alias(self, event: Event, depth: int) -> Node | None:
        """A copy of the anchored value that stands where the alias stands."""
        anchor = self._anchors.get(event.anchor)
        if anchor is None:
            self._error(
                "DG006",
                f"no anchor `&{event.anchor}` stands above",
                event.span,
                help=[
                    did_you_mean(event.anchor, self._anchors),
                    f'if it is text, quote it: `"*{event.anchor}"`',
                ],
            )
            return None
        if anchor.node is None:
            self._error(
                "DG006",
                f"`*{event.anchor}` stands inside the value that it stands for",
                event.span,
                secondary=[Label(anchor.span, "the value begins here")],
                help=["write the inner value out"],
            )
            return None
        return self._copy(anchor.node, event.span, depth)

    def _copy(self, node: Node, span: Span, depth: int) -> Node:
        self._aliased += 1
        if self._aliased > _MOST_ALIASED:
            self._error(
                "DG007",
                f"aliases make this spec larger than {_MOST_ALIASED:,} values",
                span,
                help=["use fewer aliases inside anchored values"],
            )
            raise Stop
        if depth > _DEEPEST:
            self._too_deep(span)
        match node:
            case Scalar():
                return Scalar(node.value, span)
            case Sequence():
                items = (self._copy(item, span, depth + 1) for item in node.items)
                return Sequence(tuple(items), span)
            case Mapping():
                entries = (
                    Entry(
                        Scalar(entry.key.value, span),
                        self._copy(entry.value, span, depth + 1),
                    )
                    for entry in node.entries
                )
                return Mapping(tuple(entries), span, node.complete)

    def _too_deep(self, span: Span) -> None:
        self._error("DG007", f"more than {_DEEPEST} levels, one in another", span)
        raise Stop

    def _error(
        self,
        code: str,
        message: str,
        span: Span,
        label: str = "",
        *,
        secondary: list[Label] | None = None,
        help: list[str | None] | None = None,
    ) -> None:
        self.diagnostics.append(
            error(
                code, message, span, label, secondary=secondary or (), help=help or ()
            )
        )


def _collection_span(start: Event, end: Event, nodes: list[Node]) -> Span:
    """From the first to the last character; a block's end mark lies behind blank lines."""
    last = nodes[-1].span if nodes and not start.flow else end.span
    return replace(start.span, end_line=last.end_line, end_column=last.end_column)
