"""The shards that a read asks, each of which is to hold something that it finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dyngen.design.contents import key_schema
from dyngen.design.model import Computed, Entity, Schema
from dyngen.design.plans import ReadPlan
from dyngen.keys.encoding import shards
from dyngen.keys.model import Encoding, Shard
from dyngen.python.suite.nested import Values
from dyngen.python.suite.stored import shard_text

_MOST = 16  # of many more shards, the first and the last tell enough


@dataclass(frozen=True, slots=True)
class Sharding:
    """The shards of one key."""

    shard: Shard
    encoding: Encoding

    def of(self, values: Values) -> str | None:
        """The shard of an item; None if an attribute that it depends on is absent."""
        return shard_text(self.shard, self.encoding, values)

    def without(self, items: Iterable[Values]) -> set[str]:
        """The shards that are to hold something, but none of these items."""
        every = shards(self.shard).all
        wanted = every if len(every) <= _MOST else (every[0], every[-1])
        return set(wanted).difference(map(self.of, items))


def shardings(schema: Schema, plan: ReadPlan, entity: Entity) -> Iterator[Sharding]:
    """The shards of the keys that the read asks for."""
    table = schema.table(plan.table)
    for name in dict.fromkeys(each.route.index for each in plan.alternatives):
        index = None if name is None else table.index(name)
        for key in key_schema(table, index).partition:
            form = entity.keys.get(key.name)
            for case in form.cases if isinstance(form, Computed) else ():
                for piece in case.template.pieces:
                    if isinstance(piece, Shard):
                        yield Sharding(piece, case.template.encoding)
