"""Proofs that a read returns exactly what matches, and reads nothing else.

The test classes of a suite inherit from these; they say how the read is called, what it should
return (`matches`, in plain Python) and which items lie around that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from . import draws
from .reads import By, assert_in_order, assert_reads_only, assert_same_items, walk
from .store import Kind, Store, Suite

Call = Mapping[str, Any]


class ReadProof:
    """What the proofs of all reads have in common.

    Attributes:
        kinds: the entities that are read.
        table, index: where the read goes, by the names of the spec.
        calls: parameters, one call for each set of optional ones.
        items: what is stored: items that match, and around them items that almost do.
        sources: the attribute that each parameter is compared with.
    """

    kinds: ClassVar[Sequence[Kind]]
    table: ClassVar[str]
    index: ClassVar[str | None] = None
    calls: ClassVar[Sequence[Call]]
    items: ClassVar[Sequence[Any]]
    sources: ClassVar[Mapping[str, str]]

    def read(self, db: Any, **call: Any) -> Any:
        """Call the repository's method."""
        raise NotImplementedError

    def matches(self, item: Any, **call: Any) -> bool:
        """Whether the read must return this item."""
        raise NotImplementedError

    def view(self, item: Any) -> Any:
        """What the read returns of an item."""
        return item

    def expected(self, items: Sequence[Any], call: Call) -> list[Any]:
        """What the read must return, of these items."""
        types = tuple(kind.type for kind in self.kinds)
        return [
            item
            for item in items
            if isinstance(item, types) and self.matches(item, **call)
        ]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each call."""
        if "call" in metafunc.fixturenames:
            metafunc.parametrize(
                "call", self.calls, ids=lambda call: "-".join(call) or "()"
            )

    def draw(self, data: DataObject, suite: Suite) -> tuple[list[Any], Call]:
        """Random items of every entity in the table, and a call that may find some of them."""
        items = [
            item
            for kind in suite.kinds
            if kind.table == self.table
            for item in draws.neighbours(data, kind.random)
        ]
        mine = [item for item in items if suite.kind(item) in self.kinds]
        sample = data.draw(st.sampled_from(list(self.calls)))
        return items, draws.call(data, sample, self.sources, mine)


class GetProof(ReadProof):
    """A read of one item by its key."""

    def test_returns_the_item_with_this_key(self, seeded: Store, call: Call) -> None:
        """Of all the items stored, the one that matches; it alone is read."""
        (expected,) = self.expected(seeded.items, call)
        recorder = seeded.watch()

        assert self.read(seeded.db, **call) == self.view(expected)

        assert recorder.operations == ["GetItem"]
        assert recorder.scanned == 1

    def test_returns_none_where_there_is_no_item(
        self, store: Store, call: Call
    ) -> None:
        """Nothing is stored."""
        assert self.read(store.db, **call) is None

    @draws.PROFILE
    @given(data=st.data())
    def test_agrees_with_the_oracle_on_random_items(
        self, store: Store, data: DataObject
    ) -> None:
        """Random items, and a key that some of them may have."""
        store.clear()
        items, call = self.draw(data, store.suite)
        expected = self.expected(store.add(*items), call)

        found = self.read(store.db, **call)

        assert_same_items([] if found is None else [found], map(self.view, expected))


class QueryProof(ReadProof):
    """A read of any number of items.

    Attributes:
        order: how they are ordered; empty where the pattern does not say.
        streams: per call, how many requests its parameters need at least.
        consistent: whether the read is strongly consistent.
    """

    order: ClassVar[Sequence[By]] = ()
    consistent: ClassVar[bool] = False

    def streams(self, **call: Any) -> int:
        """How many requests a call needs at least."""
        return 1

    def test_returns_exactly_what_matches(self, seeded: Store, call: Call) -> None:
        """Of all the items stored, those that match, in order."""
        expected = self.expected(seeded.items, call)
        assert expected, "no sample item matches"

        found = list(self.read(seeded.db, **call))

        assert_same_items(found, map(self.view, expected))
        assert_in_order(found, self.order)

    def test_reads_nothing_but_what_it_returns(self, seeded: Store, call: Call) -> None:
        """Returned by the method = returned by the engine = read by the engine, without a filter."""
        recorder = seeded.watch()

        found = self.read(seeded.db, **call).all()

        assert_reads_only(recorder, found)

    def test_costs_the_least_read_units(self, seeded: Store, call: Call) -> None:
        """As few requests as possible, of no more bytes than the items have where they are read."""
        recorder = seeded.watch()
        self.read(seeded.db, **call).all()

        least = seeded.least_read_units(
            self.expected(seeded.items, call),
            self.table,
            self.index,
            consistent=self.consistent,
        )
        requests = 0.5 * self.streams(**call) * (2 if self.consistent else 1)
        assert seeded.read_units(recorder) == max(least, requests)

    @pytest.mark.parametrize("limit", [1, 2, 3])
    def test_pages_lose_and_repeat_nothing(
        self, seeded: Store, call: Call, limit: int
    ) -> None:
        """Page after page, each from the cursor of the one before."""
        expected = self.expected(seeded.items, call)

        found = walk(self.read(seeded.db, **call), limit)

        assert_same_items(found, map(self.view, expected))
        assert_in_order(found, self.order)

    def test_counts_and_finds_the_first(self, seeded: Store, call: Call) -> None:
        """`count()` without fetching the items, `first()` with one item read per request."""
        expected = self.expected(seeded.items, call)
        assert self.read(seeded.db, **call).count() == len(expected)

        recorder = seeded.watch()
        first = self.read(seeded.db, **call).first()

        assert first in [self.view(item) for item in expected]
        assert recorder.scanned <= self.streams(**call)

    def test_a_forged_cursor_is_refused(self, seeded: Store, call: Call) -> None:
        """A cursor that was cut or made up reads nothing."""
        query = self.read(seeded.db, **call)
        cursor = query.page(limit=1).cursor
        recorder = seeded.watch()

        for forged in ("", "cursor", cursor[:-5], cursor[5:]):
            with pytest.raises(seeded.suite.errors.InvalidCursor):
                query.page(limit=1, cursor=forged)

        assert recorder.requests == []

    @draws.PROFILE
    @given(data=st.data(), limit=st.integers(1, 4))
    def test_agrees_with_the_oracle_on_random_items(
        self, store: Store, data: DataObject, limit: int
    ) -> None:
        """Random items and parameters: the same items, read alone, in order, on pages too."""
        store.clear()
        items, call = self.draw(data, store.suite)
        expected = self.expected(store.add(*items), call)
        recorder = store.watch()

        found = self.read(store.db, **call).all()

        assert_same_items(found, map(self.view, expected))
        assert_reads_only(recorder, found)
        assert_in_order(found, self.order)
        assert_same_items(walk(self.read(store.db, **call), limit), found)


class CursorProof(QueryProof):
    """A read with parameters: a cursor of one call is refused by another.

    Attributes:
        others: calls that differ from the first of `calls` in one parameter each.
    """

    others: ClassVar[Sequence[Call]]

    def test_a_cursor_of_another_call_is_refused(self, seeded: Store) -> None:
        """With another value of any parameter, the cursor reads nothing."""
        cursor = self.read(seeded.db, **self.calls[0]).page(limit=1).cursor
        assert cursor is not None, "one sample item too few"
        recorder = seeded.watch()

        for other in self.others:
            with pytest.raises(seeded.suite.errors.InvalidCursor):
                self.read(seeded.db, **other).page(limit=1, cursor=cursor)

        assert recorder.requests == []


class EmptyProof(QueryProof):
    """A read whose parameters can leave nothing to be read.

    Attributes:
        empty: calls with bounds the wrong way round, or no values at all.
    """

    empty: ClassVar[Sequence[Call]]

    def test_a_range_that_holds_nothing_asks_nothing(self, seeded: Store) -> None:
        """Nothing is returned, and no request is made: DynamoDB refuses reversed bounds."""
        recorder = seeded.watch()

        for call in self.empty:
            assert self.read(seeded.db, **call).all() == []

        assert recorder.requests == []


class PageSizeProof(QueryProof):
    """A read with a page size of its own.

    Attributes:
        page_size: how many items a page has by default.
        max_page_size: the most that may be asked for.
    """

    page_size: ClassVar[int]
    max_page_size: ClassVar[int | None] = None

    def test_a_page_has_the_declared_size(self, seeded: Store) -> None:
        """More items match than a page takes; a page is full, and there is a next one."""
        call = self.calls[0]
        expected = self.expected(seeded.items, call)
        assert len(expected) > self.page_size, "too few sample items"

        page = self.read(seeded.db, **call).page()

        assert len(page.items) == self.page_size
        assert page.cursor is not None

    def test_a_page_of_an_illegal_size_is_refused(self, seeded: Store) -> None:
        """Less than one item, or more than declared."""
        query = self.read(seeded.db, **self.calls[0])
        recorder = seeded.watch()

        sizes = (
            [0, -1] if self.max_page_size is None else [0, -1, self.max_page_size + 1]
        )
        for size in sizes:
            with pytest.raises(ValueError, match="page"):
                query.page(limit=size)

        assert recorder.requests == []


class FilterProof(ReadProof):
    """A read with a declared filter: what it reads is bounded by the key condition alone."""

    order: ClassVar[Sequence[By]] = ()

    def reads(self, item: Any, **call: Any) -> bool:
        """Whether the item meets the conditions that the filter is not needed for."""
        raise NotImplementedError

    def test_returns_exactly_what_matches(self, seeded: Store, call: Call) -> None:
        """Of all the items stored, those that match, in order."""
        expected = self.expected(seeded.items, call)
        assert expected, "no sample item matches"

        found = list(self.read(seeded.db, **call))

        assert_same_items(found, map(self.view, expected))
        assert_in_order(found, self.order)

    def test_reads_only_what_the_filter_is_declared_for(
        self, seeded: Store, call: Call
    ) -> None:
        """The engine reads the items of the key condition, and drops the others by the filter."""
        types = tuple(kind.type for kind in self.kinds)
        read = [
            i for i in seeded.items if isinstance(i, types) and self.reads(i, **call)
        ]
        recorder = seeded.watch()

        found = self.read(seeded.db, **call).all()

        assert recorder.scanned == len(read) > len(found) == recorder.count
        assert all(
            "FilterExpression" in request.params for request in recorder.requests
        )

    @pytest.mark.parametrize("limit", [1, 2])
    def test_pages_lose_and_repeat_nothing(
        self, seeded: Store, call: Call, limit: int
    ) -> None:
        """A page that the filter empties is not taken for the end."""
        found = walk(self.read(seeded.db, **call), limit)

        assert_same_items(found, map(self.view, self.expected(seeded.items, call)))
        assert_in_order(found, self.order)

    @draws.PROFILE
    @given(data=st.data())
    def test_agrees_with_the_oracle_on_random_items(
        self, store: Store, data: DataObject
    ) -> None:
        """Random items and parameters."""
        store.clear()
        items, call = self.draw(data, store.suite)
        expected = self.expected(store.add(*items), call)

        found = self.read(store.db, **call).all()

        assert_same_items(found, map(self.view, expected))


class OneProof(ReadProof):
    """A read of at most one item, whatever the key condition allows.

    Attributes:
        order: which of several matches is the first.
    """

    order: ClassVar[Sequence[By]] = ()
    streams: ClassVar[int] = 1


class FirstProof(OneProof):
    """The first of the items that match."""

    def test_returns_the_first_match(self, seeded: Store, call: Call) -> None:
        """The item that the order puts first; it alone is read."""
        recorder = seeded.watch()

        found = self.read(seeded.db, **call)

        self._assert_first(found, self.expected(seeded.items, call))
        assert recorder.scanned == recorder.count == self.streams

    def test_returns_none_where_nothing_matches(self, store: Store, call: Call) -> None:
        """Nothing is stored."""
        assert self.read(store.db, **call) is None

    @draws.PROFILE
    @given(data=st.data())
    def test_agrees_with_the_oracle_on_random_items(
        self, store: Store, data: DataObject
    ) -> None:
        """Random items and parameters."""
        store.clear()
        items, call = self.draw(data, store.suite)
        expected = self.expected(store.add(*items), call)

        self._assert_first(self.read(store.db, **call), expected)

    def _assert_first(self, found: Any, expected: Sequence[Any]) -> None:
        views = [self.view(item) for item in expected]
        if not views:
            assert found is None
            return
        assert found in views
        views.remove(found)
        for other in views:
            assert_in_order([found, other], self.order)


class OnlyProof(OneProof):
    """The one item that matches; a second is an error. Two items are read at most."""

    def test_returns_the_match_or_refuses_two(self, seeded: Store, call: Call) -> None:
        """With a second match among the items stored, MultipleItems; else the one."""
        expected = self.expected(seeded.items, call)
        recorder = seeded.watch()

        if len(expected) > 1:
            with pytest.raises(seeded.suite.errors.MultipleItems):
                self.read(seeded.db, **call)
        else:
            assert self.read(seeded.db, **call) == self.view(expected[0])

        assert recorder.scanned <= 2 * self.streams

    def test_returns_the_only_match(self, store: Store, call: Call) -> None:
        """One match, among the items that almost match."""
        matches = self.expected(self.items, call)
        store.add(*[item for item in self.items if item not in matches[1:]])

        assert self.read(store.db, **call) == self.view(
            self.expected(store.items, call)[0]
        )

    def test_returns_none_where_nothing_matches(self, store: Store, call: Call) -> None:
        """Nothing is stored."""
        assert self.read(store.db, **call) is None
