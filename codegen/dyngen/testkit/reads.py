"""What the engine was asked and what it read, and how a read's result is compared."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol


@dataclass(slots=True)
class Request:
    """One request and, once it has come, its response."""

    operation: str
    params: dict[str, Any]
    response: dict[str, Any] = field(default_factory=dict)

    @property
    def scanned(self) -> int:
        """How many items the engine read, apart from those fetched by BatchGetItem."""
        match self.operation:
            case "Query" | "Scan":
                return int(self.response["ScannedCount"])
            case "GetItem":
                return int("Item" in self.response)
            case _:
                return 0

    @property
    def fetched(self) -> int:
        """How many items a BatchGetItem returned."""
        if self.operation != "BatchGetItem":
            return 0
        return sum(len(items) for items in self.response["Responses"].values())

    @property
    def count(self) -> int:
        """How many items the engine returned."""
        if self.operation in ("Query", "Scan"):
            return int(self.response["Count"])
        return self.scanned

    @property
    def consistent(self) -> bool:
        """Whether a strongly consistent read was asked for, of every table."""
        asked = self.params.get("RequestItems", {"": self.params}).values()
        return all(each.get("ConsistentRead") for each in asked)


@dataclass(slots=True)
class Recorder:
    """Keeps every request of a client, in order."""

    requests: list[Request] = field(default_factory=list)

    def on_request(self, params: dict[str, Any], model: Any, **_: object) -> None:
        """Handle botocore's `provide-client-params.dynamodb.*`."""
        self.requests.append(Request(model.name, copy.deepcopy(params)))

    def on_response(self, parsed: dict[str, Any], **_: object) -> None:
        """Handle botocore's `after-call.dynamodb.*`."""
        self.requests[-1].response = copy.deepcopy(parsed)

    def clear(self) -> None:
        """Forget what was recorded."""
        self.requests.clear()

    @property
    def operations(self) -> list[str]:
        """The names of the operations called."""
        return [request.operation for request in self.requests]

    @property
    def scanned(self) -> int:
        """How many items were read."""
        return sum(request.scanned for request in self.requests)

    @property
    def fetched(self) -> int:
        """How many items were fetched by BatchGetItem."""
        return sum(request.fetched for request in self.requests)

    @property
    def count(self) -> int:
        """How many items were returned, before any work on the client."""
        return sum(request.count for request in self.requests)


def assert_reads_only(recorder: Recorder, returned: Sequence[object]) -> None:
    """Every item read was returned: by the engine (no filter) and by the method (no sieve)."""
    filtered = [r for r in recorder.requests if "FilterExpression" in r.params]
    assert not filtered, "a read that needs no filter has a FilterExpression"
    assert len(returned) == recorder.count == recorder.scanned, (
        f"{len(returned)} items returned by the method, {recorder.count} by the engine, "
        f"which read {recorder.scanned}"
    )


def assert_same_items(found: Iterable[Any], expected: Iterable[Any]) -> None:
    """The same items, in whatever order; each as often as expected, and of the same types within."""
    assert sorted(map(_text, found)) == sorted(map(_text, expected))


def _text(value: Any) -> str:
    """Like `repr`, but for what engines do not keep: the order of maps and sets, zeros of numbers."""
    match value:
        case Mapping():
            pairs = (f"{key!r}: {_text(each)}" for key, each in value.items())
            return f"{{{', '.join(sorted(pairs))}}}"
        case Set():
            return f"{{{', '.join(sorted(map(_text, value)))}}}"
        case list() | tuple():
            return f"[{', '.join(map(_text, value))}]"
        case Decimal():
            return f"{value.normalize():f}d"
        case _ if dataclasses.is_dataclass(value):
            fields = (each.name for each in dataclasses.fields(value))
            said = (f"{name}={_text(getattr(value, name))}" for name in fields)
            return f"{type(value).__name__}({', '.join(said)})"
        case _:
            return repr(value)


@dataclass(frozen=True, slots=True)
class By:
    """One step of an order: an item's value, ascending or descending; absent comes first."""

    value: Callable[[Any], Any]
    descending: bool = False


def in_order(items: Iterable[Any], order: Sequence[By]) -> list[Any]:
    """The items, sorted as declared."""
    ordered = list(items)
    for by in reversed(order):
        ordered.sort(key=lambda item, by=by: _rank(by.value(item)), reverse=by.descending)  # type: ignore[misc]
    return ordered


def assert_in_order(found: Sequence[Any], order: Sequence[By]) -> None:
    """Sorted as declared; items that agree in all of `order` may come in any order among them."""
    assert ranks(found, order) == ranks(in_order(found, order), order)


def ranks(items: Iterable[Any], order: Sequence[By]) -> list[list[Any]]:
    """What each item is ordered by, comparable whatever is absent."""
    return [[_rank(by.value(item)) for by in order] for item in items]


def _rank(value: Any) -> tuple[Any, ...]:
    return (0,) if value is None else (1, value)


class Page(Protocol):
    """One page of a read."""

    @property
    def items(self) -> Sequence[Any]:
        """Its items."""

    @property
    def cursor(self) -> str | None:
        """Where the next page starts; None after the last."""


class Pages(Protocol):
    """A read that can be taken page by page."""

    def page(self, *, limit: int, cursor: str | None) -> Page:
        """The page after `cursor`."""


def walk(read: Pages, limit: int, most: int = 1000) -> list[Any]:
    """All items of a read, page by page, each started from the last one's cursor.

    No page exceeds the limit; the walk ends; only the last page may be empty, which DynamoDB
    sends when the last full page ended exactly at the last item.
    """
    items: list[Any] = []
    cursor: str | None = None
    for _ in range(most):
        page = read.page(limit=limit, cursor=cursor)
        assert len(page.items) <= limit
        assert page.items or page.cursor is None, "an empty page before the last"
        items += page.items
        cursor = page.cursor
        if cursor is None:
            return items
    raise AssertionError(f"no end after {most} pages")
