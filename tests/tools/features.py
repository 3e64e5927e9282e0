"""The features of the language that a compiled spec uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dyngen.design.contents import places, variants
from dyngen.design.model import (
    Case,
    Computed,
    DefaultNow,
    Entity,
    Projection,
    Table,
    Test,
)
from dyngen.design.plans import Design, ReadPlan, Route
from dyngen.keys.model import Literal, Part, Piece, Shard
from dyngen.spec import model as written
from dyngen.spec.model import Action, Operator, Spec
from dyngen.types.model import Decimal, Integer, Stored, String, Timestamp


@dataclass(frozen=True, slots=True)
class Compiled:
    """A spec as written, and its design."""

    spec: Spec
    design: Design

    @property
    def tables(self) -> tuple[Table, ...]:
        return self.design.schema.tables

    @property
    def entities(self) -> tuple[Entity, ...]:
        return self.design.schema.entities

    @property
    def patterns(self) -> Iterator[written.AccessPattern]:
        """The patterns, and the members of transactions."""
        for pattern in self.spec.access_patterns:
            yield from (pattern, *pattern.members)

    @property
    def reads(self) -> Iterator[ReadPlan]:
        yield from self.design.reads
        yield from (plan.read for plan in self.design.delete_eaches)

    @property
    def routes(self) -> Iterator[Route]:
        yield from (a.route for plan in self.reads for a in plan.alternatives)

    @property
    def cases(self) -> Iterator[Case]:
        """Every case of every computed key."""
        for entity in self.entities:
            for form in entity.keys.values():
                if isinstance(form, Computed):
                    yield from form.cases

    @property
    def pieces(self) -> Iterator[Piece]:
        yield from (piece for case in self.cases for piece in case.template.pieces)

    @property
    def parts(self) -> Iterator[Part]:
        yield from (piece for piece in self.pieces if isinstance(piece, Part))

    @property
    def tests(self) -> Iterator[Test]:
        yield from (t for plan in self.reads for _, tests in plan.where for t in tests)

    def sharing(self, table: Table) -> list[Entity]:
        return [e for e in self.entities if e.table == table.name]

    def holds(self, table: Table, index: str) -> list[Entity]:
        """The entities that an index can hold."""
        place = table.index(index)
        return [e for e in self.sharing(table) if variants(e, table, place)]


Uses = Callable[[Compiled], bool]


def _multi_attribute(of: Compiled) -> bool:
    keys = [i.key for t in of.tables for i in t.indexes]
    return any(len(k.partition) > 1 or len(k.sort) > 1 for k in keys)


def _composite(of: Compiled) -> bool:
    for table in of.spec.tables:
        if len(table.partition_key) > 1 or len(table.sort_key) > 1:
            return True
        for index in table.indexes:
            several = len(index.partition_key) > 1 or len(index.sort_key) > 1
            strategy = index.strategy.text if index.strategy else None
            if several and (index.local or strategy == "composite"):
                return True
    return False


def _sparse_by_optional(of: Compiled) -> bool:
    """Whether an index leaves out items for want of an attribute alone."""
    for table in of.tables:
        for place in places(table):
            for entity in of.sharing(table):
                for variant in variants(entity, table, place):
                    if place is not None and any(
                        a.optional and not variant.holds[a.name].absent
                        for a in entity.attributes
                    ):
                        return True
    return False


def _inverted(of: Compiled) -> bool:
    return any(
        index.key.partition == table.key.sort and index.key.sort == table.key.partition
        for table in of.tables
        for index in table.indexes
        if table.key.sort
    )


def _self_keys(of: Compiled) -> bool:
    for table in of.tables:
        if not table.key.sort:
            continue
        for entity in of.sharing(table):
            first = entity.keys[table.key.partition[0].name]
            second = entity.keys[table.key.sort[0].name]
            if isinstance(first, Computed) and isinstance(second, Computed):
                names = [_values(form) for form in (first, second)]
                if names[0] and names[0] == names[1]:
                    return True
    return False


def _values(form: Computed) -> list[str]:
    return [p.attribute for p in form.cases[0].template.pieces if isinstance(p, Part)]


def _constant_sort(of: Compiled) -> bool:
    for table in of.tables:
        for entity in of.sharing(table):
            for key in table.key.sort:
                form = entity.keys[key.name]
                if isinstance(form, Computed) and all(
                    isinstance(piece, Literal)
                    for case in form.cases
                    for piece in case.template.pieces
                ):
                    return True
    return False


def _sort_order_trick(of: Compiled) -> bool:
    """A collection that is read backwards, so that the parent stands behind its children."""
    return any(
        len(plan.entities) > 1 and not alternative.route.forward
        for plan in of.reads
        for alternative in plan.alternatives
    )


def _overloaded(of: Compiled) -> bool:
    return any(
        len(of.holds(table, index.name)) > 1
        for table in of.tables
        for index in table.indexes
    )


def _adjacency(of: Compiled) -> bool:
    return (
        _inverted(of)
        and _self_keys(of)
        and any(len(of.sharing(table)) > 1 for table in of.tables)
    )


def _path(of: Compiled) -> bool:
    return any(t.operator is Operator.BEGINS_WITH for t in of.tests)


def _fan_out(of: Compiled) -> bool:
    """Every value of an enum or boolean is asked for in turn."""
    return any(
        loop.parameter is None
        and loop.variable != "shard"
        and not _asked(of, loop.variable)
        for route in of.routes
        for loop in route.fan_outs
    )


def _asked(of: Compiled, attribute: str) -> bool:
    return any(t.attribute == attribute and t.operator is Operator.IN for t in of.tests)


def _nested(of: Compiled) -> bool:
    plans = (
        *of.design.updates,
        *(m for t in of.design.transactions for m in t.members),
    )
    return any(write.path for plan in plans for write in plan.writes)


def _any_pattern(says: Callable[[written.AccessPattern], object]) -> Uses:
    return lambda of: any(says(pattern) for pattern in of.patterns)


def _action(action: Action) -> Uses:
    return _any_pattern(lambda pattern: pattern.action is action)


def _any_index(says: Callable[[written.Index], object]) -> Uses:
    return lambda of: any(says(i) for t in of.spec.tables for i in t.indexes)


def _projection(kind: Projection) -> Uses:
    return lambda of: any(i.projection is kind for t in of.tables for i in t.indexes)


def _setting(*words: str) -> Uses:
    return lambda of: any(word in t.settings for t in of.tables for word in words)


FEATURES: dict[str, Uses] = {
    "native multi-attribute key": _multi_attribute,
    "composite key": _composite,
    "sparse by `when`": lambda of: any(case.when for case in of.cases),
    "sparse by optional attribute": _sparse_by_optional,
    "cases of one key": lambda of: any(
        isinstance(form, Computed) and len(form.cases) > 1
        for entity in of.entities
        for form in entity.keys.values()
    ),
    "shared table": lambda of: any(len(of.sharing(t)) > 1 for t in of.tables),
    "entity type marker": lambda of: any(t.type_attribute for t in of.tables),
    "overloaded index": _overloaded,
    "inverted index": _inverted,
    "adjacency list": _adjacency,
    "self keys": _self_keys,
    "constant sort key": _constant_sort,
    "item collection": lambda of: any(len(plan.entities) > 1 for plan in of.reads),
    "sort-order trick": _sort_order_trick,
    "optional conditions": _any_pattern(lambda p: p.optional),
    "enum fan-out": _fan_out,
    "`in`": lambda of: any(t.operator is Operator.IN for t in of.tests),
    "sharding": lambda of: any(isinstance(p, Shard) for p in of.pieces),
    "keys-only projection": _projection(Projection.KEYS_ONLY),
    "projection of some attributes": _projection(Projection.INCLUDE),
    "`select`": _any_pattern(lambda p: p.select),
    "hydrate": _any_pattern(lambda p: p.hydrate),
    "local index": _any_index(lambda i: i.local),
    "consistent read": _any_pattern(lambda p: p.consistent),
    "time bucket": lambda of: any(part.bucket for part in of.parts),
    "padded number": lambda of: any(
        isinstance(part.type, Integer | Decimal) for part in of.parts
    ),
    "inverted number or time": lambda of: any(part.desc for part in of.parts),
    "folded text": lambda of: any(
        isinstance(a.type, String) and a.type.fold
        for entity in of.entities
        for a in entity.attributes
    ),
    "computed attribute": lambda of: any(
        a.computed for entity in of.entities for a in entity.attributes
    ),
    "placeholder": lambda of: any(part.placeholder for part in of.parts),
    "path hierarchy": _path,
    "tenant": lambda of: of.spec.tenant is not None,
    "scan": _action(Action.SCAN),
    "filter": _any_pattern(lambda p: p.filter),
    "several tables": lambda of: len(of.tables) > 1,
    "raw keys": lambda of: any(t.encoding.raw for t in of.tables),
    "stored names of its own": lambda of: of.spec.camel_case
    or any(a.name != a.stored for entity in of.entities for a in entity.attributes),
    "pages": _any_pattern(lambda p: p.page_size),
    "`one`": _any_pattern(lambda p: p.one),
    "update": _action(Action.UPDATE),
    "guard": _any_pattern(lambda p: p.guard),
    "nested path": _nested,
    "`read_first`": _any_pattern(lambda p: p.read_first),
    "upsert": _any_pattern(lambda p: p.upsert),
    "move": _action(Action.MOVE),
    "delete": _action(Action.DELETE),
    "delete each": _any_pattern(lambda p: p.each),
    "transaction of writes": lambda of: any(
        m.action is not Action.GET for t in of.design.transactions for m in t.members
    ),
    "transaction of gets": lambda of: any(
        m.action is Action.GET for t in of.design.transactions for m in t.members
    ),
    "version": lambda of: any(e.version for e in of.entities),
    "unique": lambda of: any(e.unique for e in of.entities),
    "TTL": _setting("ttl"),
    "`expired: exclude`": _any_pattern(lambda p: p.expired == "exclude"),
    "generated ids": lambda of: any(
        a.generated for entity in of.entities for a in entity.attributes
    ),
    "clock: `now`": lambda of: any(
        a.on_write or isinstance(a.default, DefaultNow)
        for entity in of.entities
        for a in entity.attributes
    ),
    "epoch timestamps": lambda of: any(
        isinstance(a.type, Timestamp) and a.type.stored is not Stored.TEXT
        for entity in of.entities
        for a in entity.attributes
    ),
    "settings of tables": _setting(
        "billing",
        "stream",
        "point_in_time_recovery",
        "deletion_protection",
        "encryption",
        "table_class",
        "tags",
        "contributor_insights",
        "warm_throughput",
        "cloudformation",
    ),
}
"""Whether a spec uses a feature, by the feature's name."""
