"""Loads tables, calls every read once, and measures what the engine read for it.

Units are those that the engine reports where it is known to count as AWS does; else they are computed
from the items that were read (`runtime.capacity`).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dyngen.design.plans import Design, Parameter, ReadPlan, TransactPlan
from dyngen.prove.calls import Call, Snapshot
from dyngen.prove.requests import (
    pages,
    partition_request,
    partition_values,
    reported_units,
)
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
            reads=(
                *(bench.measured(plan, call) for plan, call in goods.calls),
                *(bench.snapshot(plan, call) for plan, call in goods.snapshots),
            ),
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

    def snapshot(self, plan: TransactPlan, call: Snapshot) -> Measured:
        """Call a transaction that reads, then read the partitions of its items, and the tables."""
        recorder = self.store.watch()
        method = getattr(self.store.db, names.method(plan.name))
        found = method(**self._arguments(plan.parameters, call.parameters))
        requests = list(recorder.requests)
        tables = dict.fromkeys(member.table for member in plan.members)
        return Measured(
            pattern=plan.name,
            place=", ".join(tables),
            requests=len(requests),
            read=Reading(
                sum(item is not None for item in found),
                sum(map(self._units, requests)),
            ),
            returned=sum(item is not None for item in found),
            filtered=_together(
                self._partition(member.table, None, key)
                for member, key in zip(plan.members, call.partitions, strict=True)
            ),
            scanned=_together(map(self._scanned, tables)),
        )

    # --- the pattern's own requests ---------------------------------------------------------------

    def _call(self, plan: ReadPlan, call: Call) -> int:
        """How many items the method returns: of a paged read, those of the first page."""
        arguments = self._arguments(plan.parameters, call.parameters)
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

    def _arguments(
        self, parameters: Iterable[Parameter], values: Mapping[str, object]
    ) -> dict[str, object]:
        """What a method is given; conditions that may be left out are left out."""
        return {
            names.parameter(each.name): self._argument(each, values[each.name])
            for each in parameters
            if each.name in values
        }

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
            return reported_units(request.response)
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
            case "TransactGetItems":
                items = (each.get("Item") for each in request.response["Responses"])
                sizes = [item_size(item) for item in items if item is not None]
                return get_units(sizes, transactional=True)
            case _:
                found = request.response["Responses"].values()
                sizes = [item_size(item) for group in found for item in group]
                return get_units(sizes, consistent=request.consistent)

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
            for values in [partition_values(request, view.partition)]
        }
        found = [
            self._partition(plan.table, call.route.index, values)
            for values in partitions.values()
        ]
        return _together(found)

    def _partition(
        self, table: str, index: str | None, values: Mapping[str, Any]
    ) -> Reading:
        """A whole partition of a table or an index."""
        view = self.store.tables.definitions[table].view(index)
        request = partition_request(self._physical(table), index, values)
        return self._pages("query", request, self._sizes(table, view, values))

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
        answers = list(paginator.paginate(**request, Select="COUNT", **_REPORT))
        return Reading(
            sum(page["Count"] for page in answers),
            (
                sum(map(reported_units, answers))
                if self._counts
                else sum(map(read_units, pages(sizes)))
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


def _together(readings: Iterable[Reading]) -> Reading:
    """What several readings come to."""
    found = list(readings)
    return Reading(sum(each.items for each in found), sum(each.units for each in found))
