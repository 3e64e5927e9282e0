"""The test classes of writes: an entity's own operations, and its update patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from dyngen.design.contents import template_inputs
from dyngen.design.model import Attribute, Entity, Schema
from dyngen.design.plans import EntityWrites
from dyngen.python import names
from dyngen.python.entities import key_attributes
from dyngen.python.literals import docstring, strings, text
from dyngen.python.suite import estimates, samples
from dyngen.python.suite.contests import Rivals
from dyngen.python.suite.model import WriteClass
from dyngen.python.suite.nested import Values
from dyngen.python.suite.reads import sample_call
from dyngen.python.suite.sources import plain, source
from dyngen.python.suite.specimens import (
    Collection,
    Specimen,
    at_now,
    base,
    changed,
    given,
    key_inputs,
    pool,
    stem,
)
from dyngen.python.suite.stored import holding_indexes, stored_item

_CHANGES = 3  # of one attribute
_MANY = 30  # more than the 25 items of one BatchWriteItem
_FIRST = 100

Change = Mapping[str, object]


def write_class(
    schema: Schema, entity: Entity, writes: EntityWrites, name: str
) -> WriteClass | None:
    """The test class of an entity's own operations; None if it has none that can be proven."""
    return _Builder(schema, entity, writes).build(name)


class _Builder:
    def __init__(self, schema: Schema, entity: Entity, writes: EntityWrites) -> None:
        self.schema = schema
        self.entity = entity
        self.writes = writes
        self.item = names.item_variable(entity.name)
        self.samples = self._samples()
        self.changes = list(self._changes())
        self.stale = list(self._stale())
        self.free = self._free()
        rivals = Rivals(schema, entity)
        self.contests = [*rivals.contests(base(entity), writes.changeable)]

    def build(self, name: str) -> WriteClass | None:
        bases = tuple(self._bases())
        if not bases:
            return None
        batches = "batch_get" in self.entity.operations
        return WriteClass(
            name=name,
            bases=bases,
            docstring=docstring(
                f"Every write of {self.entity.name} keeps its keys true, and changes nothing else.",
                4,
            ),
            assignments=tuple(self._assignments(bases)),
            item=self.item,
            item_class=names.class_name(self.entity.name),
            key_class=names.key_class(self.entity.name) if batches else None,
            key=", ".join(
                f"{key}={self.item}.{key}"
                for each in key_attributes(
                    self.entity, self.schema.table(self.entity.table)
                )
                for key in [names.attribute(each.name)]
            ),
        )

    def _bases(self) -> Iterator[str]:
        has = self.entity.operations.__contains__
        versioned = "Versioned" if self.entity.version is not None else ""
        if has("create"):
            yield f"{versioned}CreateProof"
        if has("get"):
            yield "GetByKeyProof"
        if has("put"):
            yield "PutProof"
        if not has("create") and not has("put"):
            yield "StoredFormProof"
        if has("update") and self.changes:
            yield f"{versioned or 'Stale' * bool(self.stale)}UpdateProof"
        if has("delete"):
            yield f"{versioned or 'Item' * bool(self.entity.unique)}DeleteProof"
        if has("create") and self.contests:
            yield from self._unique_bases()
        if has("batch_get") and has("batch_write") and self.free is not None:
            yield "BatchWriteProof"
        elif has("batch_get"):
            yield "BatchGetProof"

    def _unique_bases(self) -> Iterator[str]:
        has = self.entity.operations.__contains__
        changing = has("update") and any(each.changing for each in self.contests)
        yield "UniqueCreateProof"
        if changing:
            yield "UniqueUpdateProof"
        if has("update") and any(each.leaving for each in self.contests):
            yield "UniqueOptionalProof"
        if has("delete"):
            yield "UniqueDeleteProof"
        if has("delete") and changing:
            yield "UniqueStaleDeleteProof"

    def _assignments(self, bases: Sequence[str]) -> Iterator[str]:
        yield f"kind = {names.kind(self.entity.name)}"
        yield f"samples = [{', '.join(map(self._sample, self.samples))}]"
        yield f"estimates = {estimates.of_operations(self.schema, self.entity)}"
        if any(each.endswith("CreateProof") for each in bases):
            yield f"bare = {self._bare()}"
        if any(each.endswith("UpdateProof") for each in bases):
            yield f"changes = [{', '.join(map(self._change, self.changes))}]"
        if "StaleUpdateProof" in bases or "VersionedUpdateProof" in bases:
            pairs = [f"({self._change(a)}, {self._change(b)})" for a, b in self.stale]
            yield f"stale = [{', '.join(pairs)}]"
        if "UniqueCreateProof" in bases:
            contests = [each.source for each in self.contests]
            yield f"contests = [{', '.join(contests)}]"
        if "BatchWriteProof" in bases and self.free is not None:
            attribute, series = self.free
            numbered = {attribute.name: series.source("n")}
            call = sample_call(self.samples[0], numbered)
            yield f"many = [{call} for n in range({_FIRST}, {_FIRST + _MANY})]"

    # --- samples ----------------------------------------------------------------------------------

    def _samples(self) -> list[Specimen]:
        """A plain item, one that is nowhere plain, one with nothing optional, one with another key."""
        found = Collection(self.schema)
        plain_values = base(self.entity)
        key = key_inputs(self.entity, self.schema.table(self.entity.table).key)
        optional = {each.name for each in given(self.entity) if each.optional}
        bare = {n: v for n, v in plain_values.items() if n not in optional or n in key}
        for values in (
            plain_values,
            self._varied(2, plain_values),
            self._varied(-1, plain_values),
            self._elsewhere(bare, key),
            self._elsewhere(plain_values, key),
        ):
            found.add(Specimen(self.entity, values))
        return found.specimens

    def _varied(self, number: int, plain_values: Values) -> dict[str, object]:
        """Every attribute with another of its sample values, as far as they can be stored."""
        values = dict(plain_values)
        for attribute in given(self.entity):
            options = pool(attribute)
            option = options[number] if number < len(options) else options[-1]
            attempt = changed(values, attribute.name, option)
            if Collection(self.schema).add(Specimen(self.entity, attempt)):
                values = attempt
        return values

    def _elsewhere(self, values: Values, key: Sequence[str]) -> dict[str, object]:
        """The values with another key than any other sample has."""
        plain_key = Specimen(self.entity, base(self.entity))
        for name in reversed(key):
            options = pool(self.entity.attribute(name))
            whole = len(values) == len(base(self.entity))
            for option in options[3 if len(options) > 3 and whole else 1 :]:
                found = Collection(self.schema)
                found.add(plain_key)
                other = changed(values, name, option)
                if found.add(Specimen(self.entity, other), keep=other):
                    return other
        return dict(values)

    def _sample(self, specimen: Specimen) -> str:
        values = at_now(self.entity, specimen.values)
        stored = dict(stored_item(self.schema, self.entity, values))
        indexes = holding_indexes(self.schema, self.entity, values)
        held = f"frozenset({strings(indexes)})" if indexes else "frozenset()"
        return f"Sample({sample_call(specimen)}, {plain(stored)}, {held})"

    def _bare(self) -> str:
        """An item with only what must be given."""
        arguments = [
            f"{names.attribute(each.name)}={source(each.type, value)}"
            for each in given(self.entity)
            for value in [base(self.entity)[each.name]]
            if not (each.filled or each.optional or each.default is not None)
        ]
        return f"{names.class_name(self.entity.name)}({', '.join(arguments)})"

    # --- changes ----------------------------------------------------------------------------------

    def _changes(self) -> Iterator[Change]:
        for name in self.writes.changeable:
            attribute = self.entity.attribute(name)
            yield from ({name: value} for value in self._others(attribute))
            if attribute.optional:
                yield {name: None}

    def _others(self, attribute: Attribute) -> Iterator[object]:
        """A few other values, and those that change something derived which the few do not."""
        plain_values = base(self.entity)
        number, seen = 0, set[str]()
        for value in pool(attribute):
            values = changed(plain_values, attribute.name, value)
            if value == plain_values[attribute.name] or not self._storable(values):
                continue
            number += 1
            turned = set(self._turned(values))
            if number <= _CHANGES or turned - seen:
                seen |= turned
                yield value

    def _turned(self, values: Values) -> Iterator[str]:
        """What is stored otherwise than of the plain item."""
        before = stored_item(self.schema, self.entity, base(self.entity))
        after = stored_item(self.schema, self.entity, values)
        for name in {**before, **after}:
            if before.get(name) != after.get(name):
                yield name

    def _storable(self, values: Values) -> bool:
        """Whether an item with these values can be stored beside the sample with another key."""
        found = Collection(self.schema)
        found.add(self.samples[-1])
        return found.add(Specimen(self.entity, values), keep=values)

    def _stale(self) -> Iterator[tuple[Change, Change]]:
        """What someone else changes, and what a copy from before must then not change."""
        first = {next(iter(change)): change for change in reversed(self.changes)}
        if self.entity.version is not None:
            ordered = [first[name] for name in self.writes.changeable if name in first]
            if ordered:
                yield ordered[0], ordered[-1]
            return
        for derived in self.writes.derived:
            found = dict.fromkeys(self._inputs(derived.inputs))
            inputs = [name for name in found if name in first]
            for one, other in pairwise(inputs):
                yield first[one], first[other]

    def _inputs(self, direct: Sequence[str]) -> Iterator[str]:
        for name in direct:
            computed = self.entity.attribute(name).computed
            yield from (name,) if computed is None else template_inputs(computed)

    def _change(self, change: Change) -> str:
        pairs = [
            f"{text(names.attribute(name))}: {source(self.entity.attribute(name).type, value)}"
            for name, value in change.items()
        ]
        return f"{{{', '.join(pairs)}}}"

    def _free(self) -> tuple[Attribute, samples.Series] | None:
        """An attribute of the table's key that has any number of values, each with a key of its own."""
        key = key_inputs(self.entity, self.schema.table(self.entity.table).key)
        for name in reversed(key):
            attribute = self.entity.attribute(name)
            series = samples.series(attribute.type, stem(attribute))
            if series is None or attribute.optional:
                continue
            found = Collection(self.schema)
            for n in (_FIRST, _FIRST + 1):
                values = changed(self.samples[0].values, name, series.value(n))
                found.add(Specimen(self.entity, values), keep=values)
            if len(found.specimens) > 1:
                return attribute, series
        return None
