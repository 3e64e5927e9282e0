"""Sample calls of types with few values, and of conditions that exclude what others ask for."""

from __future__ import annotations

import pytest
from dyngen.compile import compile_spec
from dyngen.design.plans import Design
from dyngen.python.suite.cases import read_case
from dyngen.python.suite.patterns import Sampled, Target

SPEC = """\
dyngen: 1
service: few
tables:
  Things: {{partition_key: group, sort_key: thing_id, indexes: {{ByLevel: {{partition_key: group, sort_key: level}}}}}}
entities:
  Thing:
    attributes:
      group: string
      thing_id: ulid
      level: {{type: integer, min: 0, max: 1}}
      step: {{type: integer, min: 0, max: 3}}
      cents: {{type: decimal, digits: 3, places: 2, min: 1.01, max: 1.02}}
      kind: [A, B]
      size: [S, M, L]
      flag: boolean
      name: {{type: string, optional: true}}
access_patterns:
  key: {{query: Thing, where: {{group: eq, level: {key}}}}}
  found: {{query: Thing, where: {{group: eq}}, filter: {{where: {asked}, at_most: 50}}}}
  changed: {{update: Thing, where: {{group: eq, thing_id: eq}}, set: [name], guard: {asked}}}
"""


def design(asked: str, key: str = "gte") -> Design:
    made, found = compile_spec(SPEC.format(asked=asked, key=key), "few.yaml")
    assert made is not None, [d.message for d in found]
    return made


@pytest.mark.parametrize("key", ["gt", "lt", "gte", "lte"])
def test_ranges_of_a_key_with_two_values(key: str) -> None:
    made = design("{kind: eq}", key)
    case = read_case(made.schema, made.reads[0])
    assert 0 < case.matching < len(case.items)


@pytest.mark.parametrize(
    "asked",
    [
        "{level: gt}",
        "{level: lt}",
        "{step: {gt: {param: a}, lt: {param: b}}}",
        "{cents: gt}",
        "{cents: lt}",
        "{cents: {gt: {param: a}}, level: {gt: {param: b}}}",
        "{kind: {ne: {param: a}}}",
        "{kind: {eq: {param: a}, ne: {param: b}}}",
        "{kind: {eq: A, ne: {param: b}}}",
        "{flag: {eq: {param: a}, ne: {param: b}}}",
        "{name: {eq: {param: a}, ne: {param: b}}}",
        "{size: {in: {param: a}, ne: {param: b}}}",
        "{level: {gte: {param: a}, ne: {param: b}}}",
        "{not: {kind: {eq: {param: a}}}}",
        "{all: [{kind: {eq: {param: a}}}, {not: {kind: {eq: {param: b}}}}]}",
    ],
)
def test_something_matches_and_something_does_not(asked: str) -> None:
    made = design(asked)
    case = read_case(made.schema, made.reads[1])
    assert 0 < case.matching < len(case.items)
    [update] = made.updates
    target = Target(update.entity, update.table, update.key, update.guard)
    sampled = Sampled(made.schema, target, update.parameters, {})
    assert sampled.possible
    assert list(sampled.refused())


def test_only_a_key_without_values_asks_nothing() -> None:
    """A filter that nothing passes is a request all the same."""
    made = design("{size: in}")
    assert read_case(made.schema, made.reads[1]).empty == ()


def test_parameters_of_paths_lead_to_different_places() -> None:
    """DynamoDB refuses changes of one place, and so do the methods."""
    text = """\
dyngen: 1
service: photos
tables: {Photos: {partition_key: photo_id}}
entities:
  Photo: {attributes: {photo_id: ulid, reactions: {type: map, of: integer, default: {}}}}
access_patterns:
  swap: {update: Photo, where: {photo_id: eq}, add: {"reactions.{old}": -1, "reactions.{new}": 1}}
"""
    made, _ = compile_spec(text, "photos.yaml")
    assert made is not None
    [update] = made.updates
    target = Target(update.entity, update.table, update.key, writes=update.writes)
    call = Sampled(made.schema, target, update.parameters, {}).call
    assert call["old"] != call["new"]


@pytest.mark.parametrize(
    ("pattern", "most"),
    [
        ("{query: Thing, where: {group: eq}, at_most: 3}", 3),
        ("{query: Thing, where: {group: eq}, page_size: 2, at_most: 3}", 3),
        (
            "{query: Thing, where: {group: eq}, filter: {where: {level: gte}, at_most: 4}}",
            4,
        ),
        ("{scan: Thing, filter: {where: {level: gte}, at_most: 2}}", 2),
    ],
)
def test_no_more_items_are_read_than_a_pattern_allows(pattern: str, most: int) -> None:
    text = f"""\
dyngen: 1
service: few
tables: {{Things: {{partition_key: group, sort_key: thing_id}}}}
entities:
  Thing: {{attributes: {{group: string, thing_id: ulid, level: {{type: integer, min: 0, max: 3}}}}}}
access_patterns:
  found: {pattern}
"""
    made, found = compile_spec(text, "few.yaml")
    assert made is not None, found
    case = read_case(made.schema, made.reads[0])
    call = case.calls[0].parameters
    read = [
        item
        for item in case.items
        if item.values["group"] == call.get("group", item.values["group"])
    ]
    more = 0 if case.many is None else case.many.count
    assert len(read) == most
    assert len(read) + more <= most
    assert case.matching > 0
