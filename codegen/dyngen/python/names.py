"""What the words of a spec are called in Python. The one place where a name is made.

Every function is total and pure. What it returns is an identifier only if the word allows one
(`2fa` does not); `dyngen.python.clashes` reports the words that don't, and the names that meet.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterable

from dyngen.python.harness import HARNESS

RUNTIME_MODULES = (
    "batches",
    "clock",
    "conditions",
    "containers",
    "keyparts",
    "keytext",
    "refusals",
    "revising",
    "stored",
    "streams",
    "sweeping",
    "transactions",
    "unique",
    "wire",
    "writing",
)
"""Modules of the runtime that generated code uses by their names."""

_TYPES = ("bool", "bytes", "dict", "float", "frozenset", "int", "list", "str", "tuple")
_FUNCTIONS = (
    "dataclass",
    "decode_fast",
    "dt",
    "field",
    "now",
    "property",
    "re",
    "replace",
    "run",
    "run_async",
    "self",
)

HIDING = frozenset((*RUNTIME_MODULES, *_TYPES, *_FUNCTIONS))
"""Lower-case names that generated modules need; a parameter or attribute may not hide them."""

CLASSES = (
    "Any",
    "AsyncQuery",
    "Callable",
    "Collection",
    "Decimal",
    "DynamoDBClient",
    "Environment",
    "Hydration",
    "Iterable",
    "Iterator",
    "KeyError",
    "Mapping",
    "Query",
    "Sequence",
    "StrEnum",
    "TypeError",
    "TypedDict",
    "Unpack",
)
"""Upper-case names that generated modules and suites use, besides those of packages and harness."""

EXPORTED = (
    "BatchIncomplete",
    "ConditionFailed",
    "GuardFailed",
    "InvalidCursor",
    "InvalidRequest",
    "InvalidValue",
    "ItemExists",
    "ItemNotFound",
    "KeyValueError",
    "MultipleItems",
    "Page",
    "RepositoryError",
    "StaleItem",
    "StoredValueError",
    "TooManyItems",
    "TransactionConflict",
    "TransactionFailed",
    "UniqueTaken",
    "UnknownItem",
    "UNSET",
)
"""What every package offers from its runtime."""

_OURS = frozenset(
    (*CLASSES, *EXPORTED, *(name for names in HARNESS.values() for name in names))
)

OPERATIONS = (
    "get",
    "create",
    "put",
    "update",
    "delete",
    "batch_get",
    "batch_write",
)
"""Methods of a repository that no pattern declares, in the order they are written."""

_OF_SUITES = ("ASYNC_SUITE", "CLOCK", "NOW", "SUITE", "TABLES")
"""Constants of every suite."""

_METHOD_LOCALS = (
    "change",
    "changes",
    "delete",
    "found",
    "guarded",
    "keys",
    "name",
    "names",
    "now",
    "outcome",
    "put",
    "response",
    "stored_item",
    "table",
    "unchanged",
    "unknown",
)
"""What methods that take an item call other things."""

PRIVATE = (
    "_decode",
    "_encode",
    "_encode_key",
    "_is_own",
    "_key",
    "_key_of_item",
    "_markers",
    "_GUARDED_BY",
    "_KEY_PATTERNS",
    "_WRITTEN_WITH",
)
"""What every repository's module calls things of its own."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def snake(text: str) -> str:
    """`orderDate`, `order-date` and `status#order_date` in snake case."""
    return "_".join(
        part.lower() for word in _words(text) for part in _CAMEL.split(word)
    )


def private(text: str) -> str:
    """A word for what no user sees (a key function, a local), made of any text."""
    name = snake(text)
    return name if name.isidentifier() else f"key_{name}".rstrip("_")


def pascal(text: str) -> str:
    """`order_item` as `OrderItem`; capitals that are there stay (`HTTPServer`)."""
    return "".join(word[:1].upper() + word[1:] for word in _words(text))


def constant(text: str) -> str:
    """`orderDate` as `ORDER_DATE`."""
    return snake(text).upper()


def kind(entity: str) -> str:
    """What a suite calls an entity's kind: `ORDER`; `SKU_KIND` where the class itself is `SKU`, or the
    suite calls something else so."""
    name = constant(entity)
    taken = name == class_name(entity) or name in _OF_SUITES
    return f"{name}_KIND" if taken else name


def plural(noun: str) -> str:
    """The simple English plural of a noun in snake case: `orders`, `categories`, `boxes`, `days`."""
    if re.search(r"(s|x|z|ch|sh)$", noun):
        return f"{noun}es"
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def is_identifier(name: str) -> bool:
    """Whether Python takes this as a name."""
    return name.isidentifier() and not keyword.iskeyword(name)


# --- classes --------------------------------------------------------------------------------------


def class_name(name: str) -> str:
    """The class of an entity or of a named type: `Page_` where the package has a `Page` of its own."""
    return _beside_ours(pascal(name))


def service_class(service: str, entities: Iterable[str]) -> str:
    """`CustomerOrders`; `HotelService` where an entity `Hotel` has the plain name."""
    name = pascal(service)
    return f"{name}Service" if name in map(pascal, entities) else _beside_ours(name)


def repository_class(entity: str) -> str:
    """`OrderRepository`."""
    return f"{pascal(entity)}Repository"


def key_class(entity: str) -> str:
    """`OrderKey`: the key attributes of one item."""
    return f"{pascal(entity)}Key"


def changes_class(entity: str) -> str:
    """`OrderChanges`: what `update` may change."""
    return f"{pascal(entity)}Changes"


def projection_class(entity: str, projection: str, pattern: str) -> str:
    """`OrderInReviewQueue` for what an index projects; for a `select`, named after the pattern."""
    if projection == pattern:
        return class_name(pattern)
    return f"{pascal(entity)}In{pascal(projection)}"


def enum_member(name: str) -> str:
    """A member of an enum, in capitals."""
    return constant(name)


# --- variables, methods, modules --------------------------------------------------------------------


def attribute(name: str) -> str:
    """A field of an entity, and every parameter that stands for it."""
    return _beside(snake(name))


def parameter(name: str) -> str:
    """A parameter of a pattern's method."""
    return _beside(snake(name))


def method(pattern: str) -> str:
    """The method of an access pattern. A method `list` would hide the type in its own class."""
    return _beside(snake(pattern))


def item_variable(entity: str, attributes: Iterable[str] = ()) -> str:
    """The parameter that takes an item: `order`; `order_` beside an argument of that name."""
    name = _beside(snake(entity))
    taken = name in _METHOD_LOCALS or name in map(attribute, attributes)
    return f"{name}_" if taken else name


def repository_attribute(entity: str, plural_of: str | None) -> str:
    """The attribute of the service that holds an entity's repository: `db.orders`."""
    return _beside(snake(plural_of) if plural_of else plural(snake(entity)))


def repository_module(entity: str) -> str:
    """The module of an entity's repository."""
    return f"{snake(entity)}_repository"


def private_function(name: str) -> str:
    """A function of a module, with a `_` behind it where every module has one of that name."""
    return f"{name}_" if name in PRIVATE else name


def foreign_key(entity: str) -> str:
    """What another module calls the function that gives the key of an entity's items."""
    return private_function(f"_{snake(entity)}_key")


def foreign_encoder(entity: str) -> str:
    """What another module calls the function that stores an entity's items."""
    return private_function(f"_encode_{snake(entity)}")


def foreign_markers(entity: str) -> str:
    """What another module calls the function that gives the markers of an entity's items."""
    return private_function(f"_{snake(entity)}_markers")


def foreign_decoder(entity: str) -> str:
    """What another module calls the function that reads an entity's items."""
    return private_function(f"_decode_{snake(entity)}")


def foreign_recogniser(entity: str) -> str:
    """What another module calls the function that knows an entity's items."""
    return private_function(f"_is_{snake(entity)}")


class Scope:
    """The names in use in one piece of code; hands out free ones like those wanted."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def claim(self, wanted: str) -> str:
        """`wanted`, or with a number if it is taken; taken from now on."""
        name, number = wanted, 2
        while name in self._taken or keyword.iskeyword(name):
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name


def _beside(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) or name in HIDING else name


def _beside_ours(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) or name in _OURS else name


def _words(text: str) -> list[str]:
    return [
        word
        for word in _BETWEEN_WORDS.split(unicodedata.normalize("NFKC", text))
        if word
    ]
