"""Proofs that no two items ever have the same unique values, and that values are freed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import pytest

from .store import Store
from .tables import Item, canonical
from .transactions import TransactionProof
from .updates import PatternProof
from .writes import WriteProof


@dataclass(frozen=True, slots=True)
class Contest:
    """Unique values that the first sample item has, and others want.

    Attributes:
        attributes: the names of what is unique together, as UniqueTaken has them.
        marker: the table and the stored form of the marker that keeps the values unique.
        rival: an item with another key and the same values.
        given: what changes the values of an item to those of the first sample; empty if its key
            decides them.
        fresh: what changes them to values that nobody has.
        apart: items with other keys that have some of the values, but not all.
        absent: what leaves an item without values; empty if it always has them.
    """

    attributes: tuple[str, ...]
    marker: tuple[str, Item]
    rival: Any
    given: Mapping[str, Any] = field(default_factory=dict)
    fresh: Mapping[str, Any] = field(default_factory=dict)
    apart: Sequence[Any] = ()
    absent: Mapping[str, None] = field(default_factory=dict)


class UniqueProof(WriteProof):
    """What the proofs of unique values have in common.

    Attributes:
        contests: one or more for each list of attributes that are unique together.
    """

    contests: ClassVar[Sequence[Contest]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each contest; of updates, for each that they can take part in."""
        super().pytest_generate_tests(metafunc)
        for name, found in (
            ("contest", self.contests),
            ("changing", [each for each in self.contests if each.fresh]),
            ("leaving", [each for each in self.contests if each.absent]),
        ):
            if name in metafunc.fixturenames:
                ids = ["-".join(each.attributes) for each in found]
                metafunc.parametrize(name, found, ids=ids)

    def assert_taken(self, store: Store, item: Any, contest: Contest) -> None:
        """Another item can't be created; nothing is written."""
        before = store.contents()
        with pytest.raises(store.suite.errors.UniqueTaken) as refused:
            self.repository(store).create(item)
        assert refused.value.attributes == contest.attributes
        assert store.contents() == before


class UniqueCreateProof(UniqueProof):
    """`create` of items with unique values."""

    def test_create_marks_the_values(self, store: Store, contest: Contest) -> None:
        """The marker is stored, as it is written out here."""
        self.repository(store).create(self.item)

        table, marker = contest.marker
        assert store.tables.item(table, marker) == canonical(marker)

    def test_create_refuses_values_that_are_taken(
        self, store: Store, contest: Contest
    ) -> None:
        """Nothing is written, and the error names the attributes."""
        (item,) = store.add(self.item)

        self.assert_taken(store, contest.rival, contest)

        store.assert_holds(item)

    def test_create_with_its_markers_survives_a_lost_response(
        self, store: Store
    ) -> None:
        """Item and markers were stored, and the retry is known by its token: no error."""
        store.tables.engine.faults.lost = 1

        item = self.repository(store).create(self.item)

        store.assert_holds(item)

    def test_some_of_the_values_may_be_alike(
        self, store: Store, contest: Contest
    ) -> None:
        """Only all of them together are unique."""
        items = store.add(self.item, *contest.apart)

        assert len(items) == 1 + len(contest.apart)
        store.assert_holds(*items)


class UniqueUpdateProof(UniqueProof):
    """`update` of items with unique values."""

    def test_update_refuses_values_that_are_taken(
        self, store: Store, changing: Contest
    ) -> None:
        """Nothing is written, and the error names the attributes."""
        item, other = store.add(self.item, replace(changing.rival, **changing.fresh))

        with pytest.raises(store.suite.errors.UniqueTaken) as refused:
            self.repository(store).update(other, **changing.given)

        assert refused.value.attributes == changing.attributes
        store.assert_holds(item, other)

    def test_update_frees_the_old_values_and_takes_the_new(
        self, store: Store, changing: Contest
    ) -> None:
        """The new ones are refused to others from now on, the old ones are not."""
        (item,) = store.add(self.item)

        changed = self.repository(store).update(item, **changing.fresh)

        self.assert_taken(store, replace(changing.rival, **changing.fresh), changing)
        rival = self.repository(store).create(changing.rival)
        store.assert_holds(changed, rival)

    def test_update_to_the_same_values_leaves_the_marker_alone(
        self, store: Store, changing: Contest
    ) -> None:
        """One write of one item."""
        (item,) = store.add(self.item)
        recorder = store.watch()

        same = self.repository(store).update(item, **changing.given)

        assert recorder.operations == ["UpdateItem"]
        store.assert_holds(same)

    def test_update_with_its_markers_survives_a_lost_response(
        self, store: Store, changing: Contest
    ) -> None:
        """Item and markers were written, and the retry is known by its token: no error."""
        (item,) = store.add(self.item)
        store.tables.engine.faults.lost = 1

        changed = self.repository(store).update(item, **changing.fresh)

        store.assert_holds(changed)

    def test_update_of_a_stale_copy_frees_nothing(
        self, store: Store, changing: Contest
    ) -> None:
        """The values that the copy shows may be another item's by now."""
        (copy,) = store.add(self.item)
        current = self.repository(store).update(copy, **changing.fresh)
        rival = self.repository(store).create(changing.rival)

        for change in (changing.fresh, changing.given):
            with pytest.raises(store.suite.errors.StaleItem) as refused:
                self.repository(store).update(copy, **change)
            assert refused.value.current == current
        store.assert_holds(current, rival)


class UniqueOptionalProof(UniqueProof):
    """Unique values that an item need not have."""

    def test_items_without_values_are_no_rivals(
        self, store: Store, leaving: Contest
    ) -> None:
        """What is absent has no marker, however often it is absent."""
        create = self.repository(store).create

        items = [
            create(replace(each, **leaving.absent)) for each in (self.item, self.other)
        ]

        store.assert_holds(*items)

    def test_update_that_removes_a_value_frees_it(
        self, store: Store, leaving: Contest
    ) -> None:
        """Others may have it then, and the item may not have it back."""
        (item,) = store.add(self.item)

        without = self.repository(store).update(item, **leaving.absent)

        rival = self.repository(store).create(leaving.rival)
        store.assert_holds(without, rival)
        with pytest.raises(store.suite.errors.UniqueTaken):
            self.repository(store).update(without, **_of(self.item, leaving.absent))
        store.assert_holds(without, rival)


class UniqueDeleteProof(UniqueProof):
    """`delete` of items with unique values."""

    def test_delete_frees_the_values(self, store: Store, contest: Contest) -> None:
        """Others may have them then."""
        (item,) = store.add(self.item)

        self.repository(store).delete(item)

        rival = self.repository(store).create(contest.rival)
        store.assert_holds(rival)


class UniqueStaleDeleteProof(UniqueProof):
    """`delete` of items with unique values, from copies that are out of date."""

    def test_delete_of_a_stale_copy_frees_nothing(
        self, store: Store, changing: Contest
    ) -> None:
        """The values that the copy shows may be another item's by now."""
        (copy,) = store.add(self.item)
        current = self.repository(store).update(copy, **changing.fresh)
        rival = self.repository(store).create(changing.rival)

        with pytest.raises(store.suite.errors.StaleItem) as refused:
            self.repository(store).delete(copy)

        assert refused.value.current == current
        store.assert_holds(current, rival)


class UniquePatternProof(PatternProof):
    """A pattern that gives an item other unique values.

    Attributes:
        rivals: items that have such values already, with the names of what they have.
    """

    rivals: ClassVar[Sequence[tuple[tuple[str, ...], Any]]]

    def test_writes_nothing_where_a_value_is_taken(self, store: Store) -> None:
        """The error names the attributes; both items stay as they are."""
        for attributes, rival in self.rivals:
            store.clear()
            items = store.add(self.before, rival)
            assert len(items) == 2

            with pytest.raises(store.suite.errors.UniqueTaken) as refused:
                self.write(store.db, **self.call_on(items[0]))

            assert refused.value.attributes == attributes
            store.assert_holds(*items)


class UniqueTransactionProof(TransactionProof):
    """A transaction that creates items with unique values.

    Attributes:
        rivals: items that have such values already, with the names of what they have.
    """

    rivals: ClassVar[Sequence[tuple[tuple[str, ...], Any]]]

    def test_does_nothing_where_a_value_is_taken(self, store: Store) -> None:
        """Nothing at all is written; the reason names the attributes."""
        for attributes, rival in self.rivals:
            store.clear()
            present = [*self.before, *self.others, rival]
            items = store.add(*present)
            assert len(items) == len(present)

            with pytest.raises(store.suite.errors.TransactionFailed) as refused:
                self.write(store.db, **self.call_on(items))

            (reason,) = [each for each in refused.value.reasons if each is not None]
            assert isinstance(reason, store.suite.errors.UniqueTaken)
            assert reason.attributes == attributes
            store.assert_holds(*items)


def _of(item: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(item, name) for name in names}
