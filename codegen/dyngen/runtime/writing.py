"""Writes of single items: what they change, and their requests, which are made apart from being sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from itertools import pairwise
from typing import Any, Literal

from . import limits
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
from .errors import InvalidRequest
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
