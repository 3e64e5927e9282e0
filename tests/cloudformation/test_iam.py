"""The IAM policies allow what the patterns need, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from cfnlint import api
from dyngen.cloudformation.iam import policies
from dyngen.cloudformation.text import to_yaml
from dyngen.compile import compile_spec

KEYED = """\
dyngen: 1
service: shop
tables:
  Orders:
    partition_key: customer
    sort_key: number
    indexes:
      ByState: {partition_key: state, sort_key: number}
      Unused: {partition_key: number}
entities:
  Order:
    operations: OPERATIONS
    attributes: {customer: string, number: integer, state: [OPEN, SENT]}
access_patterns:
"""

TENANTS = """\
dyngen: 1
service: clinic
tenant: tenant
tables:
  Pets:
    partition_key: tenant
    sort_key: pet
    indexes: {ByOwner: {partition_key: owner_key, sort_key: pet}}
entities:
  Pet:
    attributes: {tenant: string, pet: string, owner: string, chip: string}
    keys: {owner_key: "T*{tenant}#O#{owner}"}
    unique: [[chip]]
access_patterns:
  pets_of_owner: {query: Pet, where: {tenant: eq, owner: eq}}
"""

Places = dict[str, list[str]]


def template(spec: str) -> dict[str, Any]:
    design, found = compile_spec(spec, "x.yaml")
    assert design is not None, found
    return policies(design)


def statements(spec: str, policy: str = "Policy") -> list[dict[str, Any]]:
    found = template(spec)["Resources"][policy]["Properties"]["PolicyDocument"]
    assert found["Version"] == "2012-10-17"
    stated: list[dict[str, Any]] = found["Statement"]
    return stated


def allowed(spec: str, policy: str = "Policy") -> Places:
    """The actions on each table or index."""
    return {
        resource["Fn::Sub"].rpartition("}")[2]: [
            action.removeprefix("dynamodb:") for action in statement["Action"]
        ]
        for statement in statements(spec, policy)
        for resource in statement["Resource"]
    }


def keyed(patterns: str, operations: str = "[]") -> str:
    return KEYED.replace("OPERATIONS", operations) + patterns


@pytest.mark.parametrize(
    ("pattern", "places"),
    [
        (
            "{get: Order, where: {customer: eq, number: eq}}",
            {"Orders": ["GetItem"]},
        ),
        ("{query: Order, where: {customer: eq}}", {"Orders": ["Query"]}),
        (
            "{query: Order, where: {state: eq}}",
            {"Orders/index/ByState": ["Query"]},
        ),
        (
            "{update: Order, where: {customer: eq, number: eq}, set: {state: SENT}}",
            {"Orders": ["UpdateItem"]},
        ),
        (
            "{delete: Order, where: {customer: eq, number: eq}}",
            {"Orders": ["DeleteItem"]},
        ),
    ],
)
def test_a_pattern_is_allowed_what_it_needs(pattern: str, places: Places) -> None:
    assert allowed(keyed(f"  it: {pattern}\n")) == places


@pytest.mark.parametrize(
    ("operation", "action"),
    [
        ("get", "GetItem"),
        ("batch_get", "BatchGetItem"),
        ("create", "PutItem"),
        ("put", "PutItem"),
        ("update", "UpdateItem"),
        ("delete", "DeleteItem"),
        ("batch_write", "BatchWriteItem"),
    ],
)
def test_so_is_a_method_of_the_repository(operation: str, action: str) -> None:
    query = "  it: {query: Order, where: {state: eq}}\n"
    found = allowed(keyed(query, f"[{operation}]"))
    assert found == {"Orders": [action], "Orders/index/ByState": ["Query"]}


def test_the_other_policy_only_reads() -> None:
    spec = keyed("  it: {query: Order, where: {state: eq}}\n", "[get, create, delete]")
    assert allowed(spec, "ReadOnlyPolicy") == {
        "Orders": ["GetItem"],
        "Orders/index/ByState": ["Query"],
    }


def test_what_never_reads_has_no_such_policy() -> None:
    pattern = "{delete: Order, where: {customer: eq, number: eq}}"
    assert list(template(keyed(f"  it: {pattern}\n"))["Resources"]) == ["Policy"]


MARKED = """\
dyngen: 1
service: shop
tables: {Users: {partition_key: id}, Phones: {partition_key: key}}
entities:
  User:
    table: Users
    operations: []
    attributes: {id: string, phone: string, room: string, age: integer}
    unique: [{phone: Phone}]
  Phone: {table: Phones, operations: [], attributes: {phone: string, room: string}, keys: {key: "{phone}"}}
access_patterns:
"""


@pytest.mark.parametrize(
    ("pattern", "users", "phones"),
    [
        (
            "{update: User, where: {id: eq}, set: [room], read_first: true}",
            ["GetItem", "UpdateItem"],
            ["PutItem", "DeleteItem"],
        ),
        (
            "{update: User, where: {id: eq}, set: [age], read_first: true}",
            ["GetItem", "UpdateItem"],
            None,
        ),
        ("{transact: [{create: User}]}", ["PutItem"], ["PutItem"]),
        (
            "{transact: [{update: User, where: {id: eq}, set: [age]}]}",
            ["UpdateItem"],
            None,
        ),
    ],
)
def test_markers_are_written_with_what_they_are_made_of(
    pattern: str, users: list[str], phones: list[str] | None
) -> None:
    found = allowed(f"{MARKED}  it: {pattern}\n")
    assert sorted(found["Users"]) == sorted(users)
    assert sorted(found.get("Phones", [])) == sorted(phones or [])


def test_a_tenant_reaches_nothing_but_its_own_partitions() -> None:
    found = {
        statement["Resource"][0]["Fn::Sub"].rpartition("}")[2]: statement["Condition"]
        for statement in statements(TENANTS)
    }
    caller = "${aws:PrincipalTag/tenant}"
    assert found == {
        place: {
            "ForAllValues:StringLike": {"dynamodb:LeadingKeys": keys},
            "Null": {"dynamodb:LeadingKeys": "false"},
        }
        for place, keys in {
            "Pets": [caller, f"${{$}}Pet#chip#{caller}#*"],
            "Pets/index/ByOwner": [f"T${{*}}{caller}#O#*"],
        }.items()
    }


@pytest.mark.parametrize("spec", [TENANTS, keyed("  it: {query: Order, where: {state: eq}}\n")])  # fmt: skip
def test_cfn_lint_has_nothing_to_say(spec: str) -> None:
    text = to_yaml(template(spec), "# Code generated by dyngen. DO NOT EDIT.")
    assert yaml.safe_load(text) == template(spec)
    assert api.lint(text, regions=["us-east-1"]) == []
