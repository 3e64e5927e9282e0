"""The patterns whose cursors a read must not take for its own.

Where two patterns read the same table or index, a position that the one gives out can lie within the
keys that the other covers, so that nothing but the fingerprint in the cursor tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from dyngen.design.plans import ReadPlan
from dyngen.python.suite.calls import conditions_of, most_read
from dyngen.python.suite.cases import ReadCase
from dyngen.python.suite.oracle import holds
from dyngen.python.suite.specimens import Specimen
from dyngen.python.suite.stored import with_computed
from dyngen.spec.model import Action

_MOST = 2  # more prove little, and every page of each costs a request


Place = tuple[str, str | None]
"""A table and an index, None for the table itself."""


def place_of(case: ReadCase) -> Place:
    """What the first call of a read asks."""
    return case.plan.table, case.calls[0].route.index


def foreign_reads(case: ReadCase, alike: Sequence[ReadCase]) -> tuple[ReadCase, ...]:
    """Reads that find several of the items of this one's case, some of which it finds too.

    `alike` are those of the same place.
    """
    found = (
        other
        for other in alike
        if other.plan.name != case.plan.name and _confusable(case, other)
    )
    return tuple(islice(found, _MOST))


def _confusable(case: ReadCase, other: ReadCase) -> bool:
    if not (_has_pages(case.plan) and _has_pages(other.plan)):
        return False
    if other.plan.hydrate is not None:  # what it returns need not be among the items
        return False
    most = most_read(other.plan)
    if most is not None and len(case.items) > most:
        return False
    theirs = list(_found(other, case.items))
    return len(theirs) > 1 and any(_found(case, theirs))


def _has_pages(plan: ReadPlan) -> bool:
    return plan.action is not Action.GET and plan.one is None


def _found(case: ReadCase, items: Sequence[Specimen]) -> Iterator[Specimen]:
    """Those of the items that the first call of a read finds."""
    call = case.calls[0].parameters
    for item in items:
        if item.entity.name in case.plan.entities:
            values = with_computed(item.entity, item.values)
            conditions = conditions_of(case.plan, item.entity)
            if all(holds(each, values, call) for each in conditions):
                yield item
