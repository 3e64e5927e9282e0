"""Items that want the unique values of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dyngen.design.markers import marker_scope
from dyngen.design.model import Entity, Schema, UniqueKey
from dyngen.keys.encoding import encoder
from dyngen.keys.model import Encoding, Part
from dyngen.python import names
from dyngen.python.literals import strings, text
from dyngen.python.suite.nested import Values
from dyngen.python.suite.reads import sample_call
from dyngen.python.suite.sources import plain, source
from dyngen.python.suite.specimens import (
    Collection,
    Specimen,
    changed,
    given,
    key_inputs,
    sources_of,
    unlike,
)
from dyngen.python.suite.stored import Form, stored_item, with_computed
from dyngen.python.suite.uniques import marking_values, unique_values
from dyngen.types.model import String


@dataclass(frozen=True, slots=True)
class ContestSource:
    """The expression of a contest, and what `update` can do in it.

    Attributes:
        source: the expression.
        changing: whether it can change the values.
        leaving: whether it can remove them.
    """

    source: str
    changing: bool
    leaving: bool


@dataclass(frozen=True, slots=True)
class Rivals:
    """Makes items of one entity that want each other's unique values."""

    schema: Schema
    entity: Entity

    def rival(
        self, unique: UniqueKey, wanted: Values, others: Sequence[Values] = ()
    ) -> dict[str, object] | None:
        """An item with these unique values of `wanted`, and a key that none of the others has.

        Nothing else of it is unique and taken. None where there is no such item.
        """
        shared = self._sources(unique)
        renewed = [self._free(each, shared) for each in self.entity.unique]
        renewed.append(next((n for n in reversed(self._key) if n not in shared), None))
        values = dict(wanted)
        for name in filter(None, renewed):
            values = changed(values, name, self.other(name, [wanted, *others]))
        alike = [u for u in self.entity.unique if self.alike(u, values, wanted)]
        return values if alike == [unique] and self._possible(values, wanted) else None

    def rivals(
        self, wanted: Values, others: Sequence[Values], before: Values | None = None
    ) -> Iterator[str]:
        """The expressions of items that have unique values of `wanted`, with the names of these.

        Only values that are new count, where the item was another one `before`.
        """
        for unique in self.entity.unique:
            if before is None or not self.alike(unique, wanted, before):
                rival = self.rival(unique, wanted, others)
                if rival is not None:
                    yield f"({strings(unique.attributes)}, {self._call(rival)})"

    def alike(self, unique: UniqueKey, one: Values, other: Values) -> bool:
        """Whether two items have the same unique values."""
        found, theirs = (
            unique_values(self.schema, self.entity, unique, each)
            for each in (one, other)
        )
        return bool(found) and found == theirs

    def other(self, name: str, items: Sequence[Values]) -> object:
        """A value of an attribute that none of the items has; None where there are not that many."""
        theirs = [item.get(name) for item in items]
        values = unlike(self.entity.attribute(name))
        return next((each for each in values if each not in theirs), None)

    def _possible(self, values: Values, beside: Values) -> bool:
        """Whether an item with these values can be stored, with another key than that beside it."""
        required = {each.name for each in given(self.entity) if not each.optional}
        if not required <= values.keys():
            return False
        table = self.schema.table(self.entity.table)
        one, other = (
            stored_item(self.schema, self.entity, each) for each in (values, beside)
        )
        return any(one[key.name] != other[key.name] for key in table.key.all)

    @property
    def _key(self) -> tuple[str, ...]:
        return key_inputs(self.entity, self.schema.table(self.entity.table).key)

    def _sources(self, unique: UniqueKey) -> tuple[str, ...]:
        """The attributes that decide unique values."""
        fields = marker_scope(self.schema, self.entity, unique)
        return tuple(s for name in fields for s in sources_of(self.entity, name))

    def _free(self, unique: UniqueKey, taken: Sequence[str] = ()) -> str | None:
        """The last of them that is not part of the key, nor taken."""
        names_ = reversed(self._sources(unique))
        return next((n for n in names_ if n not in self._key and n not in taken), None)

    # --- expressions --------------------------------------------------------------------------------

    def contests(
        self, first: Values, changeable: Sequence[str]
    ) -> Iterator[ContestSource]:
        """The contests about the unique values of an item."""
        for unique in self.entity.unique:
            rival = self.rival(unique, first)
            if rival is not None:
                changes = dict(self._changes(unique, [first, rival], changeable))
                arguments = [
                    strings(unique.attributes),
                    self._marker(unique, first),
                    self._call(self._unfolded(unique, rival)),
                    *self._apart(unique, first, rival),
                    *(f"{name}={display}" for name, display in changes.items()),
                ]
                yield ContestSource(
                    f"Contest({', '.join(arguments)})",
                    changing="fresh" in changes,
                    leaving="absent" in changes,
                )

    def _call(self, values: Values) -> str:
        """The expression of an item."""
        return sample_call(Specimen(self.entity, values))

    def _marker(self, unique: UniqueKey, values: Values) -> str:
        """The marker's table and stored form, as a tuple."""
        if unique.marker is not None:
            marker = self.schema.entity(unique.marker)
            common = marking_values(self.schema, marker.name, values)
            stored = dict(stored_item(self.schema, marker, common))
            return f"({text(marker.table)}, {plain(stored)})"
        table = self.schema.table(self.entity.table)
        found = self._marker_text(unique, with_computed(self.entity, values))
        bare: dict[str, Form] = {key.name: {"S": found} for key in table.key.all}
        return f"({text(table.name)}, {plain(bare)})"

    def _marker_text(self, unique: UniqueKey, values: Values) -> str:
        parts = [
            encoder(Part(name, self.entity.attribute(name).type), Encoding()).text(
                values[name]
            )
            for name in marker_scope(self.schema, self.entity, unique)
        ]
        return "#".join((f"${self.entity.name}", ",".join(unique.attributes), *parts))

    def _unfolded(self, unique: UniqueKey, values: Values) -> Values:
        """The values, those that are folded in the other case."""
        found = dict(values)
        for name in self._sources(unique):
            of, value = self.entity.attribute(name).type, values[name]
            if isinstance(of, String) and of.fold and isinstance(value, str):
                found[name] = value.swapcase()
        return found

    def _changes(
        self, unique: UniqueKey, items: Sequence[Values], changeable: Sequence[str]
    ) -> Iterator[tuple[str, str]]:
        """What `update` can do to the values of an item: displays of changes, by what they are for."""
        name = self._free(unique)
        if name is None or name not in changeable:
            return
        fresh = self.other(name, items)
        if fresh is not None:
            taken = self._unfolded(unique, items[0])[name]
            yield "given", self._display(name, taken)
            yield "fresh", self._display(name, fresh)
        if self.entity.attribute(name).optional:
            yield "absent", self._display(name, None)

    def _apart(self, unique: UniqueKey, first: Values, rival: Values) -> Iterator[str]:
        """Items that have all but one of the values."""
        fields = marker_scope(self.schema, self.entity, unique)
        if len(fields) == 1:
            return
        found = Collection(self.schema)
        found.add(Specimen(self.entity, first))
        for name in self._sources(unique):
            values = changed(rival, name, self.other(name, [first]))
            found.add(Specimen(self.entity, values), keep=fields)
        calls = [sample_call(each) for each in found.specimens[1:]]
        yield f"apart=[{', '.join(calls)}]"

    def _display(self, name: str, value: object) -> str:
        written = source(self.entity.attribute(name).type, value)
        return f"{{{text(names.attribute(name))}: {written}}}"
