"""What a suite says anew of the templates, so that they are compared with it."""

from __future__ import annotations

from collections.abc import Iterable

from dyngen.cloudformation.access import Access, accesses
from dyngen.cloudformation.iam import POLICY, READ_ONLY_POLICY
from dyngen.cloudformation.settings import time_to_live
from dyngen.design.model import Schema
from dyngen.design.plans import Design

Permits = dict[str, tuple[str, ...]]
"""The actions that a policy allows, by table (`Orders`) or index (`Orders/index/ByStatus`)."""


def times_to_live(schema: Schema) -> dict[str, str]:
    """The attribute by which items expire, of the tables that have one."""
    specified = ((table.name, time_to_live(table.settings)) for table in schema.tables)
    return {name: each["AttributeName"] for name, each in specified if each}


def permits(design: Design) -> dict[str, Permits]:
    """What each policy must allow, and no more."""
    found = list(accesses(design))
    reading = [access for access in found if access.reading]
    return {POLICY: _of(found)} | ({READ_ONLY_POLICY: _of(reading)} if reading else {})


def _of(found: Iterable[Access]) -> Permits:
    actions: dict[str, set[str]] = {}
    for access in found:
        index = "" if access.index is None else f"/index/{access.index}"
        actions.setdefault(f"{access.table}{index}", set()).add(access.action)
    return {place: tuple(sorted(actions[place])) for place in sorted(actions)}
