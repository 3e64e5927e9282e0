"""Managed policies with the least that a service needs, in a CloudFormation file of their own.

IAM needs a capability at deployment (CAPABILITY_IAM), which tables should not need.

Within a tenant, every statement is bound to the partitions of the caller's own: the tag of the
principal that is named like the tenant attribute says which tenant that is (AWS: specifying-conditions.html,
`dynamodb:LeadingKeys`). Characters that keys escape make no match, so such a tenant is denied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dyngen.cloudformation.access import Access, accesses
from dyngen.cloudformation.model import prefix_parameter
from dyngen.cloudformation.names import PREFIX_PARAMETER
from dyngen.design.contents import template_inputs
from dyngen.design.model import Computed, Entity, KeyForm, Natural, Schema, Table
from dyngen.design.plans import Design
from dyngen.keys.model import Literal, Part, Template

POLICY_TYPE = "AWS::IAM::ManagedPolicy"
POLICY = "Policy"
READ_ONLY_POLICY = "ReadOnlyPolicy"

_WILDCARDS = {"*": "${*}", "?": "${?}", "$": "${$}"}

Condition = tuple[str, ...]
"""The patterns of the partition keys that a statement is bound to; none: to no tenant."""


def policies(design: Design) -> dict[str, Any]:
    """The template: a policy for all that the service does, and one for its reads."""
    found = list(accesses(design))
    reading = [access for access in found if access.reading]
    service = design.schema.service
    resources = {POLICY: _policy(design.schema, found, f"What {service} does.")}
    if reading:
        said = f"What {service} reads."
        resources[READ_ONLY_POLICY] = _policy(design.schema, reading, said)
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"IAM policies of {service}.",
        "Parameters": {PREFIX_PARAMETER: prefix_parameter(design.schema)},
        "Resources": resources,
        "Outputs": {f"{name}Arn": {"Value": {"Ref": name}} for name in resources},
    }


def _policy(schema: Schema, found: Iterable[Access], said: str) -> dict[str, Any]:
    return {
        "Type": POLICY_TYPE,
        "Properties": {
            "Description": said,
            "PolicyDocument": {
                "Version": "2012-10-17",
                "Statement": list(_statements(schema, found)),
            },
        },
    }


def _statements(schema: Schema, found: Iterable[Access]) -> Iterator[dict[str, Any]]:
    """One for all places that have actions and condition in common."""
    actions: dict[tuple[str, str | None], set[str]] = {}
    for access in found:
        actions.setdefault((access.table, access.index), set()).add(access.action)
    alike: dict[tuple[tuple[str, ...], Condition], list[str]] = {}
    for table in schema.tables:
        for index in (None, *(each.name for each in table.indexes)):
            if (table.name, index) in actions:
                granted = tuple(sorted(actions[table.name, index]))
                bound = _bound(schema, table, index)
                alike.setdefault((granted, bound), []).append(_arn(table, index))
    for (granted, bound), arns in alike.items():
        statement: dict[str, Any] = {
            "Effect": "Allow",
            "Action": [f"dynamodb:{action}" for action in granted],
            "Resource": [{"Fn::Sub": arn} for arn in arns],
        }
        if bound:
            statement["Condition"] = {
                "ForAllValues:StringLike": {"dynamodb:LeadingKeys": list(bound)},
                "Null": {"dynamodb:LeadingKeys": "false"},
            }
        yield statement


def _arn(table: Table, index: str | None) -> str:
    place = f"table/${{{PREFIX_PARAMETER}}}{table.name}"
    of_index = "" if index is None else f"/index/{index}"
    return (
        "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:"
        f"{place}{of_index}"
    )


# --- tenants --------------------------------------------------------------------------------------


def _bound(schema: Schema, table: Table, index: str | None) -> Condition:
    """How every partition key in a place begins within a tenant; nothing where one is of no tenant.

    A key of several attributes has no leading key that AWS documents.
    """
    key = table.key if index is None else table.index(index).key
    if schema.tenant is None or len(key.partition) > 1:
        return ()
    partition = key.partition[0].name
    patterns: list[str] = []
    for entity in schema.entities:
        if entity.table != table.name or any(
            k.name not in entity.keys for k in key.all
        ):
            continue
        for pattern in _patterns(schema.tenant, entity.keys[partition]):
            if pattern is None:
                return ()
            patterns.append(pattern)
        if index is None:
            patterns += _marker_patterns(schema.tenant, entity)
    return tuple(dict.fromkeys(patterns))


def _patterns(tenant: str, form: KeyForm) -> Iterator[str | None]:
    match form:
        case Natural(attribute=attribute):
            yield _caller(tenant) if attribute == tenant else None
        case Computed(cases=cases):
            for case in cases:
                inside = tenant in template_inputs(case.template)
                yield _pattern(tenant, case.template) if inside else None


def _pattern(tenant: str, template: Template) -> str:
    found = ""
    for piece in template.pieces:
        match piece:
            case Literal(text=text):
                found += _literal(text)
            case Part(attribute=attribute) if attribute == tenant:
                found += _caller(tenant)
            case _ if not found.endswith("*"):
                found += "*"
    return found


def _marker_patterns(tenant: str, entity: Entity) -> Iterator[str]:
    """Markers of unique values in the entity's own table: `$Entity#attributes#tenant#...`."""
    for unique in entity.unique:
        if unique.marker is None:
            named = _literal(f"${entity.name}#{','.join(unique.attributes)}#")
            more = "" if unique.attributes == (tenant,) else "#*"
            yield f"{named}{_caller(tenant)}{more}"


def _literal(text: str) -> str:
    return "".join(_WILDCARDS.get(char, char) for char in text)


def _caller(tenant: str) -> str:
    return f"${{aws:PrincipalTag/{tenant}}}"
