"""Proofs that batches write and read everything, and that sequences of writes keep keys true."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from . import draws
from .store import Store
from .writes import WriteProof


class BatchGetProof(WriteProof):
    """`batch_get`.

    Attributes:
        batch_key: what `batch_get` takes for an item.
    """

    batch_key: ClassVar[Callable[..., Any]]

    def test_batch_get_keeps_the_order_asked(self, store: Store) -> None:
        """None for what is missing; a key asked for twice comes twice."""
        item, other = store.add(self.item, self.other)
        asked = [other, self.samples[1].item, item, other]

        found = self.repository(store).batch_get(
            [self.batch_key(each) for each in asked]
        )

        assert found == [other, None, item, other]

    def test_batch_get_asks_again_for_what_was_not_read(self, store: Store) -> None:
        """The engine leaves the first request unprocessed."""
        (item,) = store.add(self.item)
        store.tables.engine.faults.unprocessed = 1

        assert self.repository(store).batch_get([self.batch_key(item)]) == [item]


class BatchWriteProof(BatchGetProof):
    """`batch_write`.

    Attributes:
        many: more items than one request takes, all with their own keys.
    """

    many: ClassVar[Sequence[Any]]

    def test_batch_write_stores_every_item_with_its_keys(self, store: Store) -> None:
        """More than the 25 of one request."""
        repository = self.repository(store)

        repository.batch_write(put=self.many)

        found = repository.batch_get([self.batch_key(item) for item in self.many])
        assert found == [
            self.as_written(item, each)
            for item, each in zip(self.many, found, strict=True)
        ]
        store.assert_holds(*found)

    def test_batch_write_deletes(self, store: Store) -> None:
        """Only what it is told to."""
        item, other = store.add(self.item, self.other)

        self.repository(store).batch_write(delete=[self.batch_key(item)])

        store.assert_holds(other)

    def test_batch_write_writes_again_what_was_not_written(self, store: Store) -> None:
        """The engine leaves the first two requests unprocessed."""
        store.tables.engine.faults.unprocessed = 2
        repository = self.repository(store)

        repository.batch_write(put=self.many)

        found = repository.batch_get([self.batch_key(item) for item in self.many])
        store.assert_holds(*found)

    def test_batch_write_of_two_items_with_one_key_stores_the_later(
        self, store: Store
    ) -> None:
        """DynamoDB refuses a batch that names a key twice, so that is settled before."""
        repository = self.repository(store)

        repository.batch_write(put=[self.other, self.item, self.other])

        found = repository.batch_get(
            [self.batch_key(each) for each in (self.item, self.other)]
        )
        store.assert_holds(*found)


class SequenceProof(WriteProof):
    """Any sequence of writes leaves what the same sequence leaves in a dictionary."""

    @draws.PROFILE
    @given(data=st.data())
    def test_any_sequence_of_writes_keeps_keys_true(
        self, store: Store, data: DataObject
    ) -> None:
        """Random writes, checked against the model after each of them."""
        store.clear()
        pool = draws.neighbours(data, self.kind.random, unique=self.kind.unique_fields)
        model: dict[Any, Any] = {}
        possible = [name for name in _STEPS if name in self.kind.operations]
        for _ in range(data.draw(st.integers(1, 6))):
            step = data.draw(st.sampled_from(possible))
            _STEPS[step](self, store, data, model, data.draw(st.sampled_from(pool)))
            store.assert_holds(*model.values())

    def identity(self, item: Any) -> Any:
        """What tells items apart."""
        return tuple(self.kind.key(item).values())

    @contextmanager
    def unless_taken(
        self, store: Store, item: Any, others: Iterable[Any]
    ) -> Iterator[None]:
        """Expect that a write of `item` is refused, if others have its unique values."""
        taken = self.kind.taken(item, others)
        if taken is None:
            yield
            return
        with pytest.raises(store.suite.errors.UniqueTaken) as refused:
            yield
        assert refused.value.attributes == taken.attributes

    def create(
        self, store: Store, data: DataObject, model: dict[Any, Any], item: Any
    ) -> None:
        """Create an item, or be refused because it exists, or another has its unique values."""
        key = self.identity(item)
        if key in model:
            with pytest.raises(store.suite.errors.ItemExists) as refused:
                self.repository(store).create(item)
            assert refused.value.current == model[key]
            return
        with self.unless_taken(store, item, model.values()):
            model[key] = self.repository(store).create(item)

    def put(
        self, store: Store, data: DataObject, model: dict[Any, Any], item: Any
    ) -> None:
        """Put an item, whether or not there is one."""
        model[self.identity(item)] = self.repository(store).put(item)

    def update(
        self, store: Store, data: DataObject, model: dict[Any, Any], item: Any
    ) -> None:
        """Give a stored item some attributes of another."""
        if not model or not self.kind.changeable:
            return
        key = data.draw(st.sampled_from(list(model)))
        names = data.draw(st.sets(st.sampled_from(self.kind.changeable), min_size=1))
        changes = {name: getattr(item, name) for name in sorted(names)}
        others = [each for other, each in model.items() if other != key]
        changed = dataclasses.replace(model[key], **changes)
        with self.unless_taken(store, changed, others):
            model[key] = self.repository(store).update(model[key], **changes)

    def delete(
        self, store: Store, data: DataObject, model: dict[Any, Any], item: Any
    ) -> None:
        """Delete a stored item."""
        if not model:
            return
        gone = model.pop(data.draw(st.sampled_from(list(model))))
        repository = self.repository(store)
        if self.kind.deletes_items:
            assert repository.delete(gone) == gone
        else:
            assert repository.delete(**self.kind.key(gone)) == gone


_Step = Callable[[SequenceProof, Store, DataObject, dict[Any, Any], Any], None]

_STEPS: Mapping[str, _Step] = {
    "create": SequenceProof.create,
    "put": SequenceProof.put,
    "update": SequenceProof.update,
    "delete": SequenceProof.delete,
}
