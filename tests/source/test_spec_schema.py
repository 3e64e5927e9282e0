"""The JSON Schema itself: sound, and documented for editors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from dyngen.source import schema

SCHEMA = json.loads(schema.text())
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)


def subschemas(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema inside the schema, with its path."""
    if not isinstance(node, dict):
        return
    yield path, node
    for word in ("properties", "definitions"):
        for name, inner in node.get(word, {}).items():
            yield from subschemas(inner, f"{path}/{word}/{name}")
    for word in ("items", "additionalProperties", "propertyNames"):
        yield from subschemas(node.get(word), f"{path}/{word}")
    for word in ("anyOf", "oneOf", "allOf"):
        for number, inner in enumerate(node.get(word, [])):
            yield from subschemas(inner, f"{path}/{word}/{number}")


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """What a reference stands for."""
    while "$ref" in node:
        target: Any = SCHEMA
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[int(step) if isinstance(target, list) else step]
        node = target
    return node


KEYS = [
    (f"{path}/{name}", resolved(inner))
    for path, node in subschemas(SCHEMA)
    for name, inner in node.get("properties", {}).items()
]


def test_it_is_a_draft_07_schema() -> None:
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    jsonschema.Draft7Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(("path", "key"), KEYS, ids=[path for path, _ in KEYS])
def test_every_key_is_described_by_words_and_valid_examples(
    path: str, key: dict[str, Any]
) -> None:
    assert key["description"].endswith(".")
    assert key["examples"]
    for example in key["examples"]:
        VALIDATOR.evolve(schema=key).validate(example)


def test_no_mapping_takes_unknown_keys() -> None:
    for path, node in subschemas(SCHEMA):
        if "properties" in node:
            assert "additionalProperties" in node, path


def test_every_definition_is_used() -> None:
    text = json.dumps(SCHEMA)
    for name in SCHEMA["definitions"]:
        assert f'"#/definitions/{name}' in text, name
