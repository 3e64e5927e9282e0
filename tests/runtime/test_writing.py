"""Single writes: what is sent, and what a refusal means."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from botocore import xform_name
from botocore.exceptions import ClientError, ConnectionClosedError
from dyngen.runtime.conditions import all_of, eq, exists, missing, ne
from dyngen.runtime.errors import (
    ConditionFailed,
    GuardFailed,
    ItemExists,
    ItemNotFound,
    StaleItem,
)
from dyngen.runtime.refusals import conditional
from dyngen.runtime.writing import (
    add_to,
    append_to,
    as_read,
    changes_to,
    delete_from,
    delete_request,
    get_request,
    put_request,
    remove,
    set_to,
    update_request,
)
from recorded import Engine, new_client

KEY = {"customer": {"S": "c1"}, "id": {"S": "o1"}}


def order(**attributes: Any) -> dict[str, Any]:
    return {**KEY, "total": {"N": "1"}, **attributes}


def version(text: str) -> dict[str, Any]:
    return {"version": {"S": text}}


def decode(item: Any) -> dict[str, Any]:
    return dict(item)


def stored(engine: Engine) -> Any:
    return engine.client.get_item(**get_request("Orders", KEY)).get("Item")


def update(engine: Engine, *changes: Any) -> dict[str, Any]:
    request = update_request("Orders", KEY, changes, exists("customer"))
    item: dict[str, Any] = engine.client.update_item(**request)["Attributes"]
    return item


def lose_response(engine: Engine, operation: str) -> None:
    """Cut the connection after the next request was carried out; the SDK sends it again."""
    carried_out = getattr(new_client(), xform_name(operation))
    pending: list[dict[str, Any]] = []

    def remember(params: dict[str, Any], **_: object) -> None:
        if not pending:
            pending.append(dict(params))

    def cut(request: Any, **_: object) -> None:
        if pending and (arguments := pending[0]):
            with suppress(ClientError):
                carried_out(**arguments)
            pending[0] = {}
            raise ConnectionClosedError(endpoint_url=request.url)

    events = engine.client.meta.events
    events.register(f"provide-client-params.dynamodb.{operation}", remember)
    events.register_first(f"before-send.dynamodb.{operation}", cut)


# --- requests -------------------------------------------------------------------------------------


def test_an_update_names_and_sets_what_it_is_told() -> None:
    assert update_request(
        "Orders",
        KEY,
        [
            set_to("status", {"S": "OPEN"}),
            set_to("note", None),
            remove(("address", "city")),
            add_to("likes", {"N": "1"}),
            add_to(("counts", "likes"), {"N": "2"}),
            append_to("notes", {"L": [{"S": "new"}]}),
            delete_from("tags", {"SS": ["old"]}),
            set_to(("address", "street"), {"S": "OPEN"}),
        ],
        eq("status", {"S": "NEW"}),
    ) == {
        "TableName": "Orders",
        "Key": KEY,
        "ReturnValues": "ALL_NEW",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        "UpdateExpression": (
            "SET #n0 = :v0, #n5.#n4 = if_not_exists(#n5.#n4, :v2) + :v3, "
            "#n6 = list_append(if_not_exists(#n6, :v4), :v5), #n2.#n8 = :v0 "
            "REMOVE #n1, #n2.#n3 ADD #n4 :v1 DELETE #n7 :v6"
        ),
        "ConditionExpression": "#n0 = :v7",
        "ExpressionAttributeNames": {
            "#n0": "status",
            "#n1": "note",
            "#n2": "address",
            "#n3": "city",
            "#n4": "likes",
            "#n5": "counts",
            "#n6": "notes",
            "#n7": "tags",
            "#n8": "street",
        },
        "ExpressionAttributeValues": {
            ":v0": {"S": "OPEN"},
            ":v1": {"N": "1"},
            ":v2": {"N": "0"},
            ":v3": {"N": "2"},
            ":v4": {"L": []},
            ":v5": {"L": [{"S": "new"}]},
            ":v6": {"SS": ["old"]},
            ":v7": {"S": "NEW"},
        },
    }


def test_only_numbers_can_be_added_to_what_is_nested() -> None:
    with pytest.raises(ValueError, match="top-level set"):
        add_to(("address", "tags"), {"SS": ["a"]})


def test_a_blind_put_has_no_condition() -> None:
    assert put_request("Orders", order()) == {"TableName": "Orders", "Item": order()}
    assert put_request("Orders", order(), missing("customer")) == {
        "TableName": "Orders",
        "Item": order(),
        "ConditionExpression": "attribute_not_exists(#n0)",
        "ExpressionAttributeNames": {"#n0": "customer"},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }


def test_a_change_writes_every_name_and_removes_what_is_gone() -> None:
    item = order(status={"S": "OPEN"})
    assert changes_to(item, ["status", "queue", "status"]) == [
        set_to("status", {"S": "OPEN"}),
        remove("queue"),
    ]
    assert as_read(item, ["status", "queue"]) == [
        eq("status", {"S": "OPEN"}),
        missing("queue"),
    ]


def test_updates_change_what_they_name(engine: Engine) -> None:
    engine.put("Orders", order(counts={"M": {}}, tags={"SS": ["a"]}))
    changed = update(
        engine,
        set_to("status", {"S": "OPEN"}),
        add_to("likes", {"N": "3"}),
        add_to(("counts", "likes"), {"N": "2"}),
        append_to("notes", {"L": [{"S": "n"}]}),
    )
    assert changed == stored(engine)
    assert changed == order(
        status={"S": "OPEN"},
        likes={"N": "3"},
        counts={"M": {"likes": {"N": "2"}}},
        notes={"L": [{"S": "n"}]},
        tags={"SS": ["a"]},
    )
    changed = update(engine, remove("status"), remove("absent"))
    assert "status" not in changed
    emptied = update(engine, delete_from("tags", {"SS": ["a", "b"]}))
    assert "tags" not in emptied


def test_an_update_of_nothing_has_no_expression() -> None:
    request = update_request("Orders", KEY, [], exists("customer"))
    assert "UpdateExpression" not in request


# --- refusals -------------------------------------------------------------------------------------


def create(engine: Engine, item: Any, token: Any = None) -> None:
    with conditional(ItemExists, decode, token=token):
        engine.client.put_item(**put_request("Orders", item, missing("customer")))


def save(engine: Engine, copy: Any, token: Any = None, total: str = "2") -> Any:
    """As `update` of an entity: conditional on the version, or on what was read."""
    changed = {**copy, "total": {"N": total}, **(token or {})}
    checked = ["version"] if token else ["total"]
    request = update_request(
        "Orders",
        KEY,
        changes_to(changed, ["total", *(token or ())]),
        all_of(exists("customer"), *as_read(copy, checked)),
    )
    with conditional(StaleItem, decode, token=token) as outcome:
        outcome.response = engine.client.update_item(**request)
    return outcome.response["Attributes"]


def approve(engine: Engine, token: Any = None) -> Any:
    """As an update pattern with a guard."""
    request = update_request(
        "Orders",
        KEY,
        [set_to("status", {"S": "DONE"}), *changes_to(token or {}, token or ())],
        all_of(exists("customer"), eq("status", {"S": "OPEN"})),
    )
    with conditional(GuardFailed, decode, token=token) as outcome:
        outcome.response = engine.client.update_item(**request)
    return outcome.response["Attributes"]


def discard(engine: Engine, copy: Any) -> Any:
    """As the delete of an entity with a version."""
    request = delete_request(
        "Orders", KEY, all_of(exists("customer"), *as_read(copy, ["version"]))
    )
    with conditional(StaleItem, decode, deletes=True) as outcome:
        outcome.response = engine.client.delete_item(**request)
    return outcome.response.get("Attributes")


def test_what_exists_is_not_created_again(engine: Engine) -> None:
    create(engine, order())
    with pytest.raises(ItemExists) as refused:
        create(engine, order(total={"N": "2"}), version("b"))
    assert refused.value.current == stored(engine) == order()


def test_a_lost_race_is_stale(engine: Engine) -> None:
    engine.put("Orders", order(**version("a")))
    assert save(engine, order(**version("a")), version("b")) == stored(engine)
    with pytest.raises(StaleItem) as refused:
        save(engine, order(**version("a")), version("c"), "3")
    assert refused.value.current == stored(engine)
    assert not refused.value.outcome_unknown
    assert stored(engine) == order(total={"N": "2"}, **version("b"))


def test_an_item_that_is_gone_is_stale_without_a_current_one(engine: Engine) -> None:
    with pytest.raises(StaleItem) as refused:
        save(engine, order(**version("a")), version("b"))
    assert refused.value.current is None
    assert stored(engine) is None


def test_an_item_from_before_versions_is_versioned_once(engine: Engine) -> None:
    engine.put("Orders", order())
    save(engine, order(), version("a"))
    with pytest.raises(StaleItem):
        save(engine, order(), version("b"))


def test_a_guard_tells_a_missing_item_from_another(engine: Engine) -> None:
    with pytest.raises(ItemNotFound):
        approve(engine)
    engine.put("Orders", order(status={"S": "OPEN"}))
    assert approve(engine)["status"] == {"S": "DONE"}
    with pytest.raises(GuardFailed) as refused:
        approve(engine)
    assert refused.value.current == stored(engine)


def test_a_stale_delete_is_refused(engine: Engine) -> None:
    engine.put("Orders", order(**version("b")))
    with pytest.raises(StaleItem) as refused:
        discard(engine, order(**version("a")))
    assert refused.value.current == order(**version("b"))
    assert discard(engine, order(**version("b"))) == order(**version("b"))
    with pytest.raises(StaleItem):
        discard(engine, order(**version("b")))


def test_other_errors_stay_what_they_are(engine: Engine) -> None:
    engine.put("Orders", order(name={"S": "text"}))
    with (
        pytest.raises(ClientError, match="ValidationException"),
        conditional(StaleItem, decode),
    ):
        update(engine, add_to("name", {"N": "1"}))
    with (
        pytest.raises(ClientError, match="ResourceNotFound"),
        conditional(StaleItem, decode),
    ):
        engine.client.put_item(**put_request("Nowhere", order()))


# --- lost responses -------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", ["PutItem", "UpdateItem"])
def test_a_lost_response_is_told_from_a_lost_race_by_the_token(
    engine: Engine, operation: str
) -> None:
    if operation == "PutItem":
        lose_response(engine, operation)
        create(engine, order(**version("a")), version("a"))
        assert stored(engine) == order(**version("a"))
        return
    engine.put("Orders", order(status={"S": "OPEN"}, **version("a")))
    lose_response(engine, operation)
    saved = save(engine, order(**version("a")), version("b"))
    assert saved == stored(engine)
    assert saved["total"] == {"N": "2"}


def test_a_pattern_with_a_lost_response_returns_the_item_as_it_is(
    engine: Engine,
) -> None:
    engine.put("Orders", order(status={"S": "OPEN"}, **version("a")))
    lose_response(engine, "UpdateItem")
    assert approve(engine, version("b")) == stored(engine)
    assert stored(engine)["status"] == {"S": "DONE"}


def test_a_token_in_the_place_of_this_writes_leaves_the_outcome_unknown(
    engine: Engine,
) -> None:
    engine.put("Orders", order(**version("x")))
    for operation, refusal, write in (
        ("UpdateItem", StaleItem, save),
        ("PutItem", ItemExists, lambda e, o, v: create(e, order(**v), v)),
    ):
        lose_response(engine, operation)
        with pytest.raises(refusal) as refused:
            write(engine, order(**version("a")), version("b"))
        assert refused.value.outcome_unknown
        assert refused.value.current == order(**version("x"))


def test_without_a_token_a_repeated_write_has_an_unknown_outcome(
    engine: Engine,
) -> None:
    engine.put("Orders", order(status={"S": "OPEN"}))
    lose_response(engine, "UpdateItem")
    for write in (save, lambda e, _: approve(e)):
        with pytest.raises(StaleItem) as refused:
            write(engine, order(total={"N": "1"}))
        assert refused.value.outcome_unknown
        assert refused.value.current == stored(engine)
        lose_response(engine, "UpdateItem")


def test_equal_contents_do_not_prove_that_a_create_succeeded(engine: Engine) -> None:
    lose_response(engine, "PutItem")
    with pytest.raises(ConditionFailed) as refused:
        create(engine, order())
    assert isinstance(refused.value, StaleItem)
    assert refused.value.outcome_unknown


def test_a_delete_whose_repetition_finds_nothing_succeeded(engine: Engine) -> None:
    engine.put("Orders", order(**version("a")))
    lose_response(engine, "DeleteItem")
    assert discard(engine, order(**version("a"))) is None
    assert stored(engine) is None


def test_a_counter_with_a_token_counts_once(engine: Engine) -> None:
    engine.put("Orders", order())
    token = version("a")
    request = update_request(
        "Orders",
        KEY,
        [add_to("likes", {"N": "1"}), *changes_to(token, token)],
        all_of(exists("customer"), ne("version", token["version"])),
    )
    lose_response(engine, "UpdateItem")
    with conditional(GuardFailed, decode, token=token) as outcome:
        outcome.response = engine.client.update_item(**request)
    assert outcome.response["Attributes"] == stored(engine)
    assert stored(engine)["likes"] == {"N": "1"}
