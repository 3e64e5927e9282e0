"""Access patterns as written."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from dyngen.spec.conditions import read_operand, read_where, split_entity
from dyngen.spec.model import (
    AccessPattern,
    Action,
    Assignment,
    Filter,
    Hydrate,
    Name,
    OrderBy,
    PageSize,
    Param,
)
from dyngen.spec.nodes import Reading, joined, name_of, part_of

_VERBS = tuple(action for action in Action if action is not Action.DELETE)


def read_pattern(reading: Reading, entry: Entry) -> AccessPattern | None:
    """One access pattern."""
    name = name_of(entry)
    return _pattern(reading, name, entry.value)


def _pattern(
    reading: Reading, name: Name | None, node: Node, *, member: bool = False
) -> AccessPattern | None:
    """A pattern, or a member of a transaction, which bears its verb as name."""
    fields = reading.fields(node, "an access pattern")
    action = _action(reading, fields, node) if isinstance(node, Mapping) else None
    if action is None:
        return None
    target = fields[action]
    verb = _key(reading, node, action)
    name = name or verb
    where, guard = fields.get("where"), fields.get("guard")
    delete_from = None if action is Action.DELETE else fields.get("delete")

    def assignments(node: Node | None) -> tuple[Assignment, ...]:
        return tuple(_assignments(reading, node, member))

    return AccessPattern(
        name=name,
        action=action,
        entities=() if action is Action.TRANSACT else reading.name_or_names(target),
        span=name.span,
        where=read_where(reading, where, transaction=member),
        description=reading.text(fields.get("description")),
        order_by=tuple(_order_by(reading, fields.get("order_by"))),
        page_size=_page_size(reading, fields.get("page_size")),
        one=_one(reading, fields.get("one")),
        optional=tuple(
            reading.name_or_names(group)
            for group in reading.items(fields.get("optional"), "a list of attributes")
        ),
        filter=_filter(reading, fields.get("filter")),
        at_most=reading.count(fields.get("at_most")),
        max_items=reading.count(fields.get("max_items")),
        consistent=reading.flag(fields.get("consistent")),
        select=reading.names(fields.get("select")),
        hydrate=_hydrate(reading, fields.get("hydrate")),
        index=reading.name(fields.get("index")),
        expired=reading.text(fields.get("expired")) or None,
        fan_out=reading.count(fields.get("fan_out")),
        set=assignments(fields.get("set")),
        remove=reading.names(fields.get("remove")),
        add=assignments(fields.get("add")),
        append=assignments(fields.get("append")),
        delete_from=assignments(delete_from),
        guard=read_where(reading, guard, transaction=member),
        upsert=reading.flag(fields.get("upsert")),
        read_first=reading.flag(fields.get("read_first")),
        each=reading.flag(fields.get("each")),
        members=tuple(_members(reading, target)) if action is Action.TRANSACT else (),
        ignores=reading.ignores(fields.get("lint")),
    )


def _action(reading: Reading, fields: dict[str, Node], node: Node) -> Action | None:
    """The verb; `delete` beside another one names what is deleted from sets."""
    verbs = [verb for verb in _VERBS if verb in fields]
    if len(verbs) == 1:
        return verbs[0]
    if not verbs and Action.DELETE in fields:
        return Action.DELETE
    if not verbs:
        reading.expected(
            node, "a pattern with `get`, `query`, `update` or another verb"
        )
    else:
        second = _key(reading, node, verbs[1])
        reading.report(
            "DG044",
            f"a pattern does one thing: this one says `{verbs[0]}` and `{verbs[1]}`",
            second.span,
            "make two patterns of it, or members of a `transact`",
        )
    return None


def _key(reading: Reading, node: Node, word: str) -> Name:
    entry = next(e for e in reading.entries(node) if e.key.value == word)
    return name_of(entry)


def _members(reading: Reading, node: Node) -> Iterator[AccessPattern]:
    for item in reading.items(node, "a list of actions"):
        member = _pattern(reading, None, item, member=True)
        if member is not None:
            yield member


def _order_by(reading: Reading, node: Node | None) -> Iterator[OrderBy]:
    for written in reading.name_or_names(node):
        word, _, direction = written.text.partition(" ")
        if direction not in ("", "asc", "desc"):
            reading.report(
                "DG045",
                f"`{direction}` is no direction",
                part_of(written, len(word) + 1, len(written.text)),
                "write `asc`, `desc` or nothing after the attribute; "
                "several attributes are a list",
            )
            continue
        whole = Name(word, part_of(written, 0, len(word)))
        entity, attribute = split_entity(reading, whole)
        yield OrderBy(attribute, direction == "desc", written.span, entity)


def _page_size(reading: Reading, node: Node | None) -> PageSize | None:
    if node is None:
        return None
    if isinstance(node, Scalar):
        number = reading.count(node)
        return None if number is None else PageSize(number, None, node.span)
    fields = reading.fields(node, "a number, or a mapping with `default` and `max`")
    default, most = reading.count(fields.get("default")), fields.get("max")
    if default is None:
        return None
    size = PageSize(default, reading.count(most), node.span)
    if most is not None and size.max is not None and size.max < default:
        reading.report(
            "DG046",
            f"the default page size, {default}, is more than the greatest, {size.max}",
            most.span,
        )
    return size


def _one(reading: Reading, node: Node | None) -> str | None:
    match node:
        case None | Scalar(value=False):
            return None
        case Scalar(value=True):
            return "true"
        case Scalar(value="first"):
            return "first"
        case _:
            reading.expected(node, "`true` or `first`")
            return None


def _filter(reading: Reading, node: Node | None) -> Filter | None:
    if node is None:
        return None
    fields = reading.fields(node, "a mapping with `where`, and `at_most` or `hit_rate`")
    where = read_where(reading, fields.get("where"))
    if where is None:
        reading.expected(node, "a mapping with `where`, and `at_most` or `hit_rate`")
        return None
    rate = fields.get("hit_rate")
    return Filter(
        where,
        node.span,
        at_most=reading.count(fields.get("at_most")),
        hit_rate=str(rate.value) if isinstance(rate, Scalar) else None,
    )


def _hydrate(reading: Reading, node: Node | None) -> Hydrate | None:
    match node:
        case None | Scalar(value=False):
            return None
        case Scalar(value=True):
            return Hydrate(node.span)
    for entry in reading.entries(node, "true, or a mapping from an entity to its key"):
        pairs = (
            (name_of(pair), reading.name(pair.value, "an attribute"))
            for pair in reading.entries(entry.value, "a mapping between attributes")
        )
        key = tuple((theirs, ours) for theirs, ours in pairs if ours is not None)
        return Hydrate(node.span, name_of(entry), key)
    return None


def _assignments(
    reading: Reading, node: Node | None, transaction: bool
) -> Iterator[Assignment]:
    """`[room, note]` makes all of them parameters; a mapping says what each becomes."""
    if isinstance(node, Sequence):
        for name in reading.names(node):
            yield Assignment(name, Param(name.span), name.span)
        return
    for entry in reading.entries(node, "a mapping from attribute to value"):
        operand = read_operand(reading, entry.value, transaction=transaction)
        if operand is not None:
            name = name_of(entry)
            yield Assignment(name, operand, joined(name.span, entry.value.span))
