"""Whether everything that can match a question is inside one place, and what to say where it is not.

Per attribute, with absence as a value: what matches for some parameter must be a subset of what the
items inside can have (semantics 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dyngen.design.model import Attribute
from dyngen.design.question import Question
from dyngen.design.valuesets import Interval, ValueSet, conjunction
from dyngen.diagnostics.suggest import listed
from dyngen.types.model import Enum

_MOST_NAMED = 5  # values that a message lists


def nothing_matches(question: Question) -> str | None:
    """The attribute whose conditions exclude one another, if there is one."""
    for attribute in question.entity.attributes:
        if wanted(question, attribute).empty:
            return attribute.name
    return None


def wanted(question: Question, attribute: Attribute) -> ValueSet:
    """The values of the attribute in items that match, for some parameters."""
    tests = [t for t in question.tests if t.attribute == attribute.name]
    return conjunction(tests, attribute.type, optional=attribute.optional)


def other_values(question: Question, holds: Mapping[str, ValueSet]) -> str | None:
    """Why items may match that have values which no item inside has; None if there are none."""
    for attribute in question.entity.attributes:
        mine, inside = wanted(question, attribute), holds[attribute.name]
        if not inside.present and mine.present:
            return f"it holds only items without `{attribute.name}`"
        if ValueSet(mine.present).within(inside):
            continue
        few = _named(attribute, inside)
        if few is None:
            return (
                f"it holds only some values of `{attribute.name}`, and others may match"
            )
        absent = ", or without it" if inside.absent else ""
        return (
            f"it holds only items with `{attribute.name}` {few}{absent},"
            " and others may match"
        )
    return None


def absent_values(question: Question, holds: Mapping[str, ValueSet]) -> str | None:
    """Why items may match that lack what all items inside have; None if there are none."""
    lacking = list(_lacking(question, holds))
    if not lacking:
        return None
    names = [attribute.name for attribute in lacking]
    without = f"items without {listed(names)}"
    if any(not wanted(question, attribute).present for attribute in lacking):
        return f"{without} are asked for, and it holds none"
    remedy = ", ".join(f"{name}: present" for name in names)
    return (
        f"{without} may match, but are not in it"
        f" (say `{remedy}` if they are not wanted)"
    )


def _lacking(question: Question, holds: Mapping[str, ValueSet]) -> Iterator[Attribute]:
    for attribute in question.entity.attributes:
        if wanted(question, attribute).absent and not holds[attribute.name].absent:
            yield attribute


def _named(attribute: Attribute, values: ValueSet) -> str | None:
    """A few values in words; None if they are many, or a range."""
    points = [_point(attribute, interval) for interval in values.present]
    known = [point for point in points if point is not None]
    if len(known) < len(points) or len(known) > _MOST_NAMED:
        return None
    return listed(known)


def _point(attribute: Attribute, interval: Interval) -> str | None:
    value = interval.low
    if value is None or value != interval.high:
        return None
    match attribute.type, value:
        case Enum(members=members), _:
            return next((m.name for m in members if m.stored == value), None)
        case _, bool():
            return "true" if value else "false"
        case _:
            return str(value)
