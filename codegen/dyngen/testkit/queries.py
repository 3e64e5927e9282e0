"""Proofs that a query returns exactly what matches, and reads nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from . import draws
from .proofs import Call, HydrationProof, Parameters, ReadProof
from .reads import (
    By,
    assert_in_order,
    assert_reads_only,
    assert_same_items,
    in_order,
    ranks,
    walk,
)
from .store import Store, Suite


class AnyQueryProof(ReadProof):
    """A read of any number of items, whether or not it has a filter.

    Attributes:
        order: how the items are ordered; empty where the pattern does not say.
        max_items: after how many items an iteration stops; None where the pattern does not say.
    """

    order: ClassVar[Sequence[By]] = ()
    max_items: ClassVar[int | None] = None

    def test_returns_exactly_what_matches(self, seeded: Store, call: Call) -> None:
        """Of all the items stored, those that match, in order."""
        expected = self.views(seeded.items, call.parameters)
        assert expected, "no sample item matches"
        recorder = seeded.watch()

        found = list(self.read(seeded.db, **call.parameters))

        self.assert_iterated(found, expected)
        self.assert_consistency(recorder)

    @pytest.mark.parametrize("limit", [1, 3])
    def test_pages_lose_and_repeat_nothing(
        self, seeded: Store, call: Call, limit: int
    ) -> None:
        """Page after page, each from the cursor of the one before."""
        found = walk(self.read(seeded.db, **call.parameters), limit)

        self.assert_found(found, self.views(seeded.items, call.parameters))

    def test_a_forged_cursor_is_refused(self, seeded: Store, call: Call) -> None:
        """A cursor that was cut or made up reads nothing."""
        query = self.read(seeded.db, **call.parameters)
        cursor = query.page(limit=1).cursor or "none"
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
        """Random items and parameters: what matches, in order, whole and page by page."""
        parameters = self.random(store, data)
        expected = self.views(store.items, parameters)
        recorder = store.watch()

        if self.too_many(store.items, parameters):
            self.assert_too_many(store.db, store.suite, store.items, parameters)
            return

        found = self.read(store.db, **parameters).all()

        self.assert_iterated(found, expected)
        self.assert_read(recorder, found)
        self.assert_found(walk(self.read(store.db, **parameters), limit), expected)

    def assert_answers(
        self, db: Any, suite: Suite, items: Sequence[Any], parameters: Parameters
    ) -> None:
        """Just what matches, in order."""
        if self.too_many(items, parameters):
            self.assert_too_many(db, suite, items, parameters)
            return
        found = self.read(db, **parameters).all()
        self.assert_iterated(found, self.views(items, parameters))

    def assert_too_many(
        self, db: Any, suite: Suite, items: Sequence[Any], parameters: Parameters
    ) -> None:
        """The pattern's promise is broken, and whoever reads on is told.

        An iteration that stops before may have its items by then.
        """
        expected = self.views(items, parameters)
        if self.stops(expected):
            with suppress(suite.errors.TooManyItems):
                found = self.read(db, **parameters).all()
                self.assert_iterated(found, expected)
            return
        with pytest.raises(suite.errors.TooManyItems):
            self.read(db, **parameters).all()
        with pytest.raises(suite.errors.TooManyItems):
            self.read(db, **parameters).count()

    def assert_found(self, found: Sequence[Any], expected: Sequence[Any]) -> None:
        """The expected items, in the declared order."""
        assert_same_items(found, expected)
        assert_in_order(found, self.order)

    def first_of(self, items: Sequence[Any]) -> list[Any]:
        """Those of the items that an iteration comes to."""
        return in_order(items, self.order)[: self.max_items]

    def stops(self, expected: Sequence[Any]) -> bool:
        """Whether an iteration need not read to the end, as it has enough items before."""
        return self.max_items is not None and len(expected) >= self.max_items

    def assert_iterated(self, found: Sequence[Any], expected: Sequence[Any]) -> None:
        """The expected items, or the first of them if an iteration stops before."""
        if self.max_items is None or len(expected) <= self.max_items:
            self.assert_found(found, expected)
            return
        assert all(item in expected for item in found)
        assert ranks(found, self.order) == ranks(self.first_of(expected), self.order)

    def assert_read(self, recorder: Any, found: Sequence[Any]) -> None:
        """What was read for what was found."""
        raise NotImplementedError


class QueryProof(AnyQueryProof):
    """A read of any number of items, by key alone."""

    def extra_units(self, store: Store, returned: Sequence[Any]) -> float:
        """The read units that returning these items costs beside reading the keys."""
        return 0.0

    def test_reads_nothing_but_what_it_returns(self, seeded: Store, call: Call) -> None:
        """Returned by the method = returned by the engine = read by the engine; no filter."""
        recorder = seeded.watch()

        found = self.read(seeded.db, **call.parameters).all()

        self.assert_read(recorder, found)

    def test_costs_the_least_read_units(self, seeded: Store, call: Call) -> None:
        """As few requests as possible, of no more bytes than the items have where they are read."""
        read = self.read_for(seeded.items, call.parameters)
        stops = self.stops(self.views(seeded.items, call.parameters))
        filtered = self.keyed is not None
        recorder = seeded.watch()

        found = self.read(seeded.db, **call.parameters).all()

        items = seeded.least_read_units(
            read if filtered else self.first_of(read),
            self.table,
            call.index,
            consistent=self.consistent,
        )
        requests = call.streams * (1.0 if self.consistent else 0.5)
        units = seeded.read_units(recorder) - self.extra_units(seeded, found)
        if stops and filtered:  # as far as it takes, in requests ever larger
            assert requests <= units <= items + len(recorder.requests)
        elif call.streams == 1:
            assert units == items
        else:  # each request is rounded up for itself
            assert max(items, requests) <= units <= items + requests

    def test_counts_and_finds_the_first(self, seeded: Store, call: Call) -> None:
        """`count()` returns no items, `first()` reads one per stream, and past what is dropped.

        That is what a filter drops, by limits that double, and what leads nowhere.
        """
        expected = self.views(seeded.items, call.parameters)
        recorder = seeded.watch()

        counted = self.read(seeded.db, **call.parameters).count()
        entries = self.expected(seeded.items, call.parameters)  # some may lead nowhere
        assert counted == len(entries[: self.max_items])
        assert all("Items" not in each.response for each in recorder.requests)

        recorder.clear()
        first = self.read(seeded.db, **call.parameters).first()

        assert_first(first, expected, self.order)
        read = self.read_for(seeded.items, call.parameters)
        dropped = len(read) - len(expected)
        assert 1 <= recorder.scanned <= min(len(read), call.streams + 2 * dropped)

    def assert_read(self, recorder: Any, found: Sequence[Any]) -> None:
        """Only what was found."""
        assert_reads_only(recorder, found)


def assert_first(found: Any, expected: Sequence[Any], order: Sequence[By]) -> None:
    """One of the expected items that the order lets come first; None if there are none."""
    if not expected:
        assert found is None
        return
    assert found in expected
    for other in expected:
        if other != found:
            assert_in_order([found, other], order)


class HydratedProof(HydrationProof, QueryProof):
    """A query of an index that does not hold whole items: they are fetched by their keys."""

    def extra_units(self, store: Store, returned: Sequence[Any]) -> float:
        """Each item is fetched once, and rounded up for itself."""
        places = {repr(store.suite.kind(item).key(item)): item for item in returned}
        return sum(map(store.get_units, places.values()))

    def assert_read(self, recorder: Any, found: Sequence[Any]) -> None:
        """As many entries as items or more, since some may lead nowhere; each fetched once."""
        assert recorder.scanned >= recorder.count >= len(found) >= recorder.fetched
        assert self.keyed is not None or recorder.scanned == recorder.count


class CursorProof(AnyQueryProof):
    """A query with parameters, of which a cursor is bound to each.

    Attributes:
        others: parameters that differ from those of the first call, each in one.
    """

    others: ClassVar[Sequence[Parameters]]

    def test_a_cursor_of_another_call_is_refused(self, seeded: Store) -> None:
        """With another value of any parameter, the cursor reads nothing."""
        cursor = self.read(seeded.db, **self.calls[0].parameters).page(limit=1).cursor
        assert cursor is not None, "one sample item too few"
        recorder = seeded.watch()

        for other in self.others:
            with pytest.raises(seeded.suite.errors.InvalidCursor):
                self.read(seeded.db, **other).page(limit=1, cursor=cursor)

        assert recorder.requests == []


class ForeignCursorProof(AnyQueryProof):
    """A query that finds some of the items which other patterns of its table or index find.

    Attributes:
        foreign: calls of such patterns.
    """

    foreign: ClassVar[Sequence[Callable[[Any], Any]]]

    def test_a_cursor_of_another_pattern_is_refused(self, seeded: Store) -> None:
        """Wherever it points, be it at an item that this query finds too, it reads nothing."""
        mine = self.read(seeded.db, **self.calls[0].parameters)
        for call in self.foreign:
            theirs = call(seeded.db)
            cursor = theirs.page(limit=1).cursor
            assert cursor is not None, "one sample item too few"
            while cursor is not None:
                recorder = seeded.watch()
                with pytest.raises(seeded.suite.errors.InvalidCursor):
                    mine.page(limit=1, cursor=cursor)
                assert recorder.requests == []
                cursor = theirs.page(limit=1, cursor=cursor).cursor


class EmptyProof(AnyQueryProof):
    """A query whose parameters can leave nothing to be read.

    Attributes:
        empty: parameters with bounds the wrong way round, or with no values at all.
    """

    empty: ClassVar[Sequence[Parameters]]

    def test_a_range_that_holds_nothing_asks_nothing(self, seeded: Store) -> None:
        """Nothing is returned, and no request is made: DynamoDB refuses reversed bounds."""
        recorder = seeded.watch()

        for parameters in self.empty:
            assert self.read(seeded.db, **parameters).all() == []

        assert recorder.requests == []


class PageSizeProof(AnyQueryProof):
    """A query with a page size of its own.

    Attributes:
        page_size: how many items a page has by default.
        max_page_size: the most that may be asked for.
    """

    page_size: ClassVar[int]
    max_page_size: ClassVar[int | None] = None

    def test_a_page_has_the_declared_size(self, seeded: Store) -> None:
        """More items match than a page takes; a page is full, and there is a next one."""
        parameters = self.calls[0].parameters
        assert len(self.expected(seeded.items, parameters)) > self.page_size

        page = self.read(seeded.db, **parameters).page()

        assert len(page.items) == self.page_size
        assert page.cursor is not None

    def test_a_page_of_an_illegal_size_is_refused(self, seeded: Store) -> None:
        """Less than one item, or more than declared."""
        query = self.read(seeded.db, **self.calls[0].parameters)
        recorder = seeded.watch()

        greater = () if self.max_page_size is None else (self.max_page_size + 1,)
        for size in (0, -1, *greater):
            with pytest.raises(ValueError, match="page"):
                query.page(limit=size)

        assert recorder.requests == []


class FilterProof(AnyQueryProof):
    """A query with a declared filter: what it reads is bounded by the key condition alone.

    Attributes:
        drops: whether each call reads a sample item that the filter drops; where key values are few,
            there may be none.
    """

    drops: ClassVar[bool] = True

    def test_reads_only_what_the_filter_is_declared_for(
        self, seeded: Store, call: Call
    ) -> None:
        """The engine reads what meets the key condition, and drops the others by the filter.

        A read that stops before asks at first for no more items than it may return.
        """
        keyed = self.read_for(seeded.items, call.parameters)
        expected = self.views(seeded.items, call.parameters)
        recorder = seeded.watch()

        found = self.read(seeded.db, **call.parameters).all()

        assert len(keyed) > len(expected) or not self.drops
        if self.stops(expected):
            assert len(found) <= recorder.scanned <= len(keyed)
            assert recorder.requests[0].params["Limit"] <= self.max_items
        else:
            assert recorder.scanned == len(keyed)
        self.assert_read(recorder, found)

    def assert_read(self, recorder: Any, found: Sequence[Any]) -> None:
        """What the engine did not drop; it was told what to drop.

        The last request of a read that stops may bring more than it takes.
        """
        assert recorder.count == len(found) or (
            self.stops(found) and recorder.count > len(found)
        )
        assert all("FilterExpression" in each.params for each in recorder.requests)
