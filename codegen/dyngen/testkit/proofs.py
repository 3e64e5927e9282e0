"""What the proofs of all reads have in common.

The test classes of a suite inherit from the classes here and in `queries` and `singles`; they say
how the read is called, what it should return (`matches`, in plain Python), and which items are
stored around that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from . import draws
from .reads import Recorder
from .store import Kind, Store, Suite

Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One way to call a read.

    Attributes:
        parameters: of the method.
        index: where the read goes; None is the table.
        streams: how many requests it takes at least.
    """

    parameters: Parameters
    index: str | None = None
    streams: int = 1


class ReadProof:
    """A read.

    Attributes:
        kinds: the entities that are read.
        table: the table that is read, by its name in the spec.
        given: the parameters of the first call, from which others differ.
        calls: one for each set of optional parameters.
        items: what is stored: items that match, and around them items that almost do.
        sources: the attribute that each parameter is compared with.
        consistent: whether it is strongly consistent.
        read: calls the repository's method.
        matches: whether the read must return an item.
        keyed: whether an item meets the conditions that need no filter; None without a filter.
        at_most: how many items a call may read; None where the pattern does not say.
    """

    kinds: ClassVar[Sequence[Kind]]
    table: ClassVar[str]
    given: ClassVar[dict[str, Any]]
    calls: ClassVar[Sequence[Call]]
    items: ClassVar[Sequence[Any]]
    sources: ClassVar[Mapping[str, str]]
    consistent: ClassVar[bool] = False
    read: ClassVar[Callable[..., Any]]
    matches: ClassVar[Callable[..., bool]]
    keyed: ClassVar[Callable[..., bool] | None] = None
    at_most: ClassVar[int | None] = None

    def view(self, item: Any) -> Any:
        """What the read returns of an item."""
        return item

    def mine(self, items: Sequence[Any]) -> list[Any]:
        """Those of the items that are of the entities read."""
        types = tuple(kind.type for kind in self.kinds)
        return [item for item in items if isinstance(item, types)]

    def expected(self, items: Sequence[Any], parameters: Parameters) -> list[Any]:
        """The items that the read must return, of these."""
        return [item for item in self.mine(items) if self.matches(item, **parameters)]

    def read_for(self, items: Sequence[Any], parameters: Parameters) -> list[Any]:
        """The items that are read, of these: also those that a filter then drops."""
        keyed = self.keyed
        if keyed is None:
            return self.expected(items, parameters)
        return [item for item in self.mine(items) if keyed(item, **parameters)]

    def too_many(self, items: Sequence[Any], parameters: Parameters) -> bool:
        """Whether more of the items are read than the pattern allows."""
        most = self.at_most
        return most is not None and len(self.read_for(items, parameters)) > most

    def views(self, items: Sequence[Any], parameters: Parameters) -> list[Any]:
        """What the read must return, of these items."""
        return [self.view(item) for item in self.expected(items, parameters)]

    def with_target(self, item: Any) -> list[Any]:
        """The item, and what it leads to where that is read."""
        return [item]

    def assert_answers(
        self, db: Any, suite: Suite, items: Sequence[Any], parameters: Parameters
    ) -> None:
        """The read answers as it should where just these items are stored."""
        raise NotImplementedError

    def assert_consistency(self, recorder: Recorder) -> None:
        """Every request was as consistent as declared, and costs accordingly."""
        assert {each.consistent for each in recorder.requests} == {self.consistent}

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each call."""
        if "call" in metafunc.fixturenames:
            ids = ["-".join(call.parameters) or "()" for call in self.calls]
            metafunc.parametrize("call", self.calls, ids=ids)

    def random(self, store: Store, data: DataObject) -> Parameters:
        """Store random items of every entity in the table; parameters that may find some of them."""
        store.clear()
        for kind in store.suite.kinds:
            if kind.table == self.table:
                unique = kind.unique_fields
                store.add(*draws.neighbours(data, kind.drawn, unique=unique))
        sample = data.draw(st.sampled_from(list(self.calls))).parameters
        return draws.parameters(data, sample, self.sources, self.mine(store.items))


class HydrationProof(ReadProof):
    """A read of an index that does not hold whole items.

    Attributes:
        target: the entity that is fetched, if not the one that is queried.
        follow: the key of the item that an index entry leads to.
    """

    target: ClassVar[Kind | None] = None
    follow: ClassVar[Callable[..., dict[str, Any]]]

    def views(self, items: Sequence[Any], parameters: Parameters) -> list[Any]:
        """The items that the matching ones lead to; those that are gone are left out."""
        expected = self.expected(items, parameters)
        if self.target is None:
            return expected
        return [found for item in expected for found in self._targets(item, items)]

    def with_target(self, item: Any) -> list[Any]:
        """The item, and the one that it leads to."""
        return [item, *self._targets(item, self.items)]

    def _targets(self, item: Any, items: Sequence[Any]) -> list[Any]:
        kind = self.target
        if kind is None:
            return []
        key = self.follow(item)
        there = (each for each in items if isinstance(each, kind.type))
        return [each for each in there if kind.key(each) == key]
