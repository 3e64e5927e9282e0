"""Entities, their objects, enums and projections: the types, and how they are stored and read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dyngen.design.contents import form_inputs, template_inputs
from dyngen.design.model import (
    Attribute,
    DefaultValue,
    Entity,
    Schema,
    Table,
)
from dyngen.design.plans import ReadPlan
from dyngen.python import docs, names, types
from dyngen.python.encoders import Encoders
from dyngen.python.expressions import Body, Variable
from dyngen.python.literals import docstring, text
from dyngen.python.model.classes import DataClass, EnumClass, Models, Property
from dyngen.python.presence import attribute_branch
from dyngen.types.model import Enum, Field, Integer, Object, Set, ValueType

_CLASS_INDENT = 4


# --- the module of types --------------------------------------------------------------------------


def models(schema: Schema, reads: Iterable[ReadPlan]) -> Models:
    """All types of the service: enums, objects, then each entity with its key and projections."""
    reads = tuple(reads)
    scope = names.Scope()
    encoders = Encoders(scope)
    classes = [_object(of) for of in objects(schema)]
    for entity in schema.entities:
        classes.append(_entity(entity, schema.table(entity.table), encoders))
        classes.append(_key(entity, schema.table(entity.table)))
        classes.extend(_projection(plan, entity) for plan in projections(entity, reads))
    return Models(
        constants=encoders.definitions,
        missing_texts=encoders.missing_texts,
        enums=tuple(_enum(of) for of in enums(schema)),
        classes=tuple(classes),
    )


def enums(schema: Schema) -> Iterator[Enum]:
    """The enums that attributes use, each once, in order of use."""
    yield from dict.fromkeys(of for of in _types(schema) if isinstance(of, Enum))


def objects(schema: Schema) -> Iterator[Object]:
    """The object types that attributes use, each once, the inner ones first."""
    yield from dict.fromkeys(of for of in _types(schema) if isinstance(of, Object))


def _types(schema: Schema) -> Iterator[ValueType]:
    for entity in schema.entities:
        for attribute in entity.attributes:
            yield from types.parts(attribute.type)


def projections(entity: Entity, reads: Iterable[ReadPlan]) -> Iterator[ReadPlan]:
    """One read for each projection of the entity that reads return."""
    seen: set[str] = set()
    for plan in reads:
        if plan.entities == (entity.name,) and plan.projection_name is not None:
            name = projection_class(plan)
            if name not in seen:
                seen.add(name)
                yield plan


def projection_class(plan: ReadPlan) -> str:
    """The type of what a read returns that does not return whole items."""
    return names.projection_class(
        plan.entities[0], plan.projection_name or "", plan.name
    )


def projection_function(plan: ReadPlan) -> str:
    """The function that reads what an index projects."""
    return f"_decode_{names.snake(projection_class(plan))}"


def key_attributes(entity: Entity, table: Table) -> tuple[Attribute, ...]:
    """The attributes that the table's key of an item is made of, in the key's order."""
    found = dict.fromkeys(
        name for key in table.key.all for name in form_inputs(entity.keys[key.name])
    )
    return tuple(entity.attribute(name) for name in found)


def annotation(attribute: Attribute, *, version: bool = False) -> str:
    """The annotation of an attribute. Items stored before there were versions have none."""
    kind = types.annotation(attribute.type)
    return f"{kind} | None" if attribute.optional or version else kind


def _enum(of: Enum) -> EnumClass:
    return EnumClass(
        name=names.class_name(of.name),
        docstring=docstring(
            f"The values that {docs.article(names.class_name(of.name))} can have.",
            _CLASS_INDENT,
        ),
        members=tuple(
            f"{names.enum_member(member.name)} = {text(member.stored)}"
            for member in of.members
        ),
    )


def _object(of: Object) -> DataClass:
    said = {
        names.attribute(field.name): docs.sentence(field.description)
        for field in of.fields
        if field.description
    }
    return DataClass(
        name=names.class_name(of.name),
        docstring=docstring(
            docs.body(f"An object {of.name} inside an item.", attributes=said),
            _CLASS_INDENT,
        ),
        fields=tuple(map(_object_field, of.fields)),
    )


def _object_field(field: Field) -> str:
    declared = f"{names.attribute(field.name)}: {types.annotation(field.type)}"
    return f"{declared} | None = None" if field.optional else declared


def _entity(entity: Entity, table: Table, encoders: Encoders) -> DataClass:
    said = {
        names.attribute(attribute.name): words
        for attribute in entity.attributes
        if attribute.computed is None
        and (words := docs.attribute(attribute, version=_is_version(entity, attribute)))
    }
    summary = docs.sentence(entity.description) or f"An item of table {table.name}."
    return DataClass(
        name=names.class_name(entity.name),
        docstring=docstring(docs.body(summary, attributes=said), _CLASS_INDENT),
        fields=tuple(
            _declaration(attribute, version=_is_version(entity, attribute))
            for attribute in entity.attributes
            if attribute.computed is None
        ),
        properties=tuple(
            _property(entity, table, attribute, encoders)
            for attribute in entity.attributes
            if attribute.computed is not None
        ),
    )


def _is_version(entity: Entity, attribute: Attribute) -> bool:
    return entity.version is not None and entity.version.name == attribute.name


def _declaration(attribute: Attribute, *, version: bool) -> str:
    declared = (
        f"{names.attribute(attribute.name)}: {annotation(attribute, version=version)}"
    )
    if version or attribute.filled:
        return f"{declared} = UNSET"
    if isinstance(attribute.default, DefaultValue):
        return f"{declared} = {_default(attribute.type, attribute.default.value)}"
    return f"{declared} = None" if attribute.optional else declared


def _default(of: ValueType, known: object) -> str:
    match known:
        case ():
            return "frozenset()" if isinstance(of, Set) else "()"
        case {}:
            made = names.class_name(of.name) if isinstance(of, Object) else "dict"
            return f"field(default_factory={made})"
        case _:
            return types.constant(of, known)


def _property(
    entity: Entity, table: Table, attribute: Attribute, encoders: Encoders
) -> Property:
    branch = attribute_branch(entity, attribute)
    variables = {
        a.name: Variable(f"self.{names.attribute(a.name)}", a.optional)
        for a in entity.attributes
    }
    made = Body(
        entity, table, branch.template.encoding, encoders, variables, names.Scope()
    )
    value = made.template_text(branch.template)
    if isinstance(attribute.type, Integer):
        value = f"int({value})"
    if not branch.always:
        needed = " or ".join(
            f"{variables[test.attribute].source} is None" for test in branch.any_of[0]
        )
        value = f"None if {needed} else {value}"
    kind = types.annotation(attribute.type)
    inputs = " and ".join(
        names.attribute(name)
        for name in dict.fromkeys(template_inputs(branch.template))
    )
    summary = docs.sentence(attribute.description) or f"Computed from {inputs}."
    return Property(
        name=names.attribute(attribute.name),
        annotation=kind if branch.always else f"{kind} | None",
        docstring=docstring(summary, 8),
        expression=value,
    )


def _key(entity: Entity, table: Table) -> DataClass:
    return DataClass(
        name=names.key_class(entity.name),
        docstring=docstring(
            f"What tells one {entity.name} from all others.", _CLASS_INDENT
        ),
        fields=tuple(
            f"{names.attribute(attribute.name)}: {annotation(attribute)}"
            for attribute in key_attributes(entity, table)
        ),
    )


def _projection(plan: ReadPlan, entity: Entity) -> DataClass:
    return DataClass(
        name=projection_class(plan),
        docstring=docstring(
            f"What {plan.projection_name} holds of {docs.article(entity.name)}; it can't be saved.",
            _CLASS_INDENT,
        ),
        fields=tuple(
            f"{names.attribute(name)}: {annotation(entity.attribute(name))}"
            for name in plan.projected or ()
        ),
    )
