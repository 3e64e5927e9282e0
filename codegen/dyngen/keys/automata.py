"""Finite automata over code points, with intervals as edges.

They are built from right to left: each function takes the state that what follows starts in, and
returns the state that the piece starts in. A state may do what several others do, so that neither
empty edges nor copies are needed. Surrogates are no characters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Interval = tuple[int, int]
Edge = tuple[int, int, int]

GREATEST = 0x10FFFF
_SURROGATES = (0xD800, 0xDFFF)
_READABLE = "aA01"


@dataclass(frozen=True, slots=True)
class Automaton:
    """`edges[s]` holds the edges of state s: least and greatest code point, and the next state.

    `label` is a fixed text that all others begin with: those of most entities differ in it.
    """

    edges: tuple[tuple[Edge, ...], ...]
    accepting: tuple[bool, ...]
    start: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts from `low` to `high`, both included; without `high`, all from `low`.

    With `endless`, the last character of `high` stands for any number of itself.
    """

    low: str = ""
    high: str | None = None
    endless: bool = False


class Builder:
    """States under construction."""

    def __init__(self) -> None:
        self._edges: list[list[Edge]] = []
        self._accepting: list[bool] = []

    def state(self, *alike: int, accepting: bool = False) -> int:
        """A new state that does what each of `alike` does; these must be complete."""
        edges = dict.fromkeys(edge for state in alike for edge in self._edges[state])
        self._edges.append(list(edges))
        self._accepting.append(accepting or any(self._accepting[s] for s in alike))
        return len(self._edges) - 1

    def connect(self, state: int, intervals: Iterable[Interval], target: int) -> None:
        """An edge from `state` to `target` for each interval of code points."""
        for interval in intervals:
            for low, high in _without_surrogates(interval):
                self._edges[state].append((low, high, target))

    def finish(self, start: int) -> Automaton:
        """The automaton that starts in `start`."""
        return Automaton(
            tuple(map(tuple, self._edges)),
            tuple(self._accepting),
            start,
            self._label(start),
        )

    def _label(self, state: int) -> str:
        """The characters from `state` on that are the only ones possible."""
        label = ""
        for _ in self._edges:
            if self._accepting[state] or len(self._edges[state]) != 1:
                break
            low, high, state = self._edges[state][0]
            if low != high:
                break
            label += chr(low)
        return label

    def one_of(self, intervals: Iterable[Interval], then: int) -> int:
        """One character of these intervals."""
        state = self.state()
        self.connect(state, intervals, then)
        return state

    def literal(self, text: str, then: int) -> int:
        """This text."""
        for char in reversed(text):
            then = self.one_of([(ord(char), ord(char))], then)
        return then

    def choice(self, texts: Iterable[str], then: int) -> int:
        """One of these texts."""
        return self.state(*[self.literal(text, then) for text in texts])

    def digits(self, low: str, high: str, then: int) -> int:
        """Texts of digits from `low` to `high`, which are alike in length and in all but digits."""
        made: dict[tuple[int, bool, bool], int] = {}

        def rest(at: int, on_low: bool, on_high: bool) -> int:
            if at == len(low):
                return then
            key = (at, on_low, on_high)
            if key not in made:
                made[key] = state = self.state()
                if not low[at].isdigit():
                    self.connect(state, _single(low[at]), rest(at + 1, on_low, on_high))
                else:
                    least, most = low[at] if on_low else "0", (
                        high[at] if on_high else "9"
                    )
                    for char in map(chr, range(ord(least), ord(most) + 1)):
                        target = rest(
                            at + 1, on_low and char == least, on_high and char == most
                        )
                        self.connect(state, _single(char), target)
            return made[key]

        return rest(0, True, True)

    def anything(self) -> int:
        """Any text, to the end."""
        state = self.state(accepting=True)
        self.connect(state, [(0, GREATEST)], state)
        return state

    def between(self, texts: Texts) -> int:
        """Any text of an interval, to the end."""
        low, high = texts.low, texts.high
        made: dict[tuple[int | None, int | None], int] = {}

        def rest(on_low: int | None, on_high: int | None) -> int:
            if on_low == len(low):
                on_low = None
            if high is not None and texts.endless and on_high == len(high):
                on_high = len(high) - 1
            key = (on_low, on_high)
            if key in made:
                return made[key]
            made[key] = state = self.state(accepting=on_low is None)
            if high is not None and on_high == len(high):
                return state
            least = 0 if on_low is None else ord(low[on_low])
            most = GREATEST if high is None or on_high is None else ord(high[on_high])
            inner = (least + (on_low is not None), most - (on_high is not None))
            if inner[0] <= inner[1]:
                self.connect(state, [inner], rest(None, None))
            next_low = None if on_low is None else on_low + 1
            next_high = None if on_high is None else on_high + 1
            if next_low is not None and next_high is not None and least == most:
                self.connect(state, [(least, least)], rest(next_low, next_high))
                return state
            if (
                next_low is not None
                and least <= most
                and (next_high is None or least < most)
            ):
                self.connect(state, [(least, least)], rest(next_low, None))
            if (
                next_high is not None
                and least <= most
                and (next_low is None or least < most)
            ):
                self.connect(state, [(most, most)], rest(None, next_high))
            return state

        return rest(0, None if high is None else 0)


def _single(char: str) -> Sequence[Interval]:
    return [(ord(char), ord(char))]


def _without_surrogates(interval: Interval) -> Iterator[Interval]:
    low, high = interval
    first, last = _SURROGATES
    if low < first:
        yield low, min(high, first - 1)
    if high > last:
        yield max(low, last + 1), high


# --- what two automata share ----------------------------------------------------------------------------


def common_text(first: Automaton, second: Automaton) -> str | None:
    """A shortest text that both accept, of readable characters where there is a choice, or None."""
    if not (
        first.label.startswith(second.label) or second.label.startswith(first.label)
    ):
        return None
    start = (first.start, second.start)
    came: dict[tuple[int, int], tuple[tuple[int, int], int] | None] = {start: None}
    queue = deque([start])
    while queue:
        pair = queue.popleft()
        if first.accepting[pair[0]] and second.accepting[pair[1]]:
            return _path(pair, came)
        for low, high, target in _shared_edges(
            first.edges[pair[0]], second.edges[pair[1]]
        ):
            if target not in came:
                came[target] = (pair, _readable(low, high))
                queue.append(target)
    return None


def _shared_edges(
    first: Iterable[Edge], second: Sequence[Edge]
) -> Iterator[tuple[int, int, tuple[int, int]]]:
    for low_one, high_one, to_one in first:
        for low_two, high_two, to_two in second:
            low, high = max(low_one, low_two), min(high_one, high_two)
            if low <= high:
                yield low, high, (to_one, to_two)


def _readable(low: int, high: int) -> int:
    return next((ord(char) for char in _READABLE if low <= ord(char) <= high), low)


def _path(
    pair: tuple[int, int],
    came: dict[tuple[int, int], tuple[tuple[int, int], int] | None],
) -> str:
    chars = []
    step = came[pair]
    while step is not None:
        pair, code = step
        chars.append(chr(code))
        step = came[pair]
    return "".join(reversed(chars))
