"""What the tables are filled with, and a call for each read that finds some of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dyngen.design.plans import Design, ReadPlan, TransactPlan
from dyngen.prove.calls import Call, Snapshot, telling_call, telling_snapshot
from dyngen.prove.population import Item, counts, padded, population
from dyngen.python.suite.calls import conditions_of
from dyngen.python.suite.cases import read_case
from dyngen.python.suite.oracle import holds
from dyngen.python.suite.stored import with_computed
from dyngen.spec.model import Action

_TRIED = 200  # items of an entity: enough to find one that a read returns


@dataclass(frozen=True, slots=True)
class Stock:
    """Items and calls.

    Attributes:
        items: all items to load.
        calls: the reads, each with its call.
        snapshots: the transactions that read, each with its call.
        missing: the names of reads that no item was found for.
    """

    items: tuple[Item, ...]
    calls: tuple[tuple[ReadPlan, Call], ...]
    snapshots: tuple[tuple[TransactPlan, Snapshot], ...]
    missing: tuple[str, ...]

    def count(self, entity: str) -> int:
        """How many items of an entity there are."""
        return sum(item.entity == entity for item in self.items)


def stock(design: Design, items: int | None) -> Stock:
    """The items to load, so many of each entity (else as many as the spec states), and the calls."""
    wanted = counts(design, items)
    made = {
        entity.name: list(population(design, entity, wanted[entity.name]))
        for entity in design.schema.entities
    }
    tried = [item for each in made.values() for item in _middle(each)]
    special: list[Item] = []
    calls: list[tuple[ReadPlan, Call]] = []
    missing: list[str] = []
    for plan in design.reads:
        call = telling_call(design.schema, plan, tried)
        if call is None:
            matching = list(_samples(design, plan))
            special += (item for item, _ in matching)
            call = matching[0][1] if matching else None
        if call is None:
            missing.append(plan.name)
        else:
            calls.append((plan, call))
    ordered = [*special, *(item for each in made.values() for item in each)]
    kept = tuple(_kept(design, ordered, wanted))
    snapshots = []
    for transaction in design.transactions:
        if transaction.members[0].action is Action.GET:
            snapshot = telling_snapshot(design.schema, transaction, kept)
            if snapshot is None:
                missing.append(transaction.name)
            else:
                snapshots.append((transaction, snapshot))
    return Stock(kept, tuple(calls), tuple(snapshots), tuple(missing))


def _middle(items: list[Item]) -> list[Item]:
    half = len(items) // 2
    return items[half : half + _TRIED] or items


def _samples(design: Design, plan: ReadPlan) -> Iterator[tuple[Item, Call]]:
    """The items of the suite that its first call of this read finds, and that call."""
    case = read_case(design.schema, plan)
    first = case.calls[0]
    for specimen in case.items:
        entity = specimen.entity
        if entity.name not in plan.entities:
            continue
        values = with_computed(entity, specimen.values)
        conditions = conditions_of(plan, entity)
        if all(holds(each, values, first.parameters) for each in conditions):
            item = padded(design, entity, dict(specimen.values))
            yield item, Call(dict(first.parameters), first.route, item)


def _kept(
    design: Design, items: Iterable[Item], wanted: Mapping[str, int]
) -> Iterator[Item]:
    """Items with different keys, not more of an entity than wanted; those that come first."""
    room = dict(wanted)
    seen = set()
    for item in items:
        table = design.schema.table(design.schema.entity(item.entity).table)
        key = (table.name, *(repr(item.stored[each.name]) for each in table.key.all))
        if room[item.entity] and key not in seen:
            seen.add(key)
            room[item.entity] -= 1
            yield item
