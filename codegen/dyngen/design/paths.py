"""Paths to attributes, and below them into objects and maps."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from dyngen.design.model import Attribute, Entity, Param
from dyngen.design.plans import PathStep
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.spec.model import Name
from dyngen.types.model import Json, Map, Object, String, ValueType

PARAMETER_STEP = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}", re.ASCII)
"""A step `{emoji}`: the value of a parameter is the key in a map."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a path leads; `type` is that of the value there. Steps bear stored names.

    `optional`: the value may be absent from what holds it. `uncertain`: how many words of the path lead
    to the last thing on the way that may be absent.
    """

    attribute: Attribute
    steps: tuple[PathStep, ...]
    type: ValueType
    params: tuple[Param, ...] = ()
    optional: bool = False
    uncertain: int | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """The steps as text, `{emoji}` for a parameter's."""
        return tuple(step.text for step in self.steps)


def unknown_attribute(name: Name, entity: Entity, word: str) -> Diagnostic:
    """DG111 for `word`, which is no attribute of the entity."""
    names = [a.name for a in entity.attributes]
    return error(
        "DG111",
        f"{entity.name} has no attribute `{word}`",
        name.span,
        "not declared",
        secondary=[Label(entity.span, f"{entity.name} is declared here")],
        help=[
            did_you_mean(word, names)
            or f"its attributes are {listed(names, 'and')}; "
            "a computed key is no attribute: name what it is computed from"
        ],
    )


def resolve_path(
    path: Name, entity: Entity, *, broken: Collection[str] = ()
) -> Target | Diagnostic | None:
    """What `path` (`status`, `address.city`, `reactions.{emoji}`) leads to in `entity`.

    None: it needs an attribute of `broken`, whose type is not known (and was reported).
    """
    head, *rest = path.text.split(".")
    if head in broken:
        return None
    attribute = next((a for a in entity.attributes if a.name == head), None)
    if attribute is None:
        return unknown_attribute(path, entity, head)
    steps: list[PathStep] = []
    params: list[Param] = []
    at: ValueType = attribute.type
    behind = head
    optional = attribute.optional
    uncertain: int | None = None
    for passed, word in enumerate(rest, start=1):
        parameter = PARAMETER_STEP.fullmatch(word)
        if optional:
            uncertain = passed
        optional = True
        match at:
            case Map(of=element) | (Json() as element):
                at = element
                if parameter is None:
                    steps.append(PathStep(name=word))
                else:
                    steps.append(PathStep(parameter=parameter[1]))
                    params.append(
                        Param(
                            parameter[1],
                            String(min_length=1),
                            path.span,
                            attribute=head,
                            renamed=True,
                            map_key=True,
                        )
                    )
            case Object(fields=fields) if parameter is None:
                field = next((f for f in fields if f.name == word), None)
                if field is None:
                    names = [f.name for f in fields]
                    return error(
                        "DG150",
                        f"`{behind}` has no attribute `{word}`",
                        path.span,
                        help=[
                            did_you_mean(word, names)
                            or f"its attributes are {listed(names, 'and')}"
                        ],
                    )
                steps.append(PathStep(name=field.stored))
                at, optional = field.type, field.optional
            case _:
                return error(
                    "DG150",
                    f"nothing can be reached below `{behind}` by `{word}`",
                    path.span,
                    secondary=[Label(attribute.span, "declared here")],
                    help=[
                        "a path leads into objects, maps and json documents; "
                        "a step `{name}` only into a map"
                    ],
                )
        behind = f"{behind}.{word}"
    return Target(attribute, tuple(steps), at, tuple(params), optional, uncertain)
