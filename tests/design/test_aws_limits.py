"""What AWS would refuse of every item or request is refused when a spec is compiled."""

from __future__ import annotations

import pytest
from dyngen.compile import compile_spec
from dyngen.diagnostics.model import Diagnostic, Severity

HEAD = """\
dyngen: 1
service: things
tables: {Things: {partition_key: id}}
entities:
"""


def errors(text: str) -> list[Diagnostic]:
    _, found = compile_spec(HEAD + text, "spec.yaml")
    return [d for d in found if d.severity is Severity.ERROR]


def thing(attributes: str, *lines: str) -> str:
    inner = "".join(f"    {line}\n" for line in lines)
    return f"  Thing:\n    attributes: {{id: uuid, {attributes}}}\n{inner}"


# --- items ----------------------------------------------------------------------------------------


def test_items_that_are_always_too_large() -> None:
    """2 bytes of a name and 36 of a value for the key, 4 of a name, and so many characters."""
    room = 400 * 1024 - 38 - 4
    assert errors(thing(f"note: {{type: string, min_length: {room}}}")) == []
    [found] = errors(thing(f"note: {{type: string, min_length: {room + 1}}}"))
    assert (found.code, found.message) == (
        "DG176",
        "an item of Thing has at least 409601 bytes",
    )


@pytest.mark.parametrize("word", ["list", "map"])
def test_levels_of_lists_and_maps(word: str) -> None:
    def nested(levels: int) -> str:
        of = "string"
        for _ in range(levels):
            of = f"{{type: {word}, of: {of}}}"
        return thing(f"deep: {of}")

    assert errors(nested(32)) == []
    [found] = errors(nested(33))
    assert (found.code, found.message) == (
        "DG103",
        "lists and maps lie in one another 33 levels deep",
    )


# --- transactions ---------------------------------------------------------------------------------


def transaction(creates: int, updates: int, unique: str = "") -> str:
    members = "".join("      - {create: Thing}\n" for _ in range(creates))
    members += "".join(
        f"      - {{update: Thing, where: {{id: {{eq: {{param: id_{i}}}}}}}, add: {{n: 1}}}}\n"
        for i in range(updates)
    )
    return (
        thing("n: integer, mail: string", *([unique] if unique else []))
        + f"access_patterns:\n  many:\n    transact:\n{members}"
    )


def test_transactions_have_at_most_100_members() -> None:
    assert errors(transaction(1, 99)) == []
    [found] = errors(transaction(1, 100))
    assert found.code == "DG023"


def test_markers_of_unique_values_count() -> None:
    unique = "unique: [[mail]]"
    assert errors(transaction(2, 96, unique)) == []
    [found] = errors(transaction(2, 97, unique))
    assert (found.code, found.message) == (
        "DG214",
        "`many` is of 101 items, 2 of them markers of unique values",
    )
