"""Writes of single items: their requests, and what it means when DynamoDB refuses one.

Requests are built apart from being sent. Every conditional one asks for the stored item on failure,
so that the error can carry it, and so that a lost response can be told from a lost race.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from itertools import pairwise
from typing import Any, Literal

from botocore.exceptions import (  # type: ignore[import-untyped,unused-ignore]
    ClientError,
)

from . import limits
from .client import Response, error_code
from .conditions import (
    Condition,
    Name,
    Path,
    Pieces,
    Placeholders,
    Value,
    all_of,
    any_of,
    eq,
    gte,
    lte,
    missing,
)
from .errors import GuardFailed, InvalidRequest, ItemExists, ItemNotFound, StaleItem
from .keyparts import IndexKey, indexed
from .wire import AttributeValue, Item

# The digits of a DynamoDB number; a bound between two numbers is the one inside.
_UPWARDS = Context(prec=38, rounding=ROUND_CEILING)
_DOWNWARDS = Context(prec=38, rounding=ROUND_FLOOR)

# --- what an update does --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """One action of an UpdateExpression, and the clause it belongs to."""

    clause: Literal["SET", "REMOVE", "ADD", "DELETE"]
    pieces: Pieces


def set_to(path: Path, value: AttributeValue | None) -> Change:
    """The attribute becomes `value`; of no value, it is removed."""
    if value is None:
        return remove(path)
    return Change("SET", (Name(path), " = ", Value(value)))


def default_to(path: Path, value: AttributeValue) -> Change:
    """The attribute becomes `value`, unless it is there."""
    return Change(
        "SET", (Name(path), " = if_not_exists(", Name(path), ", ", Value(value), ")")
    )


def remove(path: Path) -> Change:
    """The attribute is removed, if it is there."""
    return Change("REMOVE", (Name(path),))


def add_to(path: Path, value: AttributeValue) -> Change:
    """A number is added to the attribute (0 if absent), or elements to the set that it holds.

    Below the top level only numbers can be added, and the parent must be there: DynamoDB's ADD
    works on top-level attributes alone (AWS: API_UpdateItem).
    """
    if isinstance(path, str) or len(path) == 1:
        return Change("ADD", (Name(path), " ", Value(value)))
    if "N" not in value:
        raise ValueError("elements can be added to a top-level set only")
    number = Name(path)
    zero = Value({"N": "0"})
    sum_ = (number, " = if_not_exists(", number, ", ", zero, ") + ", Value(value))
    return Change("SET", sum_)


def room_for(
    path: Path,
    amount: AttributeValue,
    *,
    minimum: int | Decimal | None = None,
    maximum: int | Decimal | None = None,
) -> Condition:
    """That the number, 0 if absent, stays within its bounds when `amount` is added to it."""
    added = Decimal(amount["N"])
    sides = []
    if minimum is not None:
        least = _UPWARDS.subtract(Decimal(minimum), added)
        sides.append(gte(path, {"N": format(least, "f")}))
    if maximum is not None:
        greatest = _DOWNWARDS.subtract(Decimal(maximum), added)
        sides.append(lte(path, {"N": format(greatest, "f")}))
    room = all_of(*sides)
    fits_alone = (minimum is None or minimum <= added) and (
        maximum is None or added <= maximum
    )
    return any_of(missing(path), room) if fits_alone else room


def append_to(path: Path, elements: AttributeValue) -> Change:
    """The elements, a list, are put at the end of the list that the attribute holds."""
    list_, empty = Name(path), Value({"L": []})
    appended = (list_, " = list_append(if_not_exists(", list_, ", ", empty, "), ")
    return Change("SET", (*appended, Value(elements), ")"))


def delete_from(name: str, elements: AttributeValue) -> Change:
    """The elements, a set, are taken out of the top-level set; emptied, it is removed."""
    return Change("DELETE", (Name(name), " ", Value(elements)))


def changes_to(item: Item, names: Iterable[str]) -> list[Change]:
    """What gives the stored item these attributes as `item` has them; those it lacks are removed.

    Every one of them is written, also where it equals the copy that was read: what is stored may
    have changed since. So `names` must hold every computed key of which an input is among them.
    """
    return [set_to(name, item.get(name)) for name in dict.fromkeys(names)]


def as_read(item: Item, names: Iterable[str]) -> list[Condition]:
    """The conditions that these attributes are still stored (or absent) as `item` has them."""
    return [
        eq(name, item[name]) if name in item else missing(name)
        for name in dict.fromkeys(names)
    ]


# --- requests -------------------------------------------------------------------------------------


def get_request(table: str, key: Item, *, consistent: bool = False) -> dict[str, Any]:
    """The arguments of a GetItem."""
    return {"TableName": table, "Key": key, "ConsistentRead": consistent}


def put_request(
    table: str, item: Item, condition: Condition | None = None
) -> dict[str, Any]:
    """The arguments of a PutItem. Raises InvalidValue for an item of more than 400 KB."""
    arguments = {"TableName": table, "Item": limits.stored(item)}
    if condition is None:
        return arguments
    return arguments | _conditions(condition, Placeholders())


def delete_request(
    table: str, key: Item, condition: Condition | None = None
) -> dict[str, Any]:
    """The arguments of a DeleteItem that returns the item as it was."""
    arguments = {"TableName": table, "Key": key, "ReturnValues": "ALL_OLD"}
    return arguments | _conditions(condition, Placeholders())


def update_request(
    table: str,
    key: Item,
    changes: Iterable[Change],
    condition: Condition | None = None,
    *,
    keys: Iterable[IndexKey] = (),
) -> dict[str, Any]:
    """The arguments of an UpdateItem that returns the item as it then is.

    `keys`: those in indexes that may be too long. Raises InvalidRequest if two changes are of one
    place, or the changes or the condition are more than an expression holds, InvalidValue if what
    is set is more than an item holds, and KeyValueError if it is more than a key holds.
    """
    changes = tuple(changes)
    _apart(changes)
    indexed(limits.stored(dict(_written(key, changes))), *keys)
    placeholders = Placeholders()
    arguments: dict[str, Any] = {
        "TableName": table,
        "Key": key,
        "ReturnValues": "ALL_NEW",
    }
    clauses: dict[str, list[str]] = {}
    for change in changes:
        action = placeholders.expression(change.pieces)
        clauses.setdefault(change.clause, []).append(action)
    if clauses:
        text = " ".join(
            f"{clause} {', '.join(actions)}" for clause, actions in clauses.items()
        )
        arguments["UpdateExpression"] = limits.expression("UpdateExpression", text)
    return arguments | _conditions(condition, placeholders)


def _apart(changes: Iterable[Change]) -> None:
    """Refuse changes of which one lies inside another, or is of the same place: paths may hold
    parameters. Raises InvalidRequest."""
    paths = sorted(map(_path, changes))
    for path, following in pairwise(paths):
        if following[: len(path)] == path:
            raise InvalidRequest(
                f"two changes of one update are of the same place inside `{path[0]}`"
            )


def _path(change: Change) -> tuple[str, ...]:
    place = change.pieces[0]
    if not isinstance(place, Name):
        raise TypeError("a change begins with the name of what it changes")
    return (place.path,) if isinstance(place.path, str) else place.path


def _written(
    key: Item, changes: Iterable[Change]
) -> Iterator[tuple[str, AttributeValue]]:
    """What the item holds for certain after an update: its key, and what is plainly set."""
    yield from key.items()
    for change in changes:
        match change.pieces:
            case (Name(str() as name), " = ", Value(value)):
                yield name, value


def _conditions(
    condition: Condition | None, placeholders: Placeholders
) -> dict[str, Any]:
    if condition is None:
        return placeholders.arguments()
    text = placeholders.expression(condition.pieces)
    return {
        "ConditionExpression": limits.expression("ConditionExpression", text),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        **placeholders.arguments(),
    }


# --- refusals -------------------------------------------------------------------------------------


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
            tell whether it was this write that changed the item. A delete changes none.
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
