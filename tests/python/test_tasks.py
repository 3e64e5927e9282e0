"""A package that uses every type and most kinds of keys, reads and updates, on moto."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from built_packages import create_tables, designed, imported

SPEC = (Path(__file__).parent / "tasks.yaml").read_text(encoding="utf-8")
MORNING = dt.datetime(2026, 7, 1, 8, 0, 0, 123_456, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
TODAY = dt.date(2026, 7, 1)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    with imported(designed(SPEC), tmp_path_factory.mktemp("tasks")) as module:
        yield module


@pytest.fixture
def tasks(package: ModuleType, client: Any) -> Any:
    create_tables(client, designed(SPEC).schema)
    return package.Tasks(client).tasks


def task(package: ModuleType, number: int = 1, **changes: Any) -> Any:
    given: dict[str, Any] = {
        "team": "t",
        "number": number,
        "title": "Write",
        "points": 5,
        "tags": frozenset({"a"}),
        **changes,
    }
    return package.Task(**given)


def full(package: ModuleType) -> Any:
    place = package.Place(street="Main", zip_code="1", marks=frozenset({2, 1}))
    return task(
        package,
        state=package.TaskState.OPEN,
        due=TODAY,
        priority=package.Priority.MEDIUM,
        assignee="me#1",
        code="ab12",
        cost=Decimal("12.3"),
        urgent=True,
        data=b"\0\xff",
        seen=MORNING,
        place=place,
        places=(place, replace(place, zip_code=None, marks=frozenset())),
        counts={"x": 1},
        notes=("one", 'two"'),
        extra={"list": [1, None, "x", True], "number": Decimal("1.25")},
        created_at=MORNING,
    )


def stored(client: Any, **key: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get_item(
        TableName="Tasks", Key={name: {"S": text} for name, text in key.items()}
    )["Item"]
    return found


def test_every_type_comes_back_as_it_was_stored(
    tasks: Any, package: ModuleType
) -> None:
    created = tasks.create(full(package))

    assert tasks.get(team="t", number=1) == created
    assert tasks.task(team="t", number=1) == created
    assert created.code == "AB12"
    assert created.cost == Decimal("12.30")
    assert created.seen == MORNING.replace(microsecond=0)
    assert created.created_at == MORNING.replace(microsecond=123_000)
    assert created.places[1].zip_code is None
    assert created.extra["list"] == (1, None, "x", True)
    assert created.year == "2026"
    with pytest.raises(TypeError):
        created.counts["x"] = 2


def test_keys_are_computed(tasks: Any, package: ModuleType, client: Any) -> None:
    tasks.create(full(package))
    tasks.create(task(package, 12, created_at=MORNING, due=TODAY))

    first = stored(client, team="t", sk="TASK#00001")
    second = stored(client, team="t", sk="TASK#00012")
    assert first["queue"]["S"].startswith("QUEUE#")
    assert first["state_key"] == {"S": "OPEN#7973-92-98T91:99:99.876Z#me%231"}
    assert first["year"] == {"S": "2026"}
    assert "queue" not in second
    assert second["state_key"]["S"].endswith("#!nobody")


def test_shards_are_merged_in_order(tasks: Any, package: ModuleType) -> None:
    opened = {"state": package.TaskState.OPEN, "urgent": True}
    made = [
        tasks.create(
            task(package, n, due=TODAY + dt.timedelta(days=n % 7), points=n, **opened)
        )
        for n in range(20)
    ]
    tasks.create(task(package, 50, state=package.TaskState.OPEN, due=TODAY))

    expected = sorted(made, key=lambda t: (t.due, t.points))
    assert tasks.queue().all() == expected
    page = tasks.queue().page()
    assert page.items == expected[:3]
    assert tasks.queue().page(cursor=page.cursor).items == expected[3:6]
    until = TODAY + dt.timedelta(days=2)
    assert tasks.queue_until(due_to=until).all() == [
        t for t in reversed(expected) if t.due <= until
    ]
    assert sorted(t.number for t in tasks.queued()) == list(range(20))


def test_integer_ranges(tasks: Any, package: ModuleType) -> None:
    for number in (-999, -5, 0, 3, 99_999):
        tasks.create(task(package, number))

    between = tasks.tasks_of_team(team="t", number_from=-5, number_to=3)
    assert [t.number for t in between] == [3, 0, -5]
    assert [t.number for t in tasks.tasks_below(team="t", number_before=3)] == [
        -999,
        -5,
        0,
    ]
    assert tasks.tasks_below(team="t", number_before=-999).all() == []
    with pytest.raises(package.KeyValueError):
        tasks.tasks_of_team(team="t", number_from=-1_000, number_to=0)


def test_several_states_and_an_optional_one(tasks: Any, package: ModuleType) -> None:
    states = package.TaskState
    for number, state in enumerate([states.DRAFT, states.OPEN, states.DONE] * 2):
        tasks.create(
            task(package, number, state=state, created_at=MORNING + number * HOUR)
        )

    def numbers(query: Any) -> list[int]:
        return [found.number for found in query]

    by_state = tasks.by_state(
        team="t", states=[states.OPEN, states.DONE, states.OPEN]
    ).all()
    assert [(t.number, t.state, t.assignee) for t in by_state] == [
        (5, states.DONE, None),
        (4, states.OPEN, None),
        (2, states.DONE, None),
        (1, states.OPEN, None),
    ]
    assert by_state[0].created_at == (MORNING + 5 * HOUR).replace(microsecond=123_000)
    assert numbers(tasks.by_state(team="t", states=[])) == []
    assert numbers(tasks.by_any_state(team="t", state=states.DRAFT)) == [3, 0]
    assert numbers(tasks.by_any_state(team="t")) == [5, 4, 3, 2, 1, 0]


def test_native_keys_projections_and_one(tasks: Any, package: ModuleType) -> None:
    priorities = package.Priority
    for number, priority in enumerate([*priorities, None]):
        tasks.create(task(package, number, assignee="me", priority=priority))
    tasks.create(full(package).__class__(**{**task_fields(full(package)), "number": 9}))

    mine = tasks.mine(team="t", assignee="me", priority_from=priorities.MEDIUM).all()
    assert [(t.number, t.title, t.priority) for t in mine] == [
        (1, "Write", priorities.MEDIUM),
        (2, "Write", priorities.LOW),
    ]
    assert not hasattr(mine[0], "cost")
    of = tasks.mine_of(team="t", assignee="me", priority=priorities.HIGH, least=4)
    assert [t.number for t in of] == [0]
    assert tasks.by_code(code="Ab12").number == 9
    assert tasks.by_code(code="X") is None
    assert len(tasks.by_points(team="t", points_from=5).all()) == 2


def task_fields(of: Any) -> dict[str, Any]:
    return {name: getattr(of, name) for name in of.__dataclass_fields__}


def test_filters(tasks: Any, package: ModuleType) -> None:
    wanted = tasks.create(full(package))
    tasks.create(task(package, 2))

    found = tasks.cheap(team="t", cost_before=Decimal("12.31"), tags="zzz", street="Ma")
    assert found.all() == [wanted]


def test_update_guards_what_keys_are_computed_from(
    tasks: Any, package: ModuleType, client: Any
) -> None:
    created = tasks.create(full(package))
    other = tasks.update(created, title="Other")

    assigned = tasks.update(created, assignee="you")
    assert assigned.title == "Other"
    with pytest.raises(package.StaleItem) as stale:
        tasks.update(other, state=package.TaskState.DONE)
    assert stale.value.current == assigned
    done = tasks.update(assigned, state=package.TaskState.DONE)
    item = stored(client, team="t", sk="TASK#00001")
    assert "queue" not in item
    assert item["state_key"]["S"].startswith("DONE#")
    moved = tasks.update(done, created_at=MORNING.replace(year=2025), tags=frozenset())
    item = stored(client, team="t", sk="TASK#00001")
    assert moved.year == "2025"
    assert item["year"] == {"S": "2025"}
    assert item["state_key"]["S"].startswith("DONE#7974-")
    assert "tags" not in item
    assert moved.tags == frozenset()


def test_update_patterns(tasks: Any, package: ModuleType, client: Any) -> None:
    created = tasks.create(full(package))
    draft = tasks.update(created, state=package.TaskState.DRAFT, urgent=False)

    with pytest.raises(package.GuardFailed) as failed:
        tasks.open_task(
            team="t", number=1, created_at=MORNING, assignee="you", due=TODAY
        )
    with pytest.raises(package.ItemNotFound):
        tasks.open_task(
            team="t", number=2, created_at=MORNING, assignee="you", due=TODAY
        )
    opened = tasks.open_task(
        team="t", number=1, created_at=MORNING, assignee="me#1", due=TODAY
    )
    assert failed.value.current == draft
    assert (opened.state, opened.urgent) == (package.TaskState.OPEN, True)
    assert [t.number for t in tasks.queue()] == [1]
    tasks.update(opened, state=package.TaskState.DRAFT)
    assert tasks.queue().all() == []
    tasks.open_task(team="t", number=1, created_at=MORNING, assignee="me#1", due=None)
    assert tasks.queue().all() == []
    assert "due" not in stored(client, team="t", sk="TASK#00001")


def test_nested_updates_counters_and_sets(tasks: Any, package: ModuleType) -> None:
    tasks.create(full(package))

    worked = tasks.work_on(
        team="t", number=1, place_street="Side", tags="b", kind="x", note="three"
    )
    assert worked.place.street == "Side"
    assert worked.points == 10
    assert worked.tags == {"a", "b"}
    assert worked.counts == {"x": 2}
    assert worked.notes == ("one", 'two"', "three")
    assert tasks.untag(team="t", number=1, tag="a").tags == {"b"}
    bare = tasks.retag(team="t", number=1, tags=frozenset(), extra=None)
    assert bare.tags == frozenset()
    assert bare.extra is None
    with pytest.raises(package.ItemNotFound):
        tasks.untag(team="t", number=2, tag="a")


def test_what_does_not_fit_is_refused(tasks: Any, package: ModuleType) -> None:
    good = full(package)
    for change in (
        {"title": "x" * 101},
        {"points": 101},
        {"points": True},
        {"cost": Decimal("0.001")},
        {"code": ""},
        {"code": "a-b"},
        {"state": "NONE"},
        {"seen": dt.datetime(2026, 1, 1)},
        {"due": MORNING},
        {"assignee": ""},
        {"title": "\ud800"},
        {"tags": {1}},
        {"ratio": float("nan")},
        {"uid": "x"},
    ):
        with pytest.raises(package.InvalidValue):
            tasks.create(replace(good, **change))
