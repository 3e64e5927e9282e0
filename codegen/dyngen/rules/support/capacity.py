"""The capacity that a table or index is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dyngen.design.dump import plain
from dyngen.source.nodes import Mapping as MappingNode
from dyngen.source.nodes import Node


@dataclass(frozen=True, slots=True)
class Capacity:
    """Units a second; with autoscaling, the most that it gives."""

    read: int
    write: int


def capacity(settings: Mapping[str, Node]) -> Capacity | None:
    """The provisioned capacity that is stated; None for on-demand billing."""
    node = settings.get("billing")
    if not isinstance(node, MappingNode):
        return None
    billing = plain(node)
    scaled = billing.get("autoscaling")
    if scaled:
        return Capacity(scaled["max"], scaled["max"])
    return Capacity(billing["read"], billing["write"])


def warm_throughput(settings: Mapping[str, Node]) -> Capacity:
    """The throughput that is ready at once; 0 where nothing is stated."""
    node = settings.get("warm_throughput")
    stated = plain(node) if isinstance(node, MappingNode) else {}
    return Capacity(stated.get("read", 0), stated.get("write", 0))
