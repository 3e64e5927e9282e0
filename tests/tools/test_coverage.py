"""The page of coverage is up to date."""

from __future__ import annotations

from .coverage import PAGE, page


def test_the_page_is_up_to_date() -> None:
    hint = "write it anew: python -m tests.tools.coverage"
    assert PAGE.read_text(encoding="utf-8") == page(), hint
