"""Guards that ask for the version of an item, as a caller read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dyngen.design.model import Condition, Entity, Param, Test
from dyngen.python import names
from dyngen.python.literals import text


def asks(entity: Entity, condition: Condition) -> bool:
    """Whether a condition of a guard asks for the version."""
    version = entity.version
    return (
        version is not None
        and isinstance(condition, Test)
        and condition.attribute == version.name
    )


def others(entity: Entity, guard: Iterable[Condition]) -> tuple[Condition, ...]:
    """The conditions that do not ask for the version."""
    return tuple(each for each in guard if not asks(entity, each))


def asked(entity: Entity, guard: Iterable[Condition]) -> Iterator[str]:
    """The parameters that must be the version."""
    for each in guard:
        if isinstance(each, Test) and asks(entity, each):
            yield from (o.name for o in each.operands if isinstance(o, Param))


def assignment(members: Sequence[tuple[Entity, Iterable[Condition]]]) -> Iterator[str]:
    """What a test class says of its versions: by parameter, the number of the item's effect."""
    pairs = [
        f"{text(names.parameter(parameter))}: {number}"
        for number, (entity, guard) in enumerate(members)
        for parameter in asked(entity, guard)
    ]
    if pairs:
        yield f"versions = {{{', '.join(pairs)}}}"
