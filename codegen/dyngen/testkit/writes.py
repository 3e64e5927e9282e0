"""Proofs that writes keep every key true, and leave everything else alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from .charges import Estimate, charged
from .store import Kind, Store
from .tables import canonical

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
        estimates: what the repository's own methods write, by their names.
    """

    kind: ClassVar[Kind]
    samples: ClassVar[Sequence[Sample]]
    estimates: ClassVar[Mapping[str, Estimate]]

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
            return canonical(stored)
        field, name = self.kind.version
        return {**canonical(stored), name: {"S": getattr(item, field)}}

    def as_written(self, item: Any, written: Any) -> Any:
        """The item, with what every write sets: the time, and the version that was written."""
        always = {**self.kind.clocked, **self.kind.version_of(written)}
        return dataclasses.replace(item, **always)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each sample, and for each change."""
        if "sample" in metafunc.fixturenames:
            metafunc.parametrize("sample", self.samples, ids=lambda _: "item")
        if "change" in metafunc.fixturenames:
            changes: Sequence[Changes] = getattr(self, "changes", ())
            elsewhere: Sequence[tuple[int, Changes]] = getattr(self, "elsewhere", ())
            cases = [(0, change) for change in changes] + [*elsewhere]
            metafunc.parametrize(
                ("start", "change"),
                [(self.samples[number].item, change) for number, change in cases],
                ids=["-".join(change) for _, change in cases],
            )


class StoredFormProof(WriteProof):
    """The form in which items are stored, of an entity that patterns alone write."""

    def test_items_have_the_stored_form(self, sample: Sample) -> None:
        """Attribute by attribute, key by key."""
        assert canonical(self.kind.encode(sample.item)) == canonical(sample.stored)


class CreateProof(WriteProof):
    """`create`."""

    bare: ClassVar[Any]
    """An item with nothing that the repository can fill in."""

    def test_create_stores_the_item_with_its_keys(
        self, store: Store, sample: Sample
    ) -> None:
        """The stored form, key by key, and the indexes that hold it; for the least units."""
        with charged(store, self.estimates["create"]):
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


class GetByKeyProof(WriteProof):
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
        """The stored form, key by key, and the indexes that hold it; for the least units."""
        with charged(store, self.estimates["put"]):
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
            with charged(store, self.estimates["put"]):
                put = self.repository(store).put(dataclasses.replace(first, **changed))

            store.assert_holds(put, other)


class UpdateProof(WriteProof):
    """`update`.

    Attributes:
        changes: changes of the first sample, each with its effect on the indexes.
        elsewhere: changes of other samples, by their numbers, which change keys that the first lacks.
    """

    changes: ClassVar[Sequence[Changes]]
    elsewhere: ClassVar[Sequence[tuple[int, Changes]]] = ()

    def test_update_keeps_keys_true(
        self, store: Store, start: Any, change: Changes
    ) -> None:
        """The item is as if it had been stored anew, in every index; others are left alone.

        What is written are the item and the entries that change, and no more.
        """
        before, other = store.add(start, self.other)

        with charged(store, self.estimates["update"]):
            after = self.repository(store).update(before, **change)

        assert after == self.as_written(dataclasses.replace(before, **change), after)
        store.assert_holds(after, other)

    def test_update_can_be_undone(
        self, store: Store, start: Any, change: Changes
    ) -> None:
        """Back to the values before, also out of or into a sparse index again."""
        before, other = store.add(start, self.other)
        after = self.repository(store).update(before, **change)

        again = self.repository(store).update(
            after, **{name: getattr(before, name) for name in change}
        )

        assert again == self.as_written(before, again)
        store.assert_holds(again, other)

    def test_update_leaves_alone_what_it_does_not_know(self, store: Store) -> None:
        """An attribute that a later version of the program has stored."""
        (before,) = store.add(self.item)
        unknown = {"unknown": {"S": "as it was"}}
        store.tables.put(self.kind.table, {**self.kind.encode(before), **unknown})

        after = self.repository(store).update(before, **self.changes[0])

        assert store.raw(after) == canonical({**self.kind.encode(after), **unknown})

    def test_update_of_an_item_that_is_gone_writes_nothing(self, store: Store) -> None:
        """An update never brings an item back."""
        (before,) = store.add(self.item)
        store.tables.empty()

        with pytest.raises(store.suite.errors.StaleItem) as refused:
            self.repository(store).update(before, **self.changes[0])

        assert refused.value.current is None
        store.assert_holds()


class StaleUpdateProof(UpdateProof):
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


class VersionedUpdateProof(StaleUpdateProof):
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
        """Another item is left alone; the least units are spent."""
        item, other = store.add(self.item, self.other)

        with charged(store, self.estimates["delete"]):
            assert self.repository(store).delete(**self.kind.key(item)) == item

        store.assert_holds(other)

    def test_delete_of_nothing_returns_none(self, store: Store) -> None:
        """No error: the item is not there, which is what was wanted."""
        (other,) = store.add(self.other)

        assert self.repository(store).delete(**self.kind.key(self.item)) is None

        store.assert_holds(other)


class ItemDeleteProof(WriteProof):
    """`delete` of an item that was read before."""

    def test_delete_survives_a_lost_response(self, store: Store) -> None:
        """The item was deleted, and the retry finds nothing: no error."""
        (item,) = store.add(self.item)
        store.tables.engine.faults.lost = 1

        self.repository(store).delete(item)

        store.assert_holds()

    def test_delete_removes_the_item_from_every_index(self, store: Store) -> None:
        """Another item is left alone; the least units are spent."""
        item, other = store.add(self.item, self.other)

        with charged(store, self.estimates["delete"]):
            assert self.repository(store).delete(item) == item

        store.assert_holds(other)


class VersionedDeleteProof(ItemDeleteProof):
    """`delete` of an item with a version token."""

    def test_delete_of_an_item_that_has_changed_is_refused(self, store: Store) -> None:
        """Another version is stored, and stays."""
        (copy,) = store.add(self.item)
        version = self.kind.version_of(copy)
        other = dataclasses.replace(copy, **dict.fromkeys(version, "another"))
        store.tables.put(self.kind.table, self.kind.encode(other))

        with pytest.raises(store.suite.errors.StaleItem) as refused:
            self.repository(store).delete(copy)

        assert refused.value.current == other
        store.assert_holds(other)
