"""What the reading stages say about a text."""

from __future__ import annotations

import textwrap
from decimal import Decimal

from dyngen.diagnostics.text import render
from dyngen.source import schema
from dyngen.source.nodes import Mapping, Node, Scalar
from dyngen.source.yaml_reader import read

FILE = "spec.yaml"


def read_says(text: str) -> str:
    """The rendered diagnostics of the YAML reader."""
    _, found = read(text, FILE)
    return render(found, {FILE: text})


def schema_says(text: str) -> str:
    """The rendered diagnostics of the schema check, for text that is good YAML."""
    root, found = read(text, FILE)
    assert root is not None
    assert found == []
    return render(schema.check(root), {FILE: text})


def expected(text: str) -> str:
    """A rendering as written in a test."""
    return textwrap.dedent(text).lstrip("\n")


def plain(node: Node | None) -> object:
    """A node without its places."""
    match node:
        case Mapping():
            return {entry.key.value: plain(entry.value) for entry in node.entries}
        case Scalar():
            return node.value
        case None:
            return None
        case _:
            return [plain(item) for item in node.items]


def value_of(text: str) -> str | int | Decimal | bool:
    """What `text` is as the value of a key."""
    root, found = read(f"key: {text}\n", FILE)
    assert found == []
    assert root is not None
    node = root.get("key")
    assert isinstance(node, Scalar)
    return node.value
