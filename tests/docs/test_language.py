"""The examples of docs/language.md compile, or fire the code that a comment names.

A block of YAML with `tables:` is a spec but for its first two lines; one without is added, section by
section, to the last one that has them. A block with marks such as `# DG204` is refused at just these
lines, and the block of text behind it says how. After a deliberate change of wording,

    DYNGEN_UPDATE_EXPECTED=1 pytest tests/docs/test_language.py

writes these texts anew.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from dyngen.compile import compile_spec
from dyngen.diagnostics.model import Diagnostic, Severity

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "language.md"
SCHEMA = ROOT / "codegen" / "dyngen" / "spec.schema.json"

BLOCK = re.compile(r"^```(yaml|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^(\w+):", re.MULTILINE)
MARK = re.compile(r"DG\d{3}")


@dataclass(frozen=True)
class Example:
    """A block of YAML as the whole spec that it stands for."""

    place: int  # its line in the page
    text: str
    offset: int | None  # where in the page the text behind it stands
    said: str

    @property
    def marks(self) -> set[tuple[int, str]]:
        """Line and code of each mark."""
        return {
            (number, code)
            for number, line in enumerate(self.text.splitlines(), start=1)
            for code in MARK.findall(line.partition("#")[2])
        }


def examples(page: str) -> Iterator[Example]:
    whole = ""
    blocks = list(BLOCK.finditer(page))
    for position, block in enumerate(blocks):
        if block[1] != "yaml":
            continue
        written = block[2]
        if "tables" in SECTION.findall(written):
            whole = text = written
        else:
            text = added(whole, written)
        after = blocks[position + 1] if position + 1 < len(blocks) else None
        behind = (
            after is not None
            and after[1] == "text"
            and not page[block.end() : after.start()].strip()
        )
        yield Example(
            page.count("\n", 0, block.start()) + 2,
            headed(text),
            after.start(2) if after and behind else None,
            after[2] if after and behind else "",
        )


def headed(text: str) -> str:
    """With the two lines that every spec begins with, behind what stands there already."""
    for key, line in (("service", "service: example"), ("dyngen", "dyngen: 1")):
        if not re.search(f"^{key}:", text, re.MULTILINE):
            text = f"{line}\n{text}"
    return text


def added(whole: str, part: str) -> str:
    """The sections of `part` put behind those of the same name."""
    sections = dict(_sections(whole))
    for key, body in _sections(part):
        known = sections.get(key)
        inner = body.partition("\n")[2]
        sections[key] = body if known is None else f"{known}{inner}"
    return "".join(sections.values())


def _sections(text: str) -> Iterator[tuple[str, str]]:
    starts = [match.start() for match in SECTION.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        body = text[start:end].rstrip("\n") + "\n"
        yield body.partition(":")[0], body


def brief(found: list[Diagnostic]) -> str:
    """Findings without their places."""
    lines: list[str] = []
    for each in found:
        label = f" ({each.primary.text})" if each.primary.text else ""
        lines.append(f"{each.code}: {each.message}{label}")
        for help in each.help:
            first, *rest = help.split("\n")
            lines += [f"  help: {first}", *(f"        {line}" for line in rest)]
    return "".join(f"{line}\n" for line in lines)


def errors_of(example: Example) -> list[Diagnostic]:
    found = compile_spec(example.text, "example.yaml")[1]
    return [each for each in found if each.severity is Severity.ERROR]


def renewed(page: str) -> str:
    """The page with what is said now."""
    for example in reversed(list(examples(page))):
        if example.offset is not None:
            end = example.offset + len(example.said)
            page = page[: example.offset] + brief(errors_of(example)) + page[end:]
    return page


TEXT = PAGE.read_text(encoding="utf-8")
if os.environ.get("DYNGEN_UPDATE_EXPECTED"):
    TEXT = renewed(TEXT)
    PAGE.write_text(TEXT, encoding="utf-8")
EXAMPLES = list(examples(TEXT))


@pytest.mark.parametrize(
    "example", EXAMPLES, ids=[f"line {each.place}" for each in EXAMPLES]
)
def test_example(example: Example) -> None:
    errors = errors_of(example)
    fired = {(each.primary.span.line, each.code) for each in errors}
    assert fired == example.marks, f"{brief(errors)}\n{example.text}"
    assert bool(errors) == (example.offset is not None)
    assert example.said == brief(errors)


def _words(schema: object) -> Iterator[str]:
    """Every key and every word that the JSON Schema knows."""
    if isinstance(schema, dict):
        properties = schema.get("properties", {})
        if isinstance(properties, dict):
            yield from properties
        for word in schema.get("enum", ()):
            if isinstance(word, str):
                yield word
        for key, value in schema.items():
            if key not in ("examples", "description", "title"):
                yield from _words(value)
    elif isinstance(schema, list):
        for each in schema:
            yield from _words(each)


def test_every_word_has_its_place() -> None:
    words = set(_words(json.loads(SCHEMA.read_text(encoding="utf-8"))))
    told = set(re.findall(r"[A-Za-z_]+", " ".join(re.findall(r"`[^`\n]+`", TEXT))))
    told |= set(
        re.findall(r"[A-Za-z_]+", " ".join(block[2] for block in BLOCK.finditer(TEXT)))
    )
    assert sorted(words - told) == []
