"""Values of requests, as far as they are known before a call: constants, and names for the rest."""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from dyngen.design.describe import braced
from dyngen.design.model import (
    AllOf,
    AnyOf,
    ClockNow,
    Condition,
    Const,
    Entity,
    ItemAttribute,
    Not,
    Operand,
    Param,
    Room,
    Schema,
    Test,
)
from dyngen.design.plans import (
    KeyEquals,
    KeyRange,
    KeyValue,
    NativeValue,
    ValueWrite,
)
from dyngen.keys.encoding import encoder
from dyngen.keys.model import (
    Bound,
    Clock,
    Each,
    Encoded,
    Fixed,
    FromItem,
    Given,
    Hashed,
    KeyText,
    Missing,
    Shard,
    Source,
)
from dyngen.runtime import conditions, stored, writing
from dyngen.runtime.conditions import Path
from dyngen.runtime.wire import AttributeValue, next_value, previous_value
from dyngen.spec.model import Operator
from dyngen.types.model import (
    Boolean,
    Json,
    List,
    Map,
    Object,
    Set,
    Stored,
    Timestamp,
    ValueType,
    key_type,
)

_COMPARISONS = {
    Operator.EQ: conditions.eq,
    Operator.NE: conditions.ne,
    Operator.LT: conditions.lt,
    Operator.LTE: conditions.lte,
    Operator.GT: conditions.gt,
    Operator.GTE: conditions.gte,
    Operator.BEGINS_WITH: conditions.begins_with,
    Operator.CONTAINS: conditions.contains,
}

_SIGNS = {
    Operator.EQ: "=",
    Operator.NE: "<>",
    Operator.LT: "<",
    Operator.LTE: "<=",
    Operator.GT: ">",
    Operator.GTE: ">=",
}

_BESIDE = {
    Bound.EXACT: "{}",
    Bound.PREFIX: "{}",
    Bound.NEXT: "after {}",
    Bound.PREVIOUS: "before {}",
    Bound.BELOW: "before {}",
}


@dataclass(frozen=True, slots=True)
class Symbols:
    """Names values of requests on one table, about items of these entities."""

    schema: Schema
    table: str
    entities: tuple[str, ...]

    def key(self, equals: KeyEquals) -> AttributeValue:
        """The value of a key attribute that is fixed."""
        return self._key_value(equals.value, equals.key_type)

    def bounds(
        self, of: KeyRange
    ) -> tuple[AttributeValue | None, AttributeValue | None]:
        """The low and the high value of a range; an excluded one is moved to its neighbour."""
        low = high = None
        if of.low is not None:
            low = self._key_value(of.low, of.key_type)
            if of.low_exclusive:
                low = _beside(of.low, low, "after", next_value)
        if of.high is not None:
            high = self._key_value(of.high, of.key_type)
            if of.high_exclusive:
                high = _beside(of.high, high, "before", previous_value)
        return low, high

    def text(self, text: KeyText) -> str:
        """A key's text, with parameters in braces and constants as they are encoded."""
        return "".join(
            self._encoded(piece) if isinstance(piece, Encoded) else piece.text
            for piece in text
        )

    def condition(self, condition: Condition) -> conditions.Condition:
        """A condition of a filter or guard."""
        match condition:
            case Test():
                return self._test(condition)
            case Not(of=of):
                return conditions.not_(self.condition(of))
            case AnyOf(of=of):
                return conditions.any_of(*map(self.condition, of))
            case AllOf(of=of):
                return conditions.all_of(*map(self.condition, of))
            case Room():
                return self._room(condition)

    def path(self, attribute: str, below: tuple[str, ...] = ()) -> Path:
        """The stored path of an attribute, or of something below it."""
        stored_name = self._entity(attribute).attribute(attribute).stored
        return (stored_name, *below) if below else stored_name

    def written(self, write: ValueWrite) -> AttributeValue:
        """The value that a change stores, or adds to, appends to or takes out of another."""
        match write.type:
            case List(of=element) if write.verb == "append":
                return {"L": [_stored(element, write.operand)]}
            case Set(of=element) if write.verb in ("add", "delete"):
                [(kind, content)] = _stored(element, write.operand).items()
                return {f"{kind}S": [content]}
            case of:
                return _stored(of, write.operand)

    def _key_value(self, value: KeyValue, type_of_key: str) -> AttributeValue:
        if not isinstance(value, NativeValue):
            return {"S": self.text(value.text)}
        if isinstance(value.source, Fixed):
            return constant(value.type, value.source.value)
        return {type_of_key: braced(_name(value.source))}

    def _test(self, test: Test) -> conditions.Condition:
        path = self.path(test.attribute, test.path)
        of = self._entity(test.attribute).attribute(test.attribute).type
        values = [_operand(of, operand) for operand in test.operands]
        match test.operator:
            case Operator.PRESENT:
                return conditions.exists(path)
            case Operator.ABSENT:
                return conditions.missing(path)
            case Operator.BETWEEN:
                return conditions.between(path, values[0], values[1])
            case Operator.IN:
                return conditions.in_(path, values)
            case Operator.SIZE:
                sign = _SIGNS[test.size_operator or Operator.EQ]
                [(_, number)] = values[0].items()
                return self._size(test, conditions.size(path, sign, {"N": number}))
            case operator:
                return _COMPARISONS[operator](path, values[0])

    def _size(self, test: Test, size: conditions.Condition) -> conditions.Condition:
        """A comparison of a size. An empty set is not stored; what else is absent has no size."""
        attribute = self._entity(test.attribute).attribute(test.attribute)
        path = self.path(test.attribute, test.path)
        if test.path or attribute.optional:
            return conditions.all_of(conditions.exists(path), size)
        operand = test.operands[0]
        if isinstance(attribute.type, Set) and isinstance(operand, Const):
            [(_, number)] = _operand(attribute.type, operand).items()
            sign = _SIGNS[test.size_operator or Operator.EQ]
            return conditions.size(path, sign, {"N": number}, empty=True)
        return size

    def _room(self, room: Room) -> conditions.Condition:
        path = self.path(room.attribute, room.path)
        if isinstance(room.amount, Fixed):
            amount = constant(room.type, room.amount.value)
            return writing.room_for(
                path, amount, minimum=room.minimum, maximum=room.maximum
            )
        name = _name(room.amount)
        sides = []
        if room.minimum is not None:
            sides.append(
                conditions.gte(path, {"N": braced(f"{room.minimum} - {name}")})
            )
        if room.maximum is not None:
            sides.append(
                conditions.lte(path, {"N": braced(f"{room.maximum} - {name}")})
            )
        return conditions.all_of(*sides)

    def _entity(self, attribute: str) -> Entity:
        for name in self.entities:
            entity = self.schema.entity(name)
            if any(each.name == attribute for each in entity.attributes):
                return entity
        raise KeyError(attribute)

    def _encoded(self, piece: Encoded) -> str:
        if isinstance(piece.part, Shard):
            return braced(_name(piece.source))
        match piece.source:
            case Fixed(value=value) if piece.bound is Bound.EXACT:
                encoding = self.schema.table(self.table).encoding
                return encoder(piece.part, encoding).text(value)
            case Missing():
                raw = self.schema.table(self.table).encoding.raw
                return f"{'' if raw else '!'}{piece.part.placeholder}"
            case source:
                return braced(_BESIDE[piece.bound].format(_name(source)))


def constant(of: ValueType, value: object) -> AttributeValue:
    """The stored form of a constant."""
    match value:
        case bool():
            return stored.boolean(value)
        case bytes():
            return {"B": base64.b64encode(value).decode()}
        case dt.datetime() if isinstance(of, Timestamp):
            return _moment(of, value)
        case dt.date():
            return stored.date(value)
        case int() | Decimal():
            return {"N": str(value)}
        case _:
            return {"S": str(value)}


def _moment(of: Timestamp, value: dt.datetime) -> AttributeValue:
    match of.stored:
        case Stored.TEXT:
            return stored.timestamp(value, precision=of.kept.value)
        case Stored.EPOCH_SECONDS:
            return stored.epoch(value, "", "seconds", of.kept.value)
        case Stored.EPOCH_MILLISECONDS:
            return stored.epoch(value, "", "milliseconds", of.kept.value)


def _stored(of: ValueType | None, source: Source | None) -> AttributeValue:
    if isinstance(source, Fixed) and of is not None:
        return constant(of, source.value)
    return {_tag(of): braced("now" if source is None else _name(source))}


def _beside(
    of: KeyValue,
    value: AttributeValue,
    word: str,
    neighbour: Callable[[AttributeValue], AttributeValue],
) -> AttributeValue:
    """The neighbour of a constant, or the name of a parameter's."""
    if not isinstance(of, NativeValue) or isinstance(of.source, Fixed):
        return neighbour(value)
    return {kind: braced(f"{word} {_name(of.source)}") for kind in value}


def _operand(of: ValueType, operand: Operand) -> AttributeValue:
    match operand:
        case Param(name=name, type=given):
            return {_tag(given): braced(name)}
        case Const(value=value):
            return constant(of, value)
        case ClockNow():
            return {_tag(of): braced("now")}
        case ItemAttribute(item=item, attribute=attribute):
            return {_tag(of): braced(f"{item}.{attribute}")}


def _name(source: Source) -> str:
    match source:
        case Given(parameter=name) | Each(variable=name):
            return name
        case Clock():
            return "now"
        case FromItem(item=item, attribute=attribute):
            return f"{item}.{attribute}"
        case Hashed(by=by):
            return f"shard of {', '.join(map(_name, by))}"
        case Missing():
            return "none"
        case Fixed(value=value):
            return str(value)


def _tag(of: ValueType | None) -> str:
    """The DynamoDB type of a value."""
    match of:
        case Boolean():
            return "BOOL"
        case List():
            return "L"
        case Set(of=member):
            return f"{_tag(member)}S"
        case Map() | Object() | Json():
            return "M"
        case None:
            return "S"
        case _:
            return key_type(of) or "S"
