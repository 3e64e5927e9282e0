"""Writers that race, request by request, in every order: what comes out is what some order of whole
writes gives, and the markers of unique values are those of the items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, permutations
from typing import Any

import pytest
from dyngen.runtime import revising
from dyngen.runtime.clock import Environment, new_token
from dyngen.runtime.conditions import exists
from dyngen.runtime.errors import RepositoryError
from dyngen.runtime.revising import Kind
from dyngen.runtime.steps import Request, Steps
from dyngen.runtime.writing import get_request
from recorded import Engine
from test_revising import UNIQUE, VERSIONED, Repository, User, decode, encode

ENVIRONMENT = Environment(sleep=lambda seconds: None, random=lambda: 0.0)
START = (User("c", "a", "a@x"), User("c", "b", "b@x"))

State = dict[str, tuple[str | None, int]]
"""Email and number of logins, by id."""


@dataclass(frozen=True)
class Write:
    """A write as steps, and what it does to a state (None: it would be refused)."""

    name: str
    steps: Callable[[Kind[User]], Steps[object]]
    apply: Callable[[State], State | None]


def fresh(kind: Kind[User], user: User) -> User:
    return replace(user, version=new_token()) if kind.version else user


def create(id: str, email: str) -> Write:
    def steps(kind: Kind[User]) -> Steps[object]:
        user = fresh(kind, User("c", id, email))
        return revising.create(kind, user, ENVIRONMENT)

    def apply(state: State) -> State | None:
        if id in state or email in emails(state):
            return None
        return {**state, id: (email, 0)}

    return Write(f"create {id} {email}", steps, apply)


def revise(
    name: str, id: str, change: Callable[[User], User], apply: Callable[..., Any]
) -> Write:
    def steps(kind: Kind[User]) -> Steps[object]:
        key = kind.key(encode(User("c", id)))
        changed = lambda user: fresh(kind, change(user))  # noqa: E731
        return revising.revise(kind, key, changed, (), ENVIRONMENT)

    def applied(state: State) -> State | None:
        return apply(state, *state[id]) if id in state else None

    return Write(f"{name} {id}", steps, applied)


def log_in(id: str) -> Write:
    return revise(
        "log in",
        id,
        lambda user: replace(user, logins=user.logins + 1),
        lambda state, email, logins: {**state, id: (email, logins + 1)},
    )


def rename(id: str, new: str) -> Write:
    def apply(state: State, email: str, logins: int) -> State | None:
        if new in emails(state) and new != email:
            return None
        return {**state, id: (new, logins)}

    change = lambda user: replace(user, email=new)  # noqa: E731
    return revise(f"rename to {new}", id, change, apply)


def move(id: str, new: str) -> Write:
    def apply(state: State, email: str, logins: int) -> State | None:
        if new in state:
            return None
        others = {each: found for each, found in state.items() if each != id}
        return {**others, new: (email, logins)}

    return revise(f"move to {new}", id, lambda user: replace(user, id=new), apply)


def delete(id: str) -> Write:
    def steps(kind: Kind[User]) -> Steps[object]:
        user = yield from read(kind, id)
        if user is None:
            raise RepositoryError("gone")
        return (yield from revising.delete(kind, user, ENVIRONMENT))

    def apply(state: State) -> State | None:
        return {k: v for k, v in state.items() if k != id} if id in state else None

    return Write(f"delete {id}", steps, apply)


def update(id: str, new: str) -> Write:
    def steps(kind: Kind[User]) -> Steps[object]:
        user = yield from read(kind, id)
        if user is None:
            raise RepositoryError("gone")
        names = ["email", *([kind.version] if kind.version else [])]
        condition = kind.unchanged(encode(user)) if kind.version else exists("customer")
        return (
            yield from revising.update(
                kind,
                user,
                fresh(kind, replace(user, email=new)),
                names=names,
                condition=condition,
                environment=ENVIRONMENT,
            )
        )

    return Write(f"update {id} to {new}", steps, rename(id, new).apply)


def read(kind: Kind[User], id: str) -> Steps[User | None]:
    key = kind.key(encode(User("c", id)))
    request = Request("get_item", get_request("Orders", key, consistent=True))
    (response,) = yield [request]
    return decode(response["Item"]) if "Item" in response else None


def emails(state: State) -> set[str | None]:
    return {email for email, _ in state.values()}


WRITES = (
    create("c", "c@x"),
    create("c", "new@x"),
    log_in("a"),
    rename("a", "new@x"),
    update("a", "c@x"),
    move("a", "c"),
    delete("a"),
    update("b", "new@x"),
)


class Race:
    """Two writes, of which one request at a time is carried out."""

    def __init__(self, client: Any, kind: Kind[User], writes: Sequence[Write]) -> None:
        self._client = client
        self._steps = [write.steps(kind) for write in writes]
        self._requests: list[Request | None] = []
        self.succeeded = [True] * len(writes)
        for number, steps in enumerate(self._steps):
            self._requests.append(None)
            self._go_on(number, lambda steps=steps: next(steps))

    @property
    def waiting(self) -> list[int]:
        return [n for n, request in enumerate(self._requests) if request is not None]

    def send(self, number: int) -> None:
        """Carry out the next request of one write."""
        request, steps = self._requests[number], self._steps[number]
        assert request is not None
        try:
            call = getattr(self._client, request.operation)
            response = call(**request.arguments)
        except Exception as error:
            self._go_on(number, lambda error=error: steps.throw(error))
        else:
            self._go_on(number, lambda: steps.send([response]))

    def _go_on(self, number: int, resume: Callable[[], Sequence[Request]]) -> None:
        self._requests[number] = None
        try:
            (self._requests[number],) = resume()
        except StopIteration:
            pass
        except RepositoryError:
            self.succeeded[number] = False


def schedules(run: Callable[[list[int]], list[int]]) -> Iterator[None]:
    """Run every order of requests: `run` follows a list of choices, and returns how many choices
    there were at each step."""
    pending: list[list[int]] = [[]]
    while pending:
        chosen = pending.pop()
        choices = run(chosen)
        for step in range(len(chosen), len(choices)):
            for other in range(1, choices[step]):
                pending.append([*chosen, *[0] * (step - len(chosen)), other])
        yield


@pytest.mark.slow
@pytest.mark.parametrize("kind", [UNIQUE, VERSIONED], ids=["plain", "versioned"])
@pytest.mark.parametrize(
    "writes",
    list(combinations_with_replacement(WRITES, 2)),
    ids=lambda writes: " | ".join(write.name for write in writes),
)
def test_two_writers(
    engine: Engine, kind: Kind[User], writes: tuple[Write, Write]
) -> None:
    orders = 0
    for _ in schedules(lambda chosen: race(engine, kind, writes, chosen)):
        orders += 1
    assert orders > 1


def race(
    engine: Engine, kind: Kind[User], writes: Sequence[Write], chosen: list[int]
) -> list[int]:
    users = Repository(engine, kind)
    for item in users.items:
        engine.client.delete_item(TableName="Orders", Key=kind.key(item))
    for user in START:
        users.create(user)
    race = Race(engine.client, kind, writes)
    choices: list[int] = []
    while waiting := race.waiting:
        position = len(choices)
        choices.append(len(waiting))
        race.send(waiting[chosen[position] if position < len(chosen) else 0])
    done = [write for write, ok in zip(writes, race.succeeded, strict=True) if ok]
    state = {user.id: (user.email, user.logins) for user in users.stored}
    assert state in list(outcomes(done)), [write.name for write in done]
    assert users.taken == sorted(str(email) for email in emails(state))
    return choices


def outcomes(done: Sequence[Write]) -> Iterator[State]:
    """What the writes that succeeded give, one after another in any order."""
    for order in permutations(done):
        state: State | None = {user.id: (user.email, 0) for user in START}
        for write in order:
            state = None if state is None else write.apply(state)
        if state is not None:
            yield state
