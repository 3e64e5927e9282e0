"""Types and attributes as written."""

from __future__ import annotations

from dyngen.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from dyngen.spec.model import Attribute, Name, TypeUse
from dyngen.spec.nodes import Reading, name_of

ATTRIBUTE_OPTIONS = (
    "optional",
    "default",
    "on_write",
    "generated",
    "computed",
    "name",
    "description",
)
"""Options that say something of an attribute, not of the values it can have."""

ENUM = "enum"
"""The name that a TypeUse gives to a list of values."""


def read_type(reading: Reading, node: Node) -> TypeUse | None:
    """A type: a name, a list of values, or a mapping with options. All options are kept."""
    match node:
        case Scalar():
            name = reading.name(node, "a type")
            return None if name is None else TypeUse(name, node.span)
        case Sequence():
            return _enum(reading, node)
        case Mapping():
            return _with_options(reading, node)


def read_attributes(reading: Reading, node: Node | None) -> tuple[Attribute, ...]:
    """The attributes of an entity or an object."""
    found = (
        read_attribute(reading, entry)
        for entry in reading.entries(node, "a mapping from attribute to type")
    )
    return tuple(attribute for attribute in found if attribute is not None)


def read_attribute(reading: Reading, entry: Entry) -> Attribute | None:
    """One attribute: what its options say of it is taken out of the type's options."""
    use = read_type(reading, entry.value)
    if use is None:
        return None
    mine = {k: e.value for k, e in use.options.items() if k in ATTRIBUTE_OPTIONS}
    rest = {k: e for k, e in use.options.items() if k not in ATTRIBUTE_OPTIONS}
    name = name_of(entry)
    return Attribute(
        name=name,
        type=TypeUse(use.name, use.span, use.members, use.of, use.attributes, rest),
        span=name.span,
        optional=reading.flag(mine.get("optional")),
        default=mine.get("default"),
        on_write=reading.name(mine.get("on_write"), "`now`"),
        generated=reading.flag(mine.get("generated")),
        computed=reading.name(mine.get("computed"), "a template"),
        stored_name=reading.name(mine.get("name")),
        description=reading.text(mine.get("description")),
    )


def _enum(reading: Reading, node: Node) -> TypeUse:
    members = tuple((name, name) for name in reading.names(node, "a list of values"))
    return TypeUse(Name(ENUM, node.span), node.span, members)


def _with_options(reading: Reading, node: Mapping) -> TypeUse | None:
    fields = reading.fields(node)
    written, values = fields.pop("type", None), fields.pop("values", None)
    of, attributes = fields.pop("of", None), fields.pop("attributes", None)
    members: tuple[tuple[Name, Name], ...] = ()
    if values is not None:
        name = Name(ENUM, values.span)
        pairs = (
            (name_of(entry), reading.name(entry.value, "the text to store"))
            for entry in reading.entries(values, "a mapping from name to stored text")
        )
        members = tuple((n, stored) for n, stored in pairs if stored is not None)
    elif isinstance(written, Sequence):
        use = _enum(reading, written)
        name, members = use.name, use.members
    elif written is not None:
        read = reading.name(written, "a type")
        if read is None:
            return None
        name = read
    else:
        reading.expected(node, "a type: `{type: string, ...}`")
        return None
    return TypeUse(
        name=name,
        span=name.span,
        members=members,
        of=None if of is None else read_type(reading, of),
        attributes=read_attributes(reading, attributes),
        options={k: e for k, e in reading.keyed(node).items() if k in fields},
    )
