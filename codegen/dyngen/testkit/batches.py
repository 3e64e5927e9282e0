"""Proofs that batches write and read everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from .charges import charged
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
        """More than the 25 of one request, each written once."""
        repository = self.repository(store)

        with charged(store):
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

        with charged(store):
            self.repository(store).batch_write(delete=[self.batch_key(item)])

        store.assert_holds(other)

    def test_batch_write_writes_again_what_was_not_written(self, store: Store) -> None:
        """The engine leaves the first two requests unprocessed."""
        store.tables.engine.faults.unprocessed = 2
        repository = self.repository(store)

        repository.batch_write(put=self.many)

        found = repository.batch_get([self.batch_key(item) for item in self.many])
        store.assert_holds(*found)

    def test_batch_write_writes_nothing_twice(self, store: Store) -> None:
        """The engine leaves half of the first request unprocessed, and that half alone is sent again."""
        store.tables.engine.faults.halved = 1
        recorder = store.watch()

        self.repository(store).batch_write(put=self.many)

        asked = [_entries(each.params["RequestItems"]) for each in recorder.requests]
        left = [
            _entries(each.response["UnprocessedItems"]) for each in recorder.requests
        ]
        assert sum(left) > 0
        assert sum(asked) - sum(left) == len(self.many)

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


def _entries(batch: Mapping[str, Sequence[Any]]) -> int:
    """How many items a batch is about."""
    return sum(map(len, batch.values()))
