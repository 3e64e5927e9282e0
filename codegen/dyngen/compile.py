"""From the text of a spec to its design, through all stages, with all problems at once.

What is broken is left out of the later stages, and so is what depends on it, so that each problem
is reported once and none is the mere consequence of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dyngen.design.model import Schema
from dyngen.design.plans import Design
from dyngen.diagnostics.model import Diagnostic, Severity, Span
from dyngen.source.nodes import Entry, Mapping
from dyngen.spec.model import Spec

_PATTERNS = "access_patterns"


@dataclass(frozen=True, slots=True)
class Compilation:
    """What the compiler made of a spec.

    Attributes:
        spec: the spec as written; None if it could not be read.
        design: all that could be planned; None if nothing could.
        diagnostics: what there is to say, in order of place.
    """

    spec: Spec | None
    design: Design | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def whole(self) -> bool:
        """Whether no finding is an error, so that nothing is missing in the design."""
        return all(d.severity is not Severity.ERROR for d in self.diagnostics)


def compile_spec(text: str, file: str) -> tuple[Design | None, tuple[Diagnostic, ...]]:
    """The design that a spec's text says, and what there is to say about it, in order of place.

    `file` is the name that places bear. There is no design where one of the findings is an error.
    """
    compiled = compile_all(text, file)
    return (compiled.design if compiled.whole else None), compiled.diagnostics


def compile_all(text: str, file: str) -> Compilation:
    """As `compile_spec`, with what could be planned in spite of errors elsewhere."""
    found: list[Diagnostic] = []
    spec, design = _compile(text, file, found)
    ordered = sorted(dict.fromkeys(found), key=lambda d: d.sort_key)
    return Compilation(spec, design, tuple(ordered))


def _compile(
    text: str, file: str, found: list[Diagnostic]
) -> tuple[Spec | None, Design | None]:
    # Imported here: `dyngen --version` has no use for yaml and jsonschema.
    from dyngen.source.schema import check
    from dyngen.source.yaml_reader import READ_ON, read
    from dyngen.spec.reader import read_spec

    root, problems = read(text, file)
    found += problems
    if root is None:
        return None, None
    misshapen = check(root)
    found += misshapen
    patterns = _patterns(root)
    unreadable = [problem for problem in problems if problem.code not in READ_ON]
    broken = _broken(patterns, [*unreadable, *misshapen])
    if broken is None:
        return None, None
    spec, problems = read_spec(_without(root, broken), file)
    found += problems
    unread = _broken(patterns, problems)
    if spec is None or unread is None:
        return None, None
    return spec, _design(spec, unread, found)


def _design(spec: Spec, unread: set[str], found: list[Diagnostic]) -> Design:
    from dyngen.cloudformation.checks import check
    from dyngen.design.plan import plan_all
    from dyngen.design.resolve import resolve_all

    resolution = resolve_all(spec)
    found += resolution.found
    found += check(resolution.schema)
    ready = _plannable(spec, resolution.schema, unread)
    design, problems = plan_all(ready, resolution.schema)
    found += problems
    return design


def _patterns(root: Mapping) -> tuple[Entry, ...]:
    node = root.get(_PATTERNS)
    return node.entries if isinstance(node, Mapping) else ()


def _broken(
    patterns: Sequence[Entry], problems: Iterable[Diagnostic]
) -> set[str] | None:
    """The access patterns that the problems lie in; None if one lies elsewhere."""
    broken: set[str] = set()
    for problem in problems:
        if problem.severity is not Severity.ERROR:
            continue
        entry = next((e for e in patterns if _inside(problem.primary.span, e)), None)
        if entry is None:
            return None
        broken.add(str(entry.key.value))
    return broken


def _inside(span: Span, entry: Entry) -> bool:
    start, end = entry.key.span, entry.value.span
    return (start.line, start.column) <= (span.line, span.column) and (
        span.end_line,
        span.end_column,
    ) <= max((end.end_line, end.end_column), (start.end_line, start.end_column))


def _without(root: Mapping, names: set[str]) -> Mapping:
    """The spec without these access patterns."""
    return replace(root, entries=tuple(_pruned(e, names) for e in root.entries))


def _pruned(entry: Entry, names: set[str]) -> Entry:
    node = entry.value
    if entry.key.value != _PATTERNS or not isinstance(node, Mapping):
        return entry
    kept = tuple(e for e in node.entries if e.key.value not in names)
    return replace(entry, value=replace(node, entries=kept))


def _plannable(spec: Spec, schema: Schema, unread: set[str]) -> Spec:
    """The spec without the patterns that cannot be planned for reasons already reported.

    A pattern waits for its entities.
    """
    whole = {entity.name for entity in schema.entities}
    ready = tuple(
        pattern
        for pattern in spec.access_patterns
        if pattern.name.text not in unread
        and all(entity.text in whole for entity in pattern.all_entities)
    )
    return replace(spec, access_patterns=ready)
