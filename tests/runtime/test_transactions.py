"""Transactions: all or nothing, who was the cause, and what is tried again."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
from botocore.exceptions import ClientError, ConnectionClosedError
from dyngen.runtime import transactions
from dyngen.runtime.client import run
from dyngen.runtime.clock import Environment
from dyngen.runtime.conditions import all_of, eq, exists
from dyngen.runtime.errors import (
    GuardFailed,
    InvalidRequest,
    ItemExists,
    ItemNotFound,
    StaleItem,
    TransactionConflict,
    TransactionFailed,
)
from dyngen.runtime.transactions import Action, guarded, stale
from dyngen.runtime.writing import add_to, set_to
from recorded import Engine

WAITS: list[float] = []
ENVIRONMENT = Environment(sleep=WAITS.append, random=lambda: 0.5)


def key(number: int) -> dict[str, Any]:
    return {"customer": {"S": "c1"}, "id": {"S": f"o{number}"}}


def order(number: int, **attributes: Any) -> dict[str, Any]:
    return {**key(number), "total": {"N": "1"}, **attributes}


def decode(item: Any) -> dict[str, Any]:
    return dict(item)


def create(number: int, **attributes: Any) -> Action:
    item = order(number, **attributes)
    return transactions.create("Orders", key(number), item, decode)


def count(number: int, status: str = "OPEN") -> Action:
    condition = all_of(exists("customer"), eq("status", {"S": status}))
    changes = [add_to("count", {"N": "1"})]
    return transactions.update(
        "Orders", key(number), changes, condition, guarded(decode)
    )


def write(engine: Engine, *members: Any) -> None:
    run(engine.client, transactions.write(members, ENVIRONMENT), ENVIRONMENT)


def stored(engine: Engine) -> dict[str, Any]:
    return {
        item["id"]["S"]: item
        for item in engine.client.scan(TableName="Orders")["Items"]
    }


def refuse(engine: Engine, operation: str, *answers: Any) -> list[str]:
    """Answer the first requests so, unsent; what is returned collects the tokens of all."""
    left, tokens = list(answers), list[str]()

    def remember(params: dict[str, Any], **_: object) -> None:
        tokens.append(params.get("ClientRequestToken", ""))

    def answer(**_: object) -> Any:
        if not left:
            return None
        code, *reasons = left.pop(0)
        http = AWSResponse("https://dynamodb", 400, {}, None)
        cancelled = [{"Code": reason} for reason in reasons]
        error = {"Code": code, "Message": "refused"}
        return http, {"Error": error, "CancellationReasons": cancelled}

    events = engine.client.meta.events
    events.register(f"provide-client-params.dynamodb.{operation}", remember)
    events.register(f"before-call.dynamodb.{operation}", answer)
    WAITS.clear()
    return tokens


# --- writes ---------------------------------------------------------------------------------------


def test_all_members_are_carried_out_together(engine: Engine) -> None:
    engine.put("Orders", order(1, status={"S": "OPEN"}), order(2), order(3))
    condition = eq("total", {"N": "1"})
    write(
        engine,
        [create(4)],
        [count(1)],
        [transactions.delete("Orders", key(2), condition, stale(decode))],
        [transactions.check("Orders", key(3), condition, guarded(decode))],
        [transactions.put("Orders", key(5), order(5))],
    )
    assert sorted(stored(engine)) == ["o1", "o3", "o4", "o5"]
    assert stored(engine)["o1"]["count"] == {"N": "1"}
    [(operation, request)] = engine.requests[:1]
    assert operation == "TransactWriteItems"
    kinds = [kind for action in request["TransactItems"] for kind in action]
    assert kinds == ["Put", "Update", "Delete", "ConditionCheck", "Put"]
    assert "ReturnValues" not in str(request).replace("ReturnValuesOnCondition", "")


def test_a_failure_says_which_member_was_the_cause(engine: Engine) -> None:
    engine.put("Orders", order(1, status={"S": "DONE"}), order(3))
    gone = transactions.delete("Orders", key(7), exists("customer"), guarded(decode))
    with pytest.raises(TransactionFailed) as failed:
        write(engine, [create(2)], [count(1)], [create(3)], [gone])
    assert isinstance(failed.value.__cause__, ClientError)
    none, guard, existing, missing = failed.value.reasons
    assert none is None
    assert isinstance(guard, GuardFailed)
    assert guard.current == order(1, status={"S": "DONE"})
    assert isinstance(existing, ItemExists)
    assert existing.current == order(3)
    assert isinstance(missing, ItemNotFound)
    assert str(failed.value) == (
        "the transaction was cancelled; "
        "member 2: the guard does not hold for the stored item; "
        "member 3: an item with this key is already stored; "
        "member 4: there is no item with this key"
    )
    assert stored(engine) == {"o1": order(1, status={"S": "DONE"}), "o3": order(3)}


def test_several_actions_are_one_member(engine: Engine) -> None:
    engine.put("Orders", order(2), order(3))
    with pytest.raises(TransactionFailed) as failed:
        write(engine, [create(1), create(2), create(3)], [create(4)])
    reason, other = failed.value.reasons
    assert isinstance(reason, ItemExists)
    assert reason.current == order(2)
    assert other is None


def test_one_member_alone_raises_its_own_error(engine: Engine) -> None:
    engine.put("Orders", order(1))
    update = transactions.update(
        "Orders",
        key(1),
        [set_to("status", {"S": "DONE"})],
        eq("status", {"S": "OPEN"}),
        stale(decode),
    )
    steps = transactions.write_one([create(2), update], ENVIRONMENT)
    with pytest.raises(StaleItem) as refused:
        run(engine.client, steps, ENVIRONMENT)
    assert refused.value.current == order(1)
    assert stored(engine) == {"o1": order(1)}


def test_two_actions_of_one_item_are_refused_before_the_call(engine: Engine) -> None:
    with pytest.raises(
        InvalidRequest, match="two actions of one transaction on one item"
    ):
        write(engine, [create(1)], [count(1)])
    other_table = transactions.put("Others", key(1), order(1))
    with pytest.raises(
        ClientError
    ):  # there is no such table, but no second action either
        write(engine, [create(1)], [other_table])


def test_more_than_a_hundred_actions_are_refused_before_the_call(
    engine: Engine,
) -> None:
    write(engine, *([create(number)] for number in range(100)))
    engine.forget()
    with pytest.raises(InvalidRequest, match="101 actions"):
        write(engine, *([create(number)] for number in range(100, 201)))
    assert engine.requests == []


# --- what is tried again --------------------------------------------------------------------------


def test_conflicts_are_tried_again_with_the_same_token(engine: Engine) -> None:
    conflict = ("TransactionCanceledException", "None", "TransactionConflict")
    throttled = ("TransactionCanceledException", "ThrottlingError", "None")
    tokens = refuse(engine, "TransactWriteItems", conflict, throttled, conflict)
    write(engine, [create(1)], [create(2)])
    assert sorted(stored(engine)) == ["o1", "o2"]
    assert len(tokens) == 4
    assert len(set(tokens)) == 1
    assert WAITS == [0.05, 0.1, 0.2]
    write(engine, [create(3)])
    assert len(set(tokens)) == 2


def test_a_conflict_that_remains_is_named(engine: Engine) -> None:
    conflict = ("TransactionCanceledException", "None", "TransactionConflict")
    tokens = refuse(engine, "TransactWriteItems", *[conflict] * 10)
    with pytest.raises(TransactionFailed) as failed:
        write(engine, [create(1)], [create(2)])
    assert failed.value.reasons[0] is None
    assert isinstance(failed.value.reasons[1], TransactionConflict)
    assert len(tokens) == 10
    assert max(WAITS) == 2.5
    assert stored(engine) == {}


def test_a_failed_condition_beside_a_conflict_is_final(engine: Engine) -> None:
    both = (
        "TransactionCanceledException",
        "ConditionalCheckFailed",
        "TransactionConflict",
    )
    tokens = refuse(engine, "TransactWriteItems", both)
    with pytest.raises(TransactionFailed) as failed:
        write(engine, [create(1)], [create(2)])
    assert list(map(type, failed.value.reasons)) == [ItemExists, TransactionConflict]
    assert len(tokens) == 1


@pytest.mark.parametrize(
    "answer",
    [
        ("TransactionCanceledException", "ValidationError"),
        ("TransactionCanceledException", "ItemCollectionSizeLimitExceeded"),
        ("ValidationException",),
    ],
)
def test_faults_stay_what_they_are(engine: Engine, answer: tuple[str, ...]) -> None:
    tokens = refuse(engine, "TransactWriteItems", answer)
    with pytest.raises(ClientError, match=answer[0]):
        write(engine, [create(1)])
    assert len(tokens) == 1


def test_throttling_that_remains_stays_what_it_is(engine: Engine) -> None:
    throttled = ("TransactionCanceledException", "ProvisionedThroughputExceeded")
    tokens = refuse(engine, "TransactWriteItems", *[throttled] * 10)
    with pytest.raises(ClientError, match="TransactionCanceled"):
        write(engine, [create(1)])
    assert len(tokens) == 10


def test_a_repetition_of_what_is_under_way_waits_for_its_end(engine: Engine) -> None:
    tokens = refuse(engine, "TransactWriteItems", ("TransactionInProgressException",))
    write(engine, [create(1)])
    assert sorted(stored(engine)) == ["o1"]
    assert len(set(tokens)) == 1


def test_a_lost_response_repeats_the_token(engine: Engine) -> None:
    """The token is what lets DynamoDB tell a repetition (moto does not look at it)."""
    bodies: list[bytes] = []

    def cut(request: Any, **_: object) -> None:
        bodies.append(request.body)
        if len(bodies) == 1:
            raise ConnectionClosedError(endpoint_url=request.url)

    engine.client.meta.events.register_first(
        "before-send.dynamodb.TransactWriteItems", cut
    )
    write(engine, [create(1)])
    assert len(bodies) == 2
    assert bodies[0] == bodies[1]
    assert b"ClientRequestToken" in bodies[0]


# --- reads ----------------------------------------------------------------------------------------


def read(engine: Engine, *numbers: int) -> Any:
    asked = [("Orders", key(number)) for number in numbers]
    return run(engine.client, transactions.read(asked, ENVIRONMENT), ENVIRONMENT)


def test_items_are_read_in_the_order_asked(engine: Engine) -> None:
    engine.put("Orders", order(1), order(2))
    assert read(engine, 2, 9, 1) == [order(2), None, order(1)]
    assert engine.operations == ["TransactGetItems"]
    with pytest.raises(InvalidRequest, match="one item"):
        read(engine, 1, 1)


def test_reads_of_what_is_being_written_are_tried_again(engine: Engine) -> None:
    engine.put("Orders", order(1))
    conflict = ("TransactionCanceledException", "TransactionConflict", "None")
    refuse(engine, "TransactGetItems", *[conflict] * 3)
    assert read(engine, 1, 2) == [order(1), None]
    refuse(engine, "TransactGetItems", *[conflict] * 10)
    with pytest.raises(TransactionFailed) as failed:
        read(engine, 1, 2)
    assert isinstance(failed.value.reasons[0], TransactionConflict)
    refuse(engine, "TransactGetItems", ("ValidationException",))
    with pytest.raises(ClientError, match="ValidationException"):
        read(engine, 1, 2)
