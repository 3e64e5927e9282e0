"""What each write does to each computed key, where the key's inputs come from, and what makes that safe.

One row for each write and key: `dyngen explain` prints them, and docs/keys.md shows those of a spec. The
markers of unique values have rows, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from dyngen.design.after import written
from dyngen.design.derived import inputs_behind, table_key_inputs
from dyngen.design.describe import WritePlan, braced, key_write
from dyngen.design.keywrites import touched, write_derived
from dyngen.design.markers import marker_attributes, marker_scope
from dyngen.design.model import Condition, Entity, Test
from dyngen.design.plans import (
    DerivedKey,
    Design,
    EntityWrites,
    KeyWrite,
    MovePlan,
    TransactMember,
    TransactPlan,
    UpdatePlan,
    ValueWrite,
)
from dyngen.design.words import conjunction
from dyngen.diagnostics.suggest import listed
from dyngen.keys.model import Given
from dyngen.spec.model import Action

_AS_READ = "the item is still as it was read"
_EXISTS = "the item exists"
_FREE = "no item has its key"
_UNIQUE = "no other item has the value"
_COPY = "the copy that was read"
_ITEM = "the item that was read, changed as the call says"
_WHOLE = ("create", "put", "batch_write")


@dataclass(frozen=True, slots=True)
class PlannedKey:
    """One write and one computed key, or one marker, in words.

    Attributes:
        write: the pattern, or the repository's methods.
        key: what becomes of the key.
        inputs: where that is known from; empty where nothing need be known.
        condition: what the stored item must be like, or the write is refused; empty for none.
    """

    write: str
    key: str
    inputs: str
    condition: str


def repository_keys(design: Design) -> Iterator[PlannedKey]:
    """The rows of the methods that every repository has."""
    for writes in design.writes:
        entity = design.schema.entity(writes.entity)
        whole = [name for name in _WHOLE if name in entity.operations]
        if whole:
            condition = f"(create) {_FREE}" if "create" in whole else ""
            name = ", ".join((f"{entity.name}.{whole[0]}", *whole[1:]))
            yield from _whole(design, entity, name, condition)
        if "create" in entity.operations:
            yield from _marked(design, entity, f"{entity.name}.create", "the item")
        if "update" in entity.operations:
            yield from _of_copies(entity, writes)
            yield from _remarked(
                design,
                entity,
                f"{entity.name}.update",
                writes.changeable,
                (f"the changes, and {_COPY}", _AS_READ),
            )
        if "delete" in entity.operations:
            for marker in _markers(design, entity):
                name = f"{entity.name}.delete"
                yield PlannedKey(name, f"{marker} is deleted", _COPY, _AS_READ)


def pattern_keys(design: Design, plan: WritePlan) -> Iterator[PlannedKey]:
    """The rows of one pattern."""
    match plan:
        case MovePlan():
            condition = f"{_and(_AS_READ, plan.guard)}, and no item has the new key"
            yield from _of_item(design, plan, condition)
        case UpdatePlan(read_first=True):
            yield from _of_item(design, plan, _and(_AS_READ, plan.guard))
        case UpdatePlan():
            yield from _written(design, plan.name, plan)
        case TransactPlan(members=members):
            for member in members:
                name = f"{plan.name}: {member.action} of {member.entity}"
                if member.item is None:
                    yield from _written(design, name, member)
                else:
                    entity = design.schema.entity(member.entity)
                    condition = _FREE if member.action is Action.CREATE else ""
                    yield from _whole(design, entity, name, condition)
                    yield from _marked(design, entity, name, "the item")


def _of_item(
    design: Design, plan: UpdatePlan | MovePlan, condition: str
) -> Iterator[PlannedKey]:
    """The rows of a write that reads the item first; a move stores all of it anew."""
    entity = design.schema.entity(plan.entity)
    changed = {write.attribute for write in plan.writes}
    for key in _derived(design, entity):
        if isinstance(plan, MovePlan) or touched(key, changed):
            yield PlannedKey(plan.name, _key(entity, key), _ITEM, condition)
    yield from _remarked(design, entity, plan.name, changed, (_ITEM, condition))


def _written(
    design: Design, name: str, plan: UpdatePlan | TransactMember
) -> Iterator[PlannedKey]:
    """The rows of a write that sees nothing but its own arguments."""
    condition = conjunction(plan.guard, braced)
    if not plan.upsert:
        condition = _and(_EXISTS, plan.guard)
    entity = design.schema.entity(plan.entity)
    derived = {key.attribute: key for key in _derived(design, entity)}
    for write in plan.keys:
        inputs = _sources(design, plan, write, derived[write.attribute])
        yield PlannedKey(name, key_write(write, braced), inputs, condition)


def _of_copies(entity: Entity, writes: EntityWrites) -> Iterator[PlannedKey]:
    """The rows of `update(item, **changes)`."""
    for key in writes.derived:
        changing = [name for name in key.inputs if name in writes.changeable]
        clocked = [name for name in key.inputs if entity.attribute(name).on_write]
        if not changing and not clocked:
            continue
        condition = _EXISTS
        if entity.version is not None:
            condition = "its version is the copy's"
        elif len(changing) + len(clocked) > 1:
            others = listed(changing, "and", limit=len(changing))
            condition = f"{_EXISTS}, with {others} as in the copy unless changed"
        inputs = [*(["the clock"] if clocked else []), _COPY]
        yield PlannedKey(
            f"{entity.name}.update",
            _key(entity, key),
            f"the changes, and {' and '.join(inputs)}",
            condition,
        )


def _whole(
    design: Design, entity: Entity, name: str, condition: str
) -> Iterator[PlannedKey]:
    """The rows of a write that is given the whole item."""
    for key in _derived(design, entity):
        yield PlannedKey(name, _key(entity, key), "the item", condition)


# --- markers of unique values ---------------------------------------------------------------------


def _marked(
    design: Design, entity: Entity, write: str, inputs: str
) -> Iterator[PlannedKey]:
    """The rows of a write that puts the markers of a new item."""
    for marker in _markers(design, entity):
        yield PlannedKey(write, f"{marker} is put", inputs, _UNIQUE)


def _remarked(
    design: Design,
    entity: Entity,
    write: str,
    changed: Collection[str],
    known: tuple[str, str],
) -> Iterator[PlannedKey]:
    """The rows of a write that may change unique values: `known` are its inputs and its condition."""
    inputs, condition = known
    said = "is put, and that of the old value deleted, where they differ"
    for marker in _markers(design, entity, changed):
        yield PlannedKey(
            write, f"{marker} {said}", inputs, f"{condition}, and {_UNIQUE}"
        )


def _markers(
    design: Design, entity: Entity, changed: Collection[str] | None = None
) -> Iterator[str]:
    """The markers of an item, in words: of all its unique values, or of those that may change."""
    for unique in entity.unique:
        held = marker_attributes(design.schema, unique)
        if changed is not None and set(changed).isdisjoint(held):
            continue
        values = "#".join(map(braced, marker_scope(design.schema, entity, unique)))
        optional = [n for n in unique.attributes if entity.attribute(n).optional]
        present = f" if there is {' and '.join(map(braced, optional))}"
        key = (
            f"{unique.marker} of {values}"
            if unique.marker is not None
            else f"${entity.name}#{','.join(unique.attributes)}#{values}"
        )
        yield f"{key}, a marker{present if optional else ''},"


# --- keys -----------------------------------------------------------------------------------------


def _derived(design: Design, entity: Entity) -> tuple[DerivedKey, ...]:
    return next(each.derived for each in design.writes if each.entity == entity.name)


def _key(entity: Entity, key: DerivedKey) -> str:
    """What a write that knows the whole item makes of a key."""
    every = {
        attribute.name: written(
            attribute, Given(attribute.name), may_be_none=attribute.optional
        )
        for attribute in entity.attributes
    }
    changed = frozenset(every)
    found = write_derived(entity, key, every, changed)
    assert isinstance(found, KeyWrite), "the call knows every attribute"
    if len({case.text for case in found.cases}) == len(found.cases):
        return key_write(found, braced)
    # Its partner has several cases, which a text of its own would repeat.
    alone = write_derived(entity, replace(key, partners=((),)), every, changed)
    assert isinstance(alone, KeyWrite), "the call knows every attribute"
    groups = [" and ".join(group) for group in key.partners]
    return f"{key_write(alone, braced)}; with {' or '.join(groups)} only"


def _sources(
    design: Design,
    plan: UpdatePlan | TransactMember,
    write: KeyWrite,
    key: DerivedKey,
) -> str:
    """How the call knows what decides a key."""
    entity = design.schema.entity(plan.entity)
    in_key = table_key_inputs(entity, design.schema.table(entity.table))
    writes = {each.attribute: _verb(each) for each in plan.writes}
    guarded = {t.attribute for t in plan.guard if isinstance(t, Test) and not t.path}
    supplied = {name for name, _ in plan.defaults}
    found: dict[str, list[str]] = {}
    inputs = list(key.inputs)
    if write.cases:
        inputs += inputs_behind(entity, [n for n in key.inputs if n not in guarded])
    for name in dict.fromkeys(inputs):
        if name in writes:
            found.setdefault(writes[name], []).append(name)
        elif not write.cases:
            continue  # what is removed needs nothing more
        elif name in in_key:
            found.setdefault("the item's key", []).append(name)
        elif name in guarded:
            found.setdefault("the guard", []).append(name)
        elif name in supplied:
            found.setdefault("its default", []).append(name)
    return "; ".join(
        f"{listed(names, 'and', limit=len(names))} {_BY.get(how, f'from {how}')}"
        for how, names in found.items()
    )


_BY = {"set": "set by the call", "remove": "removed by the call"}


def _verb(write: ValueWrite) -> str:
    return "the clock" if write.now else write.verb


def _and(first: str, guard: Iterable[Condition]) -> str:
    said = conjunction(guard, braced)
    return f"{first}, and {said}" if said else first
