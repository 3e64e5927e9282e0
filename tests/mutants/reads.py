"""Reads as the generated modules hold them: what a kind of fault needs to know of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dyngen.design.contents import key_schema
from dyngen.design.model import Attribute, Computed
from dyngen.design.plans import KeyRange, KeyValue, ReadPlan, TextValue
from dyngen.keys.model import After, Encoded, Part, Piece, Shard, Through
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
            for route in (each.route for each in self.plan.alternatives)
            if route.index == self.index
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
