"""Keys whose partner in an index has several cases: which of them an update has to know."""

from __future__ import annotations

from dyngen.compile import compile_all
from dyngen.design.plans import KeyWrite
from dyngen.diagnostics.model import Severity
from dyngen.keys.model import Literal

SPEC = """\
dyngen: 1
service: tasks
tables:
  Tasks:
    partition_key: task_id
    indexes:
      Queue: {{partition_key: queue, sort_key: rank}}
entities:
  Task:
    attributes:
      task_id: ulid
      owner: {{type: string, optional: true}}
      state: [OPEN, HELD, DONE]
      points: {{type: integer, min: 0, max: 999}}
    keys:
      queue: [{cases}]
      rank: "{{points}}"
access_patterns:
  change: {{update: Task, where: {{task_id: eq}}, {change}}}
"""

OWNED = "{value: OWNED, when: {owner: present}}"
FREE = "{value: FREE, when: {owner: absent}}"
OPEN = "{value: OPEN, when: {state: OPEN}}"
HELD = '{value: "HELD#{owner}", when: {state: HELD}}'
REST = "{value: REST, when: {state: {in: [HELD, DONE]}}}"


def planned(change: str, *cases: str) -> dict[str, KeyWrite]:
    text = SPEC.format(cases=", ".join(cases), change=change)
    compiled = compile_all(text, "spec.yaml")
    assert [d for d in compiled.diagnostics if d.severity is Severity.ERROR] == []
    assert compiled.design is not None
    [update] = compiled.design.updates
    return {write.attribute: write for write in update.keys}


def refused(change: str, *cases: str) -> list[tuple[str, str, str]]:
    text = SPEC.format(cases=", ".join(cases), change=change)
    found = compile_all(text, "spec.yaml").diagnostics
    return [
        (d.code, d.primary.text, d.help[0])
        for d in found
        if d.severity is Severity.ERROR
    ]


def test_cases_that_together_always_hold_need_not_be_known() -> None:
    for cases in [(OWNED, FREE), (OPEN, REST)]:
        written = planned("set: [points]", *cases)
        assert list(written) == ["rank"]
        [case] = written["rank"].cases
        assert case.tests == ()


def test_what_decides_between_such_cases_does_not_touch_the_other_key() -> None:
    written = planned("set: [owner]", OWNED, FREE)
    assert list(written) == ["queue"]
    texts = [(case.text, len(case.tests)) for case in written["queue"].cases]
    assert texts == [((Literal("OWNED"),), 1), ((Literal("FREE"),), 1)]


def test_both_keys_are_written_with_what_is_set() -> None:
    written = planned("set: [owner, points]", OWNED, FREE)
    assert sorted(written) == ["queue", "rank"]
    assert [case.tests for case in written["rank"].cases] == [()]


def test_a_guard_may_leave_cases_that_always_hold() -> None:
    change = "set: [points], guard: {state: {in: [OPEN, HELD]}}"
    assert list(planned(change, OPEN, "{value: HELD, when: {state: HELD}}")) == ["rank"]


def test_cases_that_the_call_decides_are_cases_of_the_other_key_too() -> None:
    """`DONE` takes the item out of the index; `HELD` does without an owner."""
    written = planned("set: [state, owner, points]", OPEN, HELD)
    asked = [
        sorted((each.test.attribute, each.test.operator) for each in case.tests)
        for case in written["rank"].cases
    ]
    assert asked == [
        [("state", "eq")],
        [("owner", "present"), ("state", "eq")],
    ]


def test_the_first_remedy_cures_what_is_still_refused() -> None:
    [found] = refused("set: [points]", OPEN, HELD)
    assert found == (
        "DG204",
        "one of its inputs; `state` and `owner` are not known here",
        "pass the others in and have them checked (`guard: {state: eq, owner: eq}`)",
    )
    change = "set: [points], guard: {state: eq, owner: eq}"
    assert list(planned(change, OPEN, HELD)) == ["rank"]
