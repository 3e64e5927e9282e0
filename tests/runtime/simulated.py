"""A simulated table: answers the requests of a sans-IO read, and tells what they cost."""

from __future__ import annotations

import random
from bisect import insort
from collections.abc import Sequence
from typing import Any

from dyngen.runtime.steps import Request, Response, Steps

Entry = tuple[str, int]
"""A sort key's text, and the number that tells items with one sort key apart."""


class SimulatedIndex:
    """An index with text keys `pk` and `sk` over a table with the key `id`, a number.

    Args:
        chance: decides where a page is cut short, as by the limit of 1 MB.
        looks_ahead: no LastEvaluatedKey after the very last item, as on moto; AWS does not look.
    """

    def __init__(self, chance: random.Random, *, looks_ahead: bool) -> None:
        self.partitions: dict[str, list[Entry]] = {}
        self.items_read = 0
        self.requests: list[Request] = []
        self._chance = chance
        self._looks_ahead = looks_ahead

    def insert(self, partition: str, entry: Entry) -> None:
        insort(self.partitions.setdefault(partition, []), entry)

    def delete(self, partition: str, entry: Entry) -> None:
        self.partitions[partition].remove(entry)

    def run(self, steps: Steps[Any]) -> Any:
        """The result of the steps, their requests answered in any order."""
        try:
            requests = next(steps)
            while True:
                requests = steps.send(self._answers(requests))
        except StopIteration as stop:
            return stop.value

    def _answers(self, requests: Sequence[Request]) -> list[Response]:
        answers: dict[int, Response] = {}
        for number in self._chance.sample(range(len(requests)), len(requests)):
            answers[number] = self._answer(requests[number])
        return [answers[number] for number in range(len(requests))]

    def _answer(self, request: Request) -> Response:
        self.requests.append(request)
        arguments = request.arguments
        partition = arguments["ExpressionAttributeValues"][":v0"]["S"]
        entries = list(self.partitions.get(partition, ()))
        start = arguments.get("ExclusiveStartKey")
        if not arguments["ScanIndexForward"]:
            entries.reverse()
        if start is not None:
            position = (start["sk"]["S"], int(start["id"]["N"]))
            entries = [
                entry
                for entry in entries
                if (
                    entry > position
                    if arguments["ScanIndexForward"]
                    else entry < position
                )
            ]
        limit = arguments.get("Limit", len(entries) + 1)
        if self._chance.random() < 0.2:
            limit = min(limit, self._chance.randint(1, 3))
        page = entries[:limit]
        self.items_read += len(page)
        response: dict[str, Any] = {
            "Items": [item_of(partition, entry) for entry in page],
            "Count": len(page),
            "ScannedCount": len(page),
        }
        if (
            page
            and len(page) == limit
            and (len(entries) > limit or not self._looks_ahead)
        ):
            response["LastEvaluatedKey"] = item_of(partition, page[-1])
        return response


def item_of(partition: str, entry: Entry) -> dict[str, Any]:
    return {
        "pk": {"S": partition},
        "sk": {"S": entry[0]},
        "id": {"N": str(entry[1])},
    }


def entry_of(item: Any) -> tuple[str, Entry]:
    return item["pk"]["S"], (item["sk"]["S"], int(item["id"]["N"]))
