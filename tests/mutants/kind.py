"""What a kind of fault is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .edits import Edit, Module, Mutant, Package

Places = Callable[[Package], Iterator[Edit | Mutant]]


@dataclass(frozen=True)
class Kind:
    """One kind of fault.

    Attributes:
        name: what it is called.
        places: every place where a package can have it, and a suite can see it: where the broken
            program does the same as the whole one, the kind does not apply.
        words: in the names of the tests that are likely to see it.
    """

    name: str
    places: Places
    words: tuple[str, ...] = ()

    def mutants(self, package: Package) -> Iterator[Mutant]:
        """The package's mutants of this kind."""
        for found in self.places(package):
            yield found if isinstance(found, tuple) else (found,)


def in_modules(find: Callable[[Module], Iterator[Edit | Mutant]]) -> Places:
    """Places that a module shows by itself."""
    return lambda package: (edit for module in package.modules for edit in find(module))
