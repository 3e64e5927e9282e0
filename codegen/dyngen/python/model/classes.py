"""The types of the models module: enums, entities, objects inside them."""

from __future__ import annotations

from dataclasses import dataclass

from dyngen.python.encoders import Definition, MissingText


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
