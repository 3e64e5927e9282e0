"""The faults that the runtime of a package can have."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Computed
from dyngen.keys.model import Encoding, Part
from dyngen.types.model import Decimal, Integer, String

from .edits import Edit, Mutant, Package
from .kinds import Kind


def _escaping_skipped(package: Package) -> Iterator[Edit | Mutant]:
    """Values that hold a delimiter then look like other values."""
    escaped = [part for part, encoding in _parts(package) if not encoding.raw]
    if any(isinstance(part.type, String) for part in escaped):
        yield from package.runtime("scalars").rewritten(
            "return text.translate(_ESCAPES) if _ESCAPED.search(text) else text",
            "return text",
        )


def _number_unpadded(package: Package) -> Iterator[Edit | Mutant]:
    """10 then comes before 9."""
    if any(isinstance(part.type, Integer | Decimal) for part, _ in _parts(package)):
        yield from package.runtime("ordered").rewritten(
            'f"{number:0{width}d}" if', 'f"{number}" if'
        )


def _parts(package: Package) -> Iterator[tuple[Part, Encoding]]:
    """The values that stand in computed keys."""
    for entity in package.design.schema.entities:
        for form in entity.keys.values():
            for case in form.cases if isinstance(form, Computed) else ():
                for piece in case.template.pieces:
                    if isinstance(piece, Part):
                        yield piece, case.template.encoding


def _dropped_on_the_client(package: Package) -> Iterator[Edit | Mutant]:
    """The whole partition is read, and what does not match is left out afterwards."""
    if not _has_ranges(package):
        return
    ranges = package.runtime("streams").rewritten(
        "parts.append(self.range.render(placeholders))", "pass"
    )
    items = package.runtime("merging").rewritten(
        'self.buffer.extend(response.get("Items", ()))',
        "self.buffer.extend(\n"
        '            item for item in response.get("Items", ()) if not self.stream.side(item)\n'
        "        )",
    )
    yield from zip(ranges, items, strict=True)


def _has_ranges(package: Package) -> bool:
    return any(
        alternative.route.range is not None
        for plan in package.design.reads
        for alternative in plan.alternatives
    )


def _last_page_lost(package: Package) -> Iterator[Edit | Mutant]:
    if _has_queries(package):
        yield from package.runtime("reading").rewritten(
            "Page(items, None)", "Page([], None)"
        )


def _later_pages_lost(package: Package) -> Iterator[Edit | Mutant]:
    if _has_queries(package):
        yield from package.runtime("reading").rewritten(
            "Page(items, token)", "Page(items, None)"
        )


def _cursor_ignored(package: Package) -> Iterator[Edit | Mutant]:
    if _has_queries(package):
        yield from package.runtime("reading").rewritten(
            "if cursor is not None:", "if False:"
        )


def _foreign_cursor_taken(package: Package) -> Iterator[Edit | Mutant]:
    if _has_queries(package):
        yield from package.runtime("cursors").rewritten(
            "return _base64(digest[:12])", 'return "any"'
        )


def _limit_ignored(package: Package) -> Iterator[Edit | Mutant]:
    """DynamoDB then reads up to 1 MB for a page of ten items."""
    if _has_queries(package):
        yield from package.runtime("streams").rewritten(
            'arguments["Limit"] = limit', "pass"
        )


def _has_queries(package: Package) -> bool:
    return any(plan.page_size or not plan.one for plan in package.design.reads)


def _remove_forgotten(package: Package) -> Iterator[Edit | Mutant]:
    """An attribute that is taken away stays, and with it the item in a sparse index."""
    if package.uses("writing.changes_to("):
        yield from package.runtime("writing").rewritten(
            "return [set_to(name, item.get(name)) for name in dict.fromkeys(names)]",
            "return [set_to(n, item[n]) for n in dict.fromkeys(names) if n in item]",
        )


def _unprocessed_dropped(package: Package) -> Iterator[Edit | Mutant]:
    if package.uses("batches.batch_write("):
        yield from package.runtime("batches").rewritten(
            'in response.get("UnprocessedItems", {}).get(table, ())', "in ()"
        )


def _lost_response_taken_for_failure(package: Package) -> Iterator[Edit | Mutant]:
    if package.uses("token={"):
        yield from package.runtime("writing").rewritten(
            "if item is not None and token is not None and _bears(item, token):",
            "if False:",
        )


RUNTIME_KINDS = (
    Kind("escaping skipped", _escaping_skipped),
    Kind("number unpadded", _number_unpadded),
    Kind("items dropped on the client", _dropped_on_the_client),
    Kind("last page lost", _last_page_lost),
    Kind("later pages lost", _later_pages_lost),
    Kind("cursor ignored", _cursor_ignored),
    Kind("foreign cursor taken", _foreign_cursor_taken),
    Kind("limit ignored", _limit_ignored),
    Kind("REMOVE forgotten", _remove_forgotten),
    Kind("unprocessed items dropped", _unprocessed_dropped),
    Kind("lost response taken for a failure", _lost_response_taken_for_failure),
)
