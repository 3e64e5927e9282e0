"""Batches: what DynamoDB leaves is tried again, and what remains in the end is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from botocore.exceptions import ClientError
from dyngen.runtime.batches import batch_get, batch_write
from dyngen.runtime.clock import Environment
from dyngen.runtime.errors import BatchIncomplete, InvalidRequest
from recorded import Engine

Key = tuple[str, str]


def encode_key(key: Key) -> dict[str, Any]:
    return {"customer": {"S": key[0]}, "id": {"S": key[1]}}


def encode(item: tuple[str, str, int]) -> dict[str, Any]:
    return encode_key(item[:2]) | {"total": {"N": str(item[2])}}


def decode(item: Any) -> tuple[str, str, int]:
    return item["customer"]["S"], item["id"]["S"], int(item["total"]["N"])


def item_of(number: int, total: int = 0) -> tuple[str, str, int]:
    return "c1", f"o{number:03}", total


@dataclass
class Faults:
    """Leaves a part of batches unprocessed, as a table under load does."""

    keep: Callable[[int, int], int]
    waits: list[float] = field(default_factory=list)
    calls: int = 0

    def attach(self, client: Any) -> None:
        events = client.meta.events
        events.register("provide-client-params.dynamodb.BatchWriteItem", self.cut)
        events.register("provide-client-params.dynamodb.BatchGetItem", self.cut)
        events.register("after-call.dynamodb.BatchWriteItem", self.leave)
        events.register("after-call.dynamodb.BatchGetItem", self.leave)

    def cut(self, params: dict[str, Any], context: Any, **_: object) -> None:
        [(table, asked)] = params["RequestItems"].items()
        keys = asked["Keys"] if isinstance(asked, dict) else asked
        kept = self.keep(self.calls, len(keys))
        self.calls += 1
        context["left"], keys[:] = keys[kept:], keys[:kept] or keys[:1]
        context["nothing"] = kept == 0
        context["table"] = table

    def leave(self, parsed: dict[str, Any], model: Any, context: Any, **_: Any) -> None:
        if not context["left"]:
            return
        if model.name == "BatchWriteItem":
            parsed["UnprocessedItems"] = {context["table"]: context["left"]}
        else:
            parsed["UnprocessedKeys"] = {context["table"]: {"Keys": context["left"]}}
            if context["nothing"]:
                parsed["Responses"] = {}

    @property
    def environment(self) -> Environment:
        return Environment(sleep=self.waits.append, random=lambda: 0.5)


def put(engine: Engine, items: Any, environment: Environment, delete: Any = ()) -> None:
    batch_write(
        engine.client,
        "Orders",
        ("customer", "id"),
        put=items,
        encode=encode,
        delete=delete,
        encode_key=encode_key,
        environment=environment,
    )


def get(engine: Engine, keys: Any, environment: Environment) -> Any:
    return batch_get(
        engine.client,
        "Orders",
        keys,
        encode_key=encode_key,
        decode=decode,
        environment=environment,
    )


def stored(engine: Engine) -> list[tuple[str, str, int]]:
    found = engine.client.scan(TableName="Orders")["Items"]
    return sorted(decode(item) for item in found)


ALL = Faults(keep=lambda call, sent: sent)


def test_any_number_of_items_in_the_order_asked(engine: Engine) -> None:
    items = [item_of(number, number) for number in range(130)]
    put(engine, items, ALL.environment)
    assert engine.operations == ["BatchWriteItem"] * 6
    engine.forget()
    asked = [("c1", f"o{number:03}") for number in range(140, -1, -1)]
    found = get(engine, asked, ALL.environment)
    assert found == [None] * 11 + items[::-1]
    assert engine.operations == ["BatchGetItem"] * 2
    assert ALL.waits == []


def test_nothing_asked_is_nothing_sent(engine: Engine) -> None:
    put(engine, [], ALL.environment)
    assert get(engine, [], ALL.environment) == []
    assert engine.requests == []


def test_items_are_deleted_too(engine: Engine) -> None:
    put(engine, [item_of(1), item_of(2)], ALL.environment)
    put(engine, [item_of(3)], ALL.environment, delete=[("c1", "o001"), ("c1", "o009")])
    assert stored(engine) == [item_of(2), item_of(3)]


def test_duplicates_are_settled_before_the_call(engine: Engine) -> None:
    put(engine, [item_of(1, 1), item_of(2), item_of(1, 2)], ALL.environment)
    assert stored(engine) == [item_of(1, 2), item_of(2)]
    twice = [("c1", "o001"), ("c1", "o002"), ("c1", "o001")]
    found = get(engine, twice, ALL.environment)
    assert found == [item_of(1, 2), item_of(2), item_of(1, 2)]
    put(engine, [], ALL.environment, delete=twice)
    assert stored(engine) == []
    assert engine.operations.count("BatchWriteItem") == 2


def test_one_item_both_put_and_deleted_is_refused(engine: Engine) -> None:
    with pytest.raises(InvalidRequest, match="both put and deleted"):
        put(engine, [item_of(1)], ALL.environment, delete=[("c1", "o001")])
    assert engine.requests == []


def test_unprocessed_items_are_tried_again(engine: Engine) -> None:
    faults = Faults(keep=lambda call, sent: max(1, sent // 2))
    faults.attach(engine.client)
    items = [item_of(number, number) for number in range(60)]
    put(engine, items, faults.environment)
    assert stored(engine) == items
    assert get(engine, [item[:2] for item in items], faults.environment) == items
    assert faults.waits
    assert set(faults.waits) == {0.025}


def test_waits_grow_while_nothing_is_processed(engine: Engine) -> None:
    faults = Faults(keep=lambda call, sent: 0 if call < 9 else sent)
    faults.attach(engine.client)
    engine.put("Orders", encode(item_of(1)), encode(item_of(2)))
    assert get(engine, [("c1", "o001"), ("c1", "o002")], faults.environment) == [
        item_of(1),
        item_of(2),
    ]
    assert faults.waits == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.5, 2.5, 2.5]


def test_what_was_not_read_is_named(engine: Engine) -> None:
    faults = Faults(keep=lambda call, sent: 30 if call == 0 else 0)
    faults.attach(engine.client)
    keys = [("c1", f"o{number:03}") for number in range(50)]
    with pytest.raises(BatchIncomplete) as incomplete:
        get(engine, keys, faults.environment)
    assert incomplete.value.not_read == tuple(keys[30:])
    assert incomplete.value.not_written == ()
    assert faults.calls == 11


def test_what_was_not_written_is_named(engine: Engine) -> None:
    faults = Faults(keep=lambda call, sent: 20 if call == 0 else 0)
    faults.attach(engine.client)
    items = [item_of(number) for number in range(22)]
    with pytest.raises(BatchIncomplete) as incomplete:
        put(engine, items, faults.environment, delete=[("c1", "o999")])
    assert incomplete.value.not_written == (*items[20:], ("c1", "o999"))


def refuse(engine: Engine, operation: str, code: str) -> list[str]:
    """Every request but the first is answered with this error."""
    seen: list[str] = []

    def parse(parsed: dict[str, Any], http_response: Any, **_: object) -> None:
        seen.append(code)
        if len(seen) > 1:
            http_response.status_code = 400
            parsed["Error"] = {"Code": code, "Message": "refused"}

    engine.client.meta.events.register(f"after-call.dynamodb.{operation}", parse)
    return seen


@pytest.mark.parametrize(
    "code", ["ProvisionedThroughputExceededException", "ThrottlingException"]
)
def test_throttling_leaves_a_batch_incomplete(engine: Engine, code: str) -> None:
    refuse(engine, "BatchWriteItem", code)
    items = [item_of(number) for number in range(30)]
    with pytest.raises(BatchIncomplete) as incomplete:
        put(engine, items, ALL.environment)
    assert incomplete.value.not_written == tuple(items[25:])
    assert isinstance(incomplete.value.__cause__, ClientError)

    refuse(engine, "BatchGetItem", code)
    keys = [("c1", f"o{number:03}") for number in range(110)]
    with pytest.raises(BatchIncomplete) as unread:
        get(engine, keys, ALL.environment)
    assert unread.value.not_read == tuple(keys[100:])


def test_other_errors_stay_what_they_are(engine: Engine) -> None:
    with pytest.raises(ClientError, match="ResourceNotFound"):
        batch_get(
            engine.client, "Nowhere", [("a", "b")], encode_key=encode_key, decode=decode
        )
    refuse(engine, "BatchWriteItem", "ValidationException")
    with pytest.raises(ClientError, match="ValidationException"):
        put(engine, [item_of(number) for number in range(30)], ALL.environment)
