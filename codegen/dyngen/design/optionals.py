"""Optional conditions: what may be left out of a call, and what cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dyngen.design.model import Param, Test
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic
from dyngen.diagnostics.suggest import did_you_mean
from dyngen.spec.model import AccessPattern, Name

MAX_OPTIONAL = 3
"""Independent optional conditions of one pattern; each doubles the number of its plans."""


def optional_problems(
    pattern: AccessPattern, tests: Sequence[Test]
) -> Iterator[Diagnostic]:
    """DG205 for too many; DG206 for what is not asked, asked twice, or not to be told from the rest."""
    tested = {test.attribute for test in tests}
    seen: set[str] = set()
    for group in pattern.optional:
        members = {name.text for name in group}
        for name in group:
            if name.text in seen:
                yield error(
                    "DG206",
                    f"`{name.text}` is optional twice",
                    name.span,
                    help=["leave it out here"],
                )
            elif name.text not in tested:
                yield _not_asked(name, tested)
            else:
                yield from _not_told(name, members, tests)
            seen.add(name.text)
    if len(pattern.optional) > MAX_OPTIONAL:
        yield error(
            "DG205",
            f"`{pattern.name.text}` has {len(pattern.optional)} independent optional"
            f" conditions; {MAX_OPTIONAL} are the most",
            pattern.optional[MAX_OPTIONAL][0].span,
            help=[
                "make two patterns of it, or one group of conditions that come together:"
                " `[[country, city]]`"
            ],
        )


def _not_asked(name: Name, tested: set[str]) -> Diagnostic:
    return error(
        "DG206",
        f"`{name.text}` is optional here, but `where` has no condition on it",
        name.span,
        help=[
            did_you_mean(name.text, tested)
            or f"add one, such as `{name.text}: eq`, or leave it out here"
        ],
    )


def _not_told(
    name: Name, group: set[str], tests: Sequence[Test]
) -> Iterator[Diagnostic]:
    """A condition that is given with its parameters, which must be its own."""
    own = {p for t in tests if t.attribute == name.text for p in _parameters(t)}
    others = {p for t in tests if t.attribute not in group for p in _parameters(t)}
    if not own:
        yield error(
            "DG206",
            f"nothing says whether `{name.text}` is given: no parameter belongs to it",
            name.span,
            help=[
                f"ask for it by a parameter (`{name.text}: eq`), or make two patterns"
            ],
        )
    for shared in sorted(own & others):
        yield error(
            "DG206",
            f"`{name.text}` can't be left out: its parameter `{shared}` is another"
            " condition's too",
            name.span,
            help=["name it by `{param: another_name}`"],
        )


def _parameters(test: Test) -> Iterator[str]:
    return (operand.name for operand in test.operands if isinstance(operand, Param))
