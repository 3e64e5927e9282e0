"""Tables, indexes and entities with every name resolved. Frozen, complete, language-free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from dyngen.diagnostics.model import Span
from dyngen.keys.model import Encoding, Source, Template
from dyngen.source.nodes import Node
from dyngen.spec.model import Operator
from dyngen.types.model import ValueType

# --- attributes -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DefaultValue:
    """A default written in the spec, as a normalised Python value (enums by stored text; (), {} for empty)."""

    value: object


@dataclass(frozen=True, slots=True)
class DefaultNow:
    """The clock's time."""


Default = DefaultValue | DefaultNow


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of an entity."""

    name: str
    stored: str
    type: ValueType
    span: Span
    optional: bool = False
    default: Default | None = None
    on_write: bool = False  # the clock's time at every write
    generated: bool = False
    computed: Template | None = None  # a property, stored, made of other attributes
    description: str = ""
    type_span: Span | None = None

    @property
    def filled(self) -> bool:
        """Whether the repository fills it where the caller leaves it out."""
        return self.generated or self.on_write or isinstance(self.default, DefaultNow)


# --- conditions -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter, by its final name in the spec's terms (`order_date_from`).

    `attribute` is what it is compared with or written to; `renamed` tells that the spec gave the
    name (`{param: since}`), so that using it twice is meant. `map_key`: it is the `{emoji}` of a
    path, for which any text serves.
    """

    name: str
    type: ValueType
    span: Span
    many: bool = False  # a collection of values (`in`)
    attribute: str = ""
    renamed: bool = False
    map_key: bool = False


@dataclass(frozen=True, slots=True)
class Const:
    """A constant, normalised: str (enums by stored text), int, Decimal, bool, bytes, datetime, date."""

    value: object
    span: Span


@dataclass(frozen=True, slots=True)
class ClockNow:
    """The clock's time, as a value of the type."""

    type: ValueType
    span: Span


@dataclass(frozen=True, slots=True)
class ItemAttribute:
    """An attribute of an item that is passed to a transaction."""

    item: str  # the parameter's name
    attribute: str
    span: Span


Operand = Param | Const | ClockNow | ItemAttribute


@dataclass(frozen=True, slots=True)
class Test:
    """A condition on an attribute (by spec name) or on a path below it."""

    attribute: str
    operator: Operator
    operands: tuple[Operand, ...]
    span: Span
    path: tuple[str, ...] = ()  # stored names below; `{emoji}` is a parameter
    size_operator: Operator | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """The condition does not hold."""

    of: Condition


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of the conditions holds."""

    of: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All conditions hold."""

    of: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """A number (0 if absent) has room for what is added to it: the sum is within its type's bounds.

    It follows from `add`, and stands among the conditions of the guard.
    """

    attribute: str
    amount: Source
    minimum: int | Decimal | None
    maximum: int | Decimal | None
    type: ValueType
    path: tuple[str, ...] = ()


Condition = Test | Not | AnyOf | AllOf | Room


def tests_in(conditions: Iterable[Condition]) -> Iterator[Test]:
    """The single tests inside conditions."""
    for condition in conditions:
        match condition:
            case Test():
                yield condition
            case Not(of=of):
                yield from tests_in((of,))
            case AnyOf(of=of) | AllOf(of=of):
                yield from tests_in(of)
            case Room():
                continue  # compares nothing with a parameter or a constant


# --- keys -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Natural:
    """The key attribute is an attribute of the entity, as stored."""

    attribute: str  # spec name
    span: Span


@dataclass(frozen=True, slots=True)
class Case:
    """One way to compute a key text; `when` is a conjunction with constants only."""

    template: Template
    when: tuple[Test, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Computed:
    """The key attribute is derived from other attributes."""

    cases: tuple[Case, ...]
    span: Span


KeyForm = Natural | Computed


# --- entities and tables --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UniqueKey:
    """Attributes whose values no two items share."""

    attributes: tuple[str, ...]
    span: Span
    marker: str | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """One kind of item in one table.

    `keys` has a form for every physical key attribute (of the table and of indexes) that the entity
    can have; an index is open to the entity only if `keys` covers all of the index's key attributes.
    """

    name: str
    table: str
    attributes: tuple[Attribute, ...]
    keys: Mapping[str, KeyForm]
    span: Span
    id: tuple[str, ...] = ()
    version: Attribute | None = None  # also the last of `attributes`
    unique: tuple[UniqueKey, ...] = ()
    operations: frozenset[str] = frozenset()
    plural: str | None = None
    description: str = ""

    def attribute(self, name: str) -> Attribute:
        """The attribute with this spec name. Raises KeyError."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class KeyAttribute:
    """A physical key attribute and its DynamoDB type: "S", "N" or "B"."""

    name: str
    type: str


class Projection(StrEnum):
    """What an index holds besides keys."""

    ALL = "all"
    KEYS_ONLY = "keys_only"
    INCLUDE = "include"


@dataclass(frozen=True, slots=True)
class KeySchema:
    """Partition and sort key attributes: one and at most one, but on a global index 1–4 and 0–4."""

    partition: tuple[KeyAttribute, ...]
    sort: tuple[KeyAttribute, ...]

    @property
    def all(self) -> tuple[KeyAttribute, ...]:
        """Partition attributes, then sort attributes."""
        return self.partition + self.sort


@dataclass(frozen=True, slots=True)
class Index:
    """A global or local secondary index."""

    name: str
    key: KeySchema
    span: Span
    local: bool = False
    projection: Projection = Projection.ALL
    included: tuple[str, ...] = ()  # stored names
    settings: Mapping[str, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `settings` holds billing, ttl, stream, ... as written, checked by the JSON Schema."""

    name: str
    key: KeySchema
    indexes: tuple[Index, ...]
    span: Span
    type_attribute: str | None = None
    encoding: Encoding = field(default_factory=Encoding)
    settings: Mapping[str, Node] = field(default_factory=dict)
    description: str = ""

    def index(self, name: str) -> Index:
        """The index with this name. Raises KeyError."""
        for index in self.indexes:
            if index.name == name:
                return index
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Schema:
    """What the patterns stand on."""

    service: str
    tables: tuple[Table, ...]
    entities: tuple[Entity, ...]
    description: str = ""
    tenant: str | None = None
    named_types: Mapping[str, ValueType] = field(default_factory=dict)

    def table(self, name: str) -> Table:
        """The table with this name. Raises KeyError."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(name)

    def entity(self, name: str) -> Entity:
        """The entity with this name. Raises KeyError."""
        for entity in self.entities:
            if entity.name == name:
                return entity
        raise KeyError(name)
