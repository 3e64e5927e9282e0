"""Unique values in a suite: which attributes hold them, and the markers that they must have.

What is said here of markers is worked out apart from the repositories' own functions, so that the
two are compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.markers import marker_scope
from dyngen.design.model import Entity, Schema, UniqueKey
from dyngen.keys.model import Encoding, Part
from dyngen.python import names
from dyngen.python.encoders import made_anew
from dyngen.python.literals import strings, text
from dyngen.python.suite.nested import Values
from dyngen.python.suite.stored import with_computed


def unique_values(
    schema: Schema, entity: Entity, unique: UniqueKey, values: Values
) -> tuple[object, ...]:
    """The values of an item that no other may have; none if one of them is absent."""
    complete = with_computed(entity, values)
    fields = marker_scope(schema, entity, unique)
    found = tuple(complete[name] for name in fields if name in complete)
    return found if len(found) == len(fields) else ()


def marking_values(schema: Schema, marker: str, values: Values) -> dict[str, object]:
    """The values of the item of a declared entity that marks those of another item."""
    wanted = [e.name for e in schema.entity(marker).attributes if e.computed is None]
    return {name: values[name] for name in wanted if name in values}


def unique_source(schema: Schema, entity: Entity, unique: UniqueKey) -> str:
    """The expression of one `Unique` of the entity's kind."""
    fields = marker_scope(schema, entity, unique)
    item = names.item_variable(entity.name)
    return (
        f"Unique({strings(unique.attributes)}, {strings(map(names.attribute, fields))},"
        f" lambda {item}: {_marker(schema, entity, unique, item)})"
    )


def _marker(schema: Schema, entity: Entity, unique: UniqueKey, item: str) -> str:
    """The marker of an item that has the values; such an item is all that it is asked of."""
    if unique.marker is not None:
        return _declared(schema, entity, unique.marker, item)
    table = schema.table(entity.table)
    pieces = [
        text(f"${entity.name}#{','.join(unique.attributes)}"),
        *_values(entity, marker_scope(schema, entity, unique), item),
    ]
    keys = strings(key.name for key in table.key.all)
    return f"bare_marker({text(table.name)}, {keys}, {', '.join(pieces)})"


def _values(entity: Entity, fields: tuple[str, ...], item: str) -> Iterator[str]:
    for name in fields:
        encoder = made_anew(Part(name, entity.attribute(name).type), Encoding())
        yield f"{encoder}.text({item}.{names.attribute(name)})"


def _declared(schema: Schema, entity: Entity, marker: str, item: str) -> str:
    """An item of a declared entity, with the attributes that both have."""
    other = schema.entity(marker)
    common = {each.name for each in entity.attributes}
    fields = ", ".join(
        f"{name}={item}.{name}"
        for each in other.attributes
        if each.name in common and each.computed is None
        for name in [names.attribute(each.name)]
    )
    return f"{names.kind(marker)}.as_marker({names.class_name(marker)}({fields}))"
