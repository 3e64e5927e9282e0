"""What a call does to an item, said in plain Python: nothing of expressions, or of index keys."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from .store import Kind

Place: TypeAlias = tuple[type[Any], tuple[Any, ...]]
"""Where an item is: its entity and the values of its key."""


def always(item: Any) -> bool:
    """The condition of what has none."""
    return True


def never(item: Any) -> bool:
    """The condition of what may be done only where there is no item."""
    return False


def place_of(kind: Kind, item: Any) -> Place:
    """Where an item is."""
    return kind.type, tuple(kind.key(item).values())


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call does to one item.

    Attributes:
        kind: the entity.
        key: the item's key, as arguments of `get`.
        result: what becomes of the item; None if it is deleted.
        holds: whether the call may do that to the item that is there, whatever its version.
        made: what is there afterwards if there was nothing.
        refusal: the name of the error where `holds` is false.
        missing: the name of the error where there is nothing and nothing is `made`; None if that is
            as good as done.
        writes: whether the item is written; if not, it is only read, or checked.
        version: the version that the item must have, where the call asks for one.
    """

    kind: Kind
    key: Mapping[str, Any]
    result: Callable[[Any], Any]
    holds: Callable[[Any], bool] = always
    made: Any = None
    refusal: str = "GuardFailed"
    missing: str | None = "ItemNotFound"
    writes: bool = True
    version: str | None = None

    @classmethod
    def creating(cls, kind: Kind, item: Any) -> Effect:
        """A new item is stored."""
        return cls(
            kind,
            kind.key(item),
            lambda there: there,
            holds=never,
            made=item,
            refusal="ItemExists",
        )

    @classmethod
    def storing(cls, kind: Kind, item: Any) -> Effect:
        """An item is stored, whatever was there."""
        return cls(kind, kind.key(item), lambda _: item, made=item)

    @classmethod
    def deleting(cls, kind: Kind, item: Any) -> Effect:
        """An item is deleted, if it is there."""
        return cls(kind, kind.key(item), lambda _: None, missing=None)

    def allows(self, item: Any) -> bool:
        """Whether the call may do that to the item that is there."""
        versions = self.kind.version_of(item).values()
        asked = self.version is None or self.version in versions
        return asked and self.holds(item)

    def moved(self, like: Any) -> Any:
        """The item, put where the effect is; what is computed in the key stays its own."""
        fields = {each.name for each in dataclasses.fields(like)}
        given = {name: each for name, each in self.key.items() if name in fields}
        return dataclasses.replace(like, **given)

    @property
    def place(self) -> Place:
        """Where the item is."""
        return self.kind.type, tuple(self.key.values())


def with_versions(
    proof: Any, parameters: Mapping[str, Any], stored: Iterable[Any]
) -> dict[str, Any]:
    """The parameters of a pattern or transaction, with the versions that the stored items have.

    `proof.versions` says which parameter asks for a version, and which effect is of that item.
    """
    found = dict(parameters)
    effects = proof.effects(**parameters)
    there = list(stored)
    for name, number in proof.versions.items():
        kind, place = effects[number].kind, effects[number].place
        for item in there:
            if isinstance(item, kind.type) and place_of(kind, item) == place:
                [found[name]] = kind.version_of(item).values()
    return found
