"""The exact requests of plans, parameters in braces."""

from __future__ import annotations

import json

import handmade_designs as designs
import pytest
from dyngen.design.dump import dump
from dyngen.design.explain import explain, read_request
from dyngen.design.plans import KeyRange, NativeValue, Route
from dyngen.keys.model import Fixed, Given, RangeForm
from dyngen.types.model import Integer

ANYTHING_ABOVE_41 = f"41.{'0' * 35}1"  # DynamoDB keeps 38 digits


def requests(pattern):
    (found,) = explain(designs.DESIGN, pattern)
    return [(route["operation"], route["request"]) for route in found["routes"]]


def test_a_get():
    assert requests("order") == [
        (
            "GetItem",
            {
                "TableName": "Orders",
                "Key": {
                    "customer_id": {"S": "{customer_id}"},
                    "order_id": {"S": "{order_id}"},
                },
                "ConsistentRead": False,
            },
        )
    ]


def test_a_range_of_an_index_a_page_at_a_time():
    assert requests("orders_by_status_between") == [
        (
            "Query",
            {
                "TableName": "Orders",
                "IndexName": "ByStatus",
                "KeyConditionExpression": "#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2",
                "ScanIndexForward": False,
                "Limit": 10,
                "ExpressionAttributeNames": {
                    "#n0": "customer_id",
                    "#n1": "status#order_date",
                },
                "ExpressionAttributeValues": {
                    ":v0": {"S": "{customer_id}"},
                    ":v1": {"S": "{status}#{order_date_from}"},
                    ":v2": {"S": "{status}#{order_date_to}$"},
                },
            },
        )
    ]


def test_constants_are_encoded_and_neighbours_named():
    ((_, request),) = requests("shipped_after")
    assert request["ExpressionAttributeValues"] == {
        ":v0": {"S": "{customer_id}"},
        ":v1": {"S": "SHIPPED#{after order_date_after}"},
        ":v2": {"S": "SHIPPED#2026-07-01T00:00:00.000Z"},
    }


def test_optional_conditions_give_several_requests():
    (found,) = explain(designs.DESIGN, "orders_of_customer")
    assert [route["given"] for route in found["routes"]] == [[], ["status"]]
    (_, plain), (_, by_status) = requests("orders_of_customer")
    assert plain["KeyConditionExpression"] == "#n0 = :v0"
    assert by_status["KeyConditionExpression"] == "#n0 = :v0 AND begins_with(#n1, :v1)"


def test_a_filter():
    ((_, request),) = requests("late_orders")
    assert request["FilterExpression"] == "(#n1 = :v1) AND (#n2 < :v2)"
    assert request["ConsistentRead"] is True
    assert request["Limit"] == 2
    assert request["ExpressionAttributeValues"] == {
        ":v0": {"S": "{customer_id}"},
        ":v1": {"S": "PLACED"},
        ":v2": {"S": "{before}"},
    }


def test_a_scan():
    assert requests("all_orders") == [
        ("Scan", {"TableName": "Orders", "IndexName": "ByStatus"})
    ]


def test_an_update():
    assert requests("ship") == [
        (
            "UpdateItem",
            {
                "TableName": "Orders",
                "Key": {
                    "customer_id": {"S": "{customer_id}"},
                    "order_id": {"S": "{order_id}"},
                },
                "ReturnValues": "ALL_NEW",
                "UpdateExpression": "SET #n0 = :v0, #n1 = :v1, #n3 = :v2 REMOVE #n2",
                "ConditionExpression": "(attribute_exists(#n4)) AND (#n5 = :v3)",
                "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                "ExpressionAttributeNames": {
                    "#n0": "status",
                    "#n1": "shipped_at",
                    "#n2": "note",
                    "#n3": "status#order_date",
                    "#n4": "customer_id",
                    "#n5": "order_date",
                },
                "ExpressionAttributeValues": {
                    ":v0": {"S": "SHIPPED"},
                    ":v1": {"S": "{now}"},
                    ":v2": {"S": "SHIPPED#{order_date}"},
                    ":v3": {"S": "{order_date}"},
                },
            },
        )
    ]


@pytest.mark.parametrize(
    ("source", "shown"), [(Given("n"), "{after n}"), (Fixed(41), ANYTHING_ABOVE_41)]
)
def test_an_excluded_native_bound_is_moved(source, shown):
    value = NativeValue(Integer(), source)
    between = KeyRange("n", "N", RangeForm.BETWEEN, value, value, low_exclusive=True)
    route = Route(None, (designs.CUSTOMER,), between)
    request = read_request(designs.SCHEMA, designs.read("numbers", route), route)
    assert request["ExpressionAttributeValues"][":v1"] == {"N": shown}


def test_an_unknown_pattern():
    with pytest.raises(KeyError):
        explain(designs.DESIGN, "nothing")


def test_all_patterns_as_json():
    found = explain(designs.DESIGN)
    assert [each["pattern"] for each in found] == [
        *(plan.name for plan in designs.DESIGN.reads),
        "ship",
    ]
    assert json.loads(json.dumps(found)) == found


# --- the dump -------------------------------------------------------------------------------------


def test_a_dump_is_json_and_knows_no_places():
    dumped = dump(designs.DESIGN)
    text = json.dumps(dumped)
    assert json.loads(text) == dumped
    assert "orders.yaml" not in text
    assert dumped["kind"] == "design"


def test_a_dump_leaves_defaults_out_and_marks_what_json_lacks():
    assert dump(designs.SCHEMA.entities[0].attributes[0]) == {
        "kind": "attribute",
        "name": "customer_id",
        "stored": "customer_id",
        "type": {"kind": "string"},
    }
    assert dump(
        Fixed(designs.AFTER.alternatives[0].route.range.high.text[1].source.value)
    ) == {
        "kind": "fixed",
        "value": {"timestamp": "2026-07-01T00:00:00Z"},
    }
    assert dump(frozenset({"b", "a"})) == ["a", "b"]
