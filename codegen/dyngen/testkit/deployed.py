"""Compares what a suite says of tables and policies with the CloudFormation templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from .policy import place

_COMPARED = (
    "AttributeDefinitions",
    "KeySchema",
    "LocalSecondaryIndexes",
    "GlobalSecondaryIndexes",
)
_OF_INDEX = ("IndexName", "KeySchema", "Projection")


def assert_deployed(
    template: Path,
    tables: Sequence[Mapping[str, Any]],
    times_to_live: Mapping[str, str],
) -> None:
    """The template creates just these tables, with these keys, indexes and projections.

    `times_to_live` names the attribute by which items expire, of the tables that have one.
    """
    deployed = _resources(template, "AWS::DynamoDB::Table").values()
    assert sorted(map(_name, deployed)) == sorted(each["TableName"] for each in tables)
    for properties in deployed:
        [expected] = [each for each in tables if each["TableName"] == _name(properties)]
        assert _shape(properties) == _shape(expected)
        expiry = properties.get("TimeToLiveSpecification", {})
        assert expiry.get("AttributeName") == times_to_live.get(_name(properties))


def assert_permits(
    template: Path, permits: Mapping[str, Mapping[str, Sequence[str]]]
) -> None:
    """Each policy of the template allows just these actions, by table or index."""
    policies = _resources(template, "AWS::IAM::ManagedPolicy")
    assert {
        name: _allowed(properties["PolicyDocument"]["Statement"])
        for name, properties in policies.items()
    } == {
        name: {place: sorted(actions) for place, actions in allowed.items()}
        for name, allowed in permits.items()
    }


def _resources(template: Path, kind: str) -> dict[str, Any]:
    """The properties of the template's resources of one kind."""
    yaml = pytest.importorskip("yaml")
    resources = yaml.safe_load(template.read_text(encoding="utf-8"))["Resources"]
    return {
        name: resource["Properties"]
        for name, resource in resources.items()
        if resource["Type"] == kind
    }


def _allowed(statements: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for statement in statements:
        assert statement["Effect"] == "Allow"
        actions = [action.removeprefix("dynamodb:") for action in statement["Action"]]
        for resource in statement["Resource"]:
            found.setdefault(place(resource), []).extend(actions)
    return {name: sorted(actions) for name, actions in found.items()}


def _name(properties: Mapping[str, Any]) -> str:
    """The table's name without the prefix that is a parameter of the template."""
    name: str = properties["TableName"]["Fn::Sub"]
    return name.rpartition("}")[2]


def _shape(table: Mapping[str, Any]) -> dict[str, Any]:
    shape = {name: table.get(name, []) for name in _COMPARED}
    shape["AttributeDefinitions"] = sorted(
        shape["AttributeDefinitions"], key=lambda each: str(each["AttributeName"])
    )
    for group in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        shape[group] = sorted(
            ({name: each[name] for name in _OF_INDEX} for each in shape[group]),
            key=lambda each: str(each["IndexName"]),
        )
    return shape
