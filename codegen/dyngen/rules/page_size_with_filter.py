"""A page size together with a filter.

What it checks: a read with `page_size` whose plan has a filter.

Why it matters: DynamoDB counts the items it reads towards a page, not those that pass the filter. A
page of 10 may hold 3 items or none although more match, and a caller who takes a short page for the
end loses the rest (AWS: API_Query, `Limit`).

When to ignore it: the caller follows cursors until there are none, and shows pages of any length.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.plans import Design
from dyngen.diagnostics.build import warning
from dyngen.diagnostics.model import Diagnostic, Severity

CODE = "DG331"
SEVERITY = Severity.WARNING


def check(design: Design) -> Iterator[Diagnostic]:
    """Reads that have both."""
    for plan in design.reads:
        if plan.filter is not None and plan.page_size is not None and plan.span:
            yield warning(
                CODE,
                f"pages of `{plan.name}` are cut before its filter drops items",
                plan.span,
                "a page may be short, or empty, while more items match",
                help=[
                    "leave `page_size` out, or move the filtered attribute into a key"
                ],
            )
