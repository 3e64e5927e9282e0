"""What came of a call, held against what should have come of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .effects import Effect, Place
from .model import Expected, Model
from .store import Kind, Store
from .tables import canonical


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of a call.

    Attributes:
        returned: by the method; None if it raised.
        error: what it raised, of the errors that repositories raise themselves.
        repeated: a request was repeated.
        lost: a response was lost after the engine did its work.
        conflicts: transactions were cancelled since others wrote the same items.
    """

    returned: Any
    error: Exception | None
    repeated: bool
    lost: bool
    conflicts: bool


def attempt(store: Store, call: Callable[[], Any], fault: Mapping[str, int]) -> Attempt:
    """Make a call while things go wrong as `fault` says."""
    faults = store.tables.engine.faults
    for name, count in fault.items():
        setattr(faults, name, count)
    returned, error = None, None
    try:
        returned = call()
    except store.suite.errors.RepositoryError as raised:
        error = raised
    found = Attempt(
        returned,
        error,
        repeated=faults.repeated,
        lost=faults.lost < fault.get("lost", 0),
        conflicts=faults.conflicts < fault.get("conflicts", 0),
    )
    faults.clear()
    return found


@dataclass(slots=True)
class Judge:
    """Holds outcomes against the model, and keeps the model true.

    After a call whose response was lost, or that was left undone in part, the model takes what is
    stored, if that is either the state before or the state after.
    """

    store: Store
    model: Model

    def settle(
        self,
        effects: Sequence[Effect],
        expected: Expected,
        found: Attempt,
        *,
        stale: Any = None,
        raced: bool = False,
        silent: bool = False,
    ) -> None:
        """Take over what a call did.

        `stale`: the copy that the call was made with. If it is not the current item, the call may
        be refused for that. `raced`: someone else has changed the item meanwhile. `silent`: the
        call need not return the item.
        """
        errors, error = self.store.suite.errors, found.error
        unknown = getattr(error, "outcome_unknown", False)
        assert found.repeated or not unknown, "an unknown outcome without a cause"
        if isinstance(error, errors.InvalidRequest):
            # Two parameters led to one place of the item; nothing was sent.
            assert "of the same place" in str(error)
        elif error is None and not expected.refused:
            self._take(effects, expected, found, silent=silent)
        elif error is None:
            # A delete that was repeated takes an item that is not there for its own work.
            assert found.repeated, "nothing was refused"
            assert found.returned is None
            assert all(self.model.stored.get(each.place) is None for each in effects)
        elif isinstance(error, errors.BatchIncomplete):
            self._partly(expected, error.not_written)
        elif unknown and (raced or effects[0].kind.version is None):
            current = self.model.stored.get(effects[0].place)
            raced = raced or (stale is not None and stale != current)
            self._unknown(expected, found, raced=raced)
        elif self._conflict(error):
            assert found.conflicts, "a conflict with nobody"
        elif stale is not None and isinstance(error, errors.StaleItem):
            current = self.model.stored.get(effects[0].place)
            assert current != stale, "refused, though the copy is current"
            assert error.current == current
        else:
            self._refused(expected, error)

    # --- refusals ---------------------------------------------------------------------------------

    def _refused(self, expected: Expected, error: Exception) -> None:
        """The error is the one that should be, and says what it should."""
        assert expected.refused, f"refused without a reason: {error!r}"
        if not isinstance(error, self.store.suite.errors.TransactionFailed):
            assert expected.first is not None
            assert expected.first.fits(error), f"{error!r} instead of {expected.first}"
            return
        assert any(error.reasons)
        for refusal, reason in zip(expected.refusals, error.reasons, strict=True):
            if reason is not None:
                assert refusal is not None, f"refused without a reason: {reason!r}"
                assert refusal.fits(reason), f"{reason!r} instead of {refusal}"

    def _conflict(self, error: Exception) -> bool:
        reasons = getattr(error, "reasons", (error,))
        conflict = self.store.suite.errors.TransactionConflict
        return all(each is None or isinstance(each, conflict) for each in reasons)

    def _unknown(self, expected: Expected, found: Attempt, *, raced: bool) -> None:
        """The request was repeated, and no token told this write from others.

        If it was not `raced`, only its own effect can have been in its way.
        """
        if expected.refused:
            return
        assert raced or found.lost, "a repeated request was refused without a reason"
        self._keep(self._written(expected) if raced else expected.changes)

    # --- what was done ----------------------------------------------------------------------------

    def _take(
        self,
        effects: Sequence[Effect],
        expected: Expected,
        found: Attempt,
        *,
        silent: bool,
    ) -> None:
        """All was done. Where nothing tells a repetition, it may have been done twice."""
        before = {place: self.model.stored.get(place) for place in expected.changes}
        changes = dict(expected.changes)
        if found.lost and not silent and effects[0].kind.version is None:
            changes |= self._twice(effects[0], changes)
        self._keep(changes)
        if isinstance(found.returned, int):
            assert found.returned == len(effects)
        elif not (silent and found.returned is None):
            self._assert_returned(found, before)

    def _twice(self, effect: Effect, changes: Mapping[Place, Any]) -> dict[Place, Any]:
        """The item if the call was carried out a second time, and that is what is stored."""
        once = changes.get(effect.place)
        if once is None or not effect.holds(once):
            return {}
        twice = effect.result(once)
        if twice == once or twice is None:
            return {}
        twice = self._with_token(effect.kind, twice)
        return {effect.place: twice} if self._is_stored(twice) else {}

    def _assert_returned(self, found: Attempt, before: Mapping[Place, Any]) -> None:
        """What was returned is what is stored; of what was deleted, what was stored."""
        after = [self.model.stored.get(place) for place in before]
        known = [item for item in after if item is not None] or list(before.values())
        if found.repeated and not any(after):
            known.append(None)
        returned = found.returned
        for item in returned if isinstance(returned, tuple) else (returned,):
            assert item in known, f"{item!r} was returned instead of {known!r}"

    def _keep(self, changes: Mapping[Place, Any]) -> None:
        for place, item in changes.items():
            if item is None:
                self.model.stored.pop(place, None)
                continue
            kind = self.store.suite.kind(item)
            kept = self._with_token(kind, item)
            before = self.model.stored.get(place)
            if before is not None and kind.version is not None:
                versions = kind.version_of(kept), kind.version_of(before)
                assert versions[0] != versions[1], "a write left the version as it was"
            self.model.stored[place] = kept

    def _with_token(self, kind: Kind, item: Any) -> Any:
        """The item with what every write sets: the time, and the token that is stored."""
        written = dataclasses.replace(item, **kind.clocked)
        if kind.version is None:
            return written
        raw = self.store.raw(kind.with_version(written, "a token"))
        assert raw is not None, f"{item!r} is not stored"
        return kind.with_version(written, raw[kind.version[1]]["S"])

    def _is_stored(self, item: Any) -> bool:
        kind = self.store.suite.kind(item)
        return self.store.raw(item) == canonical(kind.encode(item))

    def _partly(self, expected: Expected, left: Sequence[Any]) -> None:
        """A batch was given up. What was not written is as it was, and is said to be left."""
        written = self._written(expected)
        assert len(expected.changes) - len(written) <= len(left)
        self._keep(written)

    def _written(self, expected: Expected) -> dict[Place, Any]:
        """Those of the changes that are stored."""
        return {
            place: item
            for place, item in expected.changes.items()
            if self._was_written(place, item)
        }

    def _was_written(self, place: Place, item: Any) -> bool:
        before = self.model.stored.get(place)
        if item is None:
            return before is None or self.store.raw(before) is None
        kind = self.store.suite.kind(item)
        if self.store.raw(kind.with_version(item, "a token")) is None:
            return False
        written = self._with_token(kind, item)
        token = kind.version_of(written)
        if token and before is not None and token == kind.version_of(before):
            return False
        return self._is_stored(written)
