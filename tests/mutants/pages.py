"""Faults of pages and cursors."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from .edits import Edit, Module, Package, keyword
from .kind import Kind, in_modules
from .reads import reads

_PAGES = ("pages", "page", "cursor")


def _page_size_forgotten(module: Module) -> Iterator[Edit]:
    for query in module.calls("Query"):
        for name in ("page_size", "max_page_size"):
            found = keyword(query, name)
            if found is not None:
                yield module.drop(found)


def _without_the_indexs_keys(package: Package) -> Iterator[Edit]:
    """A cursor into an index that holds the table's key alone. (An inverted index has no other.)"""
    for read in reads(package):
        key_types = keyword(read.call, "key_types")
        if key_types is not None and read.index is not None and read.paged:
            table = package.design.schema.table(read.plan.table)
            own = {each.name: each.type for each in table.key.all}
            if all(each.name in own for each in table.index(read.index).key.all):
                continue
            yield read.module.replace(key_types, f"key_types={own!r}")


def _last_page_lost(package: Package) -> Iterator[Edit]:
    if _has_pages(package):
        yield from package.runtime("reading").rewritten(
            "Page(items, None)", "Page([], None)"
        )


def _later_pages_lost(package: Package) -> Iterator[Edit]:
    if _has_pages(package):
        yield from package.runtime("reading").rewritten(
            "Page(items, token)", "Page(items, None)"
        )


def _cursor_ignored(package: Package) -> Iterator[Edit]:
    if _has_pages(package):
        yield from package.runtime("reading").rewritten(
            "if cursor is not None:", "if False:"
        )


def _foreign_cursor_taken(package: Package) -> Iterator[Edit]:
    """Of reads that find nothing in common, the position in the cursor is refused all the same."""
    paged = [read for read in reads(package) if read.paged and not read.plan.hydrate]
    pairs = permutations(paged, 2)
    if any(a.plan != b.plan and a.may_find_what_finds(b) for a, b in pairs):
        yield from package.runtime("cursors").rewritten(
            "return _base64(digest[:12])", 'return "any"'
        )


def _limit_ignored(package: Package) -> Iterator[Edit]:
    """DynamoDB then reads up to 1 MB for a page of ten items."""
    if _has_pages(package):
        yield from package.runtime("streams").rewritten(
            'arguments["Limit"] = limit', "pass"
        )


def _has_pages(package: Package) -> bool:
    return any(read.paged for read in reads(package))


PAGES = (
    Kind("page size forgotten", in_modules(_page_size_forgotten), _PAGES),
    Kind("cursor without the index's keys", _without_the_indexs_keys, _PAGES),
    Kind("last page lost", _last_page_lost, _PAGES),
    Kind("later pages lost", _later_pages_lost, _PAGES),
    Kind("cursor ignored", _cursor_ignored, _PAGES),
    Kind(
        "foreign cursor taken",
        _foreign_cursor_taken,
        ("another_call", "another_pattern"),
    ),
    Kind("limit ignored", _limit_ignored, ("first", *_PAGES)),
)
