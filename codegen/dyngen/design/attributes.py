"""The attributes of an entity: types looked up, defaults normalised, stored names settled."""

from __future__ import annotations

from dataclasses import dataclass

from dyngen.design.model import Attribute, Default, DefaultNow, DefaultValue
from dyngen.design.naming import pascal, stored_name
from dyngen.design.types import Resolved, TypeResolver, is_true
from dyngen.design.values import Problem, describe, normalise_default
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.keys.model import SHARD
from dyngen.source.nodes import Node, Scalar
from dyngen.spec import model as spec
from dyngen.types.model import Date, Integer, String, Timestamp, Ulid, Uuid, ValueType

VERSION = "version"
"""The name of the attribute that `version: true` adds."""

_WORDS = ("not", "any", "all")  # of the condition grammar
_WHEN_WRITTEN = "on_write"


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes of one entity that could be resolved, and the names of those that could not.

    `templates` are those of computed attributes, still as written.
    """

    all: tuple[Attribute, ...]
    broken: frozenset[str]
    templates: dict[str, spec.Name]
    version: Attribute | None


def resolve_attributes(
    entity: spec.Entity, types: TypeResolver, *, camel_case: bool
) -> tuple[Attributes, list[Diagnostic]]:
    """The attributes of `entity`, its version attribute last."""
    found: list[Diagnostic] = []
    resolved: list[Attribute] = []
    broken: set[str] = set()
    templates: dict[str, spec.Name] = {}
    for written in entity.attributes:
        name = written.name.text
        found.extend(_reserved(written))
        of = types.resolve(written.type, pascal(entity.name.text) + pascal(name))
        if of is None:
            broken.add(name)
            continue
        problems = list(_clashes(written, of))
        default, more = _default(written, of)
        problems += more
        found.extend(problems)
        if written.computed is not None:
            templates[name] = written.computed
        resolved.append(
            Attribute(
                name=name,
                stored=stored_name(written, camel_case=camel_case),
                type=of.type,
                span=written.name.span,
                optional=written.optional or is_true(of.option("optional")),
                default=default,
                on_write=_on_write(written, of) is not None,
                generated=_generated(written, of),
                description=written.description,
                type_span=written.type.span,
            )
        )
    version = _version(entity, found)
    if version is not None:
        resolved.append(version)
    found.extend(_stored_twice(entity, resolved))
    return Attributes(tuple(resolved), frozenset(broken), templates, version), found


def _reserved(written: spec.Attribute) -> list[Diagnostic]:
    name = written.name.text
    if name in _WORDS:
        reason = "it is a word of conditions"
    elif name == SHARD:
        reason = "`{shard}` is the number of a shard in a key template"
    else:
        return []
    return [
        error(
            "DG107",
            f"an attribute cannot be called `{name}`",
            written.name.span,
            reason,
            help=[f"call it something else and store it so: `name: {name}`"],
        )
    ]


def _version(entity: spec.Entity, found: list[Diagnostic]) -> Attribute | None:
    if entity.version is None:
        return None
    taken = next((a for a in entity.attributes if a.name.text == VERSION), None)
    if taken is not None:
        found.append(
            error(
                "DG107",
                f"{entity.name.text} has an attribute `{VERSION}` and a version token "
                "of that name",
                taken.name.span,
                secondary=[Label(entity.version.span, "the version token")],
                help=[
                    "leave the attribute out: `version: true` adds it, "
                    "and the repository fills it",
                    "or call the attribute something else",
                ],
            )
        )
        return None
    return Attribute(
        name=VERSION,
        stored=entity.version.text,
        type=String(min_length=1),
        span=entity.version.span,
        description="Changes with every write; guards against lost updates.",
        type_span=entity.version.span,
    )


def _stored_twice(entity: spec.Entity, attributes: list[Attribute]) -> list[Diagnostic]:
    found = []
    seen: dict[str, Attribute] = {}
    for attribute in attributes:
        first = seen.setdefault(attribute.stored, attribute)
        if first is not attribute:
            found.append(
                error(
                    "DG109",
                    f"two attributes of {entity.name.text} "
                    f"are stored as `{attribute.stored}`",
                    attribute.span,
                    secondary=[Label(first.span, "the other one")],
                    help=["give one of them another stored name, by `name:`"],
                )
            )
    return found


# --- what fills an attribute ------------------------------------------------------------------------


def _generated(written: spec.Attribute, of: Resolved) -> bool:
    return written.generated or is_true(of.option("generated"))


def _on_write(written: spec.Attribute, of: Resolved) -> Node | spec.Name | None:
    return written.on_write or of.option(_WHEN_WRITTEN)


def _default_node(written: spec.Attribute, of: Resolved) -> Node | None:
    return of.option("default") if written.default is None else written.default


def _default(
    written: spec.Attribute, of: Resolved
) -> tuple[Default | None, list[Diagnostic]]:
    node = _default_node(written, of)
    if node is None:
        return None, []
    if isinstance(node, Scalar) and node.value == "now":
        if isinstance(of.type, Timestamp | Date):
            return DefaultNow(), []
        return None, [_not_a_time(written, of.type, node.span)]
    value = normalise_default(node, of.type)
    if isinstance(value, Problem):
        return None, [
            error(
                "DG104",
                f"{value.message}, so it cannot be the default of `{written.name.text}`",
                node.span,
                secondary=[
                    Label(
                        written.name.span,
                        f"`{written.name.text}` is {describe(of.type)}",
                    )
                ],
                help=value.help,
            )
        ]
    return DefaultValue(value), []


def _not_a_time(written: spec.Attribute, of: ValueType, span: Span) -> Diagnostic:
    return error(
        "DG148",
        f"`now` is the clock's time, and `{written.name.text}` is {describe(of)}",
        span,
        help=["only timestamps and dates can be `now`"],
    )


_OF_TEXT = ("fold", "charset", "min_length", "max_length")


def _clashes(written: spec.Attribute, of: Resolved) -> list[Diagnostic]:
    """DG105: what cannot be said of this type, or not together."""
    found = []
    name, span = written.name.text, written.name.span
    on_write = _on_write(written, of)
    if on_write is not None and not isinstance(of.type, Timestamp | Date):
        found.append(_not_a_time(written, of.type, on_write.span))
    if _generated(written, of) and not isinstance(of.type, Uuid | Ulid):
        found.append(
            error(
                "DG105",
                f"`{name}` is {describe(of.type)}, which cannot be generated",
                span,
                help=["`generated: true` works on uuid and ulid"],
            )
        )
    if written.computed is not None and not isinstance(of.type, String | Integer):
        found.append(
            error(
                "DG105",
                f"`{name}` is {describe(of.type)}, which cannot be computed",
                written.computed.span,
                help=["computed attributes are strings or integers"],
            )
        )
    said = [
        word
        for word, written_so in (
            ("computed", written.computed is not None),
            ("generated", _generated(written, of)),
            ("on_write", on_write is not None),
            ("default", _default_node(written, of) is not None),
        )
        if written_so
    ]
    if len(said) > 1:
        found.append(
            error(
                "DG105",
                f"`{name}` cannot have `{said[0]}` and `{said[1]}`",
                span,
                help=["each says on its own where the value comes from; keep one"],
            )
        )
    if written.computed is not None and isinstance(of.type, String):
        found += [
            error(
                "DG105",
                f"`{name}` is computed, so `{word}` says nothing",
                of.options[word].key.span,
                help=["say it of the attributes that it is computed from"],
            )
            for word in _OF_TEXT
            if word in of.options
        ]
    if written.computed is not None and written.optional:
        found.append(
            error(
                "DG105",
                f"`{name}` is computed, so `optional` says nothing",
                span,
                help=[
                    "leave it out: a computed attribute is absent "
                    "where one of its inputs is"
                ],
            )
        )
    return found
