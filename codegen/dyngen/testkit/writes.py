"""Proofs that writes keep every key true, and leave everything else alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from . import draws
from .store import Kind, Store

Changes = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """An item, the form in which it must be stored, and the indexes that must hold it.

    `stored` leaves out the version token, which is another one each time.
    """

    item: Any
    stored: Mapping[str, Any]
    indexes: frozenset[str]


class WriteProof:
    """What the proofs of all writes of one entity have in common.

    Attributes:
        kind: the entity.
        samples: its sample items. The first stands for all where one is enough; the last has
            another key.
    """

    kind: ClassVar[Kind]
    samples: ClassVar[Sequence[Sample]]

    @property
    def item(self) -> Any:
        """A sample item."""
        return self.samples[0].item

    @property
    def other(self) -> Any:
        """A sample item with another key."""
        return self.samples[-1].item

    def repository(self, store: Store) -> Any:
        """The entity's repository."""
        return self.kind.repository(store.db)

    def versioned(self, stored: Mapping[str, Any], item: Any) -> dict[str, Any]:
        """A sample's stored form, with the version token that the item was given."""
        if self.kind.version is None:
            return dict(stored)
        field, name = self.kind.version
        return {**stored, name: {"S": getattr(item, field)}}

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each sample, and for each change."""
        if "sample" in metafunc.fixturenames:
            metafunc.parametrize("sample", self.samples, ids=lambda _: "item")
        if "change" in metafunc.fixturenames:
            changes: Sequence[Changes] = getattr(self, "changes", ())
            metafunc.parametrize("change", changes, ids="-".join)


class CreateProof(WriteProof):
    """`create`."""

    bare: ClassVar[Any]
    """An item with nothing that the repository can fill in."""

    def test_create_stores_the_item_with_its_keys(
        self, store: Store, sample: Sample
    ) -> None:
        """The stored form, key by key, and the indexes that hold it."""
        created = self.repository(store).create(sample.item)

        assert store.raw(created) == self.versioned(sample.stored, created)
        assert store.tables.indexes_of(self.kind.table, sample.stored) == sample.indexes

    def test_create_returns_what_is_stored(self, store: Store, sample: Sample) -> None:
        """A fresh encoding of what `create` returns is what it stored."""
        created = self.repository(store).create(sample.item)

        store.assert_holds(created)

    def test_create_fills_in_what_is_left_out(self, store: Store) -> None:
        """Defaults, generated values, times and version tokens."""
        created = self.repository(store).create(self.bare)

        assert "UNSET" not in repr(created)
        store.assert_holds(created)

    def test_create_refuses_an_item_that_exists(self, store: Store) -> None:
        """Nothing is written, and the error holds the stored item."""
        created = self.repository(store).create(self.item)
        before = store.contents()

        with pytest.raises(store.suite.errors.ItemExists) as refused:
            self.repository(store).create(self.item)

        assert refused.value.current == created
        assert store.contents() == before


class VersionedCreateProof(CreateProof):
    """`create` of an entity with a version token."""

    def test_create_survives_a_lost_response(self, store: Store) -> None:
        """The item was stored, and the retry finds its own token: no error."""
        store.tables.engine.faults.lost = 1

        created = self.repository(store).create(self.item)

        store.assert_holds(created)


class GetProof(WriteProof):
    """`get`."""

    def test_get_returns_the_item_with_the_key(
        self, store: Store, sample: Sample
    ) -> None:
        """Of several items the one asked for, as it was stored."""
        store.add(*[each.item for each in self.samples if each is not sample])
        (created,) = store.add(sample.item)

        assert self.repository(store).get(**self.kind.key(created)) == created

    def test_get_returns_none_where_there_is_none(self, store: Store) -> None:
        """Another item is stored."""
        store.add(self.other)

        assert self.repository(store).get(**self.kind.key(self.item)) is None


class PutProof(WriteProof):
    """`put`."""

    def test_put_stores_the_item_with_its_keys(
        self, store: Store, sample: Sample
    ) -> None:
        """The stored form, key by key, and the indexes that hold it."""
        put = self.repository(store).put(sample.item)

        assert store.raw(put) == self.versioned(sample.stored, put)
        assert store.tables.indexes_of(self.kind.table, sample.stored) == sample.indexes

    def test_put_replaces_the_item_with_the_same_key(self, store: Store) -> None:
        """Nothing of the old item stays, in no index; another item is left alone."""
        first, other = store.add(self.item, self.other)
        for sample in self.samples[1:-1]:
            changed = {
                name: getattr(sample.item, name) for name in self.kind.changeable
            }
            put = self.repository(store).put(dataclasses.replace(first, **changed))

            store.assert_holds(put, other)


class UpdateProof(WriteProof):
    """`update`.

    Attributes:
        changes: changes of the first sample, each with its effect on the indexes.
    """

    changes: ClassVar[Sequence[Changes]]

    def test_update_keeps_keys_true(self, store: Store, change: Changes) -> None:
        """The item is as if it had been stored anew, in every index; others are left alone."""
        before, other = store.add(self.item, self.other)

        after = self.repository(store).update(before, **change)

        assert after == dataclasses.replace(
            before, **change, **self.kind.version_of(after)
        )
        store.assert_holds(after, other)

    def test_update_can_be_undone(self, store: Store, change: Changes) -> None:
        """Back to the values before, also out of or into a sparse index again."""
        before, other = store.add(self.item, self.other)
        after = self.repository(store).update(before, **change)

        again = self.repository(store).update(
            after, **{name: getattr(before, name) for name in change}
        )

        assert again == dataclasses.replace(before, **self.kind.version_of(again))
        store.assert_holds(again, other)

    def test_update_of_an_item_that_is_gone_writes_nothing(self, store: Store) -> None:
        """An update never brings an item back."""
        (before,) = store.add(self.item)
        store.tables.empty()

        with pytest.raises(store.suite.errors.StaleItem) as refused:
            self.repository(store).update(before, **self.changes[0])

        assert refused.value.current is None
        store.assert_holds()


class StaleProof(UpdateProof):
    """`update` from a copy that is out of date.

    Attributes:
        stale: pairs of changes: what someone else does, and what must then be refused.
    """

    stale: ClassVar[Sequence[tuple[Changes, Changes]]]

    def test_update_of_a_stale_copy_writes_nothing(self, store: Store) -> None:
        """The error holds the item as it is; the stored one stays as it is."""
        for meanwhile, change in self.stale:
            store.clear()
            (copy,) = store.add(self.item)
            current = self.repository(store).update(copy, **meanwhile)

            with pytest.raises(store.suite.errors.StaleItem) as refused:
                self.repository(store).update(copy, **change)

            assert refused.value.current == current
            store.assert_holds(current)


class VersionedUpdateProof(StaleProof):
    """`update` of an entity with a version token."""

    def test_update_survives_a_lost_response(self, store: Store) -> None:
        """The item was written, and the retry finds its own token: no error."""
        (before,) = store.add(self.item)
        store.tables.engine.faults.lost = 1

        after = self.repository(store).update(before, **self.changes[0])

        store.assert_holds(after)

    def test_every_write_changes_the_version(self, store: Store) -> None:
        """No copy that was read before a write passes for the current one."""
        (before,) = store.add(self.item)

        after = self.repository(store).update(before, **self.changes[0])

        assert self.kind.version_of(after) != self.kind.version_of(before)


class DeleteProof(WriteProof):
    """`delete` by key."""

    def test_delete_returns_the_item_and_leaves_every_index(self, store: Store) -> None:
        """Another item is left alone."""
        item, other = store.add(self.item, self.other)

        assert self.repository(store).delete(**self.kind.key(item)) == item

        store.assert_holds(other)

    def test_delete_of_nothing_returns_none(self, store: Store) -> None:
        """No error: the item is not there, which is what was wanted."""
        (other,) = store.add(self.other)

        assert self.repository(store).delete(**self.kind.key(self.item)) is None

        store.assert_holds(other)


class VersionedDeleteProof(WriteProof):
    """`delete` of an item that was read before."""

    def test_delete_removes_the_item_from_every_index(self, store: Store) -> None:
        """Another item is left alone."""
        item, other = store.add(self.item, self.other)

        assert self.repository(store).delete(item) == item

        store.assert_holds(other)


class BatchGetProof(WriteProof):
    """`batch_get`.

    Attributes:
        batch_key: what `batch_get` takes for an item.
    """

    @staticmethod
    def batch_key(item: Any) -> Any:
        """What `batch_get` and `batch_write` take for an item."""
        raise NotImplementedError

    def test_batch_get_keeps_the_order_asked(self, store: Store) -> None:
        """None for what is missing; a key asked for twice comes twice."""
        item, other = store.add(self.item, self.other)
        gone = dataclasses.replace(self.samples[0].item, **self.elsewhere)
        asked = [other, gone, item, other]

        found = self.repository(store).batch_get(
            [self.batch_key(each) for each in asked]
        )

        assert found == [other, None, item, other]

    elsewhere: ClassVar[Changes]
    """Attributes that give the first sample a key that no sample has."""

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
        assert [self._bare(item) for item in found] == [
            self._bare(item) for item in self.many
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

    def _bare(self, item: Any) -> Any:
        return dataclasses.replace(item, **dict.fromkeys(self.kind.version_of(item)))


class SequenceProof(WriteProof):
    """Any sequence of writes leaves what the same sequence leaves in a dictionary."""

    @draws.PROFILE
    @given(data=st.data())
    def test_any_sequence_of_writes_keeps_keys_true(
        self, store: Store, data: DataObject
    ) -> None:
        """Random writes, checked against the model after each of them."""
        store.clear()
        pool = draws.neighbours(data, self.kind.random)
        model: dict[Any, Any] = {}
        possible = [name for name in _STEPS if name in self.kind.operations]
        for _ in range(data.draw(st.integers(1, 6))):
            step = data.draw(st.sampled_from(possible))
            _STEPS[step](self, store, data, model, data.draw(st.sampled_from(pool)))
            store.assert_holds(*model.values())

    def identity(self, item: Any) -> Any:
        """What tells items apart."""
        return tuple(self.kind.key(item).values())

    def create(
        self, store: Store, data: DataObject, model: dict[Any, Any], item: Any
    ) -> None:
        """Create an item, or be refused because it exists."""
        key = self.identity(item)
        if key not in model:
            model[key] = self.repository(store).create(item)
            return
        with pytest.raises(store.suite.errors.ItemExists) as refused:
            self.repository(store).create(item)
        assert refused.value.current == model[key]

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
        model[key] = self.repository(store).update(model[key], **changes)

    def delete(
        self, store: Store, data: DataObject, model: dict[Any, Any], item: Any
    ) -> None:
        """Delete a stored item."""
        if not model:
            return
        gone = model.pop(data.draw(st.sampled_from(list(model))))
        repository = self.repository(store)
        if self.kind.version is None:
            assert repository.delete(**self.kind.key(gone)) == gone
        else:
            assert repository.delete(gone) == gone


_Step = Callable[[SequenceProof, Store, DataObject, dict[Any, Any], Any], None]

_STEPS: Mapping[str, _Step] = {
    "create": SequenceProof.create,
    "put": SequenceProof.put,
    "update": SequenceProof.update,
    "delete": SequenceProof.delete,
}
