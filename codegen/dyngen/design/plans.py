"""What every access pattern does: read plans and write plans. Frozen, complete, language-free."""

from __future__ import annotations

from dataclasses import dataclass, field

from dyngen.design.estimates import Estimates
from dyngen.design.model import Condition, Default, Schema, Test
from dyngen.diagnostics.model import Span
from dyngen.keys.model import KeyText, RangeForm, Source
from dyngen.spec.model import Action
from dyngen.types.model import ValueType

# --- parameters -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a pattern's method.

    `many`: a collection of values. `optional`: None is allowed, and means not given (in a read),
    absent (in a key with a placeholder, or in `set`, where it removes). `entity`: an item is passed.
    """

    name: str
    type: ValueType | None
    span: Span
    many: bool = False
    optional: bool = False
    entity: str | None = None
    attribute: str | None = None  # the attribute it is compared with or written to
    description: str = ""


# --- reads ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NativeValue:
    """The stored form of one value, for a natural key attribute."""

    type: ValueType
    source: Source


@dataclass(frozen=True, slots=True)
class TextValue:
    """A computed key's text."""

    text: KeyText


KeyValue = NativeValue | TextValue


@dataclass(frozen=True, slots=True)
class KeyEquals:
    """`attribute = value`."""

    attribute: str
    key_type: str  # S, N, B
    value: KeyValue


@dataclass(frozen=True, slots=True)
class KeyRange:
    """The one range of a read. `low` holds the value of BEGINS_WITH, AT_LEAST and ABOVE; `high` of AT_MOST, BELOW.

    For a native key with both `gt`/`lt` bounds, `low_exclusive`/`high_exclusive` say which bound to
    move to its neighbour (predecessor, successor of DynamoDB's own order) before BETWEEN.
    """

    attribute: str
    key_type: str
    form: RangeForm
    low: KeyValue | None = None
    high: KeyValue | None = None
    low_exclusive: bool = False
    high_exclusive: bool = False


@dataclass(frozen=True, slots=True)
class FanOut:
    """One loop of a read that makes several requests: the values of `variable`.

    Either a parameter (`in`: its distinct values) or the constants given (enum members by stored
    text, shard numbers, None for the placeholder of a missing value).
    """

    variable: str
    type: ValueType
    parameter: str | None = None
    values: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderKey:
    """One attribute that the result is ordered by."""

    attribute: str
    descending: bool


@dataclass(frozen=True, slots=True)
class Route:
    """One way to read: the key conditions on one table or index; one request stream for each
    combination of the fan-outs' values, merged in order."""

    index: str | None
    equals: tuple[KeyEquals, ...]
    range: KeyRange | None
    fan_outs: tuple[FanOut, ...] = ()
    forward: bool = True
    merge_by: tuple[OrderKey, ...] = ()  # only where there are several streams
    scan: bool = False


@dataclass(frozen=True, slots=True)
class Alternative:
    """The route taken when exactly these optional parameters are given."""

    given: frozenset[str]
    route: Route


@dataclass(frozen=True, slots=True)
class FilterPlan:
    """A declared filter expression."""

    conditions: tuple[Condition, ...]
    at_most: int | None = None
    hit_rate: str | None = None


@dataclass(frozen=True, slots=True)
class HydratePlan:
    """Complete the items read by BatchGetItem; `key` maps key attributes of `entity` to attributes read."""

    entity: str
    key: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """A get, query or scan."""

    name: str
    action: Action
    entities: tuple[str, ...]
    table: str
    parameters: tuple[Parameter, ...]
    alternatives: tuple[Alternative, ...]  # one, but for optional conditions
    where: tuple[tuple[str, tuple[Test, ...]], ...]  # per entity, for the oracle
    order_by: tuple[OrderKey, ...] = ()
    page_size: int | None = None
    max_page_size: int | None = None
    one: str | None = None
    max_items: int | None = None
    at_most: int | None = None
    consistent: bool = False
    filter: FilterPlan | None = None
    projected: tuple[str, ...] | None = None  # attributes returned; None: whole items
    projection_name: str | None = (
        None  # names the returned type: an index, or the pattern
    )
    select: bool = False  # only `projected` is asked for, by a ProjectionExpression
    expires: str | None = None  # the TTL attribute whose past items are left out
    hydrate: HydratePlan | None = None
    description: str = ""
    span: Span | None = None


# --- writes ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceTest:
    """A condition of `when`, decided by the call itself: `test` asked of the value of `source`.

    PRESENT asks whether the source is given at all (an optional parameter may be None).
    """

    source: Source
    test: Test
    type: ValueType


@dataclass(frozen=True, slots=True)
class WriteCase:
    """One text of a computed key, and what must hold of the call's values for it."""

    text: KeyText
    tests: tuple[SourceTest, ...] = ()


@dataclass(frozen=True, slots=True)
class KeyWrite:
    """What an update does to one derived attribute: SET to the case whose tests hold, else REMOVE.

    No case: it is removed in any case. `why` says what makes this safe, for `explain`.
    """

    attribute: str  # stored name
    cases: tuple[WriteCase, ...]
    why: str


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step below a top-level attribute: a fixed name, or a parameter's value as a map key."""

    name: str | None = None
    parameter: str | None = None

    @property
    def text(self) -> str:
        """The step as paths are written: `{emoji}` for a parameter's."""
        return f"{{{self.parameter}}}" if self.name is None else self.name


@dataclass(frozen=True, slots=True)
class ValueWrite:
    """One attribute that a pattern sets, adds to, appends to, deletes from or removes.

    `verb`: set | remove | add | append | delete. `operand` is None for remove.
    """

    verb: str
    attribute: str
    operand: Source | None = None
    path: tuple[PathStep, ...] = ()
    now: bool = False
    type: ValueType | None = None


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """An update pattern: one conditional UpdateItem.

    `upsert`: the item may be missing; `defaults` are then stored for what nothing else supplies.
    `read_first`: the item is read, changed and written under the condition that it is still the
    one that was read; its keys follow from the item, so `keys` is empty.
    """

    name: str
    entity: str
    table: str
    parameters: tuple[Parameter, ...]
    key: tuple[KeyEquals, ...]
    writes: tuple[ValueWrite, ...]
    keys: tuple[KeyWrite, ...]
    guard: tuple[Condition, ...] = ()
    upsert: bool = False
    defaults: tuple[tuple[str, Default], ...] = ()
    read_first: bool = False
    description: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class DeletePlan:
    """A delete pattern of one item, whose whole key is given."""

    name: str
    entity: str
    table: str
    parameters: tuple[Parameter, ...]
    key: tuple[KeyEquals, ...]
    guard: tuple[Condition, ...] = ()
    description: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class DeleteEachPlan:
    """Deleting a collection: what `read` finds is deleted in batches."""

    name: str
    read: ReadPlan
    description: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class MovePlan:
    """A change of the table's key: the item is read, put under its new key and deleted, at once.

    `writes` are sets only. The old item must be the one that was read, the new key must be free.
    """

    name: str
    entity: str
    table: str
    parameters: tuple[Parameter, ...]
    key: tuple[KeyEquals, ...]
    writes: tuple[ValueWrite, ...]
    guard: tuple[Condition, ...] = ()
    description: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class TransactMember:
    """One action of a transaction.

    `item`: the parameter that holds the entity of a create or put. `key`, `writes`, `keys` and
    `guard` as in an update.
    """

    action: Action
    entity: str
    table: str
    item: str | None = None
    key: tuple[KeyEquals, ...] = ()
    writes: tuple[ValueWrite, ...] = ()
    keys: tuple[KeyWrite, ...] = ()
    guard: tuple[Condition, ...] = ()
    upsert: bool = False
    defaults: tuple[tuple[str, Default], ...] = ()


@dataclass(frozen=True, slots=True)
class TransactPlan:
    """A transaction: all members or none. All are gets, or none is."""

    name: str
    members: tuple[TransactMember, ...]
    parameters: tuple[Parameter, ...]
    description: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class DerivedKey:
    """A computed key attribute of an entity and the attributes (spec names) that decide it.

    `inputs` holds the template's attributes, those of `when`, `by`, and those of the partner keys of
    the index: a computed key is written only if an index that it serves is complete. `cases` repeats
    the entity's cases; `indexes` names the indexes it serves (empty for the table's own key).
    """

    attribute: str
    inputs: tuple[str, ...]
    indexes: tuple[str, ...]
    partners: tuple[tuple[str, ...], ...]  # per index: its other key attributes


@dataclass(frozen=True, slots=True)
class EntityWrites:
    """What create, put, update and the batches of one entity know."""

    entity: str
    derived: tuple[DerivedKey, ...]  # the table's own key is not among them
    changeable: tuple[str, ...]  # attributes that `update` may change


@dataclass(frozen=True, slots=True)
class Design:
    """Everything that is generated follows from this."""

    schema: Schema
    reads: tuple[ReadPlan, ...]
    updates: tuple[UpdatePlan, ...]
    writes: tuple[EntityWrites, ...]
    deletes: tuple[DeletePlan, ...] = ()
    delete_eaches: tuple[DeleteEachPlan, ...] = ()
    moves: tuple[MovePlan, ...] = ()
    transactions: tuple[TransactPlan, ...] = ()
    client: str = "sync"
    estimates: Estimates = field(default_factory=Estimates)
