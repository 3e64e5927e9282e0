"""The test classes of writes: an entity's own operations, and its update patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from dyngen.design.contents import template_inputs
from dyngen.design.model import Attribute, Computed, Entity, Schema, Test
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
    failing,
    given,
    key_inputs,
    met,
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
        self.home = self._home()
        self.samples = self._samples()
        self.changes = list(self._changes())
        self.elsewhere = list(self._changes_elsewhere())
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
            elsewhere = [f"({n}, {self._change(each)})" for n, each in self.elsewhere]
            if elsewhere:
                yield f"elsewhere = [{', '.join(elsewhere)}]"
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
        """A plain item in most indexes, some that are nowhere plain, one with nothing optional, one
        with another key; and one for each way to a key that none of them takes."""
        found = Collection(self.schema)
        plain_values = base(self.entity)
        key = key_inputs(self.entity, self.schema.table(self.entity.table).key)
        optional = {each.name for each in given(self.entity) if each.optional}
        bare = {n: v for n, v in plain_values.items() if n not in optional or n in key}
        for values in (
            self.home,
            self._varied(2, self.home, held=len(self._held(self.home))),
            self._varied(-1, plain_values),
            self._elsewhere(bare, key),
        ):
            found.add(Specimen(self.entity, values))
        for way in self._ways():
            if all(failing(way, self.entity, e.values, {}) for e in found.specimens):
                values = met(self.entity, self._varied(2, plain_values), way, key)
                found.add(Specimen(self.entity, self._elsewhere(values, key)))
        found.add(Specimen(self.entity, self._elsewhere(plain_values, key)))
        return found.specimens

    def _home(self) -> Values:
        """The plain item, moved into as many indexes as can hold it at once."""
        values: Values = base(self.entity)
        for way in self._ways():
            attempt = met(self.entity, values, way)
            if len(self._held(attempt)) > len(self._held(values)):
                values = attempt
        return values

    def _ways(self) -> Iterator[tuple[Test, ...]]:
        """The conditions under which computed keys are made in one way or another."""
        for form in self.entity.keys.values():
            for case in form.cases if isinstance(form, Computed) else ():
                yield case.when

    def _held(self, values: Values) -> tuple[str, ...]:
        return holding_indexes(self.schema, self.entity, values)

    def _varied(
        self, number: int, plain_values: Values, held: int = 0
    ) -> dict[str, object]:
        """Every attribute with another of its sample values, as far as they can be stored.

        And as far as so many indexes still hold the item.
        """
        values = dict(plain_values)
        for attribute in given(self.entity):
            options = pool(attribute)
            option = options[number] if number < len(options) else options[-1]
            attempt = changed(values, attribute.name, option)
            storable = Collection(self.schema).add(Specimen(self.entity, attempt))
            if storable and len(self._held(attempt)) >= held:
                values = attempt
        return values

    def _elsewhere(self, values: Values, key: Sequence[str]) -> dict[str, object]:
        """The values with another key than any other sample has."""
        plain_key = Specimen(self.entity, self.home)
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
            if attribute.optional and name in self.home:
                yield {name: None}

    def _others(self, attribute: Attribute) -> Iterator[object]:
        """A few other values, and those that change something derived which the few do not."""
        plain_values = self.home
        number, seen = 0, set[str]()
        for value in pool(attribute):
            values = changed(plain_values, attribute.name, value)
            if value == plain_values.get(attribute.name) or not self._storable(values):
                continue
            number += 1
            turned = set(self._turned(values, self.home))
            if number <= _CHANGES or turned - seen:
                seen |= turned
                yield value

    def _changes_elsewhere(self) -> Iterator[tuple[int, Change]]:
        """Changes of further samples, which change computed keys as none of the first one does."""
        computed = {n for n, f in self.entity.keys.items() if isinstance(f, Computed)}
        seen = {
            (name, key)
            for change in self.changes
            for name, value in change.items()
            for key in self._turned(changed(self.home, name, value), self.home)
        }
        for number, sample in enumerate(self.samples[1:-1], start=1):
            for name in self.writes.changeable:
                attribute = self.entity.attribute(name)
                for value in (
                    *pool(attribute),
                    *((None,) if attribute.optional else ()),
                ):
                    values = changed(sample.values, name, value)
                    if not self._storable(values):
                        continue
                    keys = computed.intersection(self._turned(values, sample.values))
                    turned = {(name, key) for key in keys}
                    if turned - seen:
                        seen |= turned
                        yield number, {name: value}

    def _turned(self, values: Values, since: Values) -> Iterator[str]:
        """What is stored otherwise than it was."""
        before = stored_item(self.schema, self.entity, since)
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
            values = (
                changed(self.samples[0].values, name, series.value(n))
                for n in range(_FIRST, _FIRST + _MANY)
            )
            if all(
                found.add(Specimen(self.entity, each), keep=each) for each in values
            ):
                return attribute, series
        return None
