"""How stored forms become items: of a whole item, of what an index projects, of objects inside."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from dyngen.design.model import Attribute, Computed, Entity, Projection
from dyngen.design.plans import ReadPlan
from dyngen.keys.languages import placeholder_text
from dyngen.keys.model import Part
from dyngen.python import names, types
from dyngen.python.codec import Codec, objects_of
from dyngen.python.entities import key_attributes, projection_class, projection_function
from dyngen.python.expressions import Body
from dyngen.python.literals import docstring, text
from dyngen.python.model.repository import DecodedField, Decoder
from dyngen.python.names import Scope
from dyngen.types.model import Boolean, Enum, Object, Set, String, ValueType

_INDENT = 4


def decoder(codec: Codec, *, recognised: bool) -> Decoder:
    """The function that reads a whole item."""
    return Decoder(
        function="_decode",
        docstring=docstring(
            f"The {names.class_name(codec.entity.name)} that an item holds.", _INDENT
        ),
        returns=names.class_name(codec.entity.name),
        fields=tuple(
            _decoded(codec, attribute)
            for attribute in codec.entity.attributes
            if attribute.computed is None
        ),
        foreign="not _is_own(item)" if recognised else None,
    )


def projection_decoder(codec: Codec, plan: ReadPlan, *, recognised: bool) -> Decoder:
    """The function that reads what an index projects."""
    name = projection_class(plan)
    return _partial_decoder(
        codec,
        plan,
        plan.projected or (),
        Decoder(
            function=projection_function(plan),
            docstring=docstring(f"The {name} that an index entry holds.", _INDENT),
            returns=name,
            fields=(),
            foreign=("not keyparts.fits(item, _KEY_PATTERNS)" if recognised else None),
        ),
    )


def foreign_key_decoder(codec: Codec, plan: ReadPlan, other: Codec) -> Decoder:
    """The function that reads the key of another entity's item, which an item refers to."""
    ours = dict(plan.hydrate.key) if plan.hydrate else {}
    entity = names.class_name(other.entity.name)
    wanted = key_attributes(other.entity, other.table)
    lacking = {
        names.attribute(theirs.name)
        for theirs in wanted
        if codec.may_be_none(codec.entity.attribute(ours[theirs.name]))
        and not other.may_be_none(theirs)
    }
    made = _partial_decoder(
        codec,
        plan,
        tuple(ours[attribute.name] for attribute in wanted),
        Decoder(
            function=f"_key_of_{names.snake(plan.name)}",
            docstring=docstring(
                f"The key of the {entity} that completes an item"
                + ("; None if it lacks it." if lacking else "."),
                _INDENT,
            ),
            returns="wire.Item | None" if lacking else "wire.Item",
            calls=names.foreign_key(other.entity.name),
            fields=(),
        ),
    )
    renamed = (
        replace(field, name=names.attribute(attribute.name))
        for attribute, field in zip(wanted, made.fields, strict=True)
    )
    return _unless_lacking(replace(made, fields=tuple(renamed)), lacking)


def _unless_lacking(decoder: Decoder, lacking: Container[str]) -> Decoder:
    """`decoder`, so that it returns None where one of these fields is absent."""
    held = {f.name: f"{f.name}_held" for f in decoder.fields if f.name in lacking}
    checks = (
        statement
        for field in decoder.fields
        if field.name in held
        for statement in (
            f"{held[field.name]} = {field.value}",
            f"if {held[field.name]} is None: return None",
        )
    )
    return replace(
        decoder,
        statements=(*decoder.statements, *checks),
        fields=tuple(
            replace(field, value=held.get(field.name, field.value))
            for field in decoder.fields
        ),
    )


def slotted(decoder: Decoder, scope: Scope) -> Decoder:
    """`decoder` with functions, of names in `scope`, that fill the slots of its class."""
    prefix = f"_set_{names.snake(decoder.returns)}"
    return replace(
        decoder,
        fields=tuple(
            replace(field, setter=scope.claim(f"{prefix}_{field.name}"))
            for field in decoder.fields
        ),
    )


def _partial_decoder(
    codec: Codec, plan: ReadPlan, attributes: Sequence[str], decoder: Decoder
) -> Decoder:
    """`decoder`, made to read these attributes; those not stored are in the keys."""
    stored = _stored_everywhere(codec, plan)
    keys: dict[str, Computed] = {
        key: form
        for key, form in codec.entity.keys.items()
        if isinstance(form, Computed)
        and len(form.cases) == 1
        and (stored is None or key in stored)
    }
    body = codec.body({}, ["item", "found", "text", "missing"])
    fields = []
    parts: dict[str, str] = {}
    for attribute in map(codec.entity.attribute, attributes):
        if stored is None or attribute.stored in stored:
            fields.append(_decoded(codec, attribute))
        else:
            fields.append(_from_key(codec, attribute, keys, parts, body))
    return replace(
        decoder,
        statements=tuple(
            f"{variable} = keyparts.parts(item[{text(key)}], {text(key)}, {pattern})"
            for key, variable in parts.items()
            for pattern in [codec.encoders.pattern(key, keys[key].cases[0].template)]
        ),
        fields=tuple(fields),
    )


def selected(codec: Codec, plan: ReadPlan) -> tuple[str, ...]:
    """The stored attributes to ask for, so that the projection can be read."""
    stored = _stored_everywhere(codec, plan)
    found = (codec.entity.attribute(name).stored for name in plan.projected or ())
    return tuple(name for name in found if stored is None or name in stored)


def _stored_everywhere(codec: Codec, plan: ReadPlan) -> frozenset[str] | None:
    """The stored attributes that every index holds that the read may take; None: all."""
    held: frozenset[str] | None = None
    for alternative in plan.alternatives:
        if alternative.route.index is None:
            continue
        index = codec.table.index(alternative.route.index)
        if index.projection is not Projection.ALL:
            keys = {key.name for key in (*index.key.all, *codec.table.key.all)}
            here = frozenset((*keys, *index.included))
            held = here if held is None else held & here
    return held


def _from_key(
    codec: Codec,
    attribute: Attribute,
    keys: dict[str, Computed],
    parts: dict[str, str],
    body: Body,
) -> DecodedField:
    """An attribute that is read from a computed key that holds it."""
    key, part = next(
        (key, piece)
        for key, form in keys.items()
        for piece in form.cases[0].template.pieces
        if isinstance(piece, Part)
        and piece.attribute == attribute.name
        and piece.bucket is None
    )
    if key not in parts:
        parts[key] = body.scope.claim(f"{names.private(key)}_parts")
    group = f"{parts[key]}[{text(names.snake(attribute.name))}]"
    encoder = codec.encoders.constant(part, codec.table.encoding)
    source = "text" if part.placeholder is not None else group
    value = f"keyparts.parse({source}, {text(key)}, {encoder}.parse)"
    if isinstance(attribute.type, Enum):
        value = f"{names.class_name(attribute.type.name)}({value})"
    field = names.attribute(attribute.name)
    if part.placeholder is None:
        return DecodedField(field, value)
    placeholder = text(placeholder_text(part, codec.table.encoding))
    return DecodedField(
        field, f"None if (text := {group}) == {placeholder} else {value}"
    )


def _decoded(codec: Codec, attribute: Attribute) -> DecodedField:
    name, stored = names.attribute(attribute.name), text(attribute.stored)
    optional = codec.may_be_none(attribute)
    kind = _plain_type(attribute.type)
    if kind is None:
        return _decoded_field(
            name, attribute.type, attribute.stored, stored, optional=optional
        )
    value = f"item[{stored}][{text(kind)}]"
    if optional:
        found = f"(found := item.get({stored})) is not None"
        value = f"found[{text(kind)}] if {found} else None"
    return DecodedField(name, value, plain=(stored, text(kind)))


def _plain_type(of: ValueType) -> str | None:
    """DynamoDB's type of a value that is stored as Python has it, if any value of that type will do."""
    match of:
        case String(fold=None):
            return "S"
        case Boolean():
            return "BOOL"
        case _:
            return None


def object_decoders(entity: Entity) -> tuple[Decoder, ...]:
    """The functions that read the objects inside an entity's items."""
    return tuple(map(_object_decoder, objects_of(entity)))


def _object_decoder(of: Object) -> Decoder:
    return Decoder(
        function=types.decode_function(of.name),
        docstring=docstring(
            f"The {names.class_name(of.name)} that an attribute holds.", _INDENT
        ),
        returns=names.class_name(of.name),
        fields=tuple(
            _decoded_field(
                names.attribute(field.name),
                field.type,
                field.stored,
                f"name + {text(f'.{field.stored}')}",
                optional=field.optional,
            )
            for field in of.fields
        ),
    )


def _decoded_field(
    field: str, of: ValueType, stored: str, name: str, *, optional: bool
) -> DecodedField:
    """An attribute that is read from `item`."""
    if not optional and not isinstance(of, Set):
        return DecodedField(field, types.decode(of, f"item[{text(stored)}]", name))
    absent = "None" if optional else "frozenset()"
    value = types.decode(of, "found", name)
    present = f"(found := item.get({text(stored)})) is not None"
    return DecodedField(field, f"{value} if {present} else {absent}")
