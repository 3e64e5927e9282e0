"""The operations that every entity has: create, get, update and so on."""

from __future__ import annotations

from dataclasses import dataclass

from dyngen.python.model.methods import GetMethod, Signature


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
