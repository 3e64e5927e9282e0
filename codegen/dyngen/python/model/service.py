"""The service object, which holds the repositories."""

from __future__ import annotations

from dataclasses import dataclass

from dyngen.python.encoders import Definition, MissingText
from dyngen.python.model.methods import QueryMethod, ReadTransaction, WriteTransaction
from dyngen.python.model.repository import Dispatcher
from dyngen.python.modes import Mode


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
