"""Key values, key texts and conditions of a plan as Python expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from dyngen.design.bindings import source_of
from dyngen.design.model import (
    AllOf,
    AnyOf,
    ClockNow,
    Condition,
    Const,
    Entity,
    ItemAttribute,
    Natural,
    Not,
    Operand,
    Param,
    Room,
    Table,
    Test,
)
from dyngen.design.operators import operand_type
from dyngen.design.paths import PARAMETER_STEP
from dyngen.design.plans import KeyValue, NativeValue
from dyngen.design.room import amount_type
from dyngen.keys.languages import placeholder_text
from dyngen.keys.model import (
    After,
    Bound,
    Clock,
    Each,
    Encoded,
    Encoding,
    Fixed,
    FromItem,
    Given,
    Hashed,
    KeyText,
    Literal,
    Missing,
    Part,
    Shard,
    Source,
    Template,
    Through,
)
from dyngen.python import names, types
from dyngen.python.encoders import Encoders, known_text
from dyngen.python.literals import Expression, interpolated, text, tuple_of
from dyngen.python.names import Scope
from dyngen.spec.model import Operator
from dyngen.types.model import (
    Binary,
    Date,
    Integer,
    Set,
    String,
    ValueType,
    inside,
)

_SIZED = {
    Operator.EQ: "=",
    Operator.NE: "<>",
    Operator.LT: "<",
    Operator.LTE: "<=",
    Operator.GT: ">",
    Operator.GTE: ">=",
}


CLOCK = "now = self._environment.clock()"
"""The statement that takes the clock's time; no parameter is called `now`."""


@dataclass(frozen=True, slots=True)
class Variable:
    """The value of a parameter or attribute in generated code; None if `optional` and absent."""

    source: str
    optional: bool = False


@dataclass(slots=True)
class Body:
    """A function of the module about one entity, while its expressions are made.

    `statements` come before what the expressions stand in. `loops` are the clauses of a
    comprehension around them: what its variables decide is bound there.
    """

    entity: Entity
    table: Table
    encoding: Encoding
    encoders: Encoders
    variables: Mapping[str, Variable]
    scope: Scope
    statements: list[str] = field(default_factory=list)
    loops: list[str] = field(default_factory=list)
    each: dict[str, Variable] = field(default_factory=dict)
    items: Mapping[str, Entity] = field(default_factory=dict)  # passed, by parameter
    marked: bool = False  # the table holds markers of unique values
    clock_bound: bool = (
        False  # values of the clock are marked, so that no cursor binds them
    )
    moment: str | None = None  # the local name of the clock's time

    # --- values -----------------------------------------------------------------------------------

    def local(self, wanted: str, source: str) -> str:
        """A name for the value of an expression, bound before it is used."""
        name = self.scope.claim(wanted)
        if self.loops:
            self.loops.append(f"for {name} in ({source},)")
        else:
            self.statements.append(f"{name} = {source}")
        return name

    def now(self) -> str:
        """The clock's time, taken once."""
        if self.moment is None:
            self.moment = self.scope.claim("now")
            self.statements.append(f"{self.moment} = self._environment.clock()")
        return self.moment

    def value(self, source: Source, of: ValueType) -> str:
        """The value of a source."""
        match source:
            case Given() | Each():
                return self._variable(source).source
            case Fixed(value=value):
                return types.constant(of, value)
            case Clock():
                return _of_moment(self.now(), of)
            case Missing():
                return "None"
            case FromItem():
                return self._from_item(source)
            case Hashed():
                raise TypeError("a shard number is no value of an attribute")

    def stored(self, source: Source, of: ValueType) -> str:
        """The stored form of a source."""
        if isinstance(source, Fixed):
            return types.stored_constant(of, source.value)
        return types.encode(of, self.value(source, of), name_of(source))

    def _from_item(self, source: FromItem) -> str:
        """An attribute of an item that is passed; an item without it is refused."""
        value = (
            f"{self.variables[source.item].source}.{names.attribute(source.attribute)}"
        )
        if not self.items[source.item].attribute(source.attribute).optional:
            return value
        return f"keyparts.given({value}, {text(value)})"

    def clock_value(self, of: ValueType) -> str:
        """The stored form of the clock's time."""
        now = self.stored(Clock(), of)
        return f"wire.ClockValue({now})" if self.clock_bound else now

    def _variable(self, source: Given | Each) -> Variable:
        if isinstance(source, Given):
            return self.variables[source.parameter]
        return self.each[source.variable]

    # --- keys -------------------------------------------------------------------------------------

    def key_value(self, key: str, value: KeyValue, bound: Bound = Bound.EXACT) -> str:
        """The stored form of a key attribute's value."""
        if isinstance(value, NativeValue):
            return self.natural_key(key, value.type, value.source, bound)
        return self.key(key, self.key_text(value.text))

    def natural_key(
        self, key: str, of: ValueType, source: Source, bound: Bound = Bound.EXACT
    ) -> str:
        """The stored form of a natural key attribute's value; none is empty or too long."""
        form = self.entity.keys[key]
        if (
            isinstance(source, Fixed)
            or not isinstance(of, String | Binary)
            or not isinstance(form, Natural)
        ):
            return self.stored(source, of)
        if isinstance(of, Binary):
            shortest = 0 if bound is Bound.PREFIX else of.min_length
            value = self.stored(source, replace(of, min_length=shortest))
            return f"keytext.{_position(self.table, key)}_binary({value})"
        value = self.value(source, of)
        found = self.encoders.natural(form.attribute, of, bound, value)
        if self.marked and any(key == each.name for each in self.table.key.all):
            found = f"keyparts.unmarked({found})"
        return self.key(key, found)

    def key(self, key: str, source: str) -> str:
        """The stored form of a key text, its length checked."""
        return f"keytext.{_position(self.table, key)}({source})"

    def bounds(self, key: str, low: KeyText, high: KeyText) -> tuple[str, str]:
        """The stored forms of two texts of one range; what both begin with is worked out once."""
        lead = common_lead(low, high)
        if not any(
            isinstance(piece, Encoded) and not isinstance(piece.source, Fixed | Missing)
            for piece in lead
        ):
            return self.key(key, self.key_text(low)), self.key(key, self.key_text(high))
        prefix = self.local("prefix", self.key_text(lead))
        return (
            self.key(key, self.key_text(low[len(lead) :], prefix)),
            self.key(key, self.key_text(high[len(lead) :], prefix)),
        )

    def key_text(self, pieces: KeyText, lead: str | None = None) -> str:
        """A key's text; `lead` is the name of what it begins with."""
        parts: list[str | Expression] = [] if lead is None else [Expression(lead)]
        for piece in pieces:
            match piece:
                case Literal(text=literal):
                    parts.append(literal)
                case Through(text=suffix):
                    return f"keytext.through({interpolated(parts)}, {text(suffix)})"
                case After(text=suffix):
                    return f"keytext.after({interpolated(parts)}, {text(suffix)})"
                case Encoded(bound=Bound.BELOW):
                    parts = self._below(piece, parts)
                case Encoded():
                    parts.append(self._encoded(piece))
        return interpolated(parts)

    def computed_text(self, pieces: KeyText, encoding: Encoding) -> str:
        """The text of a computed attribute, which has an encoding of its own."""
        made = replace(self, encoding=encoding)
        found = made.key_text(pieces)
        self.moment = made.moment
        return found

    def template_text(self, template: Template) -> str:
        """The text of a template, its attributes taken from the variables of their names."""
        return self.key_text(tuple(_with_attributes(p) for p in template.pieces))

    def _encoded(self, piece: Encoded) -> str | Expression:
        if isinstance(piece.part, Shard):
            return self._shard(piece.part, piece.source)
        match piece.source:
            case Fixed(value=known):
                return known_text(piece.part, self.encoding, piece.bound, known)
            case Missing():
                return placeholder_text(piece.part, self.encoding)
            case _:
                return self._plain(self._part_text(piece), "text")

    def _part_text(self, piece: Encoded) -> str:
        """The expression of one value's text."""
        part, source = piece.part, piece.source
        if isinstance(part, Shard):
            raise TypeError("a shard number is no part of a shard number")
        match source:
            case Fixed(value=known):
                return text(known_text(part, self.encoding, piece.bound, known))
            case Missing():
                return text(placeholder_text(part, self.encoding))
            case Given() | Each() if (
                self._variable(source).optional and part.placeholder is not None
            ):
                return self.encoders.text_or_placeholder(
                    part,
                    self.encoding,
                    types.annotation(part.type),
                    self._variable(source).source,
                )
            case _:
                value = self.value(source, part.type)
                return self.encoders.text(part, self.encoding, piece.bound, value)

    def _shard(self, shard: Shard, source: Source) -> Expression:
        if isinstance(source, Each):
            return Expression(self._variable(source).source)
        if not isinstance(source, Hashed):
            raise TypeError(f"a shard number can't come from {source}")
        pairs = zip(shard.by, source.by, strict=True)
        texts = [self._part_text(Encoded(part, by)) for part, by in pairs]
        call = f"{self.encoders.shards(shard.count)}.of({', '.join(texts)})"
        return self._plain(call, "shard")

    def _below(
        self, piece: Encoded, parts: list[str | Expression]
    ) -> list[str | Expression]:
        """The greatest text below a value's; it fills up what the text before it leaves."""
        if isinstance(piece.part, Shard):
            raise TypeError("no range ends at a shard number")
        before = [part for part in parts if part]
        if all(isinstance(part, Expression) for part in before) and len(before) == 1:
            prefix = str(before[0])
        else:
            prefix = self.local("prefix", interpolated(before))
        value = self.value(piece.source, piece.part.type)
        call = self.encoders.text(piece.part, self.encoding, Bound.BELOW, value, prefix)
        return [Expression(prefix), self._plain(call, "bound")]

    def _plain(self, source: str, wanted: str) -> Expression:
        """The expression, or a name for it where an f-string can't hold it."""
        if any(char in source for char in "\"'\\{}"):
            return Expression(self.local(wanted, source))
        return Expression(source)

    # --- conditions that DynamoDB decides ---------------------------------------------------------

    def condition(self, condition: Condition) -> str:
        """A condition of a guard or a filter."""
        match condition:
            case Test():
                return self._stored_test(condition)
            case Not(of=of):
                return f"conditions.not_({self.condition(of)})"
            case AnyOf(of=of):
                return f"conditions.any_of({self._listed(of)})"
            case AllOf(of=of):
                return f"conditions.all_of({self._listed(of)})"
            case Room():
                return self._room(condition)

    def path(self, attribute: str, below: Sequence[str] = ()) -> str:
        """The stored path of an attribute, or of something below it; `{name}` is a parameter."""
        stored = text(self.entity.attribute(attribute).stored)
        if not below:
            return stored
        return tuple_of([stored, *map(self._step, below)])

    def _step(self, step: str) -> str:
        parameter = PARAMETER_STEP.fullmatch(step)
        return self.variables[parameter[1]].source if parameter else text(step)

    def _listed(self, conditions: Iterable[Condition]) -> str:
        return ", ".join(self.condition(each) for each in conditions)

    def _stored_test(self, test: Test) -> str:
        path = self.path(test.attribute, test.path)
        of = operand_type(test.operator, self._type_of(test))
        operands = [self._operand(operand, of) for operand in test.operands]
        match test.operator:
            case Operator.PRESENT:
                return f"conditions.exists({path})"
            case Operator.ABSENT:
                return f"conditions.missing({path})"
            case Operator.IN:
                return f"conditions.in_({path}, {self._operands(test, operands)})"
            case Operator.EQ if self._may_be_none(test.operands[0]):
                # None stands for an attribute that is absent.
                given = f"{self._source_of(test.operands[0])} is not None"
                equal = f"conditions.eq({path}, {operands[0]})"
                return f"({equal} if {given} else conditions.missing({path}))"
            case Operator.SIZE:
                sign = text(_SIZED[test.size_operator or Operator.EQ])
                return self._size(test, path, f"{sign}, {operands[0]}")
            case operator:
                return f"conditions.{operator}({', '.join([path, *operands])})"

    def _size(self, test: Test, path: str, compared: str) -> str:
        """A comparison of a size. An empty set is not stored; what else is absent has no size."""
        attribute = self.entity.attribute(test.attribute)
        if test.path or attribute.optional:
            size = f"conditions.size({path}, {compared})"
            return f"conditions.all_of(conditions.exists({path}), {size})"
        empty = ", empty=True" if isinstance(attribute.type, Set) else ""
        return f"conditions.size({path}, {compared}{empty})"

    def _room(self, room: Room) -> str:
        amount = self.stored(room.amount, amount_type(room.type))
        arguments = [self.path(room.attribute, room.path), amount]
        for name, bound in (("minimum", room.minimum), ("maximum", room.maximum)):
            if bound is not None:
                arguments.append(f"{name}={types.constant(room.type, bound)}")
        return f"writing.room_for({', '.join(arguments)})"

    def _source_of(self, operand: Operand) -> str:
        return self.variables[operand.name].source if isinstance(operand, Param) else ""

    def _may_be_none(self, operand: Operand) -> bool:
        return isinstance(operand, Param) and self.variables[operand.name].optional

    def _type_of(self, test: Test) -> ValueType:
        return reduce(inside, test.path, self.entity.attribute(test.attribute).type)

    def _operand(self, operand: Operand, of: ValueType) -> str:
        match operand:
            case Param(name=name, type=given, many=many):
                each = "value" if many else self.variables[name].source
                return types.encode(given, each, text(name))
            case Const(value=known):
                return types.stored_constant(of, known)
            case ClockNow():
                return self.clock_value(of)
            case ItemAttribute():
                return self.stored(source_of(operand), of)

    def _operands(self, test: Test, operands: list[str]) -> str:
        first = test.operands[0] if test.operands else None
        if isinstance(first, Param) and first.many:
            return f"[{operands[0]} for value in {self.variables[first.name].source}]"
        return f"[{', '.join(operands)}]"


def name_of(source: Source) -> str:
    """An expression of what a value is given for."""
    match source:
        case Given(parameter=name) | Each(variable=name) | FromItem(attribute=name):
            return text(name)
        case Clock():
            return text("now")
        case _:
            return text("constant")


def common_lead(low: KeyText, high: KeyText) -> KeyText:
    """The pieces that two key texts both begin with."""
    lead: list[Literal | Encoded | Through | After] = []
    for first, second in zip(low, high, strict=False):
        if first != second or isinstance(first, Through | After):
            break
        lead.append(first)
    return tuple(lead)


def _with_attributes(piece: Literal | Part | Shard) -> Literal | Encoded:
    match piece:
        case Literal():
            return piece
        case Shard(by=by):
            return Encoded(piece, Hashed(tuple(Given(part.attribute) for part in by)))
        case Part(attribute=attribute):
            return Encoded(piece, Given(attribute))


def _of_moment(now: str, of: ValueType) -> str:
    """The clock's time as a value of the type; an integer counts seconds since 1970."""
    match of:
        case Date():
            return f"{now}.date()"
        case Integer():
            return f"int({now}.timestamp())"
        case _:
            return now


def _position(table: Table, key: str) -> str:
    """Whether a key attribute must keep to the length of a sort key or of a partition key."""
    schemas = [table.key, *(index.key for index in table.indexes)]
    sorts = any(key == other.name for schema in schemas for other in schema.sort)
    return "sort" if sorts else "partition"
