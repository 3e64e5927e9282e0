"""Value types in Python: annotations, and the expressions that store and read values.

Stored forms are those of `dyngen.runtime.stored` and `containers`; enums and objects have their own
functions in the module of the repository, named here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dyngen.python import names
from dyngen.python.literals import text, value
from dyngen.runtime import containers
from dyngen.runtime import stored as runtime
from dyngen.runtime.scalars import EpochUnit
from dyngen.runtime.wire import AttributeValue
from dyngen.types.model import (
    Binary,
    Boolean,
    Date,
    Decimal,
    Enum,
    Float,
    Integer,
    Json,
    List,
    Map,
    Object,
    Precision,
    Set,
    Stored,
    String,
    Timestamp,
    Ulid,
    Uuid,
    ValueType,
)

_SIMPLE = {
    Integer: "integer",
    Float: "floating",
    Boolean: "boolean",
    Binary: "binary",
    Date: "date",
    Uuid: "uuid",
    Ulid: "ulid",
}
"""Types whose functions in `stored` are `x` and `parse_x`, the latter without options."""


def annotation(of: ValueType) -> str:
    """The annotation of a value of this type."""
    match of:
        case String() | Uuid() | Ulid():
            return "str"
        case Integer():
            return "int"
        case Decimal():
            return "Decimal"
        case Float():
            return "float"
        case Boolean():
            return "bool"
        case Binary():
            return "bytes"
        case Timestamp():
            return "dt.datetime"
        case Date():
            return "dt.date"
        case Json():
            return "Any"
        case Enum(name=name) | Object(name=name):
            return names.class_name(name)
        case List(of=element):
            return f"tuple[{annotation(element)}, ...]"
        case Set(of=element):
            return f"frozenset[{annotation(element)}]"
        case Map(of=element):
            return f"Mapping[str, {annotation(element)}]"


def encode(of: ValueType, source: str, name: str) -> str:
    """The stored form of the expression `source`; `name` is an expression of what it is given for."""
    match of:
        case Timestamp(stored=stored, kept=kept) if stored is not Stored.TEXT:
            options = [text(_unit(stored)), text(kept)]
            return f"stored.epoch({', '.join([source, name, *options])})"
        case Enum(name=enum):
            return f"stored.enum({source}, {name}, {names.class_name(enum)})"
        case Object(name=object_):
            return f"{encode_function(object_)}({source}, {name})"
        case List(of=element):
            return f"containers.list_({source}, {name}, {encoder(element)})"
        case Set(of=element):
            return f"containers.set_({source}, {name}, {encoder(element)})"
        case Map(of=element):
            return f"containers.map_({source}, {name}, {encoder(element)})"
        case _:
            return f"{_function(of)}({', '.join([source, name, *_options(of)])})"


def encoder(of: ValueType) -> str:
    """A callable that stores one value, given what it is given for."""
    return _callable(encode(of, "value", "name"))


def decode(of: ValueType, source: str, name: str) -> str:
    """The value of the stored form `source` of an attribute; `name` is an expression of its name."""
    match of:
        case String(fold=fold):
            options = [] if fold is None else [text(fold)]
            function = "text"
        case Decimal(places=places):
            options = [] if places is None else [str(places)]
            function = "decimal"
        case Timestamp(stored=Stored.TEXT, kept=kept):
            options = _unless(Precision.MILLISECONDS, kept)
            function = "timestamp"
        case Timestamp(stored=stored):
            options = [text(_unit(stored))]
            function = "epoch"
        case Enum(name=enum):
            options = [members_constant(enum)]
            function = "enum"
        case Object(name=object_):
            return f"{decode_function(object_)}({source}, {name})"
        case List(of=element):
            return f"containers.parse_list({source}, {name}, {decoder(element)})"
        case Set(of=element):
            return f"containers.parse_set({source}, {name}, {decoder(element)})"
        case Map(of=element):
            return f"containers.parse_map({source}, {name}, {decoder(element)})"
        case Json():
            return f"containers.parse_json({source}, {name})"
        case _:
            options = []
            function = _SIMPLE[type(of)]
    return f"stored.parse_{function}({', '.join([source, name, *options])})"


def decoder(of: ValueType) -> str:
    """A callable that reads one value, given its stored form and the attribute's name."""
    return _callable(decode(of, "value", "name"))


def _callable(call: str) -> str:
    """The function that is called, or one that makes the call."""
    plain = "(value, name)"
    return (
        call[: -len(plain)] if call.endswith(plain) else f"lambda value, name: {call}"
    )


def encode_function(name: str) -> str:
    """The function that stores an object type."""
    return names.private_function(f"_encode_{names.snake(name)}")


def decode_function(name: str) -> str:
    """The function that reads an object type."""
    return names.private_function(f"_decode_{names.snake(name)}")


def members_constant(name: str) -> str:
    """The constant that holds the members of an enum by stored text: `_ORDER_STATUSES`."""
    return f"_{names.plural(names.snake(name)).upper()}"


def constant(of: ValueType, known: object) -> str:
    """A constant of the spec as a value; enums are given by stored text."""
    if isinstance(of, Enum):
        member = next(m for m in of.members if m.stored == known)
        return f"{names.class_name(of.name)}.{names.enum_member(member.name)}"
    return value(known)


def stored_constant(of: ValueType, known: object) -> str:
    """The stored form of a constant of the spec, worked out here and now."""
    [(kind, content)] = _stored(of, known).items()
    return f"{{{text(kind)}: {value(content)}}}"


def _stored(of: ValueType, known: Any) -> AttributeValue:
    match of:
        case Timestamp(stored=stored, kept=kept) if stored is not Stored.TEXT:
            return runtime.epoch(known, "", _unit(stored), kept.value)
        case Timestamp(kept=kept):
            return runtime.timestamp(known, precision=kept.value)
        case Enum() | String() | Uuid() | Ulid():
            return runtime.text(known)
        case Integer():
            return runtime.integer(known)
        case Decimal():
            return runtime.decimal(known)
        case Float():
            return runtime.floating(known)
        case Boolean():
            return runtime.boolean(known)
        case Binary():
            return runtime.binary(known)
        case Date():
            return runtime.date(known)
        case _:
            return containers.json(known)


def parts(of: ValueType) -> Iterator[ValueType]:
    """The type and all types inside it, the innermost first."""
    match of:
        case List(of=element) | Set(of=element) | Map(of=element):
            yield from parts(element)
        case Object(fields=fields):
            for field in fields:
                yield from parts(field.type)
        case _:
            pass
    yield of


def _function(of: ValueType) -> str:
    match of:
        case String():
            return "stored.text"
        case Decimal():
            return "stored.decimal"
        case Timestamp():
            return "stored.timestamp"
        case Json():
            return "containers.json"
        case _:
            return f"stored.{_SIMPLE[type(of)]}"


def _options(of: ValueType) -> Iterator[str]:
    """What limits a value when it is stored, as keyword arguments."""
    match of:
        case String():
            if of.min_length:
                yield f"min_length={of.min_length}"
            if of.max_length is not None:
                yield f"max_length={of.max_length}"
            if of.charset is not None:
                yield f"charset={text(of.charset)}"
            if of.fold is not None:
                yield f"fold={text(of.fold)}"
        case Binary():
            if of.min_length:
                yield f"min_length={of.min_length}"
            if of.max_length is not None:
                yield f"max_length={of.max_length}"
        case Integer():
            yield from _range(of)
        case Decimal():
            if of.places is not None:
                yield f"places={of.places}"
            if of.digits is not None:
                yield f"digits={of.digits}"
            yield from _range(of)
        case Timestamp():
            yield from _unless(Precision.MILLISECONDS, of.kept)
        case _:
            return


def _range(of: Integer | Decimal) -> Iterator[str]:
    if of.minimum is not None:
        yield f"minimum={value(of.minimum)}"
    if of.maximum is not None:
        yield f"maximum={value(of.maximum)}"


def _unless(default: Precision, precision: Precision) -> list[str]:
    return [] if precision is default else [text(precision)]


def _unit(stored: Stored) -> EpochUnit:
    return "seconds" if stored is Stored.EPOCH_SECONDS else "milliseconds"
