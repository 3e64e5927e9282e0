"""What every write costs, computed from the sizes of items (AWS: read-write-operations.html)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dyngen.design import writecost
from dyngen.design.estimates import EntitySize
from dyngen.design.itemsize import Bounds, total
from dyngen.design.plans import DeletePlan, Design, MovePlan, UpdatePlan
from dyngen.design.writecost import WriteCost
from dyngen.prove.population import USUAL_BYTES

_OPERATIONS = {
    "create": writecost.create_cost,
    "put": writecost.put_cost,
    "update": writecost.update_cost,
    "delete": writecost.delete_cost,
}


@dataclass(frozen=True, slots=True)
class Written:
    """The write units of one call: of the table, and of all its indexes together."""

    name: str
    table: Bounds
    indexes: Bounds

    @property
    def units(self) -> Bounds:
        """Of table and indexes."""
        return self.table + self.indexes

    @property
    def amplification(self) -> float | None:
        """How many times the table's own units are written at most; None without a bound."""
        most, own = self.units.most, self.table.most
        return None if most is None or not own else most / own


def writes(design: Design) -> Iterator[Written]:
    """The methods that every repository has, then the patterns that write."""
    sized = _sized(design)
    for entity in sized.schema.entities:
        for operation, units in _OPERATIONS.items():
            if operation in entity.operations:
                yield _written(f"{entity.name}.{operation}", units(sized, entity))
    plans: tuple[UpdatePlan | DeletePlan | MovePlan, ...] = (
        *sized.updates,
        *sized.deletes,
        *sized.moves,
    )
    for plan in plans:
        yield _written(plan.name, writecost.pattern_cost(sized, plan))
    for transaction in sized.transactions:
        members = [each for _, each in writecost.transaction_cost(sized, transaction)]
        if members:
            yield Written(
                transaction.name,
                total(each.table for each in members),
                total(units for each in members for units in each.indexes.values()),
            )


def _written(name: str, found: WriteCost) -> Written:
    return Written(name, found.table, total(found.indexes.values()))


def _sized(design: Design) -> Design:
    """The design, with the usual size where the spec states none."""
    sizes = {}
    for entity in design.schema.entities:
        known: EntitySize = design.estimates.size(entity.name)
        sizes[entity.name] = replace(known, bytes=known.bytes or USUAL_BYTES)
    return replace(design, estimates=replace(design.estimates, sizes=sizes))
