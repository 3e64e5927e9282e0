"""What a writer may do by the patterns of a spec."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import note
from hypothesis import strategies as st

from . import draws
from .acts import Act
from .effects import Effect, place_of, with_versions
from .history import OF_BATCHES, OF_ONE, OF_SEVERAL, History, Writer
from .store import Kind
from .transactions import ReadTransactionProof, TransactionProof
from .updates import MoveProof, PatternProof, SweepProof

Pattern = PatternProof | TransactionProof | ReadTransactionProof


def pattern_acts(proof: Pattern) -> Iterator[Act]:
    """Calls of a pattern that writes, or of a transaction: on what is there, and on what it needs."""
    name = type(proof).__name__
    for prepared in (True, False):
        yield Act(name, partial(_perform, proof=proof, prepared=prepared))


def sweep_act(proof: SweepProof) -> Act:
    """A call of a pattern that deletes what it finds."""
    name = type(proof).__name__
    return Act(name, partial(_sweep, proof=proof))


def _perform(history: History, proof: Pattern, *, prepared: bool) -> None:
    writer = history.writer()
    parameters, targets = _parameters(history, writer, proof)
    note(f"{type(proof).__name__} with {parameters!r}")
    effects = proof.effects(**parameters)
    call = proof.read if isinstance(proof, ReadTransactionProof) else proof.write
    if len({effect.place for effect in effects}) < len(effects):
        with pytest.raises(ValueError, match="one item"):
            call(writer.db, **parameters)
        return
    reads_first = isinstance(proof, PatternProof) and proof.reads_first
    if not history.possible(effects, reads_first=reads_first):
        with pytest.raises(history.store.suite.errors.InvalidValue):
            call(writer.db, **parameters)
        return
    if prepared:
        history.prepare(effects, targets)
        if not isinstance(proof, ReadTransactionProof):
            stored = history.model.stored.values()
            parameters = with_versions(proof, parameters, stored)
            effects = proof.effects(**parameters)
    if isinstance(proof, ReadTransactionProof):
        there = [history.model.stored.get(effect.place) for effect in effects]
        assert call(writer.db, **parameters) == tuple(there)
        return
    raced = reads_first and _race(history, effects[0])
    moves = isinstance(proof, MoveProof)
    history.write(
        writer,
        effects,
        lambda: proof.write(writer.db, **parameters),
        raced=raced,
        silent=isinstance(proof, TransactionProof),
        faults=OF_ONE if isinstance(proof, PatternProof) and not moves else OF_SEVERAL,
    )


def _race(history: History, effect: Effect) -> bool:
    """Now and then, someone else changes the item between the pattern's read and its write."""
    kind = effect.kind
    current = history.model.stored.get(effect.place)
    if current is None or kind.unique or not kind.changeable or not history.chance():
        return False
    name = history.data.draw(st.sampled_from(list(kind.changeable)))
    other = getattr(history.data.draw(kind.drawn), name)
    changed = dataclasses.replace(current, **{name: other})
    changed = kind.with_version(changed, "someone else's")
    note(f"someone else makes it {changed!r} meanwhile")
    history.model.stored[effect.place] = changed
    tables = history.store.tables
    tables.engine.faults.meanwhile = lambda: tables.put(
        kind.table, kind.encode(changed)
    )
    return True


def _parameters(
    history: History, writer: Writer, proof: Pattern
) -> tuple[dict[str, Any], Sequence[Any]]:
    """Parameters of a call, and the items that they were aimed at."""
    targets: dict[type[Any], Any] = {}
    found = {}
    for name, drawn in proof.drawn.items():
        match drawn:
            case Kind() as kind:
                found[name] = history.item(kind)
            case (Kind() as kind, str() as attribute):
                if kind.type not in targets:
                    targets[kind.type] = history.target(kind)
                found[name] = _value(writer, kind, targets[kind.type], attribute)
            case _:
                found[name] = history.data.draw(drawn)
    return found, list(targets.values())


def _value(writer: Writer, kind: Kind, item: Any, attribute: str) -> Any:
    """An attribute of an item; its version as the writer saw it last, which may be stale."""
    if kind.version is None or attribute != kind.version[0]:
        return getattr(item, attribute)
    copy = writer.copies.get(place_of(kind, item))
    return "none" if copy is None else getattr(copy, attribute)


def _sweep(history: History, proof: SweepProof) -> None:
    writer, kind = history.writer(), proof.kinds[0]
    items = list(history.model.stored.values())
    known = proof.mine(items) or history.pool(kind)
    sample = history.data.draw(st.sampled_from(list(proof.calls))).parameters
    parameters = draws.parameters(history.data, sample, proof.sources, known)
    note(f"{type(proof).__name__} with {parameters!r}")
    effects = [
        Effect.deleting(kind, item) for item in proof.expected(items, parameters)
    ]
    history.write(
        writer, effects, lambda: proof.read(writer.db, **parameters), faults=OF_BATCHES
    )
