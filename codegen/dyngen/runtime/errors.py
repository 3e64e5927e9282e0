"""The errors that repositories raise themselves.

Messages never hold the contents of items, for they end up in logs; of an item that no entity accounts
for, its key is named.
"""

from __future__ import annotations

from collections.abc import Sequence


class RepositoryError(Exception):
    """Base of all errors that repositories raise themselves."""


class InvalidValue(RepositoryError, ValueError):
    """A value that cannot be stored; nothing was sent.

    `attribute` is the attribute or the parameter that it was given for; "" where that is not one.
    """

    attribute = ""

    def of(self, attribute: str) -> InvalidValue:
        """This error, of this attribute or parameter unless it knows a closer one."""
        self.attribute = self.attribute or attribute
        return self

    def __str__(self) -> str:
        said = super().__str__()
        return f"`{self.attribute}`: {said}" if self.attribute else said


class KeyValueError(InvalidValue):
    """A value that cannot be part of a key; nothing was sent."""


class InvalidRequest(InvalidValue):
    """Values that can be stored, but not by one request, such as two actions of a transaction on
    one item; nothing was sent."""


class InvalidCursor(RepositoryError, ValueError):
    """The cursor is not one that this query, with these parameters, gave out."""


class ItemNotFound(RepositoryError):
    """There is no item with this key."""

    def __init__(self, message: str = "there is no item with this key") -> None:
        super().__init__(message)


class ConditionFailed(RepositoryError):
    """A write was refused because the stored item is not as expected.

    `current` is the item as it is stored now, or None if there is none.
    `outcome_unknown`: the request had been repeated, and nothing tells this write's own effect from
    another's, so the write may have succeeded the first time.
    """

    message = "the stored item is not as expected"

    def __init__(
        self, current: object | None = None, *, outcome_unknown: bool = False
    ) -> None:
        super().__init__(self.message)
        self.current = current
        self.outcome_unknown = outcome_unknown


class ItemExists(ConditionFailed):
    """An item with this key is already stored."""

    message = "an item with this key is already stored"


class StaleItem(ConditionFailed):
    """The item has changed since it was read, or is gone."""

    message = "the item has changed since it was read, or is gone"


class GuardFailed(ConditionFailed):
    """The item exists, but the pattern's guard does not hold for it."""

    message = "the guard does not hold for the stored item"


class UniqueTaken(RepositoryError):
    """Another item already has these values of attributes that are unique together."""

    def __init__(self, *attributes: str) -> None:
        super().__init__(*attributes)
        self.attributes = attributes

    def __str__(self) -> str:
        return f"another item already has this {' and '.join(self.attributes)}"


class BatchIncomplete(RepositoryError):
    """DynamoDB left a part of a batch unprocessed, after all retries.

    `not_written` and `not_read` hold what remains: the requests as they were sent.
    """

    def __init__(
        self, not_written: Sequence[object] = (), not_read: Sequence[object] = ()
    ) -> None:
        super().__init__(not_written, not_read)
        self.not_written = tuple(not_written)
        self.not_read = tuple(not_read)

    def __str__(self) -> str:
        return (
            f"{len(self.not_written)} items not written, "
            f"{len(self.not_read)} keys not read after all retries"
        )


class MultipleItems(RepositoryError):
    """A second item matches where the pattern promises one."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.pattern = pattern

    def __str__(self) -> str:
        return f"{self.pattern}: more than one item matches"


class TooManyItems(RepositoryError):
    """More items were read than the pattern allows (`at_most`)."""

    def __init__(self, pattern: str, at_most: int) -> None:
        super().__init__(pattern, at_most)
        self.pattern = pattern
        self.at_most = at_most

    def __str__(self) -> str:
        return f"{self.pattern}: more than {self.at_most} items were read"


class UnknownItem(RepositoryError):
    """A stored item that no entity accounts for; `key` is its key as stored."""

    def __init__(self, key: object) -> None:
        super().__init__(key)
        self.key = key

    def __str__(self) -> str:
        return f"no entity accounts for the stored item with the key {self.key!r}"


class StoredValueError(RepositoryError, ValueError):
    """A stored attribute that cannot be decoded."""

    def __init__(self, attribute: str, expected: str) -> None:
        super().__init__(attribute, expected)
        self.attribute = attribute
        self.expected = expected

    def __str__(self) -> str:
        return f"stored attribute {self.attribute!r} is not {self.expected}"


class TransactionConflict(RepositoryError):
    """Other writes of the same item were under way, through all attempts."""

    def __init__(
        self, message: str = "other writes of the same item were under way"
    ) -> None:
        super().__init__(message)


class TransactionFailed(RepositoryError):
    """A transaction was cancelled; nothing was written.

    `reasons` holds one error for each member of the transaction, in order: None where that member
    was not the cause. An error tells what the member alone would have raised (ItemExists,
    ItemNotFound, GuardFailed with the current item, UniqueTaken), or is a TransactionConflict.
    """

    def __init__(self, *reasons: RepositoryError | None) -> None:
        super().__init__(*reasons)
        self.reasons = reasons

    def __str__(self) -> str:
        causes = (
            f"member {number}: {reason}"
            for number, reason in enumerate(self.reasons, start=1)
            if reason is not None
        )
        return f"the transaction was cancelled; {'; '.join(causes)}"
