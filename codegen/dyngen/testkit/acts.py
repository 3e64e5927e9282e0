"""What a writer may do by an entity's own operations."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from .batches import BatchGetProof
from .effects import Effect, place_of
from .history import OF_BATCHES, History, Writer
from .store import Kind

_MANY = 3  # items of one batch


@dataclasses.dataclass(frozen=True, slots=True)
class Act:
    """One kind of call.

    Attributes:
        name: what it is called in the account of a history that failed; an operation of the entity,
            or a pattern.
        perform: draw a call, make it, and settle its outcome.
    """

    name: str
    perform: Callable[[History], None]


def _create(history: History) -> None:
    """An item is new, or is refused."""
    kind, writer = history.kind, history.writer()
    item = history.item(kind)
    note(f"create {item!r}")
    history.write(
        writer,
        [Effect.creating(kind, item)],
        lambda: kind.repository(writer.db).create(item),
    )


def _put(history: History) -> None:
    """An item is stored, whatever was there."""
    kind, writer = history.kind, history.writer()
    item = history.item(kind)
    note(f"put {item!r}")
    history.write(
        writer,
        [Effect.storing(kind, item)],
        lambda: kind.repository(writer.db).put(item),
    )


def _update(history: History) -> None:
    """A copy is updated, now and then when another writer has just done so, which makes it stale."""
    if not history.kind.changeable:
        return
    writer, copy = history.writer(), history.stored_item(history.kind)
    place = place_of(history.kind, copy)
    copy = writer.copies.setdefault(place, copy)
    if history.chance():
        current = history.model.stored.get(place, copy)
        _update_copy(history, history.other(writer), current)
    _update_copy(history, writer, copy)


def _update_copy(history: History, writer: Writer, copy: Any) -> None:
    """Some attributes of a copy become those of another item.

    No attribute that is not named may change: what is expected is the stored item, not the copy,
    with the changes.
    """
    kind = history.kind
    names = history.data.draw(
        st.sets(st.sampled_from(list(kind.changeable)), min_size=1, max_size=3)
    )
    other = history.data.draw(kind.drawn)
    changes = {name: getattr(other, name) for name in sorted(names)}
    note(f"update {copy!r} to {changes!r}")
    effect = Effect(
        kind,
        kind.key(copy),
        lambda item: dataclasses.replace(item, **changes),
        holds=_is(kind, copy),
        refusal="StaleItem",
        missing="StaleItem",
    )
    history.write(
        writer,
        [effect],
        lambda: kind.repository(writer.db).update(copy, **changes),
        stale=copy,
    )


def _delete(history: History) -> None:
    """An item is deleted: by its key, or, if it has a version or unique values, by a copy."""
    kind, writer = history.kind, history.writer()
    repository = kind.repository(writer.db)
    if not kind.deletes_items:
        item = history.target(kind)
        note(f"delete {item!r} by its key")
        effect = Effect.deleting(kind, item)
        history.write(writer, [effect], lambda: repository.delete(**kind.key(item)))
        return
    copy = history.stored_item(kind)
    copy = writer.copies.setdefault(place_of(kind, copy), copy)
    note(f"delete {copy!r}")
    effect = dataclasses.replace(
        Effect.deleting(kind, copy),
        holds=_is(kind, copy),
        refusal="StaleItem",
        missing="StaleItem",
    )
    history.write(writer, [effect], lambda: repository.delete(copy), stale=copy)


def batch_act(proof: BatchGetProof) -> Act:
    """Items are stored and deleted by one call, each by itself."""
    return Act("batch_write", lambda history: _batch_write(history, proof))


def _batch_write(history: History, proof: BatchGetProof) -> None:
    kind, writer = history.kind, history.writer()
    pool = st.lists(st.sampled_from(history.pool(kind)), max_size=_MANY)
    put = history.data.draw(pool)
    puts = {place_of(kind, item): Effect.storing(kind, item) for item in put}
    delete = [
        item for item in history.data.draw(pool) if place_of(kind, item) not in puts
    ]
    deletes = {place_of(kind, item): Effect.deleting(kind, item) for item in delete}
    note(f"batch_write put={put!r} delete={delete!r}")
    history.write(
        writer,
        [*puts.values(), *deletes.values()],
        lambda: kind.repository(writer.db).batch_write(
            put=put, delete=[proof.batch_key(item) for item in delete]
        ),
        silent=True,
        faults=OF_BATCHES,
    )


def _is(kind: Kind, copy: Any) -> Callable[[Any], bool]:
    """Whether the stored item still has the copy's version; anything has, without a version."""
    return lambda item: kind.version_of(item) == kind.version_of(copy)


ACTS = (
    Act("create", _create),
    Act("put", _put),
    Act("update", _update),
    Act("create", _create),
    Act("update", _update),
    Act("delete", _delete),
)
"""The operations of an entity, each as often as it is in a history."""
