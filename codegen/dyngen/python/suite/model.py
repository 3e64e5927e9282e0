"""The render model of the suite: every text is ready Python source; templates only lay it out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServiceSource:
    """A service object's class, and the `Suite` that proves it; `id` is the literal of a word for it."""

    class_name: str
    constant: str
    id: str
    blocking: bool


@dataclass(frozen=True, slots=True)
class Package:
    """The names that all modules of one suite use.

    Attributes:
        service: the package under test.
        services: its service objects' classes.
        harness: the package of proofs that stands beside the tests.
        support: the module of sample items.
    """

    service: str
    services: tuple[ServiceSource, ...]
    harness: str
    support: str

    @property
    def db(self) -> str:
        """The annotation of a service object in tests."""
        return self.services[0].class_name if self.services[0].blocking else "Any"

    def test_module(self, name: str) -> str:
        """What a module of tests is called."""
        return f"test_{self.service}_{name}"

    def test_path(self, name: str) -> str:
        """Where a module of tests stands."""
        return f"tests/{self.test_module(name)}.py"

    def returned(self, annotation: str) -> str:
        """The annotation of what a method returns in tests."""
        return annotation if self.services[0].blocking else "Any"


@dataclass(frozen=True, slots=True)
class KindSource:
    """One entity in the support module.

    Attributes:
        constant: the name of its `Kind`.
        sample: the function that makes a sample item; `docstring` says so, `plain` are its values.
        class_name: of the items; `item` is what a variable of one is called.
        table: the table's name, as a literal.
        repository: the attribute of the service object; `module` is the repository's module.
        key: the key's arguments, as entries of a dict display.
        random: arguments of the class, each a strategy.
        indexes: entries of a dict display: index and predicate.
        operations, changeable: displays.
        version: field and stored name of the version token, or None.
        clocked: entries of a dict display: what every write sets to the time, and the time.
        unique: one expression for each list of attributes whose values are unique.
    """

    constant: str
    sample: str
    docstring: str
    plain: tuple[str, ...]
    class_name: str
    item: str
    table: str
    repository: str
    module: str
    key: tuple[str, ...]
    random: tuple[str, ...]
    indexes: tuple[str, ...]
    operations: str
    changeable: str
    version: str | None
    clocked: tuple[str, ...]
    unique: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of a list, below a comment where there is something new to say."""

    source: str
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class ReadClass:
    """The test class of one read.

    Attributes:
        name: of the class; `bases` are the proofs that it inherits.
        docstring: what the pattern is for.
        like: the function that makes items of this test; `common` are their values that are not
            plain, as arguments of the function `sample`. Without any, `like` is `sample`.
        assignments: class attributes, as statements.
        items: the sample items.
        method: the repository's method, reached from `db`; `returns` is its annotation.
        item: the name of the oracle's argument; `item_class` is its annotation.
        arguments: the oracle's other arguments.
        matches: the oracle; `keyed` is what of it the key condition alone decides, or None.
        view: what is returned of an item, if that is not the whole item; `view_class` its type.
    """

    name: str
    bases: tuple[str, ...]
    docstring: str
    like: str
    sample: str
    common: tuple[str, ...]
    assignments: tuple[str, ...]
    items: tuple[Line, ...]
    method: str
    returns: str
    item: str
    item_class: str
    arguments: tuple[str, ...]
    matches: str
    keyed: str | None = None
    view: str | None = None
    view_class: str | None = None


@dataclass(frozen=True, slots=True)
class WriteClass:
    """The test class of an entity's own writes, or of an update pattern (which has a `method`).

    Attributes:
        name: of the class; `bases` are the proofs that it inherits.
        docstring: what is proven.
        assignments: class attributes, as statements.
        key_class: what batches take for an item, with `key`, its arguments; None without batches.
        item: the name of the argument that holds an item; `item_class` is its annotation.
        method: the method, reached from `db`; `returns` is its annotation, `called` what the
            proofs call it by.
        arguments: of the function that says what the method does; `effects` are its results, one
            for each item that it writes.
    """

    name: str
    bases: tuple[str, ...]
    docstring: str
    assignments: tuple[str, ...]
    item: str
    item_class: str
    key_class: str | None = None
    key: str = ""
    method: str | None = None
    returns: str = ""
    called: str = "write"
    arguments: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TestModule:
    """The tests of one entity, or of the patterns that read several."""

    docstring: str
    reads: tuple[ReadClass, ...]
    writes: tuple[WriteClass, ...]

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of its test classes."""
        return (
            *(each.name for each in self.reads),
            *(each.name for each in self.writes),
        )

    __test__ = False
