"""Text that wants to become code: it stays text, wherever a spec takes text."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest
from built_packages import create_tables, designed, imported

SPEC = """\
dyngen: 1
service: hostile
description: {text}
types:
  Kind: {{values: {{ONE: {text}, TWO: "2"}}}}
  Thing: {{type: object, attributes: {{inner: {{type: string, optional: true, name: {text}, description: {text}}}}}}}
tables:
  Hostile:
    partition_key: owner
    sort_key: {key}
    type_attribute: {kind}
    indexes:
      Kinds: {{partition_key: kind, sort_key: {key}}}
      Late: {{partition_key: late, sort_key: {key}, projection: [title]}}
entities:
  Note:
    description: {text}
    attributes:
      owner: string
      id: {{type: string, description: {text}}}
      kind: {{type: Kind, default: ONE}}
      title: {{type: string, default: {text}, name: {stored}, description: {text}}}
      charset: {{type: string, optional: true, charset: "\\"'\\\\\\\\a-z"}}
      thing: {{type: Thing, optional: true}}
      things: {{type: map, of: Thing, default: {{}}}}
      other: {{type: string, optional: true}}
    keys:
      {key}: {template}
      late: {{value: {template}, when: {{title: {{eq: {text}}}}}}}
access_patterns:
  note: {{get: Note, where: {{owner: eq, id: eq, other: eq}}, description: {text}}}
  notes: {{query: Note, where: {{owner: eq, id: begins_with}}, description: {text}}}
  ones: {{query: Note, where: {{kind: ONE}}, filter: {{where: {{title: {{eq: {text}}}}}, hit_rate: 0.5}}}}
  late: {{query: Note, where: {{title: {{eq: {text}}}, id: eq, other: absent}}, index: Late}}
  retitle:
    update: Note
    description: {text}
    where: {{owner: eq, id: eq, other: eq}}
    set: {{title: {{value: {text}}}, kind: ONE}}
    guard: {{title: {{ne: {text}}}}}
"""

HOSTILE = [
    '"""',
    "'''",
    '"); boom(); ("',
    "'+boom()+'",
    "{boom()}",
    "{{ boom() }}",
    "{% for x in y %}",
    "\\",
    '\\"""\nboom()\n"""',
    "\\N{DASH}",
    "first\r\n\r\nboom()  # \t end",
    "\x07\x1b",
    "\u202e\u00ad\U0001f600",
    "# type: ignore",
    "fmt: off",
]


def spec_of(text: str) -> str:
    """The spec with `text` in every field that takes any, and most of it in the others."""
    printable = "".join(c for c in text if "!" <= c <= "~" and c not in "$%{}|#")
    key = printable or "plain"
    return SPEC.format(
        text=quoted(text),
        key=quoted(key),
        kind=quoted(f"{key}~kind"),
        stored=quoted(f"{text}~title"),
        template=quoted(f"{key}#{{id}}#{{other|none}}"),
    )


def quoted(text: str) -> str:
    """The text in double quotes, as YAML and JSON write it."""
    escaped = "".join(
        f"\\U{ord(char):08x}" if not char.isprintable() or ord(char) > 0xFFFF else char
        for char in text.replace("\\", "\\\\").replace('"', '\\"')
    )
    return f'"{escaped}"'


@pytest.mark.parametrize("text", HOSTILE)
def test_it_stays_text(
    text: str, tmp_path: Path, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    monkeypatch.setattr(builtins, "boom", lambda: ran.append("boom"), raising=False)
    design = designed(spec_of(text))
    with imported(design, tmp_path) as package:
        create_tables(client, design.schema)
        notes = package.Hostile(client).notes

        created = notes.create(package.Note(owner="o", id="i"))
        thing = package.Thing(inner=text)
        retitled = notes.update(created, thing=thing, things={text: thing})

        assert created.title == text
        assert package.Kind_.ONE.value == text
        assert notes.note(owner="o", id="i", other=None) == retitled
        assert notes.notes(owner="o", id_prefix="i").all() == [retitled]
        assert notes.ones().all() == [retitled]
        assert [n.title for n in notes.late(id="i")] == [text]
        other = notes.update(retitled, title="other")
        again = notes.retitle(owner="o", id="i", other=None)
        assert again == retitled
        assert other.title == "other"
    assert ran == []
