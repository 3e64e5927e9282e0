"""Methods that patterns become: reads, writes, transactions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Signature:
    """The head of a method, and its docstring."""

    name: str
    arguments: tuple[str, ...]  # keyword arguments, as declarations
    returns: str
    docstring: str

    def local(self, wanted: str) -> str:
        """What the method calls something of its own, which no argument is called."""
        taken = {argument.partition(":")[0] for argument in self.arguments}
        return f"{wanted}_" if wanted in taken else wanted


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
    fitting: int | None = None  # the attributes of the partition key, if lengths add up


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
    """A read of one item by its key; `expired` is a condition on the `item` found."""

    kind: ClassVar[str] = "get"

    signature: Signature
    statements: tuple[str, ...]
    key: str
    consistent: bool
    item: str = "item"
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
    index_keys: str | None
    upserts: bool


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
