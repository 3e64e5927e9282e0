"""Words of a spec that have no name in Python, or share one.

DG180: no Python name can be made of a word. DG181: two words become the same name. DG182: a word
becomes a name that the package needs for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from dyngen.design.plans import Design, Parameter
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.python import names
from dyngen.python.entities import projection_class
from dyngen.python.modes import ASYNCHRONOUS, modes
from dyngen.python.types import parts
from dyngen.spec.model import AccessPattern, Action, Attribute, Spec, TypeUse
from dyngen.types.model import Enum, Object


def check(spec: Spec, design: Design) -> list[Diagnostic]:
    """What is wrong with the names that the spec's words become, in no particular order.

    `design` may leave out what could not be planned; parameters are known by it alone.
    """
    found: list[Diagnostic] = []
    found += _classes(spec, design)
    found += _repositories(spec)
    for entity in spec.entities:
        found += _attributes(f"attributes of {entity.name.text}", entity.attributes)
    for owner, use in _uses(spec):
        found += _members(owner, use)
        if use.attributes:
            found += _attributes(f"attributes of {owner}", use.attributes)
    found += _methods(spec)
    found += _parameters(design)
    return found


@dataclass(slots=True)
class _Names:
    """The names in one place, each with where its word stands."""

    where: str
    make: Callable[[str], str]
    reserved: dict[str, str] = field(default_factory=dict)  # name: what it is
    _taken: dict[str, tuple[str, Span]] = field(default_factory=dict)

    def add(self, word: str, span: Span) -> Iterator[Diagnostic]:
        """Take the name of `word`; report if it has none, or not for itself."""
        name = self.make(word)
        if not names.is_identifier(name):
            yield error(
                "DG180",
                f"no Python name can be made of `{word}`",
                span,
                help=[
                    "let it begin with a letter, and hold letters, digits and `_`;"
                    " what is stored can be another text"
                ],
            )
        elif name in self.reserved:
            yield error(
                "DG182",
                f"`{word}` becomes `{name}` in Python, which is {self.reserved[name]}",
                span,
                help=["call it something else"],
            )
        else:
            first, place = self._taken.setdefault(name, (word, span))
            if place != span:
                yield error(
                    "DG181",
                    (
                        f"`{first}` and `{word}` both become `{name}` in Python"
                        if first != word
                        else f"`{name}` would have two meanings in Python"
                    ),
                    span,
                    f"{self.where} need names of their own",
                    secondary=[Label(place, f"also `{name}`")],
                    help=["call one of them something else"],
                )


# --- classes --------------------------------------------------------------------------------------


def _classes(spec: Spec, design: Design) -> Iterator[Diagnostic]:
    taken = _Names("classes", names.class_name)
    service = names.service_class(
        spec.service.text, (entity.name.text for entity in spec.entities)
    )
    yield from taken.add(service, spec.service.span)
    if ASYNCHRONOUS in modes(design.client):
        yield from taken.add(f"{ASYNCHRONOUS.prefix}{service}", spec.service.span)
    for entity in spec.entities:
        yield from taken.add(entity.name.text, entity.name.span)
    seen: set[str] = set()
    for word, span in _types(spec, design):
        if word not in seen:
            seen.add(word)
            yield from taken.add(word, span)
    for entity in spec.entities:
        for made in (names.key_class, names.changes_class):
            yield from taken.add(made(entity.name.text), entity.name.span)
        for mode in modes(design.client):
            name = f"{mode.prefix}{names.repository_class(entity.name.text)}"
            yield from taken.add(name, entity.name.span)
    spans = {pattern.name.text: pattern.name.span for pattern in spec.access_patterns}
    for plan in design.reads:
        if plan.projection_name is not None and len(plan.entities) == 1:
            name = projection_class(plan)
            if name not in seen and plan.name in spans:
                seen.add(name)
                yield from taken.add(name, spans[plan.name])


def _types(spec: Spec, design: Design) -> Iterator[tuple[str, Span]]:
    """Enums and objects that attributes use, where they are declared."""
    declared = {name.text: name.span for name, _ in spec.types}
    for entity in design.schema.entities:
        for attribute in entity.attributes:
            for part in parts(attribute.type):
                if isinstance(part, Enum | Object):
                    yield part.name, declared.get(part.name, attribute.span)


def _uses(spec: Spec) -> Iterator[tuple[str, TypeUse]]:
    """Every type that is written somewhere, with a word for its owner."""
    for name, use in spec.types:
        yield from _inner(name.text, use)
    for entity in spec.entities:
        for attribute in entity.attributes:
            owner = f"{entity.name.text}.{attribute.name.text}"
            yield from _inner(owner, attribute.type)


def _inner(owner: str, use: TypeUse) -> Iterator[tuple[str, TypeUse]]:
    yield owner, use
    if use.of is not None:
        yield from _inner(owner, use.of)
    for attribute in use.attributes:
        yield from _inner(f"{owner}.{attribute.name.text}", attribute.type)


def _members(owner: str, use: TypeUse) -> Iterator[Diagnostic]:
    taken = _Names(f"values of {owner}", names.enum_member)
    for name, _ in use.members:
        yield from taken.add(name.text, name.span)


def _attributes(where: str, attributes: Iterable[Attribute]) -> Iterator[Diagnostic]:
    taken = _Names(where, names.attribute)
    for attribute in attributes:
        yield from taken.add(attribute.name.text, attribute.name.span)


# --- repositories and methods -----------------------------------------------------------------------


def _repositories(spec: Spec) -> Iterator[Diagnostic]:
    modules = _Names("modules", names.repository_module)
    for entity in spec.entities:
        yield from modules.add(entity.name.text, entity.name.span)
    members = _Names("repositories and patterns of several entities", lambda name: name)
    for entity in spec.entities:
        plural = entity.plural.text if entity.plural else None
        name = names.repository_attribute(entity.name.text, plural)
        place = entity.plural.span if entity.plural else entity.name.span
        yield from members.add(name, place)
    for pattern in spec.access_patterns:
        if _of_service(pattern):
            yield from members.add(names.method(pattern.name.text), pattern.name.span)


def _methods(spec: Spec) -> Iterator[Diagnostic]:
    patterns = [p for p in spec.access_patterns if not _of_service(p)]
    for entity in spec.entities:
        word = entity.name.text
        offered = [name.text for name in entity.operations or ()] or names.OPERATIONS
        taken = _Names(
            f"methods of {names.repository_class(word)}",
            names.method,
            dict.fromkeys(offered, "an operation of every repository"),
        )
        for pattern in patterns:
            if pattern.entities and pattern.entities[0].text == word:
                yield from taken.add(pattern.name.text, pattern.name.span)


def _of_service(pattern: AccessPattern) -> bool:
    """Whether the pattern is a method of the service object, not of a repository."""
    return pattern.action is Action.TRANSACT or len(pattern.entities) > 1


def _parameters(design: Design) -> Iterator[Diagnostic]:
    plans: list[tuple[str, tuple[Parameter, ...]]] = [
        (plan.name, plan.parameters)
        for plans in (design.reads, design.updates, design.deletes, design.moves)
        for plan in plans
    ]
    plans += [(plan.name, plan.read.parameters) for plan in design.delete_eaches]
    plans += [(plan.name, plan.parameters) for plan in design.transactions]
    for name, parameters in plans:
        taken = _Names(f"parameters of {name}", names.parameter)
        for parameter in parameters:
            yield from taken.add(parameter.name, parameter.span)
