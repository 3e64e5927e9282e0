"""Unique values: the markers of an item, and how writes that repoint them see the item."""

from __future__ import annotations

from collections.abc import Callable

from dyngen.design.derived import table_key_inputs
from dyngen.design.markers import marker_attributes, marker_scope
from dyngen.design.model import UniqueKey
from dyngen.keys.model import Encoding, Literal, Part, Template
from dyngen.python import names
from dyngen.python.codec import Codec
from dyngen.python.expressions import Body
from dyngen.python.literals import strings, text
from dyngen.python.model.repository import Kind, Marker


def kind(codec: Codec) -> Kind:
    """How items are stored, for writes that take items as they were."""
    stored = [a.stored for a in codec.entity.attributes]
    if codec.table.type_attribute is not None:
        stored.append(codec.table.type_attribute)
    version = codec.entity.version
    marked = _marked(codec)
    return Kind(
        key_names=strings(codec.table_keys),
        attributes=strings(dict.fromkeys([*stored, *codec.entity.keys])),
        version=None if version is None else text(version.stored),
        marked=strings(marked) if marked else None,
    )


def _marked(codec: Codec) -> list[str]:
    """The stored names of what markers are made of, but for what the table's key says already."""
    key = table_key_inputs(codec.entity, codec.table)
    held = {
        name
        for unique in codec.entity.unique
        for name in marker_attributes(codec.schema, unique)
    }
    return [
        each.stored
        for each in codec.entity.attributes
        if each.name in held and each.name not in key
    ]


def marker(codec: Codec, of: UniqueKey, table_of: Callable[[str], str]) -> Marker:
    """The marker of one unique value; `table_of` gives the deployed name of an entity's table."""
    body = codec.item_body()
    body.encoding = Encoding()  # also in a table whose own keys are raw
    variables = (body.variables[name] for name in of.attributes)
    required = [f"{v.source} is not None" for v in variables if v.optional]
    attributes = strings(of.attributes)
    if of.marker is not None:
        value = _declared_marker(codec, of, body, attributes, table_of(of.marker))
    else:
        key = body.local("text", _marker_text(codec, of, body))
        pairs = (f"{text(name)}: {body.key(name, key)}" for name in codec.table_keys)
        value = f"unique.marker(table, {attributes}, {{{', '.join(pairs)}}})"
    return Marker(" and ".join(required) or None, tuple(body.statements), value)


def _marker_text(codec: Codec, of: UniqueKey, body: Body) -> str:
    """`$Entity#attributes#values`; within a tenant, its value comes first."""
    pieces: list[Literal | Part] = [
        Literal(f"${codec.entity.name}#{','.join(of.attributes)}#")
    ]
    for name in marker_scope(codec.schema, codec.entity, of):
        pieces += [Part(name, codec.entity.attribute(name).type), Literal("#")]
    return body.template_text(Template(tuple(pieces[:-1])))


def _declared_marker(
    codec: Codec, of: UniqueKey, body: Body, attributes: str, table: str
) -> str:
    """A declared entity's item, made of the attributes that both have."""
    other = codec.schema.entity(of.marker or "")
    fields = ", ".join(
        f"{names.attribute(a.name)}={body.variables[a.name].source}"
        for a in other.attributes
        if a.name in body.variables and a.computed is None
    )
    made = (
        f"{names.foreign_encoder(other.name)}({names.class_name(other.name)}({fields}))"
    )
    item = body.local("marker", made)
    keys = strings(key.name for key in codec.schema.table(other.table).key.all)
    key = f"keyparts.only({item}, {keys})"
    return f"unique.Marker({attributes}, {table}, {key}, {item})"
