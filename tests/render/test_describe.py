"""Plans in words, from a spec: what is read or written, and what it costs."""

from __future__ import annotations

import pytest
from dyngen.compile import compile_spec
from dyngen.design.describe import (
    braced,
    describe_route,
    describe_write,
    read_cost,
    write_plans,
)
from dyngen.design.plans import Design

SPEC = """\
dyngen: 1
service: words
tables:
  Notes:
    partition_key: owner
    sort_key: note_key
    ttl: expires_at
    indexes:
      Open: {partition_key: open_pk, sort_key: due}
entities:
  Note:
    attributes:
      owner: string
      box: [IN, OUT]
      note: string
      due: date
      open: boolean
      text: {type: string, optional: true}
      seen: {type: integer, default: 0}
      tags: {type: set, of: string, optional: true}
      expires_at: {type: timestamp, stored: epoch_seconds, optional: true}
    keys:
      note_key: "BOX#{box}#NOTE#{note}"
      open_pk: {value: "OPEN#{owner}", when: {open: true}}
access_patterns:
  note: {get: Note, where: {owner: eq, box: eq, note: eq}, consistent: true}
  boxed: {query: Note, where: {owner: eq, box: in}, order_by: note desc}
  due_by: {query: Note, where: {owner: eq, open: true, due: lte}, order_by: due}
  due_before: {query: Note, where: {owner: eq, open: true, due: lt}}
  between: {query: Note, where: {owner: eq, box: IN, note: {gt: {param: after}, lte: {param: to}}}}
  matching:
    query: Note
    where: {owner: eq, box: eq}
    filter: {where: {any: [{text: present}, {seen: {gt: 3}}], not: {tags: {contains: x}}}, hit_rate: 0.4}
  lasting: {query: Note, where: {owner: eq, box: eq}, expired: exclude}
  close:
    update: Note
    where: {owner: eq, box: eq, note: eq}
    set: {open: false}
    remove: [text]
    add: {seen: 1}
    guard: {seen: {lt: 9}, open: true}
  reopen:
    update: Note
    where: {owner: eq, box: eq, note: eq}
    set: {open: true}
    guard: {due: eq}
  drop: {delete: Note, where: {owner: eq, box: eq, note: eq}, guard: {open: false}}
  drop_box: {delete: Note, where: {owner: eq, box: eq}, each: true}
  refile: {move: Note, where: {owner: eq, box: eq, note: eq}, set: {box: {param: to_box}}}
  file:
    transact:
      - create: Note
      - {update: Note, where: {owner: eq, box: IN, note: eq}, add: {seen: 1}, guard: {open: true}}
"""

READS = {
    "note": "Reads one item of the table: owner = {owner}, note_key = BOX#{box}#NOTE#{note}. "
    "Strongly consistent.",
    "boxed": "Reads the table: owner = {owner}, note_key begins with BOX#{box}#NOTE#, by note "
    "descending. One request for each of {box_in}, merged in order. Eventually consistent.",
    "due_by": "Reads Open: open_pk = OPEN#{owner}, due ≤ {due_to}, by due ascending. "
    "Eventually consistent.",
    "due_before": "Reads Open: open_pk = OPEN#{owner}, due < {due_before}. "
    "Eventually consistent.",
    "between": "Reads the table: owner = {owner}, note_key between BOX#IN#NOTE#{after} "
    "(excluded) and BOX#IN#NOTE#{to}. Eventually consistent.",
    "matching": "Reads the table: owner = {owner}, note_key begins with BOX#{box}#NOTE#. Then "
    "filters by (text present or seen > 3) and not (tags contains x): returns about 0.4 of the "
    "items read. Eventually consistent.",
    "lasting": "Reads the table: owner = {owner}, note_key begins with BOX#{box}#NOTE#. Leaves "
    "out items whose expires_at has passed. Eventually consistent.",
}

KEY = "owner = {owner}, note_key = BOX#{box}#NOTE#{note}"
WRITES = {
    "close": f"Updates one item of Notes: {KEY}. Sets open = false, removes text, adds 1 to seen. "
    "Its index keys follow: open_pk is removed. Refused unless the stored item has seen < 9 and "
    "open = true.",
    "reopen": f"Updates one item of Notes: {KEY}. Sets open = true. Its index keys follow: "
    "open_pk = OPEN#{owner}. Refused unless the stored item has due = {due}.",
    "drop": f"Deletes one item of Notes: {KEY}. Refused unless the stored item has open = false.",
    "drop_box": "Deletes, in batches, what this finds. Reads the table: owner = {owner}, note_key "
    "begins with BOX#{box}#NOTE#. Eventually consistent.",
    "refile": f"Moves one item of Notes: {KEY}. Sets box = {{to_box}}. Refused unless the item is "
    "still as it was read, and its new key is free.",
    "file": "In one transaction: creates {note} in Notes; updates one item of Notes (owner = "
    "{owner}, note_key = BOX#IN#NOTE#{note}): adds 1 to seen, if it has open = true.",
}


@pytest.fixture(scope="module")
def design() -> Design:
    found, problems = compile_spec(SPEC, "words.yaml")
    assert found is not None, [(d.code, d.message, d.help) for d in problems]
    return found


@pytest.mark.parametrize("name", READS)
def test_reads(design, name):
    (plan,) = (plan for plan in design.reads if plan.name == name)
    (alternative,) = plan.alternatives
    assert describe_route(plan, alternative.route, braced) == READS[name]


@pytest.mark.parametrize("name", WRITES)
def test_writes(design, name):
    (plan,) = (plan for plan in write_plans(design) if plan.name == name)
    assert describe_write(plan, braced) == WRITES[name]


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("note", "1 read unit per 4 KB of the item, also if there is none."),
        (
            "due_by",
            "0.5 read units per 4 KB of the items returned, at least 0.5 a request.",
        ),
        (
            "matching",
            "0.5 read units per 4 KB of the items in the range, at least 0.5 a request.",
        ),
    ],
)
def test_costs(design, name, cost):
    (plan,) = (plan for plan in design.reads if plan.name == name)
    assert read_cost(plan, plan.alternatives[0].route) == cost
