"""One way to call both kinds of repository: the blocking one, and the one that is awaited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


class Orders(Protocol):
    """The orders, each call awaited."""

    async def create(self, order: Any) -> Any:
        """Store a new order."""

    async def update(self, order: Any, **changes: Any) -> Any:
        """Change an order."""

    async def delete(self, order: Any) -> Any:
        """Delete an order."""

    async def get(self, **key: Any) -> Any:
        """One order by its key."""

    async def page(self, pattern: str, **parameters: Any) -> list[Any]:
        """The first page of what a pattern finds."""


@dataclass(frozen=True, slots=True)
class Blocking:
    """The blocking repository; nothing that is awaited here ever waits."""

    repository: Any

    async def create(self, order: Any) -> Any:
        """Store a new order."""
        return self.repository.create(order)

    async def update(self, order: Any, **changes: Any) -> Any:
        """Change an order."""
        return self.repository.update(order, **changes)

    async def delete(self, order: Any) -> Any:
        """Delete an order."""
        return self.repository.delete(order)

    async def get(self, **key: Any) -> Any:
        """One order by its key."""
        return self.repository.get(**key)

    async def page(self, pattern: str, **parameters: Any) -> list[Any]:
        """The first page of what a pattern finds."""
        return list(
            getattr(self.repository, pattern)(**parameters).page(limit=20).items
        )


@dataclass(frozen=True, slots=True)
class Awaited:
    """The repository on aiobotocore."""

    repository: Any

    async def create(self, order: Any) -> Any:
        """Store a new order."""
        return await self.repository.create(order)

    async def update(self, order: Any, **changes: Any) -> Any:
        """Change an order."""
        return await self.repository.update(order, **changes)

    async def delete(self, order: Any) -> Any:
        """Delete an order."""
        return await self.repository.delete(order)

    async def get(self, **key: Any) -> Any:
        """One order by its key."""
        return await self.repository.get(**key)

    async def page(self, pattern: str, **parameters: Any) -> list[Any]:
        """The first page of what a pattern finds."""
        found = await getattr(self.repository, pattern)(**parameters).page(limit=20)
        return list(found.items)
