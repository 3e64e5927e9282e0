"""A package that was built from an inline spec, with its tables on moto; and refusals of such specs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from dyngen.compile import compile_spec
from dyngen.testkit.reads import Recorder

HEAD = "dyngen: 1\nservice: shop\n"
NOW = dt.datetime(2026, 7, 1, 12, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Running:
    """The package, and the client that its tables are behind."""

    package: ModuleType
    client: Any

    def db(self, client: Any = None) -> Any:
        """The service object, at a time that stands still and without waits."""
        environment = self.package._runtime.clock.Environment(
            clock=lambda: NOW, sleep=lambda _: None
        )
        return self.package.Shop(client or self.client, environment=environment)

    def stored(self, table: str, index: str | None = None) -> list[dict[str, Any]]:
        """All that a table or an index holds, in DynamoDB's form."""
        where = {"IndexName": index} if index else {}
        pages = self.client.get_paginator("scan").paginate(TableName=table, **where)
        return [item for page in pages for item in page["Items"]]

    @contextmanager
    def recorded(self) -> Iterator[Recorder]:
        """What is asked of DynamoDB inside, and what it read."""
        recorder, events = Recorder(), self.client.meta.events
        hooks = {
            "provide-client-params.dynamodb.*": recorder.on_request,
            "after-call.dynamodb.*": recorder.on_response,
        }
        for event, hook in hooks.items():
            events.register(event, hook)
        yield recorder
        for event, hook in hooks.items():
            events.unregister(event, hook)


def refusals(spec: str) -> list[tuple[str, str, str]]:
    """Code, message and all remedies of what is wrong with a spec."""
    design, found = compile_spec(HEAD + spec, "shop.yaml")
    assert design is None
    return [(d.code, d.message, "\n".join(d.help)) for d in found]
