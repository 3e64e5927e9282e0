"""Reads as the generated modules hold them: what a kind of fault needs to know of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dyngen.design.contents import case_inputs, key_schema
from dyngen.design.model import Attribute, Case, Computed, KeyForm, Natural
from dyngen.design.plans import (
    KeyEquals,
    KeyRange,
    KeyValue,
    ReadPlan,
    Route,
    TextValue,
)
from dyngen.keys.model import After, Encoded, Literal, Part, Piece, Shard, Through
from dyngen.python import names

from .edits import Module, Package, keyword


@dataclass(frozen=True)
class Found:
    """A `streams.Read` in a module, and the plan that it was generated from."""

    package: Package
    module: Module
    call: ast.Call
    plan: ReadPlan

    @property
    def index(self) -> str | None:
        """The index that is read; None is the table."""
        value = keyword(self.call, "index")
        return None if value is None else ast.literal_eval(value.value)

    @property
    def streams(self) -> Iterator[ast.Call]:
        """Its streams."""
        for stream in self.module.calls(".streams.Stream"):
            if self.call.lineno <= stream.lineno <= (self.call.end_lineno or 0):
                yield stream

    @property
    def ranges(self) -> Iterator[tuple[ast.Call, ast.Call]]:
        """Its streams with a range, and the range."""
        for stream in self.streams:
            if len(stream.args) > 1 and isinstance(stream.args[1], ast.Call):
                yield stream, stream.args[1]

    @property
    def paged(self) -> bool:
        """Whether its pages can be asked for: the caller gets the query."""
        return self.plan.one is None and self.plan in self.package.design.reads

    @property
    def routes(self) -> list[Route]:
        """What the plan reads of this index: of several, any may be this read."""
        routes = [each.route for each in self.plan.alternatives]
        return [route for route in routes if route.index == self.index]

    @property
    def narrows(self) -> bool:
        """Whether its range leaves out anything that its partition can hold.

        Not so of a fixed text with which the keys begin of all items that can be in the partition.
        """
        return any(self._leaves_out(route) for route in self.routes)

    def _leaves_out(self, route: Route) -> bool:
        match route:
            case Route(
                equals=(KeyEquals(attribute=partition, value=TextValue(text=text)),),
                range=KeyRange(
                    attribute=sort, low=TextValue(text=(Literal(text=prefix),))
                ),
            ):
                return any(
                    not key.startswith(prefix)
                    for entity in self.package.design.schema.entities
                    if entity.table == self.plan.table
                    if any(
                        _may_be_one(_shape(text), each)
                        for each in _shapes(entity.keys.get(partition))
                    )
                    for key in _shapes(entity.keys.get(sort))
                )
            case _:
                return True

    @property
    def sorts(self) -> bool:
        """Whether what it asks of the sort key leaves out anything that its partition can hold.

        Not so where all that can be in the partition has a sort key made of the same values.
        """
        return any(map(self._parts_more, self.routes))

    def _parts_more(self, route: Route) -> bool:
        match route.equals:
            case (
                KeyEquals(attribute=partition, value=TextValue(text=text)),
                KeyEquals(attribute=sort, value=TextValue(text=asked)),
            ):
                return any(
                    _shape(theirs.template.pieces) != _shape(asked)
                    or not {*case_inputs(theirs)} <= {*case_inputs(case)}
                    for entity in self.package.design.schema.entities
                    if entity.table == self.plan.table
                    for case in _cases(entity.keys.get(partition))
                    if _may_be_one(_shape(text), _shape(case.template.pieces))
                    for theirs in _cases(entity.keys.get(sort))
                )
            case _:
                return True

    def may_find_what_finds(self, other: Found) -> bool:
        """Whether an item can be found by this read and by another of the same index."""
        return any(
            self.plan.table == other.plan.table
            and mine.index == theirs.index
            and [_fixed(each) for each in mine.equals]
            == [_fixed(each) for each in theirs.equals]
            and _may_equal(_begin(mine.range), _begin(theirs.range))
            for mine in self.routes
            for theirs in other.routes
        )

    def attribute_of(self, parameter: str) -> Attribute | None:
        """The attribute that an argument of the method is compared with."""
        for each in self.plan.parameters:
            if names.parameter(each.name) == parameter and each.attribute is not None:
                entity = self.package.design.schema.entity(self.plan.entities[0])
                return entity.attribute(each.attribute)
        return None

    @property
    def partition_size(self) -> int:
        """How many attributes the partition key has."""
        table = self.package.design.schema.table(self.plan.table)
        index = None if self.index is None else table.index(self.index)
        return len(key_schema(table, index).partition)

    def reaches_keys(self, side: str) -> bool:
        """Whether a stored key can equal the range's `low` or `high` bound.

        Not so of a text that holds fewer values than the key does, or that passes all keys which
        continue it: such a bound may be exclusive or inclusive and means the same.
        """
        return any(
            route.range is not None and self._is_whole_key(route.range, side)
            for route in self.routes
        )

    def _is_whole_key(self, range_: KeyRange, side: str) -> bool:
        value: KeyValue | None = getattr(range_, side)
        if not isinstance(value, TextValue):
            return value is not None
        return any(
            _shape(value.text) == _shape(case.template.pieces)
            for name in self.plan.entities
            for form in [self.package.design.schema.entity(name).keys[range_.attribute]]
            if isinstance(form, Computed)
            for case in form.cases
        )


def _shapes(form: KeyForm | None) -> Iterator[str]:
    """The texts of a key that an entity has, with {} for every value."""
    match form:
        case Computed(cases=cases):
            for case in cases:
                raw = case.template.encoding.raw  # a value may hold delimiters
                yield "{}" if raw else _shape(case.template.pieces)
        case Natural():
            yield "{}"


def _cases(form: KeyForm | None) -> tuple[Case, ...]:
    return form.cases if isinstance(form, Computed) else ()


def _may_equal(one: str, other: str) -> bool:
    """Whether two texts with {} for values can be alike, as far as the first value."""
    heads = (one.partition("{}")[0], other.partition("{}")[0])
    return heads[0].startswith(heads[1]) or heads[1].startswith(heads[0])


def _may_be_one(one: str, other: str) -> bool:
    """Whether two whole texts can be alike, between whose delimiters values stand escaped."""
    parts, others = one.split("#"), other.split("#")
    return len(parts) == len(others) and all(map(_may_equal, parts, others))


def _fixed(equal: KeyEquals) -> tuple[str, str]:
    return equal.attribute, _text(equal.value)


def _begin(range_: KeyRange | None) -> str:
    """The text at which a range begins."""
    return "" if range_ is None else _text(range_.low)


def _text(value: KeyValue | None) -> str:
    match value:
        case TextValue(text=text):
            return _shape(text)
        case None:
            return ""
        case _:
            return "{}"


def _shape(pieces: Iterable[Piece | Encoded | Through | After]) -> str:
    """A key's text with {} for every value."""
    return "".join(
        "{}" if isinstance(piece, Part | Shard | Encoded) else piece.text
        for piece in pieces
    )


def reads(package: Package) -> Iterator[Found]:
    """Every read of a package."""
    for module in package.modules:
        for call in module.calls(".streams.Read"):
            match keyword(call, "pattern"):
                case ast.keyword(value=ast.Constant(value=str(name))):
                    yield Found(package, module, call, package.plans[name])
