"""Keys of several attributes, whose lengths add up, and where that must be checked.

K-4: what counts is the sum (AWS: Constraints.html has the limits of the whole keys).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dyngen.design.keychecks import form_bounds
from dyngen.design.model import Entity, Index, KeyAttribute, KeySchema, Table
from dyngen.design.plans import Route, TransactMember, UpdatePlan
from dyngen.python.literals import strings, tuple_of
from dyngen.runtime.wire import PARTITION_KEY_BYTES, SORT_KEY_BYTES


def adds_up(entity: Entity, key: KeySchema, route: Route) -> bool:
    """Whether what a read asks for must be measured together: the sum may be too long, or the bound
    of a range, which may fill up a whole key, stands behind other attributes."""
    behind_others = len(route.equals) > len(key.partition) and (
        route.range is not None or _may_be_long(entity, key.sort, SORT_KEY_BYTES)
    )
    return behind_others or _may_be_long(entity, key.partition, PARTITION_KEY_BYTES)


def long_keys(entity: Entity, table: Table) -> Iterator[Index]:
    """The indexes of which an item's key may be too long only because lengths add up."""
    for index in table.indexes:
        key = index.key
        if all(each.name in entity.keys for each in key.all) and (
            _may_be_long(entity, key.partition, PARTITION_KEY_BYTES)
            or _may_be_long(entity, key.sort, SORT_KEY_BYTES)
        ):
            yield index


def _may_be_long(entity: Entity, parts: Sequence[KeyAttribute], most: int) -> bool:
    if len(parts) < 2:
        return False
    attributes = {a.name: a for a in entity.attributes}
    greatest = [form_bounds(entity.keys[part.name], attributes)[1] for part in parts]
    known = [size for size in greatest if size is not None]
    return len(known) < len(greatest) or sum(known) > most


def index_key(index: Index) -> str:
    """The expression of an index's key."""
    parts = [strings(key.name for key in index.key.partition)]
    if index.key.sort:
        parts.append(strings(key.name for key in index.key.sort))
    return f"keyparts.IndexKey({', '.join(parts)})"


def written_index_keys(
    plan: UpdatePlan | TransactMember, entity: Entity, table: Table
) -> str | None:
    """Those of the long keys of which the update itself says every attribute, as a tuple."""
    known = {key.name for key in table.key.all} | {key.attribute for key in plan.keys}
    known |= {
        entity.attribute(write.attribute).stored
        for write in plan.writes
        if write.verb == "set" and not write.path
    }
    found = [
        index_key(index)
        for index in long_keys(entity, table)
        if known.issuperset(key.name for key in index.key.all)
    ]
    return tuple_of(found) if found else None
