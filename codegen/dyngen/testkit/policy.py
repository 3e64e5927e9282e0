"""Checks that the service's IAM policy allows every request that its repositories make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .expressions import key_conditions
from .tables import Definition

_LEADING_KEYS = "dynamodb:LeadingKeys"
_MEMBERS = {"ConditionCheck": "ConditionCheckItem"}


class NotAllowed(AssertionError):
    """The policy does not allow this request."""


@dataclass(frozen=True, slots=True)
class Need:
    """A permission that a request needs: the action, the place, and the partition key it touches.

    `key` is None for a whole table or index.
    """

    action: str
    table: str
    index: str | None
    key: str | None


@dataclass(slots=True)
class Policy:
    """The statements of a policy. Without any, nothing is checked."""

    statements: Sequence[Mapping[str, Any]] = ()
    definitions: Mapping[str, Definition] = field(default_factory=dict)

    def on_request(self, params: Mapping[str, Any], model: Any, **_: object) -> None:
        """Handle botocore's `provide-client-params.dynamodb.*`. Raises NotAllowed."""
        if self.statements:
            for need in needs(self.definitions, model.name, params):
                self.check(need)

    def check(self, need: Need) -> None:
        """Raise NotAllowed unless some statement allows this."""
        if not any(_allows(statement, need) for statement in self.statements):
            raise NotAllowed(f"the IAM policy of the service does not allow {need}")


def statements_of(template: Path, resource: str) -> Sequence[Mapping[str, Any]]:
    """The statements of a managed policy in a CloudFormation template; none without PyYAML."""
    try:
        import yaml
    except ImportError:
        return ()
    resources = yaml.safe_load(template.read_text(encoding="utf-8"))["Resources"]
    found: Sequence[Mapping[str, Any]] = resources[resource]["Properties"][
        "PolicyDocument"
    ]["Statement"]
    return found


# --- what a request needs -------------------------------------------------------------------------


def needs(
    definitions: Mapping[str, Definition], operation: str, params: Mapping[str, Any]
) -> Iterator[Need]:
    """The permissions that a request needs (AWS: transaction-apis-iam.html)."""
    match operation:
        case "Query" | "Scan":
            definition = definitions[params["TableName"]]
            index = params.get("IndexName")
            key = _queried(definition, params) if operation == "Query" else None
            yield Need(operation, definition.name, index, key)
        case "BatchGetItem":
            for name, group in params["RequestItems"].items():
                for key in group["Keys"]:
                    yield _of_item(definitions[name], operation, key)
        case "BatchWriteItem":
            for name, requests in params["RequestItems"].items():
                for (request,) in map(dict.values, requests):
                    item = request.get("Item") or request["Key"]
                    yield _of_item(definitions[name], operation, item)
        case "TransactGetItems" | "TransactWriteItems":
            for ((kind, request),) in map(dict.items, params["TransactItems"]):
                item = request.get("Item") or request["Key"]
                action = _MEMBERS.get(kind, f"{kind}Item")
                yield _of_item(definitions[request["TableName"]], action, item)
        case _:
            item = params.get("Item") or params["Key"]
            yield _of_item(definitions[params["TableName"]], operation, item)


def _of_item(definition: Definition, action: str, item: Mapping[str, Any]) -> Need:
    (key,) = item[definition.table.partition[0]].values()
    return Need(action, definition.name, None, str(key))


def _queried(definition: Definition, params: Mapping[str, Any]) -> str:
    partition = definition.view(params.get("IndexName")).partition[0]
    names = params["ExpressionAttributeNames"]
    for condition in key_conditions(params["KeyConditionExpression"]):
        if names[condition.name] == partition:
            value = params["ExpressionAttributeValues"][condition.values[0]]
            (key,) = value.values()
            return str(key)
    raise NotAllowed("a query of no partition")


# --- what a statement allows ----------------------------------------------------------------------


def _allows(statement: Mapping[str, Any], need: Need) -> bool:
    needed = need.table if need.index is None else f"{need.table}/index/{need.index}"
    return (
        f"dynamodb:{need.action}" in statement["Action"]
        and needed in map(place, statement["Resource"])
        and _meets(statement.get("Condition"), need)
    )


def place(resource: Mapping[str, str]) -> str:
    """The table, or table and index, of an ARN in the template: `Orders/index/ByStatus`."""
    return resource["Fn::Sub"].rpartition("}")[2]


def _meets(condition: Mapping[str, Any] | None, need: Need) -> bool:
    """Whether the partition key is one of a tenant, whichever that is."""
    if condition is None:
        return True
    patterns = condition["ForAllValues:StringLike"][_LEADING_KEYS]
    return need.key is not None and any(
        re.fullmatch(_regular(pattern), need.key, re.DOTALL) for pattern in patterns
    )


def _regular(pattern: str) -> str:
    """A pattern of StringLike as a regular expression; the caller's tag is any text."""
    pieces = re.split(r"(\$\{aws:[^}]*\}|\$\{[*?$]\}|\*|\?)", pattern)
    return "".join(map(_piece, pieces))


def _piece(piece: str) -> str:
    if piece.startswith("${aws:"):
        return ".+"
    if piece.startswith("${"):
        return re.escape(piece[2])
    return {"*": ".*", "?": "."}.get(piece, re.escape(piece))
