"""The render model: what the templates of the Python output lay out.

Every text here is ready Python source (names, expressions, docstrings); a template decides where it
stands and nothing else. Docstrings are indented for their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dyngen.python.encoders import Definition, MissingText
from dyngen.python.modes import Mode

# --- models.py ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EnumClass:
    """An enum and its members, as assignments."""

    name: str
    docstring: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Property:
    """An attribute that is computed."""

    name: str
    annotation: str
    docstring: str
    expression: str


@dataclass(frozen=True, slots=True)
class DataClass:
    """An entity, an object inside one, a projection, or a key; `fields` are declarations."""

    name: str
    docstring: str
    fields: tuple[str, ...]
    properties: tuple[Property, ...] = ()


@dataclass(frozen=True, slots=True)
class Models:
    """The module of all types of the service."""

    constants: tuple[Definition, ...]
    missing_texts: tuple[MissingText, ...]
    enums: tuple[EnumClass, ...]
    classes: tuple[DataClass, ...]


# --- methods --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Signature:
    """The head of a method, and its docstring."""

    name: str
    arguments: tuple[str, ...]  # keyword arguments, as declarations
    returns: str
    docstring: str


@dataclass(frozen=True, slots=True)
class KeyRange:
    """The range condition of a stream: a function of `streams` and its arguments."""

    function: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Streams:
    """The key conditions of a read: one stream, or one for each turn of the loops."""

    equal: tuple[tuple[str, str], ...]
    range: KeyRange | None
    prefix: str | None
    loops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """A read of a table or index, as arguments of `streams.Read`."""

    pattern: str
    table: str
    index: str | None
    key_types: str
    streams: Streams
    merge_by: str | None
    forward: bool
    consistent: bool
    filter: str | None
    select: str | None
    scan: bool


@dataclass(frozen=True, slots=True)
class Hydration:
    """How items are completed, as arguments of `Hydration`."""

    table: str
    key: str
    matches: str


@dataclass(frozen=True, slots=True)
class Route:
    """One way to read, taken if `condition` holds (None: in any other case)."""

    condition: str | None
    statements: tuple[str, ...]
    read: Read


@dataclass(frozen=True, slots=True)
class QueryMethod:
    """A pattern that reads many items of the class `of`, or (`ending`) one of them.

    `refusals` are pairs of a condition on the arguments and the message of the ValueError.
    """

    kind: ClassVar[str] = "query"

    signature: Signature
    of: str
    refusals: tuple[tuple[str, str], ...]
    routes: tuple[Route, ...]
    decode: str
    options: tuple[str, ...]
    hydration: Hydration | None = None
    ending: str = ""


@dataclass(frozen=True, slots=True)
class GetMethod:
    """A read of one item by its key; `expired` is a condition on the item found."""

    kind: ClassVar[str] = "get"

    signature: Signature
    statements: tuple[str, ...]
    key: str
    consistent: bool
    expired: str | None = None


@dataclass(frozen=True, slots=True)
class UpdateMethod:
    """A pattern that updates one item under a condition, if there is one."""

    kind: ClassVar[str] = "update"

    signature: Signature
    statements: tuple[str, ...]
    key: str
    changes: tuple[str, ...]
    condition: str | None
    token: str | None


@dataclass(frozen=True, slots=True)
class DeleteMethod:
    """A pattern that deletes one item."""

    kind: ClassVar[str] = "delete"

    signature: Signature
    statements: tuple[str, ...]
    key: str
    condition: str


@dataclass(frozen=True, slots=True)
class DeleteEachMethod:
    """A pattern that deletes what a query finds; `progress` is the argument that is told."""

    kind: ClassVar[str] = "delete_each"

    signature: Signature
    query: QueryMethod
    progress: str


@dataclass(frozen=True, slots=True)
class ReviseMethod:
    """A pattern that reads an item, changes it, and writes it if it is still as it was read.

    `fields` are keyword arguments of `replace`, `guard` conditions.
    """

    kind: ClassVar[str] = "revise"

    signature: Signature
    statements: tuple[str, ...]
    entity: str
    item: str
    key: str
    fields: tuple[str, ...]
    guard: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WriteTransaction:
    """A transaction that writes: the actions of each member, and what is returned."""

    kind: ClassVar[str] = "write"

    signature: Signature
    statements: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    returned: str


@dataclass(frozen=True, slots=True)
class ReadTransaction:
    """A transaction that reads: table, key and decoder of each item."""

    kind: ClassVar[str] = "read"

    signature: Signature
    statements: tuple[str, ...]
    asked: tuple[tuple[str, str, str], ...]


Method = (
    QueryMethod
    | GetMethod
    | UpdateMethod
    | DeleteMethod
    | DeleteEachMethod
    | ReviseMethod
)


# --- the operations of an entity --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filling:
    """What a write fills into an item before it is stored: keyword arguments of `replace`."""

    statements: tuple[str, ...]
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Create:
    """Stores a new item."""

    signature: Signature
    filling: Filling


@dataclass(frozen=True, slots=True)
class Put:
    """Stores an item, whatever was there."""

    signature: Signature
    filling: Filling


@dataclass(frozen=True, slots=True)
class Update:
    """Changes attributes of an item that was read.

    `always` names the stored attributes that every update writes, `always_guarded` those that must
    then be as they were read; `guards` says whether anything must.
    """

    signature: Signature
    filling: Filling
    key: str
    always: str | None
    always_guarded: str | None
    guards: bool


@dataclass(frozen=True, slots=True)
class Delete:
    """Deletes an item, by its key or (`guarded`) as it was read."""

    signature: Signature
    key: str
    guarded: bool


@dataclass(frozen=True, slots=True)
class Batches:
    """Batch get and batch write; None where it is not among the operations."""

    get: Signature | None
    write: Signature | None
    key_names: str
    filling: Filling
    encode_key: str


@dataclass(frozen=True, slots=True)
class Operations:
    """What a repository can do besides its patterns; None where it is not among the operations."""

    get: GetMethod | None
    create: Create | None
    put: Put | None
    update: Update | None
    delete: Delete | None
    batches: Batches


# --- a repository's module --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KeyBranch:
    """One text of a key; `condition` is None if it is always written."""

    condition: str | None
    statements: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class KeyFunction:
    """The function that gives one computed key attribute of an item."""

    name: str
    docstring: str
    branches: tuple[KeyBranch, ...]
    optional: bool


@dataclass(frozen=True, slots=True)
class ItemKey:
    """The function that gives an item's key."""

    arguments: tuple[str, ...]
    statements: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Encoder:
    """How an item, or an object inside one, becomes a stored form."""

    function: str
    docstring: str
    argument: str
    annotation: str
    spread: str | None  # a mapping that the item begins with
    required: tuple[tuple[str, str], ...]
    optional: tuple[tuple[str, str, str], ...]  # condition, name, value
    named: str = "item"  # what the function calls the result


@dataclass(frozen=True, slots=True)
class Decoder:
    """How a stored form becomes an item, a projection, an object inside one, or a key.

    `calls` makes the result; where it is not the class returned, it is another function. An item
    for which `foreign` holds is of no entity that is read.
    """

    function: str
    docstring: str
    returns: str
    fields: tuple[str, ...]
    statements: tuple[str, ...] = ()
    calls: str = ""
    foreign: str | None = None


@dataclass(frozen=True, slots=True)
class Recognition:
    """How items of the entity are told from others of the table.

    `patterns` are of the table's computed key attributes; `condition` is on an item.
    """

    patterns: tuple[tuple[str, str], ...]
    docstring: str
    condition: str


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """The function that reads an item of one of several entities: decoders and how to choose."""

    function: str
    docstring: str
    returns: str
    choices: tuple[tuple[str, str], ...]
    last: str


@dataclass(frozen=True, slots=True)
class Kind:
    """How the items of the entity are stored, as arguments of `revising.Kind`."""

    key_names: str
    attributes: str
    version: str | None


@dataclass(frozen=True, slots=True)
class Marker:
    """What keeps the values of attributes unique: the marker made of an item, if `condition` holds."""

    condition: str | None
    statements: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class RepositoryClass:
    """A blocking or an asynchronous repository."""

    mode: Mode
    name: str
    docstring: str


@dataclass(frozen=True, slots=True)
class Repository:
    """The module of one entity's repository."""

    classes: tuple[RepositoryClass, ...]
    table: str
    entity: str
    item: str
    key_class: str
    key_call: str
    partition_key: str
    version: str | None
    constants: tuple[Definition, ...]
    missing_texts: tuple[MissingText, ...]
    enum_mappings: tuple[tuple[str, str], ...]
    key_types: tuple[Definition, ...]
    changes: DataClass | None
    written_with: tuple[tuple[str, str], ...]
    guarded_by: tuple[tuple[str, str], ...]
    methods: tuple[Method, ...]
    operations: Operations
    item_kind: Kind | None
    markers: tuple[Marker, ...]
    recognition: Recognition | None
    key_names: str
    other_tables: tuple[tuple[str, str], ...]
    item_key: ItemKey
    key_functions: tuple[KeyFunction, ...]
    encoder: Encoder
    decoder: Decoder
    projections: tuple[Decoder, ...]
    foreign_keys: tuple[Decoder, ...]
    object_encoders: tuple[Encoder, ...]
    object_decoders: tuple[Decoder, ...]

    @property
    def version_names(self) -> str:
        """The version's name in a list, for what compares it with the copy that was read."""
        return f"[{self.version}]"

    @property
    def deletes_found(self) -> bool:
        """Whether a pattern deletes what it finds, by the keys that it reads."""
        return any(isinstance(method, DeleteEachMethod) for method in self.methods)

    @property
    def encodes_keys(self) -> bool:
        """Whether key objects are turned into keys (only batches take them)."""
        batches = self.operations.batches
        return batches.get is not None or batches.write is not None


# --- service.py and __init__.py -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableName:
    """Where the service object finds the deployed name of a table: an attribute of its own."""

    attribute: str
    table: str


@dataclass(frozen=True, slots=True)
class RepositoryAttribute:
    """An attribute of the service object; `others` are keyword arguments."""

    name: str
    class_name: str
    table: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServiceClass:
    """A blocking or an asynchronous service object."""

    mode: Mode
    name: str
    docstring: str
    repositories: tuple[RepositoryAttribute, ...]


@dataclass(frozen=True, slots=True)
class Service:
    """The module of the service object, with the patterns of several entities."""

    classes: tuple[ServiceClass, ...]
    tables: tuple[TableName, ...]
    constants: tuple[Definition, ...] = ()
    missing_texts: tuple[MissingText, ...] = ()
    key_types: tuple[Definition, ...] = ()
    methods: tuple[QueryMethod | WriteTransaction | ReadTransaction, ...] = ()
    dispatchers: tuple[Dispatcher, ...] = ()
