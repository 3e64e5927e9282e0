"""Strict YAML to nodes with positions.

Where text should have been quoted, the reader says so and goes on with the text that was meant, so
that the faults behind it are found as well.
"""

from __future__ import annotations

from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic
from dyngen.source import characters, quoting, syntax
from dyngen.source.composer import Composer, Stop
from dyngen.source.events import Fault, SyntaxFault, parse
from dyngen.source.marks import Places
from dyngen.source.nodes import Mapping
from dyngen.source.quoting import Repair

READ_ON = frozenset({"DG003", "DG004"})
"""Codes of faults behind which the reader knows what was meant: nothing is left out."""

_MOST_REPAIRS = 50


def read(text: str, file: str) -> tuple[Mapping | None, list[Diagnostic]]:
    """The spec's mapping, and what is wrong with its YAML (DG001 to DG010).

    A mapping can come with diagnostics: it then holds what could be read, so that later stages
    can add what they find. What is left out has a diagnostic whose code is not in `READ_ON`.
    """
    found = characters.check(text, file)
    if found:
        return None, found
    places = Places.of(text, file)
    while True:
        composer = Composer(places, may_repair=len(places.repairs) < _MOST_REPAIRS)
        root: Mapping | None = None
        problems: list[Diagnostic] = []
        repairs: list[Repair] = []
        try:
            root = composer.compose()
        except Stop:
            return None, [*found, *composer.diagnostics]
        except SyntaxFault as stopped:
            repairs = _repairs(stopped.fault, places)
            problems = [syntax.describe(stopped.fault, places)]
        repairs = composer.repairs or repairs
        if not repairs:
            return root, [*found, *composer.diagnostics, *problems]
        found.extend(_must_be_quoted(repair, places) for repair in repairs)
        places = _repaired(places, repairs)


def _must_be_quoted(repair: Repair, places: Places) -> Diagnostic:
    subject = f"the text of `{repair.key}`" if repair.key else "this text"
    return error(
        "DG003",
        f"{subject} must be quoted",
        places.span(repair.line, repair.start, repair.line, repair.end),
        repair.reason,
        help=[repair.remedy],
    )


def _repairs(fault: Fault, places: Places) -> list[Repair]:
    """Repairs that let the parser get further than `fault`, if there are such."""
    if len(places.repairs) >= _MOST_REPAIRS:
        return []
    last = places.last_line(fault.line)
    in_flow = "flow" in fault.context
    first = min(fault.context_line, last) if in_flow else last
    repairs = [
        repair
        for line in range(first, last + 1)
        for repair in quoting.suspects(
            places.lines[line], line, flow=in_flow and line > first
        )
    ]
    if not repairs and "mapping values" in fault.problem:
        repairs = quoting.with_colon(places.lines[last], last, fault.column)
    if repairs and _gets_past(fault, _repaired(places, repairs)):
        return repairs
    return []


def _repaired(places: Places, repairs: list[Repair]) -> Places:
    """The last one of a line first, so that the columns of the others stay true."""
    for repair in sorted(
        repairs, key=lambda each: (each.line, each.start), reverse=True
    ):
        places = places.repaired(repair)
    return places


def _gets_past(fault: Fault, places: Places) -> bool:
    """Whether the text is YAML up to and with the line where it was none."""
    try:
        for _ in parse(places):
            pass
    except SyntaxFault as stopped:
        return stopped.fault.line > fault.line
    return True
