"""Items that something else has stored: what cannot be decoded is told by its attribute."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from built_packages import create_tables, designed, imported

# Two attributes are called as DynamoDB calls types.
SPEC = """\
dyngen: 1
service: notes
tables:
  Notes: {partition_key: id}
entities:
  Note:
    attributes:
      id: string
      S: {type: string, optional: true}
      BOOL: boolean
      title: string
      pinned: {type: boolean, optional: true}
      size: integer
"""
ITEM: dict[str, dict[str, Any]] = {
    "id": {"S": "n"},
    "BOOL": {"BOOL": True},
    "title": {"S": "a"},
    "size": {"N": "1"},
}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder: Path = tmp_path_factory.mktemp("notes")
    with imported(designed(SPEC), folder) as package:
        yield package


def _read(package: Any, client: Any, item: dict[str, dict[str, Any]]) -> Any:
    create_tables(client, designed(SPEC).schema)
    client.put_item(TableName="Notes", Item=item)
    return package.Notes(client).notes.get(id="n")


def test_what_is_as_it_should_be_is_read(stored: Any, client: Any) -> None:
    found = _read(stored, client, {**ITEM, "S": {"S": "s"}, "pinned": {"BOOL": False}})

    assert (found.id, found.s, found.bool_, found.title) == ("n", "s", True, "a")
    assert (found.pinned, found.size) == (False, 1)


@pytest.mark.parametrize(
    ("attribute", "value", "expected"),
    [
        ("title", {"N": "1"}, "text (type S)"),
        ("title", {"NULL": True}, "text (type S)"),
        ("S", {"BOOL": True}, "text (type S)"),
        ("BOOL", {"S": "true"}, "a boolean (type BOOL)"),
        ("pinned", {"N": "0"}, "a boolean (type BOOL)"),
        ("size", {"S": "1"}, "a number (type N)"),
        ("title", None, "there"),
        ("BOOL", None, "there"),
        ("size", None, "there"),
    ],
)
def test_what_is_wrong_is_told(
    stored: Any, client: Any, attribute: str, value: Any, expected: str
) -> None:
    item = {name: each for name, each in ITEM.items() if name != attribute}
    if value is not None:
        item[attribute] = value

    with pytest.raises(stored.StoredValueError) as refused:
        _read(stored, client, item)

    assert (refused.value.attribute, refused.value.expected) == (attribute, expected)
