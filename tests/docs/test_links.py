"""Links between the pages of the documentation lead somewhere, and so do references from the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
REFERENCE = re.compile(r"semantics (\d)(?:\.(\d))?")


def prose(page: Path) -> str:
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to a page's headings."""
    plain = (re.sub(r"[^\w\- ]", "", h).lower() for h in HEADING.findall(prose(page)))
    return {heading.replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def test_references_to_the_semantics() -> None:
    rules = (ROOT / "docs" / "semantics.md").read_text(encoding="utf-8")
    chapters = dict(
        re.findall(r"^## (\d) .*\n((?:(?!^## ).*\n)*)", rules, re.MULTILINE)
    )
    for module in (ROOT / "codegen").rglob("*.py"):
        for chapter, number in REFERENCE.findall(module.read_text(encoding="utf-8")):
            assert chapter in chapters, module
            if number:
                assert re.search(f"^{number}\\. ", chapters[chapter], re.MULTILINE)
