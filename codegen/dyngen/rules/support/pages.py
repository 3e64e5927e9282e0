"""A rule's docstring taken apart: as a page of `docs/rules`, and as examples that are tested."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass

from dyngen.rules.support.registry import Rule, rule_name

SECTIONS = (
    "What it checks",
    "Why it matters",
    "A bad spec",
    "A good spec",
    "When to ignore it",
)
"""The sections that every docstring has, in this order."""

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_YAML = re.compile(r"```yaml\n(.*?)```", re.DOTALL)
_MARK = re.compile(r"#.*?\b(DG\d{3})\b")


@dataclass(frozen=True, slots=True)
class Page:
    """What a rule says of itself: a title, and the text of each section."""

    title: str
    sections: tuple[tuple[str, str], ...]

    def example(self, section: str) -> str:
        """The spec in a section. Raises ValueError if there is not exactly one."""
        [text] = _YAML.findall(dict(self.sections)[section])
        return str(text)


def page(rule: Rule) -> Page:
    """The docstring of a rule."""
    head, *rest = _SECTION.split(inspect.cleandoc(rule.__doc__ or ""))
    names, texts = rest[::2], rest[1::2]
    sections = ((n, t.strip()) for n, t in zip(names, texts, strict=True))
    return Page(head.strip().removesuffix("."), tuple(sections))


def marks(spec: str) -> list[tuple[int, str]]:
    """The findings that an example expects, by line: comments that name a code."""
    return [
        (number, found[1])
        for number, line in enumerate(spec.splitlines(), 1)
        for found in (_MARK.search(line),)
        if found
    ]


def markdown(rule: Rule) -> str:
    """The page of a rule."""
    about = page(rule)
    parts = [
        f"# {rule.CODE}: {rule_name(rule)}",
        f"{about.title}. Reported as {_article(rule.SEVERITY.value)}.",
        *(f"## {name}\n\n{text}" for name, text in about.sections),
    ]
    return "\n\n".join(parts) + "\n"


def contents(rules: Iterable[Rule]) -> str:
    """The table of all rules."""
    rows = [
        f"| [{rule.CODE}]({rule.CODE}.md) | {rule_name(rule)} | {rule.SEVERITY} | "
        f"{page(rule).title} |"
        for rule in rules
    ]
    head = "| code | name | severity | what it finds |\n|---|---|---|---|"
    return "\n".join(["# Design rules", "", head, *rows]) + "\n"


def _article(severity: str) -> str:
    return {"advice": "advice", "error": "an error"}.get(severity, f"a {severity}")
