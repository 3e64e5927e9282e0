"""Templates emit text that black leaves alone for the most part, so that it costs half as much."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

from dyngen.compile import compile_spec
from dyngen.render.formatting import finish
from dyngen.render.project import render

SPEC = Path(__file__).parents[2] / "specs" / "pet_documents.yaml"
MOST = 0.1  # of the lines


def test_black_changes_few_lines() -> None:
    design, _ = compile_spec(SPEC.read_text(encoding="utf-8"), SPEC.name)
    assert design is not None
    raw = {p: t for p, t in render(design, SPEC.name).items() if p.endswith(".py")}
    final = finish(raw, None, {})
    changed = [path for path in raw if final[path].text != raw[path]]
    lines = sum(len(raw[path].splitlines()) for path in changed)
    kept = sum(_kept(raw[path], final[path].text) for path in changed)
    assert lines - kept <= MOST * lines
    assert not any("_runtime" in path or "_harness" in path for path in changed)


def _kept(before: str, after: str) -> int:
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), False)
    return sum(block.size for block in matcher.get_matching_blocks())
