"""What the YAML parser complains about, in words that say what to do."""

from __future__ import annotations

from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.source.events import Fault
from dyngen.source.marks import Places

_CODE = "DG002"


def describe(fault: Fault, places: Places) -> Diagnostic:
    """The diagnostic for a syntax error (DG002; DG007 and DG008 where it is about those)."""
    at = places.point(fault.line, fault.column)
    opened = places.point(fault.context_line, fault.context_column)
    if "max depth" in fault.problem:
        return error("DG007", "far too many levels, one in another", at)
    if "escape" in fault.problem or "hexdecimal" in fault.problem:
        return error(
            _CODE,
            "an escape that YAML does not know",
            at,
            help=["write a backslash inside double quotes as `\\\\`"],
        )
    if "quoted scalar" in fault.context:
        return error(
            _CODE,
            "a quotation is never closed",
            opened,
            "it begins here",
            help=["end it with the same quotation mark"],
        )
    if "flow" in fault.context:
        return _unclosed(fault, at, opened, places)
    if "start any token" in fault.problem:
        return _strange_character(fault, at, places)
    if "block" in fault.context:
        return _out_of_line(fault, at, opened, places)
    if "could not find expected ':'" in fault.problem:
        return error(
            _CODE,
            "a key without a `:` behind it",
            opened,
            help=["write `key: value`, with a space after the `:`"],
        )
    for said, code, message, remedy in _OTHERS:
        if said in f"{fault.context} {fault.problem}":
            return error(code, message, at, help=[remedy])
    return error(_CODE, f"this is not YAML: {fault.problem}", at)


_OTHERS = (
    (
        "mapping values",
        _CODE,
        "a `:` where no key can stand",
        "quote text that holds a `:`; otherwise the line above lacks its `:`, or this line is "
        "indented wrongly",
    ),
    (
        "sequence entries",
        _CODE,
        "a list item where none can stand",
        "put the list on lines of its own, each item behind a `-`",
    ),
    (
        "scanning a plain scalar",
        _CODE,
        "a `:` without a space behind it",
        "write `key: value`, with a space after the `:`; quote text that holds a `:`",
    ),
    (
        "scanning an alias",
        _CODE,
        "a `*` without the name of an anchor behind it",
        "quote text that begins with `*`",
    ),
    (
        "scanning an anchor",
        _CODE,
        "a `&` without a name behind it",
        "quote text that begins with `&`",
    ),
    (
        "directive",
        _CODE,
        "a line that begins with `%`",
        "quote text that begins with `%`",
    ),
    (
        " a tag",
        "DG008",
        "tags are not part of the language",
        "quote text that begins with `!`",
    ),
)
"""What the parser says, and the code, message and remedy for it."""


def _unclosed(fault: Fault, at: Span, opened: Span, places: Places) -> Diagnostic:
    quote = "text that holds any of `{ } [ ] ,` must be quoted"
    if "node" in fault.context:
        return error(
            _CODE,
            "a value is missing",
            at,
            "expected before this",
            help=[f"write the value, or close what is open; {quote}"],
        )
    first, last = ("{", "}") if "mapping" in fault.context else ("[", "]")
    if fault.line != fault.context_line:
        return error(
            _CODE,
            f"`{first}` is never closed",
            opened,
            f"its `{last}` is missing",
            secondary=[Label(_word(fault, at, places), "this cannot be part of it")],
            help=[f"write the `{last}`; {quote}"],
        )
    return error(
        _CODE,
        f"`,` or `{last}` is missing",
        at,
        "expected before this",
        secondary=[Label(opened, f"this `{first}` is still open")],
        help=[f"write it; {quote}"],
    )


def _word(fault: Fault, at: Span, places: Places) -> Span:
    """The key, where the parser stopped at the colon behind it."""
    line = places.lines[places.last_line(fault.line)]
    if line[fault.column : fault.column + 1] != ":":
        return at
    start = len(line) - len(line.lstrip())
    return places.span(fault.line, start, fault.line, fault.column)


def _strange_character(fault: Fault, at: Span, places: Places) -> Diagnostic:
    character = places.lines[fault.line][fault.column]
    if character == "\t":
        return error(_CODE, "a tab where YAML wants spaces", at, help=["use spaces"])
    return error(
        _CODE,
        f"text cannot begin with `{character}`",
        at,
        help=["put the text between double quotes"],
    )


def _out_of_line(fault: Fault, at: Span, opened: Span, places: Places) -> Diagnostic:
    """A block goes on with something that does not belong to it."""
    line = places.lines[min(fault.line, len(places.lines) - 1)]
    if line[: fault.column].strip():
        return error(
            _CODE,
            "more text where the value has ended",
            at,
            "not part of the value",
            help=["put the whole text between double quotes"],
        )
    if fault.column == fault.context_column:
        return error(
            _CODE,
            "keys and list items are mixed",
            at,
            secondary=[Label(opened, "the block begins here")],
            help=["a block is either a mapping (`key: value`) or a list (`- item`)"],
        )
    return error(
        _CODE,
        "a line whose indentation fits nothing above it",
        at,
        f"indented by {fault.column}",
        secondary=[Label(opened, "the block that it would go on with begins here")],
        help=["indent the entries of one mapping alike"],
    )
