"""The smallest index that would answer a refused question: tried on the planner, then shown to paste."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from dyngen.design.choose import Chosen, Limits, choose
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
)
from dyngen.design.question import Question
from dyngen.keys.model import Literal, Part, Piece, Template
from dyngen.keys.template import check
from dyngen.types.model import Boolean, Enum, key_type


@dataclass(frozen=True, slots=True)
class Proposal:
    """An index as YAML to paste under the table's `indexes`, and keys to paste under the entity's `keys`."""

    index: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Draft:
    """An index to try. Computed key attributes come with their templates."""

    name: str
    partition: tuple[str, ...]
    sort: tuple[str, ...]
    strategy: str | None = None
    computed: Mapping[str, tuple[Piece, ...]] | None = (
        None  # for the asking entity alone
    )


def propose(question: Question, schema: Schema, limits: Limits) -> Proposal | None:
    """The first draft that the planner accepts, or None."""
    table = schema.table(question.entity.table)
    for draft in _drafts(question, table, schema.tenant):
        trial = _with_index(schema, table, question.entity, draft)
        if trial is None:
            continue
        asked = replace(question, entity=trial.entity(question.entity.name))
        if isinstance(choose(asked, trial, replace(limits, pinned=draft.name)), Chosen):
            return _written(draft)
    return None


# --- drafts ---------------------------------------------------------------------------------------


def _drafts(question: Question, table: Table, tenant: str | None) -> Iterator[_Draft]:
    entity = question.entity
    fixed = [
        name
        for name, b in question.bindings.items()
        if (b.source or b.fan_out) and not entity.attribute(name).computed
    ]
    fixed = [t.attribute for t in question.tests if t.attribute in fixed]
    fixed = list(dict.fromkeys(fixed))
    bounded = [name for name, b in question.bindings.items() if b.ranges]
    ordered = [k.attribute for k in question.order_by if k.attribute not in fixed]
    if len(bounded) > 1 or (bounded and ordered and ordered[0] != bounded[0]):
        return
    tail = ordered or bounded
    name = "By" + "".join(_pascal(n) for n in [*fixed, *tail] or [entity.name])
    name = _fresh(name, table)
    partition = _partition(entity, fixed, tenant)
    if partition is not None:
        rest = [n for n in fixed if n != partition]
        yield from _natural(entity, name, partition, [*rest, *tail])
    yield _overloaded(entity, name, fixed, tail)


def _natural(
    entity: Entity, name: str, partition: str, sort: list[str]
) -> Iterator[_Draft]:
    stored = [entity.attribute(n).stored for n in sort]
    head = (entity.attribute(partition).stored,)
    if len(sort) <= 1:
        if all(key_type(entity.attribute(n).type) for n in sort):
            yield _Draft(name, head, tuple(stored))
        return
    yield _Draft(name, head, tuple(stored), "composite")
    if all(key_type(entity.attribute(n).type) for n in sort):
        yield _Draft(name, head, tuple(stored), "multi_attribute")


def _overloaded(entity: Entity, name: str, fixed: list[str], tail: list[str]) -> _Draft:
    """Computed keys labelled with the entity's name, which no other entity's keys can meet."""
    pk, sk = f"{_snake(name)}_pk", f"{_snake(name)}_sk"
    pieces: list[Piece] = [Literal(entity.name.upper())]
    for attribute in fixed:
        pieces += [Literal("#"), _part(entity, attribute)]
    computed = {pk: _merged(pieces)}
    if tail:
        last = [
            Literal("#") if i % 2 else _part(entity, tail[i // 2])
            for i in range(2 * len(tail) - 1)
        ]
        computed[sk] = tuple(last)
    return _Draft(name, (pk,), (sk,) if tail else (), computed=computed)


def _partition(entity: Entity, fixed: list[str], tenant: str | None) -> str | None:
    able = [n for n in fixed if key_type(entity.attribute(n).type) is not None]
    if tenant in able:
        return tenant
    many = [n for n in able if not isinstance(entity.attribute(n).type, Enum | Boolean)]
    return next(iter(many or able), None)


def _part(entity: Entity, attribute: str) -> Part:
    return Part(attribute, entity.attribute(attribute).type)


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
    """The schema with the draft's index, as resolving the pasted text would give it."""
    delimiter = table.encoding.delimiter
    sort = draft.sort
    if draft.strategy == "composite":
        sort = (delimiter.join(draft.sort),)
    entities = []
    for entity in schema.entities:
        if entity.table != table.name:
            entities.append(entity)
            continue
        forms: dict[str, KeyForm] = dict(entity.keys)
        by_stored = {a.stored: a for a in entity.attributes}
        for name in (*draft.partition, *sort):
            if name in forms:
                continue
            if name in by_stored:
                forms[name] = Natural(by_stored[name].name, entity.span)
            elif draft.strategy == "composite" and set(draft.sort) <= set(by_stored):
                parts: list[Piece] = []
                for stored in draft.sort:
                    attribute = by_stored[stored]
                    parts += [Literal(delimiter), Part(attribute.name, attribute.type)]
                forms[name] = _computed(entity, table, tuple(parts[1:]))
            elif draft.computed is not None and entity.name == asking.name:
                forms[name] = _computed(entity, table, draft.computed[name])
        for form in forms.values():
            if isinstance(form, Computed) and any(
                check(c.template) for c in form.cases
            ):
                return None
        entities.append(replace(entity, keys=forms))
    types = _key_types(entities, table)
    if not {*draft.partition, *sort} <= set(types):
        return None
    key = KeySchema(
        tuple(KeyAttribute(n, types[n]) for n in draft.partition),
        tuple(KeyAttribute(n, types[n]) for n in sort),
    )
    grown = replace(table, indexes=(*table.indexes, Index(draft.name, key, table.span)))
    tables = tuple(grown if t.name == table.name else t for t in schema.tables)
    return replace(schema, tables=tables, entities=tuple(entities))


def _computed(entity: Entity, table: Table, pieces: tuple[Piece, ...]) -> Computed:
    template = Template(pieces, table.encoding)
    return Computed((Case(template, (), entity.span),), entity.span)


def _key_types(entities: list[Entity], table: Table) -> dict[str, str]:
    types = {}
    for entity in entities:
        if entity.table != table.name:
            continue
        for name, form in entity.keys.items():
            if isinstance(form, Computed):
                types[name] = "S"
                continue
            found = key_type(entity.attribute(form.attribute).type)
            if found is not None:
                types[name] = found
    return types


# --- writing it down ------------------------------------------------------------------------------


def _written(draft: _Draft) -> Proposal:
    settings = [f"partition_key: {_yaml(draft.partition)}"]
    if draft.sort:
        settings.append(f"sort_key: {_yaml(draft.sort)}")
    if draft.strategy == "composite":
        settings.append("strategy: composite")
    keys = tuple(
        f"{name}: {json.dumps(_template_text(pieces))}"
        for name, pieces in (draft.computed or {}).items()
    )
    return Proposal(f"{draft.name}: {{{', '.join(settings)}}}", keys)


def _template_text(pieces: tuple[Piece, ...]) -> str:
    return "".join(
        piece.text if isinstance(piece, Literal) else f"{{{piece.attribute}}}"
        for piece in pieces
        if isinstance(piece, Literal | Part)
    )


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
    taken = {index.name for index in table.indexes}
    fresh, number = name, 2
    while fresh in taken:
        fresh, number = f"{name}{number}", number + 1
    return fresh
