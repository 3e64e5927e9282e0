"""A repository's module: how items are stored, read and keyed."""

from __future__ import annotations

from dataclasses import dataclass

from dyngen.python.encoders import Definition, MissingText
from dyngen.python.model.classes import DataClass
from dyngen.python.model.methods import DeleteEachMethod, Method
from dyngen.python.model.operations import Operations
from dyngen.python.modes import Mode


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
    index_keys: tuple[str, ...] = ()  # those that may be too long


@dataclass(frozen=True, slots=True)
class DecodedField:
    """One attribute of what is made of a stored form.

    `setter` fills the slot of the class; where a function is called instead, there is none. `plain` is
    the attribute's stored name, and its type, where `value` takes what is stored as it is.
    """

    name: str
    value: str
    setter: str = ""
    plain: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Decoder:
    """How a stored form becomes an item, a projection, an object inside one, or a key.

    The class returned is made past its `__init__`, unless there is a function that `calls` names. An
    item for which `foreign` holds is of no entity that is read.
    """

    function: str
    docstring: str
    returns: str
    fields: tuple[DecodedField, ...]
    statements: tuple[str, ...] = ()
    calls: str = ""
    foreign: str | None = None

    @property
    def plain(self) -> tuple[tuple[str, str], ...]:
        """The attributes that are taken as they are stored, and their types."""
        return tuple(field.plain for field in self.fields if field.plain is not None)


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
    marked: str | None


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
