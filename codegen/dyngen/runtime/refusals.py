"""What it means when DynamoDB refuses a conditional write.

Every such write asks for the stored item on failure, so that the error can carry it, and so that a lost
response can be told from a lost race.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from botocore.exceptions import (  # type: ignore[import-untyped,unused-ignore]
    ClientError,
)

from .client import error_code
from .errors import GuardFailed, ItemExists, ItemNotFound, StaleItem
from .steps import Response
from .wire import Item


class Outcome:
    """What came of a conditional write: the response, set by whoever sends the request."""

    __slots__ = ("response",)

    def __init__(self) -> None:
        self.response: Response = {}


@contextmanager
def conditional(
    error: type[ItemExists] | type[StaleItem] | type[GuardFailed],
    decode: Callable[[Item], object],
    *,
    token: Item | None = None,
    deletes: bool = False,
    upserts: bool = False,
) -> Generator[Outcome, None, None]:
    """Make an error of a condition that failed, with the item as it is stored now.

    The SDK repeats a request whose response was lost, and the condition then fails because of the
    write's own effect. So if the stored item bears the token of this very write, or is gone after a
    repeated delete, the write succeeded and there is no error. Equal contents prove nothing.

    Args:
        error: what the failed condition means.
        decode: makes an entity of the stored item.
        token: the version attribute as this write sets it, for entities that have one.
        deletes: the write is a delete.
        upserts: the write makes an item where there is none, so that a guard may refuse none, too.

    Raises:
        ItemNotFound: there is no item where a guard asks for one.
        StaleItem: with `outcome_unknown`, if the request was repeated and there is no token that could
            tell whether it was this write that changed the item. Deletes never raise it so: an item that
            is still there was not deleted, and one that is gone counts as deleted.
        ConditionFailed: the `error` given, otherwise; with `outcome_unknown` if the request was
            repeated, since another write may have replaced this one's token.
    """
    outcome = Outcome()
    try:
        yield outcome
    except ClientError as failure:
        if error_code(failure) != "ConditionalCheckFailedException":
            raise
        response: dict[str, Any] = dict(failure.response)
        item = response.get("Item")
        repeated = response.get("ResponseMetadata", {}).get("RetryAttempts", 0) > 0
        if item is None and deletes and repeated:
            return
        if item is None and issubclass(error, GuardFailed) and not upserts:
            raise ItemNotFound from failure
        if item is not None and token is not None and _bears(item, token):
            outcome.response = {"Attributes": item}
            return
        current = None if item is None else decode(item)
        if repeated and token is None and not deletes:
            raise StaleItem(current, outcome_unknown=True) from failure
        raise error(current, outcome_unknown=repeated) from failure


def _bears(item: Item, token: Item) -> bool:
    return all(item.get(name) == value for name, value in token.items())
