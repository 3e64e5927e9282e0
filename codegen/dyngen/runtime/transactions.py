"""Transactions: several writes, of one item each, all or none; and reads of one moment.

A write that DynamoDB cancels because others write the same items is tried again, under the same
request token, so that it is carried out once even where a response was lost (AWS:
API_TransactWriteItems).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from botocore.exceptions import (  # type: ignore[import-untyped,unused-ignore]
    ClientError,
)

from . import limits
from .backoff import Backoff
from .batches import Identity, identity
from .client import error_code
from .clock import Environment
from .conditions import Condition, missing
from .errors import (
    GuardFailed,
    InvalidRequest,
    ItemExists,
    ItemNotFound,
    RepositoryError,
    StaleItem,
    TransactionConflict,
    TransactionFailed,
)
from .keyparts import IndexKey
from .steps import Request, Response, Steps
from .wire import Item
from .writing import Change, delete_request, put_request, update_request

_FAILED = "ConditionalCheckFailed"
_CONFLICT = "TransactionConflict"
_PASSING = frozenset(
    (
        "None",
        _CONFLICT,
        "ProvisionedThroughputExceeded",
        "ThrottlingError",
    )
)

Refusal = Callable[[Item | None], RepositoryError]
"""Makes the error of a condition that failed, from the item as it is stored, if there is one."""

Decode = Callable[[Item], object]


# --- actions --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Action:
    """One write of a transaction.

    Attributes:
        kind: what it is called in TransactWriteItems.
        arguments: what it says there.
        key: of the item that it is about.
        refusal: what it means if the action's condition fails; None where there is none.
    """

    kind: str
    arguments: dict[str, Any]
    key: Item
    refusal: Refusal | None = None


Member = Sequence[Action]
"""What a transaction does to one item, and to what must change together with it."""


def create(table: str, key: Item, item: Item, decode: Decode) -> Action:
    """Store a new item; refused with ItemExists."""
    condition = missing(next(iter(key)))
    return put(
        table, key, item, condition, lambda stored: ItemExists(_of(stored, decode))
    )


def put(
    table: str,
    key: Item,
    item: Item,
    condition: Condition | None = None,
    refusal: Refusal | None = None,
) -> Action:
    """Store an item, whatever is stored under its key, unless there is a condition."""
    return Action("Put", put_request(table, item, condition), key, refusal)


def update(
    table: str,
    key: Item,
    changes: Iterable[Change],
    condition: Condition | None = None,
    refusal: Refusal | None = None,
    *,
    keys: Iterable[IndexKey] = (),
) -> Action:
    """Change an item."""
    request = update_request(table, key, changes, condition, keys=keys)
    return Action("Update", _silent(request), key, refusal)


def delete(
    table: str,
    key: Item,
    condition: Condition | None = None,
    refusal: Refusal | None = None,
) -> Action:
    """Delete an item."""
    request = delete_request(table, key, condition)
    return Action("Delete", _silent(request), key, refusal)


def check(table: str, key: Item, condition: Condition, refusal: Refusal) -> Action:
    """Ask for a condition of an item, and leave it as it is."""
    request = delete_request(table, key, condition)
    return Action("ConditionCheck", _silent(request), key, refusal)


def guarded(decode: Decode, *, upserts: bool = False) -> Refusal:
    """The refusal of what asks that its item is as a guard says, and is there unless it `upserts`."""

    def refusal(stored: Item | None) -> RepositoryError:
        if stored is None and not upserts:
            return ItemNotFound()
        return GuardFailed(_of(stored, decode))

    return refusal


def stale(decode: Decode) -> Refusal:
    """The refusal of what asks that its item is as it was read."""
    return lambda stored: StaleItem(_of(stored, decode))


def _of(stored: Item | None, decode: Decode) -> object | None:
    return None if stored is None else decode(stored)


def _silent(request: dict[str, Any]) -> dict[str, Any]:
    """The request without the wish for the item in return, which a transaction does not grant."""
    return {name: value for name, value in request.items() if name != "ReturnValues"}


# --- writes ---------------------------------------------------------------------------------------


def write(members: Sequence[Member], environment: Environment) -> Steps[None]:
    """Carry out all members or none.

    Raises:
        TransactionFailed: nothing was written; `reasons` tells why, member by member.
        InvalidRequest: more than 100 actions or 4 MB, or two actions on one item; nothing was sent.
    """

    def failed(errors: Sequence[RepositoryError | None]) -> RepositoryError:
        following = iter(errors)
        return TransactionFailed(
            *(_first(list(islice(following, len(member)))) for member in members)
        )

    return _carry_out(
        [action for each in members for action in each], failed, environment
    )


def write_one(member: Member, environment: Environment) -> Steps[None]:
    """Carry out what is done to one item and to what must change together with it.

    Raises:
        RepositoryError: nothing was written; of several errors, that of the earliest action.
        InvalidRequest: more than 100 actions or 4 MB, or two actions on one item; nothing was sent.
    """

    def failed(errors: Sequence[RepositoryError | None]) -> RepositoryError:
        return next(error for error in errors if error is not None)

    return _carry_out(member, failed, environment)


def _first(errors: Sequence[RepositoryError | None]) -> RepositoryError | None:
    return next((error for error in errors if error is not None), None)


def _carry_out(
    actions: Sequence[Action],
    failed: Callable[[Sequence[RepositoryError | None]], RepositoryError],
    environment: Environment,
) -> Steps[None]:
    """Carry out the actions. Raises what `failed` makes of the errors, one for each action."""
    _settle((action.arguments["TableName"], action.key) for action in actions)
    put = (action.arguments["Item"] for action in actions if action.kind == "Put")
    limits.transaction(len(actions), put)
    asked = {
        "TransactItems": [{action.kind: action.arguments} for action in actions],
        "ClientRequestToken": environment.new_token(),
    }
    try:
        yield from _insist(Request("transact_write_items", asked), environment)
    except ClientError as failure:
        reasons = failure.response.get("CancellationReasons", ())
        errors = [
            _error(action, reason)
            for action, reason in zip(actions, reasons, strict=bool(reasons))
        ]
        if not any(errors):
            raise
        raise failed(errors) from failure


def _error(action: Action, reason: Response) -> RepositoryError | None:
    if reason["Code"] == _FAILED and action.refusal is not None:
        return action.refusal(reason.get("Item"))
    return TransactionConflict() if reason["Code"] == _CONFLICT else None


# --- reads ----------------------------------------------------------------------------------------


def read(
    asked: Sequence[tuple[str, Item]], environment: Environment
) -> Steps[list[Item | None]]:
    """The items with these keys in these tables, as they all are at one moment.

    Raises:
        TransactionFailed: the items were being written, through all attempts.
        InvalidRequest: more than 100 items, or one twice; nothing was sent.
    """
    _settle(asked)
    limits.transaction(len(asked), ())
    gets = [{"Get": {"TableName": table, "Key": key}} for table, key in asked]
    request = Request("transact_get_items", {"TransactItems": gets})
    try:
        response = yield from _insist(request, environment)
    except ClientError as failure:
        codes = [
            each.get("Code") for each in failure.response.get("CancellationReasons", ())
        ]
        if _CONFLICT not in codes:
            raise
        raise TransactionFailed(
            *(TransactionConflict() if code == _CONFLICT else None for code in codes)
        ) from failure
    return [found.get("Item") for found in response["Responses"]]


# --- both -----------------------------------------------------------------------------------------


def _settle(items: Iterable[tuple[str, Item]]) -> None:
    """Refuse one item twice, which DynamoDB would."""
    seen: set[tuple[str, Identity]] = set()
    for table, key in items:
        item = (table, identity(key))
        if item in seen:
            raise InvalidRequest(
                f"two actions of one transaction on one item: {dict(key)}"
            )
        seen.add(item)


def _insist(request: Request, environment: Environment) -> Steps[Response]:
    """The response, after as many attempts as it takes. Raises the last ClientError."""
    backoff = Backoff(environment.random)
    while True:
        attempt = Request(request.operation, request.arguments, backoff.delay)
        try:
            (response,) = yield [attempt]
        except ClientError as error:
            backoff.fail()
            if backoff.exhausted or not _passes(error):
                raise
        else:
            return response


def _passes(error: ClientError) -> bool:
    """Whether the same request may succeed a moment later."""
    code = error_code(error)
    if code == "TransactionCanceledException":
        reasons = error.response.get("CancellationReasons", ())
        return all(reason.get("Code") in _PASSING for reason in reasons)
    return code == "TransactionInProgressException"
