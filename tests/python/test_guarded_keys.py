"""Keys that every update computes anew stay true, though there is no version to tell copies apart."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from built_packages import create_tables, designed, imported

SPEC = """\
dyngen: 1
service: notes
tables:
  Notes:
    partition_key: id
    indexes:
      ByState: {partition_key: by_state, sort_key: changed}
      Latest: {partition_key: latest_pk, sort_key: latest}
entities:
  Note:
    attributes:
      id: string
      state: [DRAFT, FINAL]
      title: string
      changed: {type: timestamp, on_write: now}
    keys:
      by_state: "STATE#{state}"
      latest_pk: NOTES
      latest: "{state}#{changed}"
"""


def test_what_every_update_computes_is_guarded(tmp_path: Path, client: Any) -> None:
    design = designed(SPEC)
    times = iter(dt.datetime(2026, 1, day, tzinfo=dt.UTC) for day in range(1, 9))
    with imported(design, tmp_path) as package:
        create_tables(client, design.schema)
        environment = package._runtime.clock.Environment(clock=lambda: next(times))
        notes = package.Notes(client, environment=environment).notes
        state = package.NoteState
        copy = notes.create(package.Note(id="n", state=state.DRAFT, title="a"))
        final = notes.update(copy, state=state.FINAL)

        with pytest.raises(package.StaleItem) as refused:
            notes.update(copy, title="b")
        assert refused.value.current == final
        with pytest.raises(package.StaleItem):
            notes.update(copy)
        notes.update(final, title="b")

        [item] = client.scan(TableName="Notes")["Items"]
        assert item["latest"]["S"] == f"FINAL#{item['changed']['S']}"
        assert item["by_state"] == {"S": "STATE#FINAL"}
