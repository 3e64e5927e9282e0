"""Empty text and empty binary, which no key can hold (AWS: HowItWorks.NamingRulesDataTypes.html)."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.contents import template_inputs
from dyngen.design.model import DefaultValue, Entity, Natural
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic

NEVER_EMPTY = (
    "a key holds it, and no key is empty: for no value at all, declare it "
    "`optional: true` and leave it out (`absent`, `remove`)"
)


def never_empty(entity: Entity, attribute: str, value: object) -> bool:
    """Whether `value` is empty, where a key of the entity holds the attribute's value."""
    return value in ("", b"") and attribute in _in_keys(entity)


def empty_defaults(entity: Entity) -> Iterator[Diagnostic]:
    """DG104 for attributes that are empty by default, and in a key."""
    for attribute in entity.attributes:
        default, name = attribute.default, attribute.name
        if isinstance(default, DefaultValue) and never_empty(
            entity, name, default.value
        ):
            yield error(
                "DG104",
                f"`{name}` cannot be empty by default",
                attribute.span,
                help=[NEVER_EMPTY],
            )


def _in_keys(entity: Entity) -> Iterator[str]:
    """The attributes whose values keys hold."""
    for form in entity.keys.values():
        if isinstance(form, Natural):
            yield form.attribute
        else:
            for case in form.cases:
                yield from template_inputs(case.template)
