"""Values that keep items with varied attributes from replacing each other."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Attribute
from dyngen.python.suite import samples
from dyngen.python.suite.specimens import stem


class Fresh:
    """Hands out values of an attribute of the key, so that varied items do not replace each other."""

    def __init__(self, attribute: Attribute | None, values: Iterator[object]) -> None:
        self.attribute = attribute
        self._values = values

    def __call__(self, varied: str) -> dict[str, object]:
        """Another value, unless this very attribute is being varied."""
        if self.attribute is None or varied == self.attribute.name:
            return {}
        value = next(self._values, None)
        return {} if value is None else {self.attribute.name: value}


def scarce(attribute: Attribute) -> tuple[bool, bool]:
    """Sorts attributes: those first that every item has, and that have any number of values."""
    series = samples.series(attribute.type, stem(attribute))
    return attribute.optional, series is None
