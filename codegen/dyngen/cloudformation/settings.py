"""A table's settings as written in the spec, in CloudFormation's words.

The JSON Schema of the spec has checked their shape. Each function reads one setting and returns the
property's value, or None where the setting is left out and AWS's default holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dyngen.design.dump import plain
from dyngen.source.nodes import Node

Settings = Mapping[str, Node]


@dataclass(frozen=True, slots=True)
class Autoscaling:
    """Target tracking: capacity units between two bounds, at a use in percent."""

    min: int
    max: int
    target: int


@dataclass(frozen=True, slots=True)
class Provisioned:
    """Provisioned capacity in units a second."""

    read: int
    write: int
    autoscaling: Autoscaling | None


def provisioned(settings: Settings) -> Provisioned | None:
    """The capacity that is stated; None for on-demand billing, the default."""
    billing = _setting(settings, "billing")
    if not isinstance(billing, dict):
        return None
    scaling = billing.get("autoscaling")
    return Provisioned(
        billing["read"],
        billing["write"],
        Autoscaling(**scaling) if scaling else None,
    )


def throughput(capacity: Provisioned) -> dict[str, Any]:
    """The property ProvisionedThroughput."""
    return {
        "ReadCapacityUnits": capacity.read,
        "WriteCapacityUnits": capacity.write,
    }


def time_to_live(settings: Settings) -> dict[str, Any] | None:
    """The property TimeToLiveSpecification; the setting holds the attribute's stored name."""
    stored = _setting(settings, "ttl")
    return None if stored is None else {"AttributeName": stored, "Enabled": True}


def stream(settings: Settings) -> dict[str, Any] | None:
    """The property StreamSpecification."""
    view = _setting(settings, "stream")
    return None if view is None else {"StreamViewType": view.upper()}


def recovery(settings: Settings) -> dict[str, Any] | None:
    """The property PointInTimeRecoverySpecification."""
    setting = _setting(settings, "point_in_time_recovery")
    if setting is None:
        return None
    if isinstance(setting, bool):
        return {"PointInTimeRecoveryEnabled": setting}
    return {
        "PointInTimeRecoveryEnabled": True,
        "RecoveryPeriodInDays": setting["days"],
    }


def encryption(settings: Settings) -> dict[str, Any] | None:
    """The property SSESpecification; DynamoDB's own key is what AWS uses without one."""
    setting = _setting(settings, "encryption")
    if setting is None or setting == "aws_owned":
        return None
    managed = {"SSEEnabled": True, "SSEType": "KMS"}
    if setting == "aws_managed":
        return managed
    return {**managed, "KMSMasterKeyId": setting["kms_key"]}


def deletion_protection(settings: Settings) -> bool | None:
    """The property DeletionProtectionEnabled."""
    setting = _setting(settings, "deletion_protection")
    return None if setting is None else bool(setting)


def table_class(settings: Settings) -> str | None:
    """The property TableClass."""
    setting = _setting(settings, "table_class")
    return None if setting is None else str(setting).upper()


def tags(settings: Settings) -> list[dict[str, str]] | None:
    """The property Tags."""
    setting = _setting(settings, "tags")
    return [{"Key": key, "Value": value} for key, value in (setting or {}).items()]


def contributor_insights(settings: Settings) -> dict[str, Any] | None:
    """The property ContributorInsightsSpecification of a table or a global index."""
    setting = _setting(settings, "contributor_insights")
    if setting is None:
        return None
    if isinstance(setting, bool):
        return {"Enabled": setting}
    return {"Enabled": True, "Mode": setting.upper()}


def warm_throughput(settings: Settings) -> dict[str, Any] | None:
    """The property WarmThroughput of a table or a global index."""
    setting = _setting(settings, "warm_throughput")
    if setting is None:
        return None
    names = {"read": "ReadUnitsPerSecond", "write": "WriteUnitsPerSecond"}
    return {names[key]: setting[key] for key in names if key in setting}


def raw_properties(settings: Settings) -> dict[str, Any]:
    """What `cloudformation` adds to the resource's properties."""
    return dict(_setting(settings, "cloudformation") or {})


def _setting(settings: Settings, name: str) -> Any:
    node = settings.get(name)
    return None if node is None else plain(node)
