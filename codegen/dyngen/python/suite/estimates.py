"""What calls are estimated to write, as the harness compares it: every item and entry counts once.

These are the figures that `dyngen explain` prints where the spec states no sizes.
"""

from __future__ import annotations

from collections.abc import Iterable

from dyngen.design import writecost
from dyngen.design.estimates import EntitySize, Estimates
from dyngen.design.itemsize import Bounds
from dyngen.design.model import Entity, Schema
from dyngen.design.plans import (
    DeletePlan,
    Design,
    MovePlan,
    TransactPlan,
    UpdatePlan,
)
from dyngen.design.writecost import WriteCost
from dyngen.python.literals import text

_OPERATIONS = {
    "create": writecost.create_cost,
    "put": writecost.put_cost,
    "update": writecost.update_cost,
    "delete": writecost.delete_cost,
}


def of_operations(schema: Schema, entity: Entity) -> str:
    """The estimates of a repository's own writes, by the method's name."""
    design = _sized(schema)
    found = (
        f"{text(name)}: {_display([units(design, entity)])}"
        for name, units in _OPERATIONS.items()
        if name in entity.operations
    )
    return f"{{{', '.join(found)}}}"


def of_pattern(schema: Schema, plan: UpdatePlan | DeletePlan | MovePlan) -> str:
    """The estimate of a pattern that writes one item."""
    return _display([writecost.pattern_cost(_sized(schema), plan)])


def of_transaction(schema: Schema, plan: TransactPlan) -> str:
    """The estimate of a transaction."""
    members = writecost.transaction_cost(_sized(schema), plan)
    return _display([written for _, written in members])


def _sized(schema: Schema) -> Design:
    """The design, as far as costs depend on it, with every item and entry of one unit."""
    sizes = {entity.name: EntitySize(1) for entity in schema.entities}
    return Design(schema, (), (), (), estimates=Estimates(sizes=sizes))


def _display(members: Iterable[WriteCost]) -> str:
    places: dict[str | None, Bounds] = {}
    for member in members:
        for place, units in ((None, member.table), *member.indexes.items()):
            places[place] = places.get(place, Bounds(0, 0)) + units
    pairs = (
        f"{'None' if place is None else text(place)}: {_bounds(units)}"
        for place, units in places.items()
        if units.most != 0
    )
    return f"{{{', '.join(pairs)}}}"


def _bounds(units: Bounds) -> str:
    most = None if units.most is None else int(units.most)
    return f"({int(units.least)}, {most})"
