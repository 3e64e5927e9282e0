"""One fact under two keys: patterns that keep a copy keep it true, whatever is called in which order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from built_packages import create_tables, designed, imported
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from moto_client import _credentials, client

__all__ = ["_credentials", "client"]

SPEC = Path(__file__).resolve().parents[2] / "specs" / "aws" / "user_registration.yaml"
IDS = st.sampled_from(("u1", "u2", "u3"))
EMAILS = st.sampled_from(("ann@x", "bob@x", "ANN@x"))
STEPS = st.one_of(
    st.tuples(st.just("register"), IDS, EMAILS),
    st.tuples(st.just("change"), IDS, EMAILS, EMAILS),
    st.tuples(st.just("delete"), IDS, EMAILS),
)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    design = designed(SPEC.read_text(encoding="utf-8"))
    with imported(design, tmp_path_factory.mktemp("copies")) as found:
        yield found


@pytest.fixture
def db(package: ModuleType, client: Any) -> Any:
    create_tables(client, designed(SPEC.read_text(encoding="utf-8")).schema)
    return package.UserRegistration(client)


def take(db: Any, package: ModuleType, step: tuple[str, ...]) -> None:
    """Do one step, or be refused."""
    with suppress(package.TransactionFailed, package.InvalidRequest):
        match step:
            case ("register", user_id, email):
                user = package.User(user_id=user_id, email=email, full_name="Ann")
                db.register_user(user=user)
            case ("change", user_id, email, new_email):
                db.change_email(user_id=user_id, email=email, new_email=new_email)
            case (_, user_id, email):
                db.delete_user_with_email(user_id=user_id, email=email)


def expected(
    users: dict[str, str], user_id: str, old: str | None, new: str | None
) -> None:
    """Give a user of the model another address, if it has the old one and nobody has the new one."""
    if users.get(user_id) == old and new not in users.values():
        users.pop(user_id, None)
        if new is not None:
            users[user_id] = new


def both_sides(client: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Addresses by user, as the users have them and as the lookups have them."""
    tables = (client.scan(TableName=name)["Items"] for name in ("Users", "EmailLookup"))
    users, lookups = (
        {item["user_id"]["S"]: item["email"]["S"] for item in items} for items in tables
    )
    return users, lookups


def clear(client: Any) -> None:
    for table in ("Users", "EmailLookup"):
        for item in client.scan(TableName=table)["Items"]:
            client.delete_item(TableName=table, Key={"pk": item["pk"]})


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(STEPS, max_size=8))
@example(
    steps=[
        ("register", "u1", "ann@x"),
        ("register", "u2", "ANN@x"),
        ("change", "u1", "Ann@X", "bob@x"),
        ("register", "u2", "ann@x"),
        ("delete", "u1", "ann@x"),
        ("delete", "u1", "bob@x"),
    ]
)
def test_both_sides_stay_equal(
    db: Any, package: ModuleType, client: Any, steps: list[tuple[str, ...]]
) -> None:
    clear(client)
    users: dict[str, str] = {}
    for step in steps:
        take(db, package, step)

        old = step[2].lower() if step[0] != "register" else None
        new = step[-1].lower() if step[0] != "delete" else None
        if old != new:
            expected(users, step[1], old, new)
        assert both_sides(client) == (users, users)
