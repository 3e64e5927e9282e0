"""Specs with one node replaced by another: what a surprised stage has to survive."""

import random
from collections.abc import Iterator

from dyngen.diagnostics.model import Span
from dyngen.source.nodes import Entry, Mapping, Node, Scalar, Sequence

AT = Span("spec.yaml", 1, 1, 1, 2)

JUNK: tuple[Node, ...] = (
    Scalar("", AT),
    Scalar("x", AT),
    Scalar("a.b.c", AT),
    Scalar("{", AT),
    Scalar("X#{nope}", AT),
    Scalar("now", AT),
    Scalar("enum", AT),
    Scalar("{shard}", AT),
    Scalar(0, AT),
    Scalar(-1, AT),
    Scalar(10**40, AT),
    Scalar(True, AT),
    Scalar(False, AT),
    Sequence((), AT),
    Sequence((Scalar("x", AT), Scalar("x", AT)), AT),
    Sequence((Sequence((), AT), Mapping((), AT)), AT),
    Mapping((), AT),
    Mapping((Entry(Scalar("value", AT), Scalar("x", AT)),), AT),
    Mapping((Entry(Scalar("type", AT), Scalar("list", AT)),), AT),
    Mapping((Entry(Scalar("not", AT), Mapping((), AT)),), AT),
)


def size(node: Node) -> int:
    """The number of nodes in a tree."""
    return 1 + sum(size(child) for child in children(node))


def children(node: Node) -> Iterator[Node]:
    match node:
        case Sequence(items=items):
            yield from items
        case Mapping(entries=entries):
            yield from (entry.value for entry in entries)


def damaged(node: Node, chance: random.Random) -> Node:
    """The tree with one node replaced, dropped, renamed, or swapped for another of the tree."""
    nodes = list(walk(node))
    at = chance.randrange(1, len(nodes))
    target = nodes[at]
    new = chance.choice([*JUNK, chance.choice(nodes)])
    if isinstance(target, Mapping) and target.entries and chance.random() < 0.5:
        entries = list(target.entries)
        which = chance.randrange(len(entries))
        if chance.random() < 0.5:
            del entries[which]
        else:
            key = Scalar(chance.choice(["x", "state", "name", "id", "PK"]), AT)
            entries[which] = Entry(key, entries[which].value)
        new = Mapping(tuple(entries), target.span)
    replaced = replace_nth(node, at, new)
    assert replaced is not None
    return replaced


def walk(node: Node) -> Iterator[Node]:
    yield node
    for child in children(node):
        yield from walk(child)


def replace_nth(node: Node, at: int, new: Node) -> Node:
    """The tree with its node number `at` (in the order of `walk`) replaced."""
    if at == 0:
        return new
    at -= 1
    match node:
        case Sequence(items=items, span=span):
            made = []
            for item in items:
                inside = 0 <= at < size(item)
                made.append(replace_nth(item, at, new) if inside else item)
                at -= size(item)
            return Sequence(tuple(made), span)
        case Mapping(entries=entries, span=span):
            pairs = []
            for entry in entries:
                inside = 0 <= at < size(entry.value)
                value = replace_nth(entry.value, at, new) if inside else entry.value
                pairs.append(Entry(entry.key, value))
                at -= size(entry.value)
            return Mapping(tuple(pairs), span)
        case _:
            return node
