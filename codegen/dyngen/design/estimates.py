"""What the author knows of the data and of its use: sizes and rates, looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.spec.model import Action, Name, Rate, Spec

METHODS = ("get", "create", "put", "update", "delete")
"""The methods of repositories that can have a rate; batches count as so many puts and deletes."""

_OF_MANY = frozenset({Action.QUERY, Action.SCAN, Action.DELETE})


@dataclass(frozen=True, slots=True)
class Held:
    """How many items of an entity one place holds, in all and in its fullest partition."""

    items: int | None = None
    per_partition: int | None = None


@dataclass(frozen=True, slots=True)
class EntitySize:
    """What is stated of one entity's items; `places` has None for the table, else an index."""

    bytes: int | None = None
    places: Mapping[str | None, Held] = field(default_factory=dict)

    def held(self, index: str | None) -> Held:
        """What the table (None) or an index holds of the entity."""
        return self.places.get(index, Held())


@dataclass(frozen=True, slots=True)
class Calls:
    """How often a pattern is called, and how many items a call returns."""

    per_second: float | None = None
    items: int | None = None


@dataclass(frozen=True, slots=True)
class Estimates:
    """Everything that `sizes` and `rates` say.

    `operations` holds, per entity, the calls a second of its repository's methods.
    """

    sizes: Mapping[str, EntitySize] = field(default_factory=dict)
    patterns: Mapping[str, Calls] = field(default_factory=dict)
    operations: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def size(self, entity: str) -> EntitySize:
        """What is stated of an entity's items."""
        return self.sizes.get(entity, EntitySize())

    def calls(self, pattern: str) -> Calls:
        """What is stated of a pattern's calls."""
        return self.patterns.get(pattern, Calls())


def read_estimates(spec: Spec) -> Estimates:
    """The estimates of a spec; names that nothing answers to are left out."""
    patterns: dict[str, Calls] = {}
    operations: dict[str, dict[str, float]] = {}
    for rate in spec.rates:
        if not rate.operation:
            patterns[rate.name.text] = Calls(rate.calls, rate.items)
        elif rate.calls is not None:
            operations.setdefault(rate.entity, {})[rate.operation] = rate.calls
    return Estimates(_sizes(spec), patterns, operations)


def estimate_problems(spec: Spec) -> Iterator[Diagnostic]:
    """DG162: names in `sizes` and `rates` that nothing answers to, and words that do not fit them."""
    entities = [entity.name.text for entity in spec.entities]
    for size in spec.sizes:
        if size.entity.text not in entities:
            yield _unknown(size.entity, entities, "entity")
        elif size.index is not None:
            indexes = _indexes(size.entity.text, spec)
            if size.index.text not in indexes:
                yield _unknown(size.index, indexes, "index")
    for rate in spec.rates:
        yield from _rate_problems(rate, entities, spec)


def _sizes(spec: Spec) -> dict[str, EntitySize]:
    sizes: dict[str, EntitySize] = {}
    for size in spec.sizes:
        known = sizes.get(size.entity.text, EntitySize())
        index = None if size.index is None else size.index.text
        held = Held(size.items, size.per_partition)
        sizes[size.entity.text] = EntitySize(
            size.bytes if index is None else known.bytes, {**known.places, index: held}
        )
    return sizes


def _indexes(entity: str, spec: Spec) -> list[str]:
    """The indexes of an entity's table."""
    tables = {e.table.text for e in spec.entities if e.name.text == entity and e.table}
    return [
        index.name.text
        for table in spec.tables
        if not tables or table.name.text in tables
        for index in table.indexes
    ]


def _rate_problems(
    rate: Rate, entities: Sequence[str], spec: Spec
) -> Iterator[Diagnostic]:
    actions = {p.name.text: p.action for p in spec.access_patterns}
    known = [*actions, *(f"{e}.{operation}" for e in entities for operation in METHODS)]
    if rate.name.text not in known:
        yield _unknown(rate.name, known, "pattern or method")
    elif rate.items is not None and actions.get(rate.name.text) not in _OF_MANY:
        yield error(
            "DG162",
            f"`{rate.name.text}` does not return a number of items",
            rate.name.span,
            help=[f"write its calls a second alone: `{rate.name.text}: 20`"],
        )


def _unknown(name: Name, known: Sequence[str], what: str) -> Diagnostic:
    remedy = did_you_mean(name.text, known)
    if remedy is None and known:
        remedy = f"there are {listed(known, 'and')}"
    message = f"there is no {what} `{name.text}`"
    return error("DG162", message, name.span, help=[remedy])
