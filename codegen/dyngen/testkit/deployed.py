"""Compares the tables of a suite with those of a CloudFormation template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

_COMPARED = (
    "AttributeDefinitions",
    "KeySchema",
    "LocalSecondaryIndexes",
    "GlobalSecondaryIndexes",
)
_OF_INDEX = ("IndexName", "KeySchema", "Projection")


def assert_deployed(template: Path, tables: Sequence[Mapping[str, Any]]) -> None:
    """The template creates just these tables, with these keys, indexes and projections."""
    yaml = pytest.importorskip("yaml")
    resources = yaml.safe_load(template.read_text(encoding="utf-8"))["Resources"]
    deployed = [
        resource["Properties"]
        for resource in resources.values()
        if resource["Type"] == "AWS::DynamoDB::Table"
    ]
    assert sorted(map(_name, deployed)) == sorted(each["TableName"] for each in tables)
    for properties in deployed:
        [expected] = [each for each in tables if each["TableName"] == _name(properties)]
        assert _shape(properties) == _shape(expected)


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
