"""Proofs that a transaction does all that it says, or nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from .charges import Estimate, charged
from .effects import Effect, place_of, with_versions
from .store import Kind, Store


class TransactionProof:
    """A transaction that writes.

    Attributes:
        call: its parameters, items among them.
        before: the items that must be there, before.
        after: the items that are there instead, afterwards.
        others: items that it must leave alone.
        refused: what may be there instead of `before`, so that one action is refused.
        write: calls the service's method.
        kind: the entity of its first action.
        effects: what a call does, one effect for each action.
        drawn: for histories, where each parameter comes from: an item of an entity, an attribute of
            a stored item, or random values.
        versions: the parameters that must be the versions of items, and the numbers of their actions.
        estimate: what a call writes.
    """

    versions: ClassVar[Mapping[str, int]] = {}
    estimate: ClassVar[Estimate]
    call: ClassVar[Mapping[str, Any]]
    before: ClassVar[Sequence[Any]]
    after: ClassVar[Sequence[Any]]
    others: ClassVar[Sequence[Any]]
    refused: ClassVar[Sequence[Sequence[Any]]]
    write: ClassVar[Callable[..., Any]]
    kind: ClassVar[Kind]
    effects: ClassVar[Callable[..., list[Effect]]]
    drawn: ClassVar[Mapping[str, Any]]

    def call_on(self, items: Sequence[Any]) -> dict[str, Any]:
        """The call for the items as they are stored: with their versions, where it asks for them."""
        return with_versions(self, self.call, items)

    def test_does_all_that_it_says_and_keeps_keys_true(self, store: Store) -> None:
        """Every item is as if stored anew; others are left alone, and each is written once."""
        added = store.add(*self.before, *self.others)
        others = added[len(self.before) :]
        call = self.call_on(added)

        with charged(store, self.estimate, transactional=True):
            self.write(store.db, **call)

        stored = [self._stored(store, item) for item in self.after]
        store.assert_holds(*stored, *others)

    def _stored(self, store: Store, expected: Any) -> Any:
        """The stored item with the key of the one expected; it is that, but for its version."""
        kind = store.suite.kind(expected)
        found = kind.repository(store.db).get(**kind.key(expected))
        assert found is not None
        always = {**kind.clocked, **kind.version_of(found)}
        assert found == dataclasses.replace(expected, **always)
        return found

    def test_tries_again_under_the_same_token(self, store: Store) -> None:
        """Others write the same items at first; DynamoDB does one token's transaction once."""
        call = self.call_on(store.add(*self.before, *self.others))
        store.tables.engine.faults.conflicts = 1
        recorder = store.watch()

        self.write(store.db, **call)

        assert recorder.operations == ["TransactWriteItems"] * 2
        first, second = (
            each.params["ClientRequestToken"] for each in recorder.requests
        )
        assert first == second

    def test_does_nothing_where_one_action_is_refused(self, store: Store) -> None:
        """Nothing at all is written."""
        for items in self.refused:
            store.clear()
            stored = store.add(*items)

            with pytest.raises(store.suite.errors.TransactionFailed):
                self.write(store.db, **self.call_on(stored))

            store.assert_holds(*stored)


class VersionTransactionProof(TransactionProof):
    """A transaction that asks for the versions of items, as they were read."""

    def test_does_nothing_where_a_version_is_another(self, store: Store) -> None:
        """That is asked of each item by itself."""
        for name in self.versions:
            store.clear()
            stored = store.add(*self.before, *self.others)

            with pytest.raises(store.suite.errors.TransactionFailed):
                self.write(store.db, **{**self.call_on(stored), name: "another"})

            store.assert_holds(*stored)


class RemovingTransactionProof(TransactionProof):
    """A transaction with parameters that may be None, which removes what they set.

    Attributes:
        removing: these parameters.
    """

    removing: ClassVar[Sequence[str]]

    def test_removes_what_it_is_given_none_for(self, store: Store) -> None:
        """The attribute goes, and the keys that cannot do without it."""
        for name in self.removing:
            store.clear()
            added = store.add(*self.before, *self.others)
            call = {**self.call_on(added), name: None}
            there = {
                place_of(store.suite.kind(each), each): each for each in self.before
            }

            self.write(store.db, **call)

            after = [
                (
                    effect.result(there[effect.place])
                    if effect.place in there
                    else effect.made
                )
                for effect in self.effects(**call)
            ]
            stored = [self._stored(store, item) for item in after if item is not None]
            store.assert_holds(*stored, *added[len(self.before) :])


class ReadTransactionProof:
    """A transaction that reads.

    Attributes:
        call: its parameters.
        items: the items that it reads, in order, and others behind them.
        count: how many it reads.
        read: calls the service's method.
        kind, effects, drawn: as of a transaction that writes; the effects tell which items are read.
    """

    call: ClassVar[Mapping[str, Any]]
    items: ClassVar[Sequence[Any]]
    count: ClassVar[int]
    read: ClassVar[Callable[..., Any]]
    kind: ClassVar[Kind]
    effects: ClassVar[Callable[..., list[Effect]]]
    drawn: ClassVar[Mapping[str, Any]]

    def test_returns_each_item_in_order(self, store: Store) -> None:
        """All at one moment; None for what is not there."""
        stored = store.add(*self.items)

        assert self.read(store.db, **self.call) == tuple(stored[: self.count])

    def test_returns_none_for_what_is_not_there(self, store: Store) -> None:
        """Nothing is stored."""
        assert self.read(store.db, **self.call) == (None,) * self.count
