"""Proofs of reads that return one item or None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from . import draws
from .proofs import Call, Parameters, ReadProof
from .queries import assert_first
from .reads import By
from .store import Store, Suite


class SingleProof(ReadProof):
    """A read that returns an item or None."""

    def test_returns_none_where_nothing_matches(self, store: Store, call: Call) -> None:
        """Nothing is stored."""
        assert self.read(store.db, **call.parameters) is None


class GetProof(SingleProof):
    """A read of one item by its key."""

    def test_returns_the_item_with_this_key(self, seeded: Store, call: Call) -> None:
        """Of all the items stored, the one that matches; it alone is read."""
        (expected,) = self.views(seeded.items, call.parameters)
        recorder = seeded.watch()

        assert self.read(seeded.db, **call.parameters) == expected

        assert recorder.operations == ["GetItem"]
        self.assert_consistency(recorder)

    @draws.PROFILE
    @given(data=st.data())
    def test_agrees_with_the_oracle_on_random_items(
        self, store: Store, data: DataObject
    ) -> None:
        """Random items, and a key that some of them may have."""
        parameters = self.random(store, data)

        self.assert_answers(store.db, store.suite, store.items, parameters)

    def assert_answers(
        self, db: Any, suite: Suite, items: Sequence[Any], parameters: Parameters
    ) -> None:
        """The one that matches, or none."""
        expected = self.views(items, parameters)
        assert self.read(db, **parameters) == (expected[0] if expected else None)


class FirstProof(SingleProof):
    """The first of the items that match.

    Attributes:
        order: which of them is the first.
    """

    order: ClassVar[Sequence[By]]

    def test_returns_the_first_match(self, seeded: Store, call: Call) -> None:
        """The item that the order puts first; it alone is read."""
        recorder = seeded.watch()

        found = self.read(seeded.db, **call.parameters)

        assert_first(found, self.views(seeded.items, call.parameters), self.order)
        assert 1 <= recorder.count <= recorder.scanned
        if self.keyed is None:
            assert recorder.scanned == recorder.count <= call.streams
        self.assert_consistency(recorder)

    def test_returns_each_match_that_stands_alone(
        self, store: Store, call: Call
    ) -> None:
        """Wherever it is: in the first shard, in the last one, under any value that is asked for."""
        matching = self.expected(self.items, call.parameters)
        assert matching, "no sample item matches"
        for item in matching:
            store.clear()
            store.add(*self.with_target(item))
            (stored,) = self.views(store.items, call.parameters)

            assert self.read(store.db, **call.parameters) == stored

    @draws.PROFILE
    @given(data=st.data())
    def test_agrees_with_the_oracle_on_random_items(
        self, store: Store, data: DataObject
    ) -> None:
        """Random items and parameters."""
        parameters = self.random(store, data)

        self.assert_answers(store.db, store.suite, store.items, parameters)

    def assert_answers(
        self, db: Any, suite: Suite, items: Sequence[Any], parameters: Parameters
    ) -> None:
        """One of those that the order lets come first, or none."""
        if self.too_many(items, parameters):
            return  # how many are read before one matches is for the order to say
        found = self.read(db, **parameters)
        assert_first(found, self.views(items, parameters), self.order)


class OnlyProof(SingleProof):
    """The one item that matches; a second is an error."""

    def test_returns_the_only_match(self, store: Store, call: Call) -> None:
        """One match, among all the items that almost match."""
        more = self.expected(self.items, call.parameters)[1:]
        store.add(*[item for item in self.items if item not in more])
        recorder = store.watch()

        found = self.read(store.db, **call.parameters)

        assert [found] == self.views(store.items, call.parameters)
        assert recorder.count == 1
        if self.keyed is None:
            assert recorder.scanned == 1
        self.assert_consistency(recorder)

    def assert_answers(
        self, db: Any, suite: Suite, items: Sequence[Any], parameters: Parameters
    ) -> None:
        """The one that matches, or none; several are an error."""
        if self.too_many(items, parameters):
            return
        expected = self.views(items, parameters)
        if len(expected) > 1:
            with pytest.raises(suite.errors.MultipleItems):
                self.read(db, **parameters)
        else:
            found = self.read(db, **parameters)
            assert found == (expected[0] if expected else None)


class SecondProof(SingleProof):
    """The one item that matches, where nothing but the data keeps a second from matching, too."""

    def test_refuses_a_second_match(self, store: Store, call: Call) -> None:
        """Two items are read, and no more."""
        matches = self.expected(self.items, call.parameters)
        assert len(matches) > 1, "one sample item too few"
        store.add(*(each for item in matches for each in self.with_target(item)))
        recorder = store.watch()

        with pytest.raises(store.suite.errors.MultipleItems):
            self.read(store.db, **call.parameters)

        assert 2 <= recorder.scanned <= 2 * call.streams
