"""A request that the service's policy does not allow fails the suite."""

from __future__ import annotations

from typing import Any

import pytest
from dyngen.testkit.policy import NotAllowed, Policy
from dyngen.testkit.tables import definition_of

from .test_guard import GAMES

ARN = "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${Prefix}"

STATEMENTS = [
    {
        "Effect": "Allow",
        "Action": ["dynamodb:BatchWriteItem", "dynamodb:PutItem", "dynamodb:Query"],
        "Resource": [{"Fn::Sub": f"{ARN}Games"}],
        "Condition": {
            "ForAllValues:StringLike": {
                "dynamodb:LeadingKeys": ["T${*}${aws:PrincipalTag/tenant}#*"]
            },
            "Null": {"dynamodb:LeadingKeys": "false"},
        },
    },
    {
        "Effect": "Allow",
        "Action": ["dynamodb:Query"],
        "Resource": [{"Fn::Sub": f"{ARN}Games/index/Keys"}],
    },
]


def check(operation: str, **params: Any) -> None:
    policy = Policy(STATEMENTS, {"x-Games": definition_of(GAMES)})

    class Model:
        name = operation

    policy.on_request(params, Model)


def item(partition: str) -> dict[str, Any]:
    return {"id": {"S": partition}, "at": {"N": "1"}}


def query(partition: str, **more: Any) -> dict[str, Any]:
    return {
        "TableName": "x-Games",
        "KeyConditionExpression": "#p = :p",
        "ExpressionAttributeNames": {"#p": "id"},
        "ExpressionAttributeValues": {":p": {"S": partition}},
        **more,
    }


def test_what_is_allowed() -> None:
    check("PutItem", TableName="x-Games", Item=item("T*a#1"))
    check("Query", **query("T*a#1"))
    put = {"PutRequest": {"Item": item("T*a#1")}}
    delete = {"DeleteRequest": {"Key": item("T*b#1")}}
    check("BatchWriteItem", RequestItems={"x-Games": [put, delete]})
    member = {"Put": {"TableName": "x-Games", "Item": item("T*a#1")}}
    check("TransactWriteItems", TransactItems=[member])


@pytest.mark.parametrize(
    ("operation", "params"),
    [
        ("PutItem", {"TableName": "x-Games", "Item": item("a#1")}),
        ("PutItem", {"TableName": "x-Games", "Item": item("Txa#1")}),
        ("PutItem", {"TableName": "x-Games", "Item": item("T*#1")}),
        ("DeleteItem", {"TableName": "x-Games", "Key": item("T*a#1")}),
        ("GetItem", {"TableName": "x-Games", "Key": item("T*a#1")}),
        ("Scan", {"TableName": "x-Games"}),
        ("Query", query("b")),
        ("Query", query("T*a#1", IndexName="ByMap")),
        (
            "TransactWriteItems",
            {
                "TransactItems": [
                    {"ConditionCheck": {"TableName": "x-Games", "Key": item("T*a#1")}}
                ]
            },
        ),
    ],
)
def test_what_is_not(operation: str, params: dict[str, Any]) -> None:
    with pytest.raises(NotAllowed):
        check(operation, **params)


def test_without_a_policy_nothing_is_checked() -> None:
    Policy().on_request({"TableName": "x"}, None)
