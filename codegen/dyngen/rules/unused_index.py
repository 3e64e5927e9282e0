"""An index that no pattern reads.

What it checks: an index that is in no read's plan.

Why it matters: every write of an item that the index holds pays again for the index entry: one write
unit per KB when an entry is added, changed or removed, two when its key changes; and the storage of
the entry (AWS: GSI.html, LSI.html).

When to ignore it: the index exists, and is read by code outside this spec.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.plans import Design
from dyngen.diagnostics.build import warning
from dyngen.diagnostics.model import Diagnostic, Severity

CODE = "DG341"
SEVERITY = Severity.WARNING


def check(design: Design) -> Iterator[Diagnostic]:
    """Indexes that no route of any read takes."""
    used = {
        (plan.table, alternative.route.index)
        for plan in design.reads
        for alternative in plan.alternatives
    }
    for table in design.schema.tables:
        for index in table.indexes:
            if (table.name, index.name) not in used:
                yield warning(
                    CODE,
                    f"no access pattern reads the index {index.name}",
                    index.span,
                    "every write of an item in it is paid for again",
                    help=["remove it, or add the pattern that it is for"],
                )
