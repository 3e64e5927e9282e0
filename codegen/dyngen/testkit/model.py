"""What should be stored, in a plain dictionary, and what a call should make of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .effects import Effect, Place, place_of
from .store import Kind


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one item's part in a call is refused: the error's name, and what it must say."""

    error: str
    current: Any = None
    attributes: tuple[str, ...] = ()

    def fits(self, error: Exception | None) -> bool:
        """Whether this is the error."""
        return (
            type(error).__name__ == self.error
            and getattr(error, "current", None) == self.current
            and getattr(error, "attributes", ()) == self.attributes
        )


@dataclass(frozen=True, slots=True)
class Expected:
    """What should come of a call.

    Attributes:
        changes: the items that are then there, or None where there is then none.
        refusals: one for each effect; None where it may be carried out.
    """

    changes: Mapping[Place, Any]
    refusals: Sequence[Refusal | None]

    @property
    def refused(self) -> bool:
        """Whether nothing may be written."""
        return any(self.refusals)

    @property
    def first(self) -> Refusal | None:
        """The first refusal."""
        return next((each for each in self.refusals if each is not None), None)


@dataclass(slots=True)
class Model:
    """The items that should be stored, each as it is stored."""

    stored: dict[Place, Any] = field(default_factory=dict)

    def of(self, kind: Kind) -> list[Any]:
        """The items of an entity."""
        return [item for (type_, _), item in self.stored.items() if type_ is kind.type]

    def expected(self, effects: Sequence[Effect]) -> Expected:
        """What should come of a call with these effects."""
        changes: dict[Place, Any] = {}
        refusals = [self._refusal(effect) for effect in effects]
        for effect, refusal in zip(effects, refusals, strict=True):
            if refusal is None and effect.writes:
                changes |= self._changes(effect)
        taken = [
            refusal or self._taken(effect, changes)
            for effect, refusal in zip(effects, refusals, strict=True)
        ]
        return Expected(changes, taken)

    def _refusal(self, effect: Effect) -> Refusal | None:
        current = self.stored.get(effect.place)
        if current is None:
            if effect.made is not None or effect.missing is None:
                return None
            return Refusal(effect.missing)
        if not effect.allows(current):
            return Refusal(effect.refusal, current)
        after = effect.result(current)
        if after is None or place_of(effect.kind, after) == effect.place:
            return None
        there = self.stored.get(place_of(effect.kind, after))
        return None if there is None else Refusal("ItemExists", there)

    def _changes(self, effect: Effect) -> dict[Place, Any]:
        current = self.stored.get(effect.place)
        after = effect.made if current is None else effect.result(current)
        found = {effect.place: None}
        if after is not None:
            found[place_of(effect.kind, after)] = after
        return found

    def _taken(self, effect: Effect, changes: Mapping[Place, Any]) -> Refusal | None:
        """The refusal of a value that must be unique and is not."""
        after = {**self.stored, **changes}
        for place, item in self._of(effect.kind, changes):
            others = [
                other for at, other in self._of(effect.kind, after) if at != place
            ]
            taken = effect.kind.taken(item, others)
            if taken is not None:
                return Refusal("UniqueTaken", attributes=taken.attributes)
        return None

    def _of(
        self, kind: Kind, items: Mapping[Place, Any]
    ) -> Iterator[tuple[Place, Any]]:
        for place, item in items.items():
            if place[0] is kind.type and item is not None:
                yield place, item
