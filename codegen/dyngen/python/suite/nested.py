"""What is inside the objects and maps of sample items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dyngen.design.model import Attribute, Room, Test
from dyngen.design.paths import PARAMETER_STEP
from dyngen.types.model import Object, inside

Values = Mapping[str, object]
"""An item's attributes by their names in the spec, or a call's parameters; absent ones left out.

What is inside an object goes by its stored names.
"""

Steps = tuple[str, ...]
"""The way to a value: its attribute, then the stored names of what is inside."""


def steps_of(test: Test | Room, call: Values) -> Steps:
    """Where the value is that a condition is about; a parameter's key of a map is the call's."""
    found = [test.attribute]
    for step in test.path:
        parameter = PARAMETER_STEP.fullmatch(step)
        found.append(step if parameter is None else str(call.get(parameter[1])))
    return tuple(found)


def leaf(attribute: Attribute, test: Test | Room) -> Attribute:
    """What the condition is about, as if it were an attribute of its own."""
    found = attribute
    for step in test.path:
        of = found.type
        optional = of.field(step).optional if isinstance(of, Object) else True
        found = replace(found, type=inside(of, step), optional=optional)
    return found


def value_at(values: Values, steps: Steps) -> object:
    """The value there; None if there is none."""
    found: object = values
    for step in steps:
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def placed(values: Values, steps: Steps, value: object) -> Iterator[dict[str, object]]:
    """The values with another one there, None for none; nothing if there is nothing around it."""
    first, *others = steps
    if others:
        inside = values.get(first)
        if not isinstance(inside, Mapping):
            return
        for changed in placed(inside, tuple(others), value):
            yield {**values, first: changed}
        return
    kept = {name: each for name, each in values.items() if name != first}
    yield kept if value is None else {**kept, first: value}
