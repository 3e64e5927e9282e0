"""The smallest index that would answer a refused question: tried on the planner, then shown to paste."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from dyngen.design.choose import Chosen, Limits, choose
from dyngen.design.contents import form_inputs
from dyngen.design.layout import COMPOSITE, MULTI_ATTRIBUTE
from dyngen.design.model import (
    Case,
    Computed,
    Entity,
    Index,
    KeyAttribute,
    KeyForm,
    KeySchema,
    Natural,
    Schema,
    Table,
    Test,
)
from dyngen.design.plans import OrderKey
from dyngen.design.question import Question
from dyngen.design.tables import MAX_GLOBAL, MAX_LOCAL
from dyngen.keys.model import Literal, Part, Piece, Template
from dyngen.keys.template import check, written
from dyngen.spec.model import Operator
from dyngen.types.model import Boolean, Enum, key_type

_SPARSE = (Operator.ABSENT, Operator.PRESENT)
"""What an index answers that holds only the items of which it is true."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An index as YAML to paste under the table's `indexes`, and keys to paste under the entity's `keys`."""

    index: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Draft:
    """An index to try. A local one has the table's partition key; computed key attributes come
    with their templates, for the asking entity alone; its partition key exists `when` tests hold.
    """

    name: str
    partition: tuple[str, ...]
    sort: tuple[str, ...]
    strategy: str | None = None
    local: bool = False
    computed: Mapping[str, tuple[Piece, ...]] = field(default_factory=dict)
    when: tuple[Test, ...] = ()


def propose(question: Question, schema: Schema, limits: Limits) -> Proposal | None:
    """The first draft that the planner accepts, or None."""
    table = schema.table(question.entity.table)
    for draft in _drafts(question, table, schema.tenant, local=limits.consistent):
        trial = _with_index(schema, table, question.entity, draft)
        if trial is None:
            continue
        asked = replace(question, entity=trial.entity(question.entity.name))
        if isinstance(choose(asked, trial, replace(limits, pinned=draft.name)), Chosen):
            return _written(draft)
    return None


# --- drafts ---------------------------------------------------------------------------------------


def _drafts(
    question: Question, table: Table, tenant: str | None, *, local: bool
) -> Iterator[_Draft]:
    entity = question.entity
    sparse = tuple(t for t in question.tests if t.operator in _SPARSE)
    bindings = {
        name: b
        for name, b in question.bindings.items()
        if name not in {t.attribute for t in sparse}
    }
    known = {
        name
        for name, b in bindings.items()
        if (b.source or b.fan_out) and not entity.attribute(name).computed
    }
    fixed = list(
        dict.fromkeys(t.attribute for t in question.tests if t.attribute in known)
    )
    bounded = [name for name, b in bindings.items() if b.ranges]
    ordered = [key for key in question.order_by if key.attribute not in known]
    if len(bounded) > 1 or (bounded and ordered and ordered[0].attribute != bounded[0]):
        return
    if _full(table, local=local) or (tenant is not None and tenant not in fixed):
        return
    tail = ordered or [OrderKey(name, descending=False) for name in bounded]
    last = [key.attribute for key in tail]
    words = [*fixed, *(t.attribute for t in sparse), *last] or [entity.name]
    name = "By" + "".join(map(_pascal, words))
    name = _fresh(name, table)
    if local:
        if not sparse:
            yield from _local(entity, table, name, fixed, last)
        return
    partition = _partition(entity, fixed, tenant)
    if partition is not None and all(t.operator is Operator.PRESENT for t in sparse):
        # An index lacks the items that lack one of its keys.
        rest = [n for n in fixed if n != partition]
        rest += [t.attribute for t in sparse]
        yield from _natural(entity, name, partition, [*rest, *last])
    for turned in (True, False):
        draft = _overloaded(entity, table, name, fixed, tail, turned=turned)
        yield replace(draft, when=sparse)


def _full(table: Table, *, local: bool) -> bool:
    """Whether DynamoDB takes no more indexes of this kind."""
    most = MAX_LOCAL if local else MAX_GLOBAL
    return sum(index.local == local for index in table.indexes) >= most


def _local(
    entity: Entity, table: Table, name: str, fixed: list[str], tail: list[str]
) -> Iterator[_Draft]:
    """An index that can be read consistently: in the table's own partitions."""
    given = form_inputs(entity.keys[table.key.partition[0].name])
    sort = [n for n in [*fixed, *tail] if n not in given]
    if not table.key.sort or not sort or not set(given) <= set(fixed):
        return
    stored = tuple(entity.attribute(n).stored for n in sort)
    strategy = COMPOSITE if len(sort) > 1 else None
    yield _Draft(name, (), stored, strategy, local=True)


def _natural(
    entity: Entity, name: str, partition: str, sort: list[str]
) -> Iterator[_Draft]:
    stored = [entity.attribute(n).stored for n in sort]
    head = (entity.attribute(partition).stored,)
    if len(sort) <= 1:
        if all(key_type(entity.attribute(n).type) for n in sort):
            yield _Draft(name, head, tuple(stored))
        return
    yield _Draft(name, head, tuple(stored), COMPOSITE)
    if all(key_type(entity.attribute(n).type) for n in sort):
        yield _Draft(name, head, tuple(stored), MULTI_ATTRIBUTE)


def _overloaded(
    entity: Entity,
    table: Table,
    name: str,
    fixed: list[str],
    tail: list[OrderKey],
    *,
    turned: bool,
) -> _Draft:
    """Computed keys labelled with the entity's name, which no other entity's keys can meet.

    Where both directions are wanted in one order, those of one direction are inverted.
    """
    pk, sk = f"{_snake(name)}_pk", f"{_snake(name)}_sk"
    delimiter = Literal(table.encoding.delimiter)
    pieces: list[Piece] = [Literal(entity.name.upper())]
    for attribute in fixed:
        pieces += [delimiter, Part(attribute, entity.attribute(attribute).type)]
    computed = {pk: _merged(pieces)}
    mixed = len({key.descending for key in tail}) > 1
    last: list[Piece] = []
    for key in tail:
        of = entity.attribute(key.attribute).type
        desc = mixed and key.descending == turned
        last += [delimiter, Part(key.attribute, of, desc=desc)]
    if tail:
        computed[sk] = tuple(last[1:])
    return _Draft(name, (pk,), (sk,) if tail else (), computed=computed)


def _partition(entity: Entity, fixed: list[str], tenant: str | None) -> str | None:
    able = [n for n in fixed if key_type(entity.attribute(n).type) is not None]
    if tenant in able:
        return tenant
    many = [n for n in able if not isinstance(entity.attribute(n).type, Enum | Boolean)]
    return next(iter(many or able), None)


def _merged(pieces: list[Piece]) -> tuple[Piece, ...]:
    merged: list[Piece] = []
    for piece in pieces:
        last = merged[-1] if merged else None
        if isinstance(piece, Literal) and isinstance(last, Literal):
            merged[-1] = Literal(last.text + piece.text)
        else:
            merged.append(piece)
    return tuple(merged)


# --- trying a draft -------------------------------------------------------------------------------


def _with_index(
    schema: Schema, table: Table, asking: Entity, draft: _Draft
) -> Schema | None:
    """The schema with the draft's index, as resolving the pasted text would give it; None if
    that would be refused."""
    sort = draft.sort
    if draft.strategy == COMPOSITE:
        sort = (table.encoding.delimiter.join(draft.sort),)
    entities = [
        (
            _with_keys(entity, table, asking, draft, (*draft.partition, *sort))
            if entity.table == table.name
            else entity
        )
        for entity in schema.entities
    ]
    forms = [f for e in entities if e.table == table.name for f in e.keys.values()]
    if any(
        isinstance(f, Computed) and any(check(case.template) for case in f.cases)
        for f in forms
    ):
        return None
    types = _key_types(entities, table)
    if types is None or not {*draft.partition, *sort} <= set(types):
        return None
    key = KeySchema(
        (
            table.key.partition
            if draft.local
            else tuple(KeyAttribute(n, types[n]) for n in draft.partition)
        ),
        tuple(KeyAttribute(n, types[n]) for n in sort),
    )
    index = Index(draft.name, key, table.span, local=draft.local)
    grown = replace(table, indexes=(*table.indexes, index))
    tables = tuple(grown if t.name == table.name else t for t in schema.tables)
    return replace(schema, tables=tables, entities=tuple(entities))


def _with_keys(
    entity: Entity, table: Table, asking: Entity, draft: _Draft, names: Iterable[str]
) -> Entity:
    """The entity with those of the index's key attributes that it would have."""
    forms: dict[str, KeyForm] = dict(entity.keys)
    by_stored = {a.stored: a for a in entity.attributes}
    for name in names:
        if name in forms:
            continue
        if name in by_stored:
            forms[name] = Natural(by_stored[name].name, entity.span)
        elif draft.strategy == COMPOSITE and set(draft.sort) <= set(by_stored):
            parts: list[Piece] = []
            for stored in draft.sort:
                attribute = by_stored[stored]
                parts.append(Literal(table.encoding.delimiter))
                parts.append(Part(attribute.name, attribute.type))
            forms[name] = _computed(entity, table, tuple(parts[1:]))
        elif name in draft.computed and entity.name == asking.name:
            when = draft.when if name in draft.partition else ()
            forms[name] = _computed(entity, table, draft.computed[name], when)
    return replace(entity, keys=forms)


def _computed(
    entity: Entity,
    table: Table,
    pieces: tuple[Piece, ...],
    when: tuple[Test, ...] = (),
) -> Computed:
    template = Template(pieces, table.encoding)
    return Computed((Case(template, when, entity.span),), entity.span)


def _key_types(entities: list[Entity], table: Table) -> dict[str, str] | None:
    """The DynamoDB types of key attributes; None where entities differ over one."""
    types: dict[str, str] = {}
    for entity in entities:
        if entity.table != table.name:
            continue
        for name, form in entity.keys.items():
            found = (
                "S"
                if isinstance(form, Computed)
                else key_type(entity.attribute(form.attribute).type)
            )
            if found is None or types.setdefault(name, found) != found:
                return None
    return types


# --- writing it down ------------------------------------------------------------------------------


def _written(draft: _Draft) -> Proposal:
    settings = ["type: local"] if draft.local else []
    if draft.partition:
        settings.append(f"partition_key: {_yaml(draft.partition)}")
    if draft.sort:
        settings.append(f"sort_key: {_yaml(draft.sort)}")
    if draft.strategy == COMPOSITE and not draft.local:
        settings.append(f"strategy: {COMPOSITE}")
    keys = tuple(
        f"{name}: {_key(pieces, draft.when if name in draft.partition else ())}"
        for name, pieces in draft.computed.items()
    )
    return Proposal(f"{draft.name}: {{{', '.join(settings)}}}", keys)


def _key(pieces: tuple[Piece, ...], when: tuple[Test, ...]) -> str:
    value = json.dumps(written(Template(pieces)))
    if not when:
        return value
    tests = ", ".join(f"{_yaml((t.attribute,))}: {t.operator}" for t in when)
    return f"{{value: {value}, when: {{{tests}}}}}"


def _yaml(names: tuple[str, ...]) -> str:
    plain = [
        n if re.fullmatch(r"[A-Za-z_][\w.-]*", n) else json.dumps(n) for n in names
    ]
    return plain[0] if len(plain) == 1 else f"[{', '.join(plain)}]"


def _pascal(name: str) -> str:
    return "".join(
        word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name)
    )


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _fresh(name: str, table: Table) -> str:
    """The name, or the name with a number, that no index bears and whose key attributes are new."""
    taken = {_snake(index.name) for index in table.indexes}
    taken |= {
        key.name.removesuffix("_pk") for index in table.indexes for key in index.key.all
    }
    fresh, number = name, 2
    while _snake(fresh) in taken:
        fresh, number = f"{name}{number}", number + 1
    return fresh
