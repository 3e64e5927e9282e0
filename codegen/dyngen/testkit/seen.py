"""What the tables hold, read again only after something was written to them.

Suites look at whole tables before and after every write; most of the time they hold what they held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Place = tuple[str, str | None]
"""A table, by the name that the engine knows, and one of its indexes."""


@dataclass(slots=True)
class Seen:
    """Remembers what was read of tables, until a request writes to them."""

    _writes: Counter[str] = field(default_factory=Counter)
    _found: dict[Place, tuple[int, list[Any]]] = field(default_factory=dict)

    def on_request(self, params: Mapping[str, Any], model: Any, **_: object) -> None:
        """Handle botocore's `provide-client-params.dynamodb.*`, of every client in use."""
        self._writes.update(_written(model.name, params))

    def read(self, place: Place, scan: Callable[[], list[Any]]) -> list[Any]:
        """What `scan` finds there, as it was found last if nothing was written since."""
        written = self._writes[place[0]]
        known = self._found.get(place)
        if known is None or known[0] != written:
            known = self._found[place] = written, scan()
        return [*known[1]]


def _written(operation: str, params: Mapping[str, Any]) -> Iterator[str]:
    """The tables that a request writes to."""
    match operation:
        case "CreateTable" | "PutItem" | "UpdateItem" | "DeleteItem":
            yield params["TableName"]
        case "BatchWriteItem":
            yield from params["RequestItems"]
        case "TransactWriteItems":
            for action in params["TransactItems"]:
                yield from (of["TableName"] for of in action.values())
