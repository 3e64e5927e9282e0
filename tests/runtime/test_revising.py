"""Items with unique values, moves, and updates that read first, from writers that race."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from dyngen.runtime import revising
from dyngen.runtime.client import run
from dyngen.runtime.clock import Environment
from dyngen.runtime.conditions import Condition, all_of, eq, exists
from dyngen.runtime.errors import (
    GuardFailed,
    ItemExists,
    ItemNotFound,
    StaleItem,
    UniqueTaken,
)
from dyngen.runtime.revising import Kind
from dyngen.runtime.steps import Steps
from dyngen.runtime.unique import Marker, marker
from recorded import Engine
from test_writing import lose_response

ENVIRONMENT = Environment(sleep=lambda seconds: None)


@dataclass(frozen=True)
class User:
    customer: str
    id: str
    email: str | None = None
    nick: str | None = None
    logins: int = 0
    version: str | None = None


def encode(user: User) -> dict[str, Any]:
    item = {
        "customer": {"S": user.customer},
        "id": {"S": user.id},
        "logins": {"N": str(user.logins)},
    }
    for name in ("email", "nick", "version"):
        if (value := getattr(user, name)) is not None:
            item[name] = {"S": value}
    return item


def decode(item: Any) -> User:
    texts = {
        name: item[name]["S"]
        for name in ("customer", "id", "email", "nick", "version")
        if name in item
    }
    return User(**texts, logins=int(item["logins"]["N"]))


def markers(user: User) -> list[Marker]:
    if user.email is None:
        return []
    text = {"S": f"$User#email#{user.customer}#{user.email}"}
    return [marker("Orders", ("email",), {"customer": text, "id": text})]


ATTRIBUTES = ("customer", "id", "email", "nick", "logins")
PLAIN: Kind[User] = Kind("Orders", ("customer", "id"), ATTRIBUTES, encode, decode)
UNIQUE = replace(PLAIN, markers=markers, marked=("email",))
VERSIONED = replace(UNIQUE, attributes=(*ATTRIBUTES, "version"), version="version")

ANN = User("c1", "ann", "ann@x")


@dataclass
class Repository:
    """As a generated one would be."""

    engine: Engine
    kind: Kind[User]
    tokens: list[str] = field(default_factory=lambda: [f"v{n}" for n in range(99)])

    def run(self, steps: Steps[Any]) -> Any:
        return run(self.engine.client, steps, ENVIRONMENT)

    def fresh(self, user: User) -> User:
        if self.kind.version is None:
            return user
        return replace(user, version=self.tokens.pop(0))

    def create(self, user: User) -> User:
        return self.run(revising.create(self.kind, self.fresh(user), ENVIRONMENT))

    def update(self, user: User, **changes: Any) -> User:
        names = [*changes, *([self.kind.version] if self.kind.version else [])]
        condition = exists("customer")
        if self.kind.version:
            condition = self.kind.unchanged(encode(user))
        steps = revising.update(
            self.kind,
            user,
            self.fresh(replace(user, **changes)),
            names=names,
            condition=condition,
            environment=ENVIRONMENT,
        )
        return self.run(steps)

    def delete(self, user: User) -> User | None:
        return self.run(revising.delete(self.kind, user, ENVIRONMENT))

    def revise(
        self, user: User, change: Callable[[User], User], *guard: Condition
    ) -> User:
        key = self.kind.key(encode(user))
        steps = revising.revise(
            self.kind, key, lambda copy: self.fresh(change(copy)), guard, ENVIRONMENT
        )
        return self.run(steps)

    @property
    def stored(self) -> list[User]:
        return sorted(
            (decode(item) for item in self.items if "logins" in item),
            key=lambda user: user.id,
        )

    @property
    def taken(self) -> list[str]:
        return sorted(
            item["id"]["S"].rpartition("#")[2]
            for item in self.items
            if item["id"]["S"].startswith("$")
        )

    @property
    def items(self) -> list[Any]:
        items: list[Any] = self.engine.client.scan(TableName="Orders")["Items"]
        return items


@pytest.fixture(params=[UNIQUE, VERSIONED], ids=["plain", "versioned"])
def users(request: pytest.FixtureRequest, engine: Engine) -> Repository:
    return Repository(engine, request.param)


def before_write(engine: Engine, operation: str, *actions: Callable[[], Any]) -> None:
    """Let others act just before each of the next requests is sent."""
    left = list(actions)

    def act(**_: object) -> None:
        if left:
            left.pop(0)()

    engine.client.meta.events.register(f"before-call.dynamodb.{operation}", act)


# --- unique values --------------------------------------------------------------------------------


def test_a_value_is_taken_with_its_item_and_freed_with_it(users: Repository) -> None:
    ann = users.create(ANN)
    assert users.stored == [ann]
    assert users.taken == ["ann@x"]
    with pytest.raises(UniqueTaken) as refused:
        users.create(User("c1", "bob", "ann@x"))
    assert refused.value.attributes == ("email",)
    assert users.stored == [ann]
    users.create(User("c2", "bob", "ann@x"))  # in another scope
    assert users.delete(ann) == ann
    assert users.taken == ["ann@x"]
    assert users.create(User("c1", "bob", "ann@x")) in users.stored


def test_an_item_that_exists_is_not_called_a_taken_value(users: Repository) -> None:
    ann = users.create(ANN)
    with pytest.raises(ItemExists) as refused:
        users.create(ANN)
    assert refused.value.current == ann


def test_items_without_the_value_take_nothing(users: Repository) -> None:
    bob = users.create(User("c1", "bob"))
    users.create(User("c1", "cid"))
    assert users.taken == []
    users.engine.forget()
    users.delete(bob)
    assert users.engine.operations == ["DeleteItem"]
    cid = users.update(users.stored[0], email="cid@x")
    assert users.taken == ["cid@x"]
    users.update(cid, email=None)
    assert users.taken == []


def test_a_changed_value_repoints_its_marker(users: Repository) -> None:
    ann = users.create(ANN)
    changed = users.update(ann, email="new@x", nick="A")
    assert changed == users.stored[0]
    assert (changed.email, changed.nick) == ("new@x", "A")
    assert users.taken == ["new@x"]
    users.create(User("c1", "bob", "ann@x"))
    with pytest.raises(UniqueTaken):
        users.update(changed, email="ann@x")
    assert users.stored[0] == changed
    assert users.taken == ["ann@x", "new@x"]


def test_an_unchanged_value_is_no_transaction(users: Repository) -> None:
    ann = users.create(ANN)
    users.engine.forget()
    changed = users.update(ann, email="ann@x", nick="A")
    assert users.engine.operations == ["UpdateItem"]
    assert users.stored == [changed]
    assert users.taken == ["ann@x"]


def test_a_stale_copy_repoints_nothing(users: Repository) -> None:
    ann = users.create(ANN)
    newer = users.update(ann, email="new@x")
    for write in (
        lambda: users.update(ann, email="other@x"),
        lambda: users.delete(ann),
    ):
        with pytest.raises(StaleItem) as refused:
            write()
        assert refused.value.current == newer
    assert users.stored == [newer]
    assert users.taken == ["new@x"]
    users.delete(newer)
    with pytest.raises(StaleItem) as gone:
        users.delete(newer)
    assert gone.value.current is None


def test_a_stale_copy_does_not_write_back_the_value_that_it_has(
    users: Repository,
) -> None:
    """Nothing changes as the copy sees it, so that no marker would be written."""
    ann = users.create(ANN)
    newer = users.update(ann, email="new@x")
    with pytest.raises(StaleItem) as refused:
        users.update(ann, email="ann@x", nick="A")
    assert refused.value.current == newer
    assert users.stored == [newer]
    assert users.taken == ["new@x"]


def test_what_a_declared_marker_holds_follows_its_item(engine: Engine) -> None:
    def lookups(user: User) -> list[Marker]:
        (plain,) = markers(user)
        return [replace(plain, item={**plain.key, "nick": {"S": user.nick or "-"}})]

    users = Repository(engine, replace(PLAIN, markers=lookups))
    ann = users.create(ANN)
    ann = users.update(ann, nick="A")
    [lookup] = [item for item in users.items if "logins" not in item]
    assert lookup["nick"] == {"S": "A"}
    users.delete(ann)
    assert users.items == []


# --- reading first --------------------------------------------------------------------------------


def log_in(user: User) -> User:
    return replace(user, logins=user.logins + 1)


def test_what_was_read_is_changed(users: Repository) -> None:
    ann = users.create(ANN)
    changed = users.revise(ann, log_in)
    assert changed == users.stored[0]
    assert changed.logins == 1
    users.engine.forget()
    users.revise(ann, log_in)
    assert users.engine.operations == ["GetItem", "UpdateItem"]
    [(_, read), (_, written)] = users.engine.requests
    assert read["ConsistentRead"]
    names = set(written["ExpressionAttributeNames"].values())
    if users.kind.version:
        assert names == {"logins", "version", "customer"}
    renamed = users.revise(ann, lambda user: replace(user, email="new@x"))
    assert renamed == users.stored[0]
    assert users.taken == ["new@x"]


def test_nothing_is_counted_twice_or_lost_in_a_race(users: Repository) -> None:
    ann = users.create(ANN)
    other = Repository(users.engine, users.kind, [f"w{n}" for n in range(9)])
    before_write(
        users.engine,
        "UpdateItem",
        lambda: other.revise(ann, log_in),
        lambda: None,
        lambda: other.revise(ann, log_in),
    )
    assert users.revise(ann, log_in).logins == 3


def test_a_race_that_does_not_end_is_stale(users: Repository) -> None:
    ann = users.create(ANN)
    raw, counter = encode(ann), iter(range(1, 1000))

    def disturb() -> None:
        number = str(next(counter))
        item = {**raw, "logins": {"N": number}, "version": {"S": number}}
        users.engine.client.put_item(TableName="Orders", Item=item)

    before_write(users.engine, "UpdateItem", *[disturb] * 10)
    with pytest.raises(StaleItem) as refused:
        users.revise(ann, log_in)
    assert refused.value.current == users.stored[0]
    assert users.engine.operations.count("UpdateItem") == 10


def test_a_guard_is_asked_of_the_stored_item(users: Repository) -> None:
    with pytest.raises(ItemNotFound):
        users.revise(ANN, log_in)
    ann = users.create(ANN)
    fresh = eq("logins", {"N": "0"})
    assert users.revise(ann, log_in, fresh).logins == 1
    with pytest.raises(GuardFailed) as refused:
        users.revise(ann, log_in, fresh)
    assert refused.value.current == users.stored[0]
    assert users.stored[0].logins == 1


def test_an_item_that_goes_meanwhile_is_not_found(users: Repository) -> None:
    ann = users.create(ANN)
    before_write(users.engine, "UpdateItem", lambda: users.delete(ann))
    with pytest.raises(ItemNotFound):
        users.revise(ann, log_in)
    assert users.items == []


def test_a_lost_response_counts_once_or_says_so(users: Repository) -> None:
    ann = users.create(ANN)
    lose_response(users.engine, "UpdateItem")
    if users.kind.version:
        assert users.revise(ann, log_in).logins == 1
    else:
        with pytest.raises(StaleItem) as refused:
            users.revise(ann, log_in)
        assert refused.value.outcome_unknown
    assert users.stored[0].logins == 1


# --- moves ----------------------------------------------------------------------------------------


def to(new: str) -> Callable[[User], User]:
    return lambda user: replace(user, id=new)


def test_a_moved_item_takes_everything_along(users: Repository) -> None:
    ann = users.create(ANN)
    item = {**encode(ann), "unknown": {"S": "kept"}}
    users.engine.put("Orders", item)
    moved = users.revise(ann, to("eve"))
    assert moved.id == "eve"
    assert users.stored == [moved]
    assert users.taken == ["ann@x"]
    [stored] = [item for item in users.items if "logins" in item]
    assert stored["unknown"] == {"S": "kept"}
    assert users.engine.operations[:2] == ["GetItem", "TransactWriteItems"]
    changed = users.revise(moved, lambda u: replace(u, id="zoe", email="zoe@x"))
    assert users.stored == [changed]
    assert users.taken == ["zoe@x"]


def test_nothing_moves_where_there_is_something(users: Repository) -> None:
    ann = users.create(ANN)
    eve = users.create(User("c1", "eve"))
    with pytest.raises(ItemExists) as refused:
        users.revise(ann, to("eve"))
    assert refused.value.current == eve
    assert users.stored == [ann, eve]
    assert users.revise(ann, to("ann")).id == "ann"


def test_a_move_sees_what_others_wrote_meanwhile(users: Repository) -> None:
    """Also an attribute that was absent when the item was read."""
    ann = users.create(ANN)
    before_write(
        users.engine, "TransactWriteItems", lambda: users.update(ann, nick="A")
    )
    moved = users.revise(ann, to("eve"))
    assert (moved.id, moved.nick) == ("eve", "A")
    assert users.stored == [moved]


def test_a_move_is_guarded(users: Repository) -> None:
    ann = users.create(ANN)
    guard = all_of(exists("nick"))
    with pytest.raises(GuardFailed):
        users.revise(ann, to("eve"), guard)
    assert users.stored == [ann]
    with pytest.raises(ItemNotFound):
        users.revise(User("c1", "nobody"), to("eve"), guard)
