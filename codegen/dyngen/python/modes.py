"""Blocking and asynchronous classes: the few words by which they differ."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mode:
    """Whether the methods of a class block or are awaited.

    Attributes:
        prefix: of the names of classes.
        define: begins the definition of a method that sends requests.
        wait: stands before what sends requests.
        run: what has steps carried out.
        query: the class of reads of many items.
        suffix: of the functions of the runtime that send requests.
        client: the kind of client, in docstrings.
        exports: what the package offers from its runtime for this mode.
    """

    prefix: str
    define: str
    wait: str
    run: str
    query: str
    suffix: str
    client: str
    exports: tuple[str, ...]

    def read_of(self, item: str) -> str:
        """The type of a read of many items."""
        return f"{self.query}[{item}]"


BLOCKING = Mode(
    prefix="",
    define="def",
    wait="",
    run="run",
    query="Query",
    suffix="",
    client="A boto3 DynamoDB client.",
    exports=("Query", "connect"),
)

ASYNCHRONOUS = Mode(
    prefix="Async",
    define="async def",
    wait="await ",
    run="run_async",
    query="AsyncQuery",
    suffix="_async",
    client="An aiobotocore DynamoDB client.",
    exports=("AsyncQuery", "connect_async"),
)

_MODES = {
    "sync": (BLOCKING,),
    "async": (ASYNCHRONOUS,),
    "both": (BLOCKING, ASYNCHRONOUS),
}


def modes(client: str) -> tuple[Mode, ...]:
    """The modes of a service whose `output` says `client: sync`, `async` or `both`."""
    return _MODES[client]
