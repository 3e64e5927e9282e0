"""Which tests are likely to see a fault: they go first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from dyngen.python import names

from .edits import Mutant, Package

_METHODS = ("get", "create", "put", "update", "delete", "batch_get", "batch_write")


def classes_near(package: Package, mutant: Mutant) -> tuple[str, ...]:
    """The test classes of the patterns and entities that a fault is in."""
    return tuple(dict.fromkeys(_classes(package, mutant)))


def _classes(package: Package, mutant: Mutant) -> Iterator[str]:
    modules = {module.path: module for module in package.modules}
    for edit in mutant:
        if edit.path not in modules:
            continue
        method = modules[edit.path].around(edit.line)
        if method is None or method.name.startswith("_") or method.name in _METHODS:
            yield from _of_entity(package, PurePath(edit.path).stem)
        else:
            yield f"Test{names.class_name(method.name)}"


def _of_entity(package: Package, module: str) -> Iterator[str]:
    for entity in package.design.schema.entities:
        if names.repository_module(entity.name) == module:
            yield f"Test{names.class_name(entity.name)}Writes"
