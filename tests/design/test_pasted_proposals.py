"""What a refusal proposes is pasted into the spec's text where it says, and the spec then compiles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from dyngen.compile import compile_spec

TESTS = Path(__file__).parents[1]
SPECS = sorted((TESTS / "misuse").glob("*.yaml"))
SPECS += [
    TESTS / "broken_specs" / f"{stem}.yaml" for stem in ("no_key", "shared_table")
]

PLACED = re.compile(r"under `([^`]+):`\n(.*)", re.DOTALL)
PATTERN = re.compile(r"^  (\w+): \{.*$", re.MULTILINE)


def alone(text: str, pattern: str) -> str:
    """The spec with this pattern only."""
    head, _, section = text.partition("access_patterns:\n")
    kept = next(m[0] for m in PATTERN.finditer(section) if m[1] == pattern)
    return f"{head}access_patterns:\n{kept}\n"


def paste(text: str, path: list[str], lines: list[str]) -> str:
    """`lines` put into the mapping at `path`, in block style or within braces."""
    written = text.split("\n")
    at, indent = -1, ""
    for depth, key in enumerate(path):
        found = _find(written, at + 1, indent, key)
        if found is None:
            missing = path[depth:]
            return "\n".join(_add(written, at, indent, missing, lines))
        at, indent = found, f"{indent}  "
    return "\n".join(_add(written, at, indent, [], lines))


def _find(lines: list[str], start: int, indent: str, key: str) -> int | None:
    """The line of `key` in the block that begins at `start`."""
    for number in range(start, len(lines)):
        line = lines[number]
        if line.startswith(f"{indent}{key}:"):
            return number
        if indent and line.strip() and not line.startswith(indent):
            return None
    return None


def _add(
    written: list[str], at: int, indent: str, missing: list[str], lines: list[str]
) -> list[str]:
    line = written[at].partition(" #")[0].rstrip()
    if line.endswith("}"):
        inner = ", ".join(lines)
        for key in reversed(missing):
            inner = f"{key}: {{{inner}}}"
        return [*written[:at], f"{line[:-1]}, {inner}}}", *written[at + 1 :]]
    added = [f"{indent}{'  ' * depth}{key}:" for depth, key in enumerate(missing)]
    added += [f"{indent}{'  ' * len(missing)}{each}" for each in lines]
    return [*written[: at + 1], *added, *written[at + 1 :]]


def proposals() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The text of a spec with one refused pattern, and what its refusal proposes."""
    for path in SPECS:
        text = path.read_text(encoding="utf-8")
        for found in compile_spec(text, path.name)[1]:
            named = re.match(r"no key answers `(\w+)` exactly", found.message)
            placed = tuple(help for help in found.help if PLACED.search(help))
            if named and placed:
                yield f"{path.stem}-{named[1]}", alone(text, named[1]), placed


CASES = list(proposals())


@pytest.mark.parametrize(
    ("text", "placed"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_it_compiles_once_pasted(text: str, placed: tuple[str, ...]) -> None:
    assert compile_spec(text, "spec.yaml")[0] is None
    for help in placed:
        found = PLACED.search(help)
        assert found is not None
        text = paste(text, found[1].split(": "), found[2].split("\n"))
    design, said = compile_spec(text, "spec.yaml")
    assert design is not None, f"{[d.message for d in said]}\n{text}"


def test_there_are_enough() -> None:
    assert len(CASES) >= 20
