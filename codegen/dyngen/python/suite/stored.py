"""How an item must be stored, worked out from the design alone.

The suite holds generated repositories to these forms, so nothing here looks at what the package's
generator does: keys follow from the entity's templates, and which of them are written follows from
which indexes are complete.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from dyngen.design.markers import marked_by
from dyngen.design.model import (
    Attribute,
    Computed,
    Entity,
    Index,
    KeyForm,
    Natural,
    Schema,
    Table,
)
from dyngen.keys.encoding import encoder, shards
from dyngen.keys.model import Encoding, Literal, Part, Piece, Shard, Template
from dyngen.python.suite.nested import Values
from dyngen.python.suite.oracle import holds
from dyngen.runtime import containers, keyparts, keytext
from dyngen.runtime import stored as forms
from dyngen.runtime.errors import InvalidValue, KeyValueError
from dyngen.types import model as types
from dyngen.types.model import Stored, ValueType

Form = Mapping[str, Any]
"""An attribute value: `{"S": ...}` and so on."""


def with_computed(entity: Entity, values: Values) -> dict[str, object]:
    """The values, with those of computed attributes that can be computed from them."""
    found = dict(values)
    for attribute in entity.attributes:
        if attribute.computed is not None:
            with suppress(InvalidValue):
                found |= _computed(attribute, attribute.computed, values)
    return found


def _computed(
    attribute: Attribute, template: Template, values: Values
) -> dict[str, object]:
    """The computed value by its name; nothing where it is absent. Raises InvalidValue."""
    text = template_text(template, values)
    if text is None:
        return {}
    number = isinstance(attribute.type, types.Integer)
    return {attribute.name: int(text) if number else text}


def stored_item(schema: Schema, entity: Entity, values: Values) -> dict[str, Form]:
    """The item that `create` must store. Raises InvalidValue if it cannot be stored."""
    complete = dict(values)
    for each in entity.attributes:
        if each.computed is not None:
            complete |= _computed(each, each.computed, values)
    table = schema.table(entity.table)
    item: dict[str, Form] = {
        each.stored: form(each.type, complete[each.name])
        for each in entity.attributes
        if complete.get(each.name) is not None
    }
    item |= _keys(entity, table, complete)
    if table.type_attribute is not None:
        item[table.type_attribute] = {"S": entity.name}
    _marks_nothing(schema, table, item)
    return item


def holding_indexes(schema: Schema, entity: Entity, values: Values) -> tuple[str, ...]:
    """The names of the indexes that must hold the item."""
    keys = _KeyTexts(entity, with_computed(entity, values))
    table = schema.table(entity.table)
    return tuple(index.name for index in table.indexes if keys.are_of(index))


def _keys(entity: Entity, table: Table, values: Values) -> dict[str, Form]:
    """The computed key attributes that are written."""
    keys = _KeyTexts(entity, values)
    written = {key.name: keytext.partition for key in table.key.partition}
    written |= {key.name: keytext.sort for key in table.key.sort}
    for index in table.indexes:
        if keys.are_of(index):
            written |= {key.name: keytext.partition for key in index.key.partition}
            written |= {key.name: keytext.sort for key in index.key.sort}
    texts = {name: keys.text(name) for name in written}
    return {
        name: written[name](text) for name, text in texts.items() if text is not None
    }


def _marks_nothing(schema: Schema, table: Table, item: Mapping[str, Form]) -> None:
    """Refuse a key that a marker of a unique value can have. Raises KeyValueError."""
    first = item[table.key.partition[0].name]
    try:
        keyparts.unmarked(str(first.get("S", "")))
    except KeyValueError:
        if marked_by(schema, table, None) is not None:
            raise


class _KeyTexts:
    """The computed keys of one item, each worked out once."""

    def __init__(self, entity: Entity, values: Values) -> None:
        self._entity = entity
        self._values = values
        self._known: dict[str, str | None] = {}

    def text(self, name: str) -> str | None:
        """The text of a key attribute; None for a natural one, or where it is absent."""
        if name not in self._known:
            self._known[name] = key_text(self._entity.keys[name], self._values)
        return self._known[name]

    def are_of(self, index: Index) -> bool:
        """Whether the item has all key attributes of the index."""
        return all(map(self._has, (key.name for key in index.key.all)))

    def _has(self, name: str) -> bool:
        match self._entity.keys.get(name):
            case None:
                return False
            case Natural(attribute=attribute):
                return self._values.get(attribute) is not None
            case _:
                return self.text(name) is not None


def key_text(form_: KeyForm, values: Values) -> str | None:
    """The text of a computed key; None for a natural one, or where the key is absent."""
    if not isinstance(form_, Computed):
        return None
    for case in form_.cases:
        if all(holds(test, values, {}) for test in case.when):
            text = template_text(case.template, values)
            if text is not None:
                return text
    return None


def template_text(template: Template, values: Values) -> str | None:
    """The text of a template; None if an attribute without a placeholder is absent."""
    texts = [_piece(piece, template.encoding, values) for piece in template.pieces]
    whole = [text for text in texts if text is not None]
    return "".join(whole) if len(whole) == len(texts) else None


def shard_text(shard: Shard, encoding: Encoding, values: Values) -> str | None:
    """The text of an item's shard; None if an attribute that it depends on is absent."""
    parts = [_part(part, encoding, values) for part in shard.by]
    present = [part for part in parts if part is not None]
    return shards(shard).of(*present) if len(present) == len(parts) else None


def _piece(piece: Piece, encoding: Encoding, values: Values) -> str | None:
    match piece:
        case Literal(text=text):
            return text
        case Part():
            return _part(piece, encoding, values)
        case Shard():
            return shard_text(piece, encoding, values)


def _part(part: Part, encoding: Encoding, values: Values) -> str | None:
    value = values.get(part.attribute)
    if value is not None:
        return encoder(part, encoding).text(value)
    if part.placeholder is None:
        return None
    return part.placeholder if encoding.raw else f"!{part.placeholder}"


def form(of: ValueType, value: Any) -> Form:
    """The stored form of one value. Raises InvalidValue."""
    match of, value:
        case types.Enum(), str():
            return {"S": value}
        case types.Timestamp(stored=Stored.TEXT, precision=precision), _:
            return forms.timestamp(value, precision=precision.value)
        case types.Timestamp(stored=Stored.EPOCH_SECONDS, precision=precision), _:
            return forms.epoch(value, "", "seconds", precision.value)
        case types.Timestamp(precision=precision), _:
            return forms.epoch(value, "", "milliseconds", precision.value)
        case types.List(of=element), tuple():
            return {"L": [form(element, each) for each in value]}
        case types.Set(of=element), frozenset():
            return containers.set_(value, "", lambda each, _: form(element, each))
        case types.Map(of=element), Mapping():
            return {"M": {key: form(element, each) for key, each in value.items()}}
        case types.Object(fields=fields), Mapping():
            return {
                "M": {
                    f.stored: form(f.type, value[f.stored])
                    for f in fields
                    if f.stored in value
                }
            }
        case types.String(), str():
            return {"S": value}
        case (types.Uuid() | types.Ulid()), str():
            return {"S": value}
        case types.Integer(), int():
            return forms.integer(value)
        case types.Json(), _:
            return containers.json(value)
        case _:
            return _SIMPLE[type(of)](value)


_SIMPLE: Mapping[type, Callable[[Any], Form]] = {
    types.Decimal: forms.decimal,
    types.Float: forms.floating,
    types.Boolean: forms.boolean,
    types.Binary: forms.binary,
    types.Date: forms.date,
}
