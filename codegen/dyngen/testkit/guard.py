"""Refuses every request that DynamoDB would refuse, or that no generated method may make.

The open engines let much of this pass (a Scan for a Query, a filter on a key, an unaliased reserved
word, a cursor without the index's keys), so it is checked before a request leaves the client.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from .expressions import (
    IllegalRequest,
    KeyCondition,
    Kind,
    clauses,
    key_conditions,
    path_of,
    texts,
    tokens,
)
from .tables import Definition, Item, View

Params = Mapping[str, Any]

_EXPRESSIONS = (
    "KeyConditionExpression",
    "FilterExpression",
    "ProjectionExpression",
    "ConditionExpression",
    "UpdateExpression",
)
_EXPRESSION_BYTES = 4096
_PARTITION_BYTES = 2048
_SORT_BYTES = 1024
_IN_OPERANDS = 100


@dataclass(slots=True)
class Guard:
    """Checks requests against the tables' definitions, by physical table name.

    `scans` holds the (table in the spec, index) pairs that a declared scan reads.
    """

    scans: frozenset[tuple[str, str | None]] = frozenset()
    definitions: dict[str, Definition] = field(default_factory=dict)

    def on_request(self, params: Params, model: Any, **_: object) -> None:
        """Handle botocore's `provide-client-params.dynamodb.*`. Raises IllegalRequest."""
        self.check(model.name, params)

    def check(self, operation: str, params: Params) -> None:
        """Raise IllegalRequest if the request is not legal, or of a kind that is not expected."""
        check = _CHECKS.get(operation)
        if check is None:
            raise IllegalRequest(f"no generated method calls {operation}")
        check(self, params)

    def definition(self, name: str) -> Definition:
        """The table with this physical name. Raises IllegalRequest for a foreign table."""
        if name not in self.definitions:
            raise IllegalRequest(f"{name} is no table of this service")
        return self.definitions[name]


def _require(holds: bool, complaint: str) -> None:
    if not holds:
        raise IllegalRequest(complaint)


# --- reads ------------------------------------------------------------------------------------


def _query(guard: Guard, params: Params) -> None:
    definition, view = _read(guard, params)
    _require("KeyConditionExpression" in params, "a Query without a key condition")
    conditions = key_conditions(params["KeyConditionExpression"])
    _check_key_conditions(definition, view, conditions, params)
    if "ExclusiveStartKey" in params:
        _check_cursor(definition, view, conditions, params)


def _scan(guard: Guard, params: Params) -> None:
    definition, view = _read(guard, params)
    _require(
        (definition.name, view.name) in guard.scans,
        f"a Scan of {view.name or definition.name}, which no pattern declares",
    )
    if "ExclusiveStartKey" in params:
        _check_cursor_names(definition, view, params["ExclusiveStartKey"])


def _read(guard: Guard, params: Params) -> tuple[Definition, View]:
    definition = guard.definition(params["TableName"])
    index = params.get("IndexName")
    _require(
        index is None or index in definition.indexes,
        f"{definition.name} has no index {index}",
    )
    view = definition.view(index)
    _check_placeholders(params)
    _require(
        not (params.get("ConsistentRead") and view.is_global),
        f"a consistent read of {view.name}, a global index",
    )
    _require(params.get("Limit", 1) >= 1, "a Limit below 1")
    _check_select(view, params)
    names = params.get("ExpressionAttributeNames", {})
    for path in _paths(params.get("FilterExpression", "")):
        _require(
            names[path] not in view.key, f"a filter on {names[path]}, a key attribute"
        )
    for expression in ("FilterExpression", "ProjectionExpression"):
        for path in _paths(params.get(expression, "")):
            _require(
                definition.holds(view, names[path]),
                f"{expression} reads {names[path]}, which {view.name} does not hold",
            )
    return definition, view


def _check_select(view: View, params: Params) -> None:
    select = params.get("Select")
    _require(
        not (
            select == "ALL_ATTRIBUTES" and view.is_global and view.projected is not None
        ),
        f"ALL_ATTRIBUTES of {view.name}, which does not hold them",
    )
    _require(
        not (select == "ALL_PROJECTED_ATTRIBUTES" and view.name is None),
        "ALL_PROJECTED_ATTRIBUTES of a table",
    )


def _paths(expression: str) -> frozenset[str]:
    """The top-level names of an expression: those that do not follow a dot."""
    found = tokens(expression)
    return frozenset(
        token.text
        for before, token in zip((None, *found), found, strict=False)
        if token.kind is Kind.NAME and (before is None or before.text != ".")
    )


def _check_key_conditions(
    definition: Definition,
    view: View,
    conditions: tuple[KeyCondition, ...],
    params: Params,
) -> None:
    names, values = (
        params["ExpressionAttributeNames"],
        params["ExpressionAttributeValues"],
    )
    attributes = [names[condition.name] for condition in conditions]
    expected = list(view.key[: len(conditions)])
    _require(
        attributes == expected and len(attributes) >= len(view.partition),
        f"key conditions on {attributes}, but the key is {list(view.key)}",
    )
    for attribute, condition in zip(attributes, conditions, strict=True):
        last = condition is conditions[-1] and attribute in view.sort
        _require(
            condition.operator == "=" or last,
            f"{condition.operator} on {attribute}, which must be fixed by =",
        )
        operands = [values[name] for name in condition.values]
        for operand in operands:
            _check_key_value(definition, view, attribute, operand)
        _check_range(definition, attribute, condition.operator, operands)


def _check_range(
    definition: Definition,
    attribute: str,
    operator: str,
    operands: list[Mapping[str, Any]],
) -> None:
    kind = definition.types[attribute]
    _require(not (operator == "begins_with" and kind == "N"), "begins_with on a number")
    if operator == "BETWEEN":
        low, high = (_sortable(kind, operand[kind]) for operand in operands)
        _require(low <= high, f"BETWEEN on {attribute} with its bounds reversed")


def _sortable(kind: str, value: Any) -> Any:
    """A key value as DynamoDB orders it: numbers by value, the rest by bytes (K-9)."""
    if kind == "N":
        return Decimal(value)
    return value.encode() if kind == "S" else value


def _check_cursor(
    definition: Definition,
    view: View,
    conditions: tuple[KeyCondition, ...],
    params: Params,
) -> None:
    cursor = params["ExclusiveStartKey"]
    _check_cursor_names(definition, view, cursor)
    names, values = (
        params["ExpressionAttributeNames"],
        params["ExpressionAttributeValues"],
    )
    for condition in conditions:
        attribute = names[condition.name]
        if condition.operator == "=":
            _require(
                cursor[attribute] == values[condition.values[0]],
                f"a cursor whose {attribute} is not the query's",
            )


def _check_cursor_names(definition: Definition, view: View, cursor: Item) -> None:
    expected = {*definition.table.key, *view.key}
    _require(
        set(cursor) == expected,
        f"a cursor of {sorted(cursor)}, but the keys are {sorted(expected)}",
    )
    for name, value in cursor.items():
        _check_type(definition, name, value)


# --- single items -----------------------------------------------------------------------------


def _get(guard: Guard, params: Params) -> None:
    _check_placeholders(params)
    _check_item_key(guard.definition(params["TableName"]), params["Key"])


def _put(guard: Guard, params: Params) -> None:
    _check_placeholders(params)
    _check_item(guard.definition(params["TableName"]), params["Item"])


def _update(guard: Guard, params: Params) -> None:
    _check_placeholders(params)
    definition = guard.definition(params["TableName"])
    _check_item_key(definition, params["Key"])
    names = params.get("ExpressionAttributeNames", {})
    paths: list[tuple[str, ...]] = []
    for clause, actions in clauses(params.get("UpdateExpression", "")).items():
        for action in actions:
            path = tuple(names.get(step, step) for step in path_of(action))
            paths.append(path)
            _require(
                path[0] not in definition.table.key,
                f"an update of {path[0]}, an attribute of the table's key",
            )
            _require(
                clause in ("SET", "REMOVE") or len(path) == 1,
                f"{clause} below the top level, at {'.'.join(path)}",
            )
            if clause == "SET" and path[0] in definition.types:
                _require(
                    len(path) == 1, f"an update inside the key attribute {path[0]}"
                )
                _check_set(definition, path[0], action, params)
    _check_overlap(paths)


def _check_set(
    definition: Definition, attribute: str, action: tuple[Any, ...], params: Params
) -> None:
    """`SET #key = :value` must store a legal key value; other operands cannot be known here."""
    if len(action) == 3 and action[2].kind is Kind.VALUE:
        value = params["ExpressionAttributeValues"][action[2].text]
        for view in definition.views():
            if attribute in view.key:
                _check_key_value(definition, view, attribute, value)


def _check_overlap(paths: list[tuple[str, ...]]) -> None:
    for number, path in enumerate(paths):
        for other in paths[number + 1 :]:
            short = min(len(path), len(other))
            _require(
                path[:short] != other[:short],
                f"two actions of one update overlap at {'.'.join(path[:short])}",
            )


# --- several items ----------------------------------------------------------------------------


def _batch_get(guard: Guard, params: Params) -> None:
    keys = [
        (name, key)
        for name, group in params["RequestItems"].items()
        for key in group["Keys"]
    ]
    _require(1 <= len(keys) <= 100, f"BatchGetItem of {len(keys)} items")
    for group in params["RequestItems"].values():
        _check_placeholders(group)
    _check_distinct(guard, keys)


def _batch_write(guard: Guard, params: Params) -> None:
    keys: list[tuple[str, Item]] = []
    for name, requests in params["RequestItems"].items():
        definition = guard.definition(name)
        for request in requests:
            if "PutRequest" in request:
                item = request["PutRequest"]["Item"]
                _check_item(definition, item)
                keys.append((name, definition.table_key(item)))
            else:
                keys.append((name, request["DeleteRequest"]["Key"]))
    _require(1 <= len(keys) <= 25, f"BatchWriteItem of {len(keys)} items")
    _check_distinct(guard, keys)


def _transact_get(guard: Guard, params: Params) -> None:
    members = [member["Get"] for member in params["TransactItems"]]
    _require(1 <= len(members) <= 100, f"a transaction of {len(members)} items")
    for member in members:
        _get(guard, member)
    _check_distinct(guard, [(member["TableName"], member["Key"]) for member in members])


def _transact_write(guard: Guard, params: Params) -> None:
    keys: list[tuple[str, Item]] = []
    for member in params["TransactItems"]:
        ((action, request),) = member.items()
        checks = {
            "Put": _put,
            "Update": _update,
            "Delete": _get,
            "ConditionCheck": _get,
        }
        checks[action](guard, request)
        definition = guard.definition(request["TableName"])
        key = request.get("Key") or definition.table_key(request["Item"])
        keys.append((request["TableName"], key))
    _require(1 <= len(keys) <= 100, f"a transaction of {len(keys)} items")
    _check_distinct(guard, keys)


def _check_distinct(guard: Guard, keys: list[tuple[str, Item]]) -> None:
    seen = set()
    for name, key in keys:
        definition = guard.definition(name)
        _check_item_key(definition, key)
        seen.add((name, definition.key_of(key)))
    _require(len(seen) == len(keys), "one item twice in one request")


_CHECKS: Mapping[str, Callable[[Guard, Params], None]] = {
    "Query": _query,
    "Scan": _scan,
    "GetItem": _get,
    "PutItem": _put,
    "UpdateItem": _update,
    "DeleteItem": _get,
    "BatchGetItem": _batch_get,
    "BatchWriteItem": _batch_write,
    "TransactGetItems": _transact_get,
    "TransactWriteItems": _transact_write,
}


# --- what all requests have in common -----------------------------------------------------------


def _check_placeholders(params: Params) -> None:
    """Every name aliased, every placeholder defined and used, no expression over its limits."""
    used = [
        token
        for expression in _EXPRESSIONS
        if expression in params
        for token in tokens(params[expression])
    ]
    for kind, given in (
        (Kind.NAME, params.get("ExpressionAttributeNames")),
        (Kind.VALUE, params.get("ExpressionAttributeValues")),
    ):
        needed = texts(used, kind)
        unused = sorted(set(given or ()) - needed)
        missing = sorted(needed - set(given or ()))
        _require(given is None or bool(given), "an empty map of placeholders")
        _require(not unused, f"{unused} are defined and not used")
        _require(not missing, f"{missing} are used and not defined")
    for expression in _EXPRESSIONS:
        text = params.get(expression)
        if text is not None:
            size = len(text.encode())
            _require(0 < size <= _EXPRESSION_BYTES, f"an {expression} of {size} bytes")
            _check_in(text)


def _check_in(expression: str) -> None:
    found = tokens(expression)
    for at, token in enumerate(found):
        if token.text == "IN":
            closing = next(i for i in range(at, len(found)) if found[i].text == ")")
            operands = sum(each.kind is Kind.VALUE for each in found[at:closing])
            _require(operands <= _IN_OPERANDS, f"IN with {operands} operands")


def _check_item_key(definition: Definition, key: Item) -> None:
    _require(
        set(key) == set(definition.table.key),
        f"a key of {sorted(key)}, but the table's is {sorted(definition.table.key)}",
    )
    for name, value in key.items():
        _check_key_value(definition, definition.table, name, value)


def _check_item(definition: Definition, item: Item) -> None:
    missing = [name for name in definition.table.key if name not in item]
    _require(not missing, f"an item without {missing}")
    for view in definition.views():
        for name in view.key:
            if name in item:
                _check_key_value(definition, view, name, item[name])
        size = sum(_length(item[name]) for name in view.sort if name in item)
        _require(size <= _SORT_BYTES, f"a sort key of {size} bytes")
    for name, value in item.items():
        for kind in ("SS", "NS", "BS"):
            _require(value.get(kind) != [], f"{name} is an empty set")


def _check_key_value(
    definition: Definition, view: View, name: str, value: Mapping[str, Any]
) -> None:
    """A key value has the key's type and 1 to 2,048 bytes, in a sort key 1,024 (K-1 to K-3)."""
    _check_type(definition, name, value)
    limit = _PARTITION_BYTES if name in view.partition else _SORT_BYTES
    size = _length(value)
    _require(1 <= size <= limit, f"{name} has {size} bytes")


def _check_type(definition: Definition, name: str, value: Mapping[str, Any]) -> None:
    expected = definition.types[name]
    _require(list(value) == [expected], f"{name} is {list(value)}, not {expected}")


def _length(value: Mapping[str, Any]) -> int:
    (content,) = value.values()
    return len(content.encode() if isinstance(content, str) else content)
