"""The tests inside conditions."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import AllOf, AnyOf, Condition, Not, Test


def tested(condition: Condition) -> Iterator[Test]:
    """Every test in a condition."""
    match condition:
        case Test():
            yield condition
        case Not(of=inner):
            yield from tested(inner)
        case AnyOf(of=several) | AllOf(of=several):
            for each in several:
                yield from tested(each)
