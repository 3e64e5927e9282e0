"""Proofs that an update pattern writes what it says, keeps keys true, and heeds its guard."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from .store import Kind, Store


class PatternProof:
    """An update pattern.

    Attributes:
        kind: the entity.
        before: an item that the pattern may update.
        cases: parameters, and the attributes that the call then gives that item.
        others: items that the call must leave alone.
        refused: items with the same key for which the guard does not hold.
        write: calls the repository's method.
    """

    kind: ClassVar[Kind]
    before: ClassVar[Any]
    cases: ClassVar[Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]]
    others: ClassVar[Sequence[Any]]
    refused: ClassVar[Sequence[Any]] = ()
    write: ClassVar[Callable[..., Any]]

    @property
    def call(self) -> Mapping[str, Any]:
        """Parameters for which `before` is updated."""
        return self.cases[0][0]

    def test_writes_what_it_says_and_keeps_keys_true(self, store: Store) -> None:
        """The item it returns is the one stored, as if stored anew; others are left alone."""
        for parameters, changes in self.cases:
            store.clear()
            before, *others = store.add(self.before, *self.others)

            after = self.write(store.db, **parameters)

            version = self.kind.version_of(after)
            assert after == dataclasses.replace(before, **changes, **version)
            assert not version or version != self.kind.version_of(before)
            store.assert_holds(after, *others)

    def test_does_not_make_an_item(self, store: Store) -> None:
        """Without an item there is nothing to update."""
        others = store.add(*self.others)

        with pytest.raises(store.suite.errors.ItemNotFound):
            self.write(store.db, **self.call)

        store.assert_holds(*others)


class GuardProof(PatternProof):
    """An update pattern with a guard."""

    def test_writes_nothing_where_the_guard_does_not_hold(self, store: Store) -> None:
        """The error holds the stored item, which stays as it is."""
        for item in self.refused:
            store.clear()
            (stored,) = store.add(item)

            with pytest.raises(store.suite.errors.GuardFailed) as refused:
                self.write(store.db, **self.call)

            assert refused.value.current == stored
            store.assert_holds(stored)
