"""Merged reads: exact pages, in order, nothing lost or repeated while others write."""

from __future__ import annotations

import random
from typing import Any

import pytest
from dyngen.runtime import cursors
from dyngen.runtime.errors import TooManyItems
from dyngen.runtime.merging import Reader
from dyngen.runtime.streams import Read, Stream
from simulated import SimulatedIndex, entry_of

TYPES = {"pk": "S", "sk": "S", "id": "N"}


def read_of(
    partitions: list[str], *, forward: bool = True, merged: bool = True
) -> Read:
    """Each partition's sort keys begin with its own name, as with a fan-out inside a sort key."""
    return Read(
        pattern="pattern",
        table="table",
        index="index",
        key_types=TYPES,
        streams=tuple(
            Stream({"pk": {"S": name}}, prefix=f"{name}#") for name in partitions
        ),
        merge_by=("sk",) if merged else (),
        forward=forward,
    )


def time_of(found: tuple[str, Any]) -> str:
    """What the streams are merged by: the sort key without the partition's own part."""
    return found[1][0].rpartition("#")[2]


class Paging:
    """Reads page after page, each from the cursor of the one before, as stateless callers do."""

    def __init__(self, index: SimulatedIndex, read: Read) -> None:
        self._index = index
        self._read = read
        self._streams = cursors.distinct(read.streams)
        self.cursor: str | None = None
        self.finished = False

    def page(self, limit: int) -> list[tuple[str, Any]]:
        positions: cursors.Positions = {}
        if self.cursor is not None:
            positions = cursors.decode(self._read, self._streams, self.cursor, None)
        reader = Reader(self._read, self._streams, positions, None)
        items: list[Any] = []
        while len(items) < limit:
            more = self._index.run(reader.more(limit - len(items)))
            if not more:
                break
            items += more
        self.finished = reader.finished
        if not self.finished:
            self.cursor = cursors.encode(
                self._read, self._streams, reader.positions, None
            )
        return [entry_of(item) for item in items]


def filled(
    chance: random.Random, partitions: list[str], *, looks_ahead: bool
) -> SimulatedIndex:
    index = SimulatedIndex(chance, looks_ahead=looks_ahead)
    for partition in partitions:
        for _ in range(chance.choice([0, 0, 1, 3, 8, 20])):
            index.insert(partition, new_entry(chance, partition))
    return index


def new_entry(chance: random.Random, partition: str) -> tuple[str, int]:
    return f"{partition}#{chance.randint(0, 12):02}", chance.getrandbits(40)


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("looks_ahead", [True, False])
def test_pages_of_quiet_streams_are_exact_and_in_order(
    looks_ahead: bool, forward: bool, merged: bool
) -> None:
    for seed in range(60):
        chance = random.Random(seed)
        partitions = ["a", "b#", "c1", "c10"][: chance.randint(1, 4)]
        index = filled(chance, partitions, looks_ahead=looks_ahead)
        limit = chance.randint(1, 6)
        paging = Paging(index, read_of(partitions, forward=forward, merged=merged))
        found: list[Any] = []
        while not paging.finished:
            index.items_read = 0
            page = paging.page(limit)
            assert len(page) == limit or paging.finished
            assert index.items_read <= limit * (len(partitions) if merged else 1)
            found += page

        expected = [(p, e) for p in partitions for e in index.partitions.get(p, ())]
        assert sorted(found) == sorted(expected)
        if merged:
            times = [time_of(entry) for entry in found]
            assert times == sorted(times, reverse=not forward)


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("forward", [True, False])
def test_an_iteration_reads_exactly_what_it_returns(
    forward: bool, merged: bool
) -> None:
    for seed in range(60):
        chance = random.Random(seed)
        partitions = ["a", "b", "c"][: chance.randint(1, 3)]
        index = filled(chance, partitions, looks_ahead=False)
        read = read_of(partitions, forward=forward, merged=merged)
        reader = Reader(read, cursors.distinct(read.streams), {}, None)
        found: list[Any] = []
        while more := index.run(reader.more(None)):
            found += map(entry_of, more)

        expected = sum(map(len, index.partitions.values()))
        assert len(set(found)) == len(found) == index.items_read == expected
        assert index.run(reader.more(None)) == []


class World:
    """A read that goes on page by page while others write, and what it must return."""

    def __init__(self, seed: int, *, forward: bool, merged: bool) -> None:
        self._chance = chance = random.Random(seed)
        self._forward = forward
        self._merged = merged
        self._partitions = ["a", "b", "c", "d"][: chance.randint(1, 4)]
        self._index = filled(
            chance, self._partitions, looks_ahead=chance.random() < 0.5
        )
        self._paging = Paging(
            self._index, read_of(self._partitions, forward=forward, merged=merged)
        )
        self.returned: list[tuple[str, Any]] = []
        self.due = {
            (partition, entry)
            for partition, entries in self._index.partitions.items()
            for entry in entries
        }

    def read_to_the_end(self) -> None:
        for number in range(400):
            self.returned += self._paging.page(self._chance.randint(1, 4))
            if self._paging.finished:
                return
            if number < 15:
                for _ in range(self._chance.randint(0, 4)):
                    self._write()
        raise AssertionError("the read does not end")

    def _write(self) -> None:
        partition = self._chance.choice(self._partitions)
        there = self._index.partitions.get(partition, [])
        if there and self._chance.random() < 0.4:
            entry = self._chance.choice(there)
            self._index.delete(partition, entry)
            self.due.discard((partition, entry))
            return
        entry = new_entry(self._chance, partition)
        self._index.insert(partition, entry)
        if self._ahead(partition, entry):
            self.due.add((partition, entry))

    def _ahead(self, partition: str, entry: tuple[str, int]) -> bool:
        """Whether the item lies ahead of what its stream has returned.

        Of streams that are read one after another, those that were passed lie behind.
        """
        if not self._merged and any(other > partition for other, _ in self.returned):
            return False
        passed = [found for other, found in self.returned if other == partition]
        return all((entry > found) == self._forward for found in passed)


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("forward", [True, False])
def test_nothing_is_lost_or_repeated_while_others_write(
    forward: bool, merged: bool
) -> None:
    """Between any two pages items come and go, ahead of where the reader stands and behind it.

    What was there before the first page, or is inserted ahead of what its stream has returned, is
    returned unless it is deleted before: also if its stream had come to an end. Nothing is returned
    twice.
    """
    for seed in range(250):
        world = World(seed, forward=forward, merged=merged)
        world.read_to_the_end()
        assert len(set(world.returned)) == len(world.returned)
        assert world.due <= set(world.returned)


def test_of_equal_items_that_of_the_first_stream_comes_first() -> None:
    index = SimulatedIndex(random.Random(1), looks_ahead=True)
    for partition in ("b", "a", "c"):
        index.insert(partition, (f"{partition}#1", 1))
    for forward in (True, False):
        paging = Paging(index, read_of(["c", "b", "a"], forward=forward))
        assert [partition for partition, _ in paging.page(3)] == ["a", "b", "c"]


def test_a_cursor_holds_nothing_of_streams_not_begun() -> None:
    index = SimulatedIndex(random.Random(2), looks_ahead=True)
    for number in range(3):
        index.insert("a", (f"a#{number}", number))
        index.insert("b", (f"b#{number + 9}", number))
    read = read_of(["a", "b"])
    reader = Reader(read, cursors.distinct(read.streams), {}, None)
    index.run(reader.more(2))
    assert reader.positions.keys() == {0}


def test_of_streams_read_one_after_another_a_cursor_holds_the_last() -> None:
    index = SimulatedIndex(random.Random(2), looks_ahead=True)
    for partition in ("a", "b", "c"):
        index.insert(partition, (f"{partition}#1", 1))
        index.insert(partition, (f"{partition}#2", 2))
    read = read_of(["a", "b", "c"], merged=False)
    reader = Reader(read, cursors.distinct(read.streams), {}, None)
    begun = []
    for _ in range(6):
        index.run(reader.more(1))
        begun.append(list(reader.positions))
    assert begun == [[0], [0], [1], [1], [2], [2]]


@pytest.mark.parametrize("seed", range(20))
def test_more_items_than_the_pattern_allows_are_refused(seed: int) -> None:
    index = SimulatedIndex(random.Random(seed), looks_ahead=True)
    for number in range(9):
        index.insert("a", (f"a#{number}", number))
    read = read_of(["a"])

    def everything(at_most: int) -> list[Any]:
        index.items_read = 0
        reader = Reader(read, cursors.distinct(read.streams), {}, at_most)
        found: list[Any] = []
        while more := index.run(reader.more(None)):
            found += more
        return found

    assert len(everything(9)) == 9
    with pytest.raises(TooManyItems, match="more than 6 items"):
        everything(6)
    assert index.items_read == 7


def test_streams_are_counted_together() -> None:
    index = SimulatedIndex(random.Random(4), looks_ahead=False)
    for number in range(7):
        index.insert("a", (f"a#{number}", number))
        index.insert("b", (f"b#{number}", number))
    read = read_of(["a", "b"])
    streams = cursors.distinct(read.streams)
    assert index.run(Reader(read, streams, {}, None).count(None)) == 14
    assert index.run(Reader(read, streams, {}, None).count(5)) == 5
    assert index.requests[-1].arguments["Select"] == "COUNT"
    with pytest.raises(TooManyItems):
        index.run(Reader(read, streams, {}, 13).count(None))
