"""The spec as written: names are not looked up yet, every value knows its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from dyngen.diagnostics.model import Span
from dyngen.source.nodes import Entry, Node, ScalarValue


@dataclass(frozen=True, slots=True)
class Name:
    """A name and where it stands."""

    text: str
    span: Span


# --- conditions ---------------------------------------------------------------------------------


class Operator(StrEnum):
    """The operators of conditions. The first ten work on keys; guards and filters know all."""

    EQ = "eq"
    LT = "lt"
    LTE = "lte"
    GT = "gt"
    GTE = "gte"
    BETWEEN = "between"
    BEGINS_WITH = "begins_with"
    IN = "in"
    PRESENT = "present"
    ABSENT = "absent"
    NE = "ne"
    CONTAINS = "contains"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of the method; without a name it is named after the attribute."""

    span: Span
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A value written in the spec."""

    value: ScalarValue
    span: Span


@dataclass(frozen=True, slots=True)
class Now:
    """The clock's time."""

    span: Span


@dataclass(frozen=True, slots=True)
class ItemValue:
    """`player.game_id` in a transaction: an attribute of the item passed as `player`."""

    item: str
    attribute: str
    span: Span


Operand = Param | Constant | Now | ItemValue


@dataclass(frozen=True, slots=True)
class Test:
    """One condition on one attribute; `entity` is set for `Issue.state`.

    operands: none for present and absent; two for between; any number for `in` written as a list
    (one Param for `in` as a parameter); for `size` one operand, with `size_operator` beside it.
    """

    path: Name
    operator: Operator
    operands: tuple[Operand, ...]
    span: Span
    entity: str | None = None
    size_operator: Operator | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """The condition does not hold."""

    of: Condition
    span: Span


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of the conditions holds."""

    of: tuple[Condition, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class AllOf:
    """All conditions hold."""

    of: tuple[Condition, ...]
    span: Span


Condition = Test | Not | AnyOf | AllOf


@dataclass(frozen=True, slots=True)
class Where:
    """A conjunction: `where`, `when`, `guard`, or the conditions of a `filter`."""

    conditions: tuple[Condition, ...]
    span: Span


# --- types and entities ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TypeUse:
    """A type where it is used or declared: a base type or a name, with its options.

    `name` is the word written (`string`, `enum`, `object`, `Money`); an enum's members are pairs of
    name and stored text.
    """

    name: Name
    span: Span
    members: tuple[tuple[Name, Name], ...] = ()
    of: TypeUse | None = None
    attributes: tuple[Attribute, ...] = ()
    options: Mapping[str, Entry] = field(default_factory=dict)  # min, precision, ...


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of an entity or of an object type."""

    name: Name
    type: TypeUse
    span: Span
    optional: bool = False
    default: Node | None = None  # the text `now` means the clock
    on_write: Name | None = None
    generated: bool = False
    computed: Name | None = None  # a template
    stored_name: Name | None = None  # option `name`
    description: str = ""


@dataclass(frozen=True, slots=True)
class KeyCase:
    """One way to compute a key: its template, and when it holds."""

    value: Name
    span: Span
    when: Where | None = None
    shards: Shards | None = None


@dataclass(frozen=True, slots=True)
class Shards:
    """Write sharding of a key: `{shard}` is a number below `count`, computed from `by`."""

    count: int
    by: tuple[Name, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class KeyDecl:
    """The computed key attribute `name`; several cases exclude one another."""

    name: Name
    cases: tuple[KeyCase, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Unique:
    """Attributes whose values no two items share; `marker` names a declared entity."""

    attributes: tuple[Name, ...]
    span: Span
    marker: Name | None = None


@dataclass(frozen=True, slots=True)
class Ignore:
    """A rule that is not to be reported here, with the reason."""

    code: Name
    reason: str


@dataclass(frozen=True, slots=True)
class Entity:
    """One kind of item."""

    name: Name
    span: Span
    attributes: tuple[Attribute, ...]
    keys: tuple[KeyDecl, ...] = ()
    table: Name | None = None
    id: tuple[Name, ...] = ()
    version: Name | None = None  # the version attribute's stored name; None: no version
    unique: tuple[Unique, ...] = ()
    operations: tuple[Name, ...] | None = None
    plural: Name | None = None
    description: str = ""
    ignores: tuple[Ignore, ...] = ()


# --- tables ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KeyName:
    """A key attribute by physical name; `type` ("string", "number", "binary") where it is stated."""

    name: Name
    type: Name | None = None


@dataclass(frozen=True, slots=True)
class Index:
    """An index as written."""

    name: Name
    span: Span
    partition_key: tuple[KeyName, ...]  # empty on a local index
    sort_key: tuple[KeyName, ...]
    local: bool = False
    strategy: Name | None = None
    projection: tuple[Name, ...] | Name | None = None
    settings: Mapping[str, Node] = field(default_factory=dict)
    ignores: tuple[Ignore, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table as written. `settings` holds billing, ttl, stream, ... by their key."""

    name: Name
    span: Span
    partition_key: tuple[KeyName, ...]
    sort_key: tuple[KeyName, ...]
    indexes: tuple[Index, ...] = ()
    type_attribute: Name | None = None
    raw: bool = False
    delimiter: Name | None = None
    settings: Mapping[str, Node] = field(default_factory=dict)
    description: str = ""
    ignores: tuple[Ignore, ...] = ()


# --- access patterns ------------------------------------------------------------------------------


class Action(StrEnum):
    """The verb of a pattern."""

    GET = "get"
    QUERY = "query"
    SCAN = "scan"
    CREATE = "create"
    PUT = "put"
    UPDATE = "update"
    DELETE = "delete"
    MOVE = "move"
    CHECK = "check"
    TRANSACT = "transact"


@dataclass(frozen=True, slots=True)
class OrderBy:
    """`order_date desc`."""

    attribute: Name
    descending: bool
    span: Span
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class PageSize:
    """The default and the greatest page size."""

    default: int
    max: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class Filter:
    """A declared filter and its admission in numbers."""

    where: Where
    span: Span
    at_most: int | None = None
    hit_rate: str | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    """One attribute of `set`, `add`, `append` or `delete`: a path and its operand."""

    path: Name
    operand: Operand
    span: Span


@dataclass(frozen=True, slots=True)
class Hydrate:
    """Complete items by BatchGetItem; `entity` and `key` where it is another entity's items."""

    span: Span
    entity: Name | None = None
    key: tuple[tuple[Name, Name], ...] = ()


@dataclass(frozen=True, slots=True)
class AccessPattern:
    """One access pattern, or one member of a transaction (whose `name` is the verb)."""

    name: Name
    action: Action
    entities: tuple[Name, ...]
    span: Span
    where: Where | None = None
    description: str = ""
    order_by: tuple[OrderBy, ...] = ()
    page_size: PageSize | None = None
    one: str | None = None  # "true" (a second item is an error) or "first"
    optional: tuple[tuple[Name, ...], ...] = ()
    filter: Filter | None = None
    at_most: int | None = None
    max_items: int | None = None
    consistent: bool = False
    select: tuple[Name, ...] = ()
    hydrate: Hydrate | None = None
    index: Name | None = None
    expired: str | None = None  # include (as where nothing is said) | exclude
    fan_out: int | None = None
    set: tuple[Assignment, ...] = ()
    remove: tuple[Name, ...] = ()
    add: tuple[Assignment, ...] = ()
    append: tuple[Assignment, ...] = ()
    delete_from: tuple[Assignment, ...] = ()
    guard: Where | None = None
    upsert: bool = False
    read_first: bool = False
    each: bool = False
    members: tuple[AccessPattern, ...] = ()
    ignores: tuple[Ignore, ...] = ()

    @property
    def all_entities(self) -> tuple[Name, ...]:
        """The entities named by the pattern, by `hydrate`, and by the members of a transaction."""
        named = self.hydrate.entity if self.hydrate else None
        return (
            *self.entities,
            *((named,) if named else ()),
            *(e for m in self.members for e in m.entities),
        )


# --- estimates ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Size:
    """What is known of an entity's items: in the table, or (`index`) in one of its indexes.

    `per_partition` counts those of the fullest partition; `bytes` is stated for the table alone.
    """

    entity: Name
    span: Span
    index: Name | None = None
    bytes: int | None = None
    items: int | None = None
    per_partition: int | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """Calls a second of a pattern, or of `operation`, a method of the repository of `entity`.

    `name` is all that was written, as in `Order.create`; of a pattern, `operation` is empty. `calls`
    is None where only `items`, the number that a call returns, is stated.
    """

    name: Name
    calls: float | None = None
    items: int | None = None
    entity: str = ""
    operation: str = ""


@dataclass(frozen=True, slots=True)
class Spec:
    """A whole spec file."""

    file: str
    service: Name
    span: Span
    description: str = ""
    tenant: Name | None = None
    types: tuple[tuple[Name, TypeUse], ...] = ()
    tables: tuple[Table, ...] = ()
    entities: tuple[Entity, ...] = ()
    access_patterns: tuple[AccessPattern, ...] = ()
    camel_case: bool = False
    client: str = "sync"  # sync | async | both
    ignores: tuple[Ignore, ...] = ()
    sizes: tuple[Size, ...] = ()
    rates: tuple[Rate, ...] = ()
