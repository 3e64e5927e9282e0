"""Reading nodes of an expected shape.

The JSON Schema has been checked before, so a surprise here is rare; it becomes a diagnostic
(DG040) like any other, and reading goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Span
from dyngen.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from dyngen.spec.model import Ignore, Name


@dataclass(slots=True)
class Reading:
    """What was found wrong so far, and the accessors that find it."""

    entities: frozenset[str] = frozenset()  # names declared in the spec
    found: list[Diagnostic] = field(default_factory=list)

    def report(self, code: str, message: str, span: Span, *help: str | None) -> None:
        """Note a diagnostic."""
        self.found.append(error(code, message, span, help=help))

    def expected(self, node: Node, what: str) -> None:
        """Note that `node` should have been `what` (DG040)."""
        self.report("DG040", f"expected {what}", node.span)

    def entries(self, node: Node | None, what: str = "a mapping") -> tuple[Entry, ...]:
        """The entries of a mapping; none for None and for anything else."""
        if node is None:
            return ()
        if isinstance(node, Mapping):
            return node.entries
        self.expected(node, what)
        return ()

    def keyed(self, node: Node | None) -> dict[str, Entry]:
        """The entries of a mapping by key, for what has to know where the key stands."""
        return {str(e.key.value): e for e in self.entries(node)}

    def fields(self, node: Node | None, what: str = "a mapping") -> dict[str, Node]:
        """The values of a mapping by key."""
        return {str(e.key.value): e.value for e in self.entries(node, what)}

    def items(self, node: Node | None, what: str = "a list") -> tuple[Node, ...]:
        """The items of a list; none for None and for anything else."""
        if node is None:
            return ()
        if isinstance(node, Sequence):
            return node.items
        self.expected(node, what)
        return ()

    def name(self, node: Node | None, what: str = "a name") -> Name | None:
        """A text with its place."""
        if node is None:
            return None
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return Name(node.value, node.span)
        self.expected(node, what)
        return None

    def names(
        self, node: Node | None, what: str = "a list of names"
    ) -> tuple[Name, ...]:
        """A list of texts."""
        found = (self.name(item) for item in self.items(node, what))
        return tuple(name for name in found if name is not None)

    def name_or_names(self, node: Node | None) -> tuple[Name, ...]:
        """One text, or a list of them."""
        if isinstance(node, Sequence):
            return self.names(node)
        name = self.name(node, "a name, or a list of names")
        return () if name is None else (name,)

    def text(self, node: Node | None) -> str:
        """A text, "" where there is none."""
        name = self.name(node, "text")
        return "" if name is None else name.text

    def flag(self, node: Node | None) -> bool:
        """true or false; false where there is none."""
        if node is None:
            return False
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        self.expected(node, "true or false")
        return False

    def count(self, node: Node | None) -> int | None:
        """A whole number of 1 or more."""
        if node is None:
            return None
        match node:
            case Scalar(value=bool()):
                pass
            case Scalar(value=int(value)) if value >= 1:
                return value
        self.expected(node, "a whole number, 1 or more")
        return None

    def ignores(self, node: Node | None) -> tuple[Ignore, ...]:
        """The rules that `lint: {ignore: ...}` passes over."""
        return tuple(
            Ignore(name_of(entry), self.text(entry.value))
            for entry in self.entries(self.fields(node).get("ignore"))
        )


def name_of(entry: Entry) -> Name:
    """The key of an entry."""
    return Name(str(entry.key.value), entry.key.span)


def joined(first: Span, last: Span) -> Span:
    """From the start of the one to the end of the other."""
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)


def part_of(name: Name, start: int, end: int) -> Span:
    """The place of `name.text[start:end]`: exact in text without escapes, else the whole."""
    span = name.span
    around = span.end_column - span.column - len(name.text)
    if span.line != span.end_line or around not in (0, 2):
        return span
    first = span.column + around // 2  # behind the quote
    return Span(span.file, span.line, first + start, span.line, first + end)
