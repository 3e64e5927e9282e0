"""`explain` shows the very requests that the generated code sends."""

from __future__ import annotations

import datetime as dt
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from dyngen.cli import main
from dyngen.compile import compile_spec
from dyngen.design.explain import explain

SPEC = """\
dyngen: 1
service: explained
tables:
  Things:
    partition_key: owner
    sort_key: thing_key
    ttl: gone_at
    indexes:
      ByShelf: {partition_key: shelf, sort_key: [state, label], strategy: composite}
entities:
  Thing:
    attributes:
      owner: string
      room: {type: string, optional: true}
      thing: string
      shelf: string
      state: [NEW, USED]
      label: string
      note: {type: string, optional: true}
      count: {type: integer, default: 0}
      gone_at: {type: timestamp, stored: epoch_seconds, optional: true}
    keys:
      thing_key: "ROOM#{room|none}#THING#{thing}"
    version: true
access_patterns:
  thing: {get: Thing, where: {owner: eq, room: eq, thing: eq}, consistent: true}
  things: {query: Thing, where: {owner: eq}, page_size: 7}
  things_of_room: {query: Thing, where: {owner: eq, room: eq}, order_by: thing desc}
  lost_things: {query: Thing, where: {owner: eq, room: absent}}
  used_on_shelf: {query: Thing, where: {shelf: eq, state: USED, label: begins_with}}
  noted: {query: Thing, where: {owner: eq}, filter: {where: {note: eq, state: NEW}, at_most: 9}}
  first_on_shelf: {query: Thing, where: {shelf: eq, state: NEW}, order_by: label, one: first}
  still_there: {query: Thing, where: {owner: eq}, expired: exclude}
  labels: {query: Thing, where: {owner: eq}, select: [thing, label]}
  relabel:
    update: Thing
    where: {owner: eq, room: eq, thing: eq}
    set: {label: {param: new_label}, note: param}
    guard: {state: USED, shelf: eq}
  count_up: {update: Thing, where: {owner: eq, room: eq, thing: eq}, add: {count: 1}}
"""

NOW = dt.datetime(2026, 7, 1, tzinfo=dt.UTC)
VALUES = {
    name: f"{name}-value"
    for name in (
        *("owner", "room", "thing", "shelf", "label_prefix", "note", "new_label"),
        "new version",
    )
} | {"now": str(int(NOW.timestamp()))}


class Sent(Exception):
    """Carries the request instead of sending it."""


class Client:
    """A client that sends nothing."""

    def __getattr__(self, operation: str) -> Any:
        def send(**arguments: Any) -> None:
            raise Sent(operation, arguments)

        return send


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("explained")
    spec = Path(folder) / "explained.yaml"
    spec.write_text(SPEC)
    assert main(["build", str(spec), "--out", str(folder)]) == 0
    sys.path.insert(0, str(folder / "explained"))
    yield importlib.import_module("explained")
    sys.path.remove(str(folder / "explained"))


@pytest.fixture(scope="module")
def explained() -> dict[str, dict[str, Any]]:
    design, found = compile_spec(SPEC, "explained.yaml")
    assert design is not None, found
    return {each["pattern"]: each for each in explain(design)}


def filled(request: dict[str, Any]) -> dict[str, Any]:
    """The request with the parameters' values in the place of their names."""
    text = json.dumps(request)
    for name, value in VALUES.items():
        text = text.replace(f"{{{name}}}", value)
    return dict(json.loads(text))


@pytest.mark.parametrize(
    "pattern",
    [
        "thing",
        "things",
        "things_of_room",
        "lost_things",
        "used_on_shelf",
        "noted",
        "first_on_shelf",
        "still_there",
        "labels",
        "relabel",
        "count_up",
    ],
)
def test_the_request_is_the_one_that_is_sent(package, explained, pattern):
    of = explained[pattern]
    (route,) = of["routes"]
    names = [each["name"] for each in of["plan"]["parameters"]]
    environment = clock(package).Environment(
        clock=lambda: NOW, new_token=lambda: VALUES["new version"]
    )
    service = package.Explained(Client(), environment=environment)
    method = getattr(service.things, pattern)
    with pytest.raises(Sent) as sent:
        ask(method, {name: VALUES[name] for name in names})
    operation, arguments = sent.value.args
    assert operation.replace("_", "") == route["operation"].lower()
    assert arguments == filled(route["request"])


def clock(package: ModuleType) -> ModuleType:
    return importlib.import_module(f"{package.__name__}._runtime.clock")


def ask(method: Any, parameters: dict[str, str]) -> None:
    """Call a pattern's method; a query asks only when its first page is wanted."""
    method(**parameters).page()


CONTAINERS = """\
dyngen: 1
service: things
tables: {Things: {partition_key: id}}
entities:
  Thing:
    attributes:
      id: string
      doc: json
      tags: {type: list, of: string}
      place: {type: object, attributes: {city: string}}
      marks: {type: set, of: string}
access_patterns:
  redo: {update: Thing, where: {id: eq}, set: [doc, tags, place, marks]}
"""


def test_whole_documents_lists_objects_and_sets_are_shown_by_their_names() -> None:
    design, _ = compile_spec(CONTAINERS, "things.yaml")
    assert design is not None
    [found] = (each for each in explain(design) if each.get("pattern") == "redo")
    [route] = found["routes"]
    assert route["request"]["ExpressionAttributeValues"] == {
        ":v0": {"M": "{doc}"},
        ":v1": {"L": "{tags}"},
        ":v2": {"M": "{place}"},
        ":v3": {"SS": "{marks}"},
    }
