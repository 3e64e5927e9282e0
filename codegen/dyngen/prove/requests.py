"""What requests ask for, and what their responses say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dyngen.design.cost import PAGE


def pages(sizes: Iterator[int]) -> Iterator[list[int]]:
    """The sizes, page by page: a request reads until it has read this much (I-9; AWS: API_Query)."""
    page: list[int] = []
    room = PAGE
    for size in sizes:
        page.append(size)
        room -= size
        if room <= 0:
            yield page
            page, room = [], PAGE
    if page:
        yield page


def reported_units(response: Mapping[str, Any]) -> float:
    """The units that the engine says a request took."""
    consumed = response["ConsumedCapacity"]
    several = consumed if isinstance(consumed, list) else [consumed]
    return float(sum(each["CapacityUnits"] for each in several))


def partition_values(request: Any, partition: tuple[str, ...]) -> dict[str, Any]:
    """The values of the partition that a request reads."""
    if request.operation == "GetItem":
        return {name: request.params["Key"][name] for name in partition}
    names_ = request.params["ExpressionAttributeNames"]
    values = request.params["ExpressionAttributeValues"]
    equal = dict(_equalities(request.params["KeyConditionExpression"]))
    by_attribute = {names_[name]: values[value] for name, value in equal.items()}
    return {name: by_attribute[name] for name in partition}


def _equalities(expression: str) -> Iterator[tuple[str, str]]:
    for part in expression.split(" AND "):
        if match := re.fullmatch(r"\s*(#\w+)\s*=\s*(:\w+)\s*", part):
            yield match[1], match[2]


def partition_request(
    table: str, index: str | None, values: Mapping[str, Any]
) -> dict[str, Any]:
    """A Query of a whole partition; `table` is the deployed name."""
    numbered = list(enumerate(values.items()))
    request: dict[str, Any] = {
        "TableName": table,
        "KeyConditionExpression": " AND ".join(f"#k{n} = :k{n}" for n, _ in numbered),
        "ExpressionAttributeNames": {f"#k{n}": name for n, (name, _) in numbered},
        "ExpressionAttributeValues": {f":k{n}": value for n, (_, value) in numbered},
    }
    if index is not None:
        request["IndexName"] = index
    return request
