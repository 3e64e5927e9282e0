"""Proofs that patterns which write one item do what they say, keep keys true, and heed guards."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from .charges import Estimate, charged
from .effects import Effect, with_versions
from .proofs import Call, ReadProof
from .store import Kind, Store


class PatternProof:
    """A pattern that writes one item.

    Attributes:
        kind: the entity.
        before: an item that the pattern may be used on.
        cases: parameters, and the attributes that the call then gives that item.
        others: items that the call must leave alone.
        write: calls the repository's method.
        effects: what a call does, said in plain Python; one effect.
        drawn: for histories, where each parameter comes from: an attribute of a stored item, or
            random values.
        versions: the parameter that must be the item's version, if there is one, and 0.
        reads_first: whether the item is read before it is written.
        estimate: what a call writes.
    """

    kind: ClassVar[Kind]
    before: ClassVar[Any]
    cases: ClassVar[Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]]
    others: ClassVar[Sequence[Any]]
    write: ClassVar[Callable[..., Any]]
    effects: ClassVar[Callable[..., list[Effect]]]
    drawn: ClassVar[Mapping[str, Any]]
    versions: ClassVar[Mapping[str, int]] = {}
    reads_first: ClassVar[bool] = False
    estimate: ClassVar[Estimate]

    @property
    def call(self) -> Mapping[str, Any]:
        """Parameters for which `before` is written."""
        return self.cases[0][0]

    def call_on(self, item: Any) -> dict[str, Any]:
        """The same for the item as it is stored: with its version, where that is asked for."""
        return with_versions(self, self.call, [item])


class UpdatePatternProof(PatternProof):
    """An update pattern."""

    def test_writes_what_it_says_and_keeps_keys_true(self, store: Store) -> None:
        """The item it returns is the one stored, as if stored anew; others are left alone.

        What is written are the item and the entries that change, and no more.
        """
        for parameters, changes in self.cases:
            store.clear()
            before, *others = store.add(self.before, *self.others)
            call = with_versions(self, parameters, [before])

            with charged(store, self.estimate):
                after = self.write(store.db, **call)

            version = self.kind.version_of(after)
            assert after == dataclasses.replace(before, **changes, **version)
            assert not version or version != self.kind.version_of(before)
            store.assert_holds(after, *others)


class ExistingProof(PatternProof):
    """A pattern that needs an item to be there."""

    def test_does_not_make_an_item(self, store: Store) -> None:
        """Without an item there is nothing to write."""
        others = store.add(*self.others)

        with pytest.raises(store.suite.errors.ItemNotFound):
            self.write(store.db, **self.call)

        store.assert_holds(*others)


class UpsertProof(PatternProof):
    """A pattern that makes the item if there is none.

    Attributes:
        made: the item that it makes.
    """

    made: ClassVar[Any]

    def test_makes_the_item_if_there_is_none(self, store: Store) -> None:
        """What the call gives, and defaults; with true keys, for the least units."""
        others = store.add(*self.others)

        with charged(store, self.estimate):
            after = self.write(store.db, **self.call)

        always = {**self.kind.clocked, **self.kind.version_of(after)}
        assert after == dataclasses.replace(self.made, **always)
        store.assert_holds(after, *others)


class GuardProof(PatternProof):
    """A pattern with a guard.

    Attributes:
        refused: items with the same key for which one condition of the guard does not hold.
    """

    refused: ClassVar[Sequence[Any]]

    def test_writes_nothing_where_the_guard_does_not_hold(self, store: Store) -> None:
        """The error holds the stored item, which stays as it is."""
        for item in self.refused:
            store.clear()
            (stored,) = store.add(item)

            with pytest.raises(store.suite.errors.GuardFailed) as refused:
                self.write(store.db, **self.call_on(stored))

            assert refused.value.current == stored
            store.assert_holds(stored)


class VersionGuardProof(PatternProof):
    """A pattern that asks for the version of the item, as it was read."""

    def test_writes_nothing_where_the_version_is_another(self, store: Store) -> None:
        """The error holds the stored item, which stays as it is."""
        (stored,) = store.add(self.before)
        other = dict.fromkeys(self.versions, "another")

        with pytest.raises(store.suite.errors.GuardFailed) as refused:
            self.write(store.db, **{**self.call_on(stored), **other})

        assert refused.value.current == stored
        store.assert_holds(stored)


class VersionedPatternProof(PatternProof):
    """An update pattern of an entity with a version token."""

    def test_survives_a_lost_response(self, store: Store) -> None:
        """The item was written, and the retry finds its own token: once, and no error."""
        (before,) = store.add(self.before)
        store.tables.engine.faults.lost = 1

        after = self.write(store.db, **self.call_on(before))

        changes = {**self.cases[0][1], **self.kind.version_of(after)}
        assert after == dataclasses.replace(before, **changes)
        store.assert_holds(after)


class DeletePatternProof(PatternProof):
    """A delete pattern of one item."""

    def test_survives_a_lost_response(self, store: Store) -> None:
        """The item was deleted, and the retry finds nothing: no error."""
        (before,) = store.add(self.before)
        store.tables.engine.faults.lost = 1

        self.write(store.db, **self.call_on(before))

        store.assert_holds()

    def test_deletes_the_item_and_returns_it_as_it_was(self, store: Store) -> None:
        """It leaves every index; others are left alone, and the least units are spent."""
        before, *others = store.add(self.before, *self.others)

        with charged(store, self.estimate):
            assert self.write(store.db, **self.call_on(before)) == before

        store.assert_holds(*others)


class MoveProof(UpdatePatternProof):
    """A pattern that gives an item another key.

    Attributes:
        taken: an item that has that key already.
    """

    taken: ClassVar[Any]

    def test_does_not_replace_the_item_that_has_the_new_key(self, store: Store) -> None:
        """Both items stay where they are."""
        items = store.add(self.before, self.taken)

        with pytest.raises(store.suite.errors.ItemExists):
            self.write(store.db, **self.call_on(items[0]))

        store.assert_holds(*items)


class SweepProof(ReadProof):
    """A pattern that deletes every item that matches."""

    def test_deletes_what_matches_and_nothing_else(
        self, store: Store, call: Call
    ) -> None:
        """It says how many; no others are read, they stay in every index, and the least units are spent."""
        items = store.add(*self.items)
        matching = self.expected(items, call.parameters)
        assert matching, "no sample item matches"
        recorder = store.watch()

        with charged(store):
            deleted = self.read(store.db, **call.parameters)

        assert deleted == len(matching)
        assert recorder.scanned == len(self.read_for(items, call.parameters))
        store.assert_holds(*(item for item in items if item not in matching))

    def test_deletes_again_what_was_left_over(self, store: Store, call: Call) -> None:
        """The engine leaves the first request unprocessed."""
        items = store.add(*self.items)
        store.tables.engine.faults.unprocessed = 1

        self.read(store.db, **call.parameters)

        matching = self.expected(items, call.parameters)
        store.assert_holds(*(item for item in items if item not in matching))
