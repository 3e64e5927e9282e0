"""One history: the tables, the model, and two writers with what they have read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from . import draws
from .effects import Effect, Place, place_of
from .model import Model
from .outcomes import Judge, attempt
from .proofs import ReadProof
from .store import Kind, Store

Fault = Mapping[str, int]

_NEVER = 99
_FAULTS: Mapping[str, Fault] = {
    "nothing": {},
    "a lost response": {"lost": 1},
    "throttling": {"throttled": 2},
    "a conflict": {"conflicts": 2},
    "conflicts without end": {"conflicts": _NEVER},
    "unprocessed items": {"unprocessed": 2},
    "half a batch unprocessed": {"halved": 1},
    "items that stay unprocessed": {"unprocessed": _NEVER},
}
"""What may go wrong, and the counts of `Faults`."""

Faulty = Sequence[str]
NOTHING: Faulty = ()
OF_ONE: Faulty = ("a lost response", "throttling")
OF_SEVERAL: Faulty = (*OF_ONE, "a conflict", "conflicts without end")
OF_BATCHES: Faulty = (
    *OF_ONE,
    "unprocessed items",
    "half a batch unprocessed",
    "items that stay unprocessed",
)
"""What may go wrong with a write of one item, with a transaction, and with batches."""

_POOL = 3  # items of an entity that calls are about


@dataclasses.dataclass(slots=True)
class Writer:
    """Someone who writes through a service object, and the items as they last saw them."""

    db: Any
    copies: dict[Place, Any] = dataclasses.field(default_factory=dict)

    def sees(self, place: Place, item: Any) -> None:
        """Take over what is stored there."""
        if item is None:
            self.copies.pop(place, None)
        else:
            self.copies[place] = item


class History:
    """Draws calls about the items of one entity, makes them, and settles their outcome."""

    def __init__(self, store: Store, data: DataObject, kind: Kind) -> None:
        self.store = store
        self.data = data
        self.kind = kind
        self.model = Model()
        self.judge = Judge(store, self.model)
        self._pools: dict[type[Any], list[Any]] = {}
        self._writers = [Writer(store.db), Writer(self._another_service())]

    def _another_service(self) -> Any:
        tables = self.store.tables
        return self.store.suite.service(tables.engine.client, tables.prefix)

    # --- drawing ----------------------------------------------------------------------------------

    def writer(self) -> Writer:
        """One of the two."""
        return self._writers[self.data.draw(st.integers(0, 1))]

    def other(self, writer: Writer) -> Writer:
        """The other one."""
        return next(each for each in self._writers if each is not writer)

    def chance(self) -> bool:
        """Yes or no."""
        return not self.data.draw(st.booleans())

    def pool(self, kind: Kind) -> list[Any]:
        """A few items of an entity that are alike, drawn once."""
        if kind.type not in self._pools:
            self._pools[kind.type] = draws.neighbours(
                self.data, kind.drawn, _POOL, kind.unique_fields
            )
        return self._pools[kind.type]

    def item(self, kind: Kind) -> Any:
        """One of the pool."""
        return self.data.draw(st.sampled_from(self.pool(kind)))

    def target(self, kind: Kind) -> Any:
        """A stored item of the entity, if there is one; else one of the pool."""
        return self.data.draw(st.sampled_from(self.model.of(kind) or self.pool(kind)))

    def stored_item(self, kind: Kind) -> Any:
        """A stored item of the entity; one is stored if there is none."""
        if not self.model.of(kind):
            self.seed(kind, self.item(kind))
        return self.target(kind)

    # --- writing ----------------------------------------------------------------------------------

    def write(
        self,
        writer: Writer,
        effects: Sequence[Effect],
        call: Callable[[], Any],
        *,
        stale: Any = None,
        raced: bool = False,
        silent: bool = False,
        faults: Faulty = OF_ONE,
    ) -> None:
        """Make a call with these effects, and hold its outcome against the model (`Judge.settle`)."""
        if faults is OF_ONE and effects[0].kind.unique:
            faults = OF_SEVERAL
        often_nothing = ("nothing",) * (len(faults) // 2 + 1)
        name = self.data.draw(st.sampled_from((*often_nothing, *faults)))
        note(f"what goes wrong: {name}")
        expected = self.model.expected(effects)
        found = attempt(self.store, call, _FAULTS[name])
        note(f"{found.returned!r}, {found.error!r}")
        self.judge.settle(
            effects, expected, found, stale=stale, raced=raced, silent=silent
        )
        for place in (*(each.place for each in effects), *expected.changes):
            writer.sees(place, self.model.stored.get(place))

    def seed(self, kind: Kind, item: Any) -> None:
        """Store an item, by whatever operation the repository has, or past it."""
        repository = kind.repository(self.store.db)
        there = place_of(kind, item) in self.model.stored
        writer = self._writers[0]
        if "put" in kind.operations:
            effect = Effect.storing(kind, item)
            self.write(writer, [effect], lambda: repository.put(item), faults=NOTHING)
        elif "create" in kind.operations:
            effect = Effect.creating(kind, item)
            self.write(
                writer, [effect], lambda: repository.create(item), faults=NOTHING
            )
        elif not there:
            item = kind.with_version(item, "a seed")
            for added in self.store.add(item):
                self.model.stored[place_of(kind, added)] = added

    def possible(self, effects: Sequence[Effect], *, reads_first: bool) -> bool:
        """Whether items can have the keys that a call says, and those that follow from it."""
        for effect in effects:
            kind, current = effect.kind, self.model.stored.get(effect.place)
            if current is None and reads_first and None not in effect.key.values():
                continue  # it finds nothing, and that is all that it says
            if None in effect.key.values():
                like = effect.moved(self.item(kind))
            else:
                like = current or next(iter(self._pools.get(kind.type, ())), None)
            items = [effect.made, like]
            if like is not None and effect.holds(like):
                items.append(effect.result(like))
            if not all(self._can_have_keys(kind, each) for each in items):
                return False
        return True

    def _can_have_keys(self, kind: Kind, item: Any) -> bool:
        if item is not None:
            try:
                kind.encode(kind.with_version(item, "a token"))
            except self.store.suite.errors.KeyValueError:
                return False
            except self.store.suite.errors.InvalidValue:
                return True  # a number out of its bounds, which is refused by a guard
        return True

    def prepare(self, effects: Sequence[Effect], targets: Sequence[Any]) -> None:
        """Store what the effects need to be there."""
        for effect in effects:
            current = self.model.stored.get(effect.place)
            ready = (
                effect.made is not None if current is None else effect.holds(current)
            )
            if not ready:
                self._prepare(effect, targets)

    def _prepare(self, effect: Effect, targets: Sequence[Any]) -> None:
        for like in self._candidates(effect.kind, targets):
            item = effect.moved(like)
            if place_of(effect.kind, item) == effect.place and effect.holds(item):
                self.seed(effect.kind, item)
                return

    def _candidates(self, kind: Kind, targets: Sequence[Any]) -> Iterator[Any]:
        yield from (each for each in targets if isinstance(each, kind.type))
        yield from self.pool(kind)
        yield self.data.draw(kind.drawn)

    # --- reading ----------------------------------------------------------------------------------

    def items(self) -> list[Any]:
        """Everything that can be read: the items, and those that mark their unique values."""
        items = list(self.model.stored.values())
        markers = [
            marker.item
            for item in items
            for marker in self.store.suite.kind(item).markers(item)
        ]
        return [*items, *(each for each in markers if each is not None)]

    def read(self, proof: ReadProof) -> None:
        """Call a read with parameters that may find something; it answers as the model does."""
        items = self.items()
        known = proof.mine(items) or self.pool(proof.kinds[0])
        sample = self.data.draw(st.sampled_from(list(proof.calls))).parameters
        parameters = draws.parameters(self.data, sample, proof.sources, known)
        note(f"{type(proof).__name__} with {parameters!r}")
        proof.assert_answers(self.writer().db, self.store.suite, items, parameters)
