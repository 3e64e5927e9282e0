"""From a schema to a CloudFormation template, as plain values.

Values of a spec become values of the template and nothing else: no text is put together from them,
except table and index names inside `Fn::Sub`, which cannot hold `$` (K-6).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dyngen.cloudformation import names, settings
from dyngen.cloudformation.names import PREFIX_PARAMETER
from dyngen.design.model import Index, KeySchema, Projection, Schema, Table

Properties = dict[str, Any]

TABLE_TYPE = "AWS::DynamoDB::Table"


def template(schema: Schema) -> dict[str, Any]:
    """The template of a service: its tables, their autoscaling, names and ARNs as outputs."""
    resources: dict[str, Any] = {}
    for table in schema.tables:
        resources[names.table_name(table)] = _table(table)
        resources.update(_scaling(table))
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"DynamoDB tables of {schema.service}.",
        "Parameters": {PREFIX_PARAMETER: prefix_parameter(schema)},
        "Resources": resources,
        "Outputs": {
            name: output for table in schema.tables for name, output in _outputs(table)
        },
    }


def table_properties(table: Table) -> Properties:
    """The properties of a table's resource, without its name and what `cloudformation` adds."""
    capacity = settings.provisioned(table.settings)
    properties: Properties = {
        "BillingMode": "PROVISIONED" if capacity else "PAY_PER_REQUEST",
        "ProvisionedThroughput": settings.throughput(capacity) if capacity else None,
        "AttributeDefinitions": _attribute_definitions(table),
        "KeySchema": _key_schema(table.key),
        "GlobalSecondaryIndexes": [
            _global_index(table, index) for index in table.indexes if not index.local
        ],
        "LocalSecondaryIndexes": [
            _index(index) for index in table.indexes if index.local
        ],
        "TimeToLiveSpecification": settings.time_to_live(table.settings),
        "StreamSpecification": settings.stream(table.settings),
        "PointInTimeRecoverySpecification": settings.recovery(table.settings),
        "SSESpecification": settings.encryption(table.settings),
        "DeletionProtectionEnabled": settings.deletion_protection(table.settings),
        "TableClass": settings.table_class(table.settings),
        "ContributorInsightsSpecification": settings.contributor_insights(
            table.settings
        ),
        "WarmThroughput": settings.warm_throughput(table.settings),
        "Tags": settings.tags(table.settings),
    }
    return _stated(properties)


def _table(table: Table) -> dict[str, Any]:
    return {
        "Type": TABLE_TYPE,
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": {
            "TableName": {"Fn::Sub": f"${{{PREFIX_PARAMETER}}}{table.name}"},
            **table_properties(table),
            **settings.raw_properties(table.settings),
        },
    }


def _attribute_definitions(table: Table) -> list[dict[str, str]]:
    """Exactly the attributes that some key schema names; AWS refuses one more or less."""
    types = {
        attribute.name: attribute.type
        for key in (table.key, *(index.key for index in table.indexes))
        for attribute in key.all
    }
    return [
        {"AttributeName": name, "AttributeType": key_type}
        for name, key_type in types.items()
    ]


def _key_schema(key: KeySchema) -> list[dict[str, str]]:
    """Partition attributes first: AWS refuses a HASH after a RANGE (G-3)."""
    return [
        {"AttributeName": attribute.name, "KeyType": role}
        for role, attributes in (("HASH", key.partition), ("RANGE", key.sort))
        for attribute in attributes
    ]


def _index(index: Index) -> Properties:
    return {
        "IndexName": index.name,
        "KeySchema": _key_schema(index.key),
        "Projection": _stated(
            {
                "ProjectionType": index.projection.value.upper(),
                "NonKeyAttributes": (
                    list(index.included)
                    if index.projection is Projection.INCLUDE
                    else None
                ),
            }
        ),
    }


def _global_index(table: Table, index: Index) -> Properties:
    capacity = _index_capacity(table, index)
    return {
        **_index(index),
        **_stated(
            {
                "ProvisionedThroughput": (
                    settings.throughput(capacity) if capacity else None
                ),
                "ContributorInsightsSpecification": settings.contributor_insights(
                    index.settings
                ),
                "WarmThroughput": settings.warm_throughput(index.settings),
            }
        ),
    }


def _index_capacity(table: Table, index: Index) -> settings.Provisioned | None:
    """An index without capacity of its own gets the table's (AWS requires some)."""
    return settings.provisioned(index.settings) or settings.provisioned(table.settings)


def _scaling(table: Table) -> dict[str, Any]:
    """A scalable target and its policy per table, global index and kind of capacity."""
    resources = {}
    for index in (None, *(i for i in table.indexes if not i.local)):
        capacity = (
            _index_capacity(table, index)
            if index
            else settings.provisioned(table.settings)
        )
        if capacity is None or capacity.autoscaling is None:
            continue
        for dimension in names.DIMENSIONS:
            target = names.scaling_target(table, index, dimension)
            resources[target] = _scalable_target(
                table, index, dimension, capacity.autoscaling
            )
            resources[names.scaling_policy(table, index, dimension)] = _scaling_policy(
                target, dimension, capacity.autoscaling
            )
    return resources


def _scalable_target(
    table: Table, index: Index | None, dimension: str, scaling: settings.Autoscaling
) -> dict[str, Any]:
    of_index = f"/index/{index.name}" if index else ""
    scaled = "index" if index else "table"
    return {
        "Type": "AWS::ApplicationAutoScaling::ScalableTarget",
        "Properties": {
            "ServiceNamespace": "dynamodb",
            "ResourceId": {
                "Fn::Sub": f"table/${{{names.table_name(table)}}}{of_index}"
            },
            "ScalableDimension": f"dynamodb:{scaled}:{dimension}CapacityUnits",
            "MinCapacity": scaling.min,
            "MaxCapacity": scaling.max,
        },
    }


def _scaling_policy(
    target: str, dimension: str, scaling: settings.Autoscaling
) -> dict[str, Any]:
    return {
        "Type": "AWS::ApplicationAutoScaling::ScalingPolicy",
        "Properties": {
            "PolicyName": f"{dimension}CapacityUtilization",
            "PolicyType": "TargetTrackingScaling",
            "ScalingTargetId": {"Ref": target},
            "TargetTrackingScalingPolicyConfiguration": {
                "PredefinedMetricSpecification": {
                    "PredefinedMetricType": f"DynamoDB{dimension}CapacityUtilization"
                },
                "TargetValue": scaling.target,
            },
        },
    }


def prefix_parameter(schema: Schema) -> dict[str, Any]:
    """The parameter that stands before the names of all tables."""
    longest = max((len(table.name) for table in schema.tables), default=0)
    return {
        "Type": "String",
        "Description": "Stands before the name of every table.",
        "Default": "",
        "AllowedPattern": "[A-Za-z0-9_.-]*",
        "MaxLength": names.LONGEST_TABLE_NAME - longest,
    }


def _outputs(table: Table) -> Iterator[tuple[str, dict[str, Any]]]:
    resource = names.table_name(table)
    yield names.output(table, "Name"), {"Value": {"Ref": resource}}
    for attribute in ("Arn", "StreamArn"):
        if attribute == "Arn" or settings.stream(table.settings):
            value = {"Fn::GetAtt": [resource, attribute]}
            yield names.output(table, attribute), {"Value": value}


def _stated(properties: Properties) -> Properties:
    """The properties that have a value; AWS refuses empty lists of indexes (G-10)."""
    return {
        name: value
        for name, value in properties.items()
        if value is not None and value != []
    }
