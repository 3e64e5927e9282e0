"""Loads tables, calls every read once, and measures what the engine read for it.

Units are those that the engine reports where it is known to count as AWS does; else they are computed
from the items that were read (`runtime.capacity`).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dyngen.design.cost import PAGE
from dyngen.design.plans import Design, Parameter, ReadPlan
from dyngen.prove.calls import Call
from dyngen.prove.stock import Stock, stock
from dyngen.python import names
from dyngen.runtime.capacity import get_units, item_size, read_units
from dyngen.spec.model import Action
from dyngen.types.model import Enum

_BATCH = 25
_PLACEHOLDER = re.compile(r"[#:]\w+")
_NARROWING = ("FilterExpression", "ProjectionExpression", "Select")
_REPORT = {"ReturnConsumedCapacity": "TOTAL"}

Progress = Callable[[int, int], None]
"""Told how many items are loaded, and how many there will be."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Items read, and the read units of that."""

    items: int
    units: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What one call of a pattern cost.

    Attributes:
        pattern: its name.
        place: the index that it read, or the table.
        requests: how many were made.
        read: what the engine read; `returned` items came out of it.
        filtered: what the same partitions cost if they are read whole and filtered; None where
            the pattern itself is a scan.
        scanned: what a scan of the table costs.
    """

    pattern: str
    place: str
    requests: int
    read: Reading
    returned: int
    filtered: Reading | None
    scanned: Reading


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that was measured.

    Attributes:
        engine: what it ran on, as a person would call it.
        reported: whether the units are the engine's own, rather than computed.
        loaded: how many items of each entity were in the tables.
        reads: a row for each read pattern.
        missing: patterns for which no call was found.
    """

    engine: str
    reported: bool
    loaded: Mapping[str, int]
    reads: tuple[Measured, ...]
    missing: tuple[str, ...]


def measure(design: Design, items: int | None, progress: Progress) -> Results:
    """Load fresh tables, call each read of the design, and remove the tables.

    The built suite's support module and harness must be importable.
    """
    service = design.schema.service
    suite = importlib.import_module(f"{service}_support").SUITE
    engines = importlib.import_module(f"{service}_harness.engine")
    goods = stock(design, items)
    with engines.engine(suite.scans) as engine, suite.store(engine) as store:
        bench = _Bench(design, store, goods)
        bench.load(progress)
        return Results(
            engine=engine.name,
            reported=engine.counts_units,
            loaded={e.name: goods.count(e.name) for e in design.schema.entities},
            reads=tuple(bench.measured(plan, call) for plan, call in goods.calls),
            missing=goods.missing,
        )


@dataclass(slots=True)
class _Bench:
    """Tables to measure on. `store` is the harness's Store."""

    design: Design
    store: Any
    goods: Stock
    scans: dict[str, Reading] = field(default_factory=dict)

    def load(self, progress: Progress) -> None:
        """Store all items."""
        total = len(self.goods.items)
        for start in range(0, total, _BATCH):
            requests: dict[str, list[Any]] = {}
            for item in self.goods.items[start : start + _BATCH]:
                table = self.design.schema.entity(item.entity).table
                put = {"PutRequest": {"Item": item.stored}}
                requests.setdefault(self._physical(table), []).append(put)
            while requests:
                answer = self._raw.batch_write_item(RequestItems=requests)
                requests = answer["UnprocessedItems"]
            progress(min(start + _BATCH, total), total)

    def measured(self, plan: ReadPlan, call: Call) -> Measured:
        """Call a read, then read the same by a filter and by a scan."""
        recorder = self.store.watch()
        returned = self._call(plan, call)
        requests = list(recorder.requests)
        return Measured(
            pattern=plan.name,
            place=call.route.index or plan.table,
            requests=len(requests),
            read=Reading(
                sum(each.scanned for each in requests), sum(map(self._units, requests))
            ),
            returned=returned,
            filtered=None if call.route.scan else self._filtered(plan, call, requests),
            scanned=self._scanned(plan.table),
        )

    # --- the pattern's own requests ---------------------------------------------------------------

    def _call(self, plan: ReadPlan, call: Call) -> int:
        """How many items the method returns: of a paged read, those of the first page."""
        arguments = {
            names.parameter(each.name): self._argument(each, call.parameters[each.name])
            for each in plan.parameters
            if each.name in call.parameters
        }
        found = self._method(plan)(**arguments)
        if plan.action is Action.GET or plan.one is not None:
            return int(found is not None)
        return len(found.all() if plan.page_size is None else found.page().items)

    def _method(self, plan: ReadPlan) -> Callable[..., Any]:
        owner = self.store.db
        if len(plan.entities) == 1:
            entity = self.design.schema.entity(plan.entities[0])
            owner = getattr(
                owner, names.repository_attribute(entity.name, entity.plural)
            )
        method: Callable[..., Any] = getattr(owner, names.method(plan.name))
        return method

    def _argument(self, parameter: Parameter, value: object) -> object:
        """A value of the spec as the method takes it: enums by their member."""
        if not isinstance(parameter.type, Enum):
            return value
        package = importlib.import_module(self.design.schema.service)
        member = getattr(package, names.class_name(parameter.type.name))
        return tuple(map(member, value)) if isinstance(value, tuple) else member(value)

    def _units(self, request: Any) -> float:
        """The read units of a recorded request."""
        if self._counts:
            return _reported(request.response)
        match request.operation:
            case "Query" | "Scan":
                again = self._evaluated(request.operation, request.params)
                return read_units(map(item_size, again), consistent=request.consistent)
            case "GetItem":
                stored = self._raw.get_item(
                    TableName=request.params["TableName"], Key=request.params["Key"]
                )
                size = item_size(stored.get("Item", {}))
                return get_units([size], consistent=request.consistent)
            case _:
                found = request.response["Responses"].values()
                return get_units([item_size(item) for group in found for item in group])

    def _evaluated(self, operation: str, params: Mapping[str, Any]) -> list[Any]:
        """What a Query or Scan evaluates, whole: before filter and projection."""
        whole = {n: value for n, value in params.items() if n not in _NARROWING}
        used = set(_PLACEHOLDER.findall(whole.get("KeyConditionExpression", "")))
        for name in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
            kept = {n: v for n, v in whole.pop(name, {}).items() if n in used}
            whole |= {name: kept} if kept else {}
        call = self._raw.query if operation == "Query" else self._raw.scan
        found: list[Any] = call(**whole)["Items"]
        return found

    # --- the same answer by other means -----------------------------------------------------------

    def _filtered(self, plan: ReadPlan, call: Call, requests: list[Any]) -> Reading:
        """The partitions that the call has read, as a whole."""
        definition = self.store.tables.definitions[plan.table]
        view = definition.view(call.route.index)
        partitions = {
            repr(values): values
            for request in requests
            if request.operation in ("Query", "GetItem")
            for values in [_key_values(request, view.partition)]
        }
        found = [
            self._pages(
                "query",
                _partition(plan, call, self._physical, values),
                self._sizes(plan.table, view, values),
            )
            for values in partitions.values()
        ]
        return Reading(
            sum(each.items for each in found), sum(each.units for each in found)
        )

    def _scanned(self, table: str) -> Reading:
        if table not in self.scans:
            request = {"TableName": self._physical(table)}
            view = self.store.tables.definitions[table].table
            self.scans[table] = self._pages(
                "scan", request, self._sizes(table, view, {})
            )
        return self.scans[table]

    def _pages(
        self, operation: str, request: Mapping[str, Any], sizes: Iterator[int]
    ) -> Reading:
        """Everything that a request reads, page by page; `sizes` are those of the entries read.

        The items are only counted, which costs the same (AWS: API_Query, Select).
        """
        paginator = self._raw.get_paginator(operation)
        pages = list(paginator.paginate(**request, Select="COUNT", **_REPORT))
        return Reading(
            sum(page["Count"] for page in pages),
            (
                sum(map(_reported, pages))
                if self._counts
                else sum(map(read_units, _chunks(sizes)))
            ),
        )

    def _sizes(
        self, table: str, view: Any, partition: Mapping[str, Any]
    ) -> Iterator[int]:
        """The sizes of what a table or an index holds in a partition."""
        definition = self.store.tables.definitions[table]
        for item in self.goods.items:
            if self.design.schema.entity(item.entity).table == table:
                entry = definition.entry(view, item.stored)
                if entry is not None and partition.items() <= entry.items():
                    yield item_size(entry)

    def _physical(self, table: str) -> str:
        return f"{self.store.tables.prefix}{table}"

    @property
    def _raw(self) -> Any:
        return self.store.tables.engine.raw

    @property
    def _counts(self) -> bool:
        return bool(self.store.tables.engine.counts_units)


def _chunks(sizes: Iterator[int]) -> Iterator[list[int]]:
    """The sizes, page by page: a request reads until it has read this much (I-9; AWS: API_Query)."""
    page: list[int] = []
    room = PAGE
    for size in sizes:
        page.append(size)
        room -= size
        if room <= 0:
            yield page
            page, room = [], PAGE
    if page:
        yield page


def _reported(response: Mapping[str, Any]) -> float:
    consumed = response["ConsumedCapacity"]
    several = consumed if isinstance(consumed, list) else [consumed]
    return float(sum(each["CapacityUnits"] for each in several))


def _key_values(request: Any, partition: tuple[str, ...]) -> dict[str, Any]:
    """The values of the partition that a request reads."""
    if request.operation == "GetItem":
        return {name: request.params["Key"][name] for name in partition}
    names_ = request.params["ExpressionAttributeNames"]
    values = request.params["ExpressionAttributeValues"]
    equal = dict(_equalities(request.params["KeyConditionExpression"]))
    by_attribute = {names_[name]: values[value] for name, value in equal.items()}
    return {name: by_attribute[name] for name in partition}


def _equalities(expression: str) -> Iterator[tuple[str, str]]:
    for part in expression.split(" AND "):
        if match := re.fullmatch(r"\s*(#\w+)\s*=\s*(:\w+)\s*", part):
            yield match[1], match[2]


def _partition(
    plan: ReadPlan,
    call: Call,
    physical: Callable[[str], str],
    values: Mapping[str, Any],
) -> dict[str, Any]:
    """A Query of a whole partition."""
    numbered = list(enumerate(values.items()))
    request: dict[str, Any] = {
        "TableName": physical(plan.table),
        "KeyConditionExpression": " AND ".join(f"#k{n} = :k{n}" for n, _ in numbered),
        "ExpressionAttributeNames": {f"#k{n}": name for n, (name, _) in numbered},
        "ExpressionAttributeValues": {f":k{n}": value for n, (_, value) in numbered},
    }
    if call.route.index is not None:
        request["IndexName"] = call.route.index
    return request
