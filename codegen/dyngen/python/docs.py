"""The words of generated docstrings, put together from descriptions and plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dyngen.design import describe
from dyngen.design.model import Attribute, Entity
from dyngen.design.plans import (
    DeleteEachPlan,
    DeletePlan,
    MovePlan,
    Parameter,
    ReadPlan,
    TransactPlan,
    UpdatePlan,
)
from dyngen.python import names
from dyngen.python.literals import lines_of
from dyngen.spec.model import Action


def article(noun: str) -> str:
    """`an order`, `a user`."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def sentence(text: str) -> str:
    """A description as a sentence: it begins with a capital and ends with a full stop."""
    trimmed = "\n".join(lines_of(text)).strip()
    if not trimmed:
        return ""
    ended = trimmed if trimmed[-1] in ".!?:;" else f"{trimmed}."
    return ended[:1].upper() + ended[1:]


def body(
    *paragraphs: str,
    args: Mapping[str, str] | None = None,
    attributes: Mapping[str, str] | None = None,
    raises: Mapping[str, str] | None = None,
) -> str:
    """A docstring's text: paragraphs, then sections, each left out where it would be empty."""
    parts = [paragraph for paragraph in paragraphs if paragraph]
    for title, entries in (
        ("Args", args),
        ("Attributes", attributes),
        ("Raises", raises),
    ):
        if entries:
            lines = [f"    {name}: {_inline(text)}" for name, text in entries.items()]
            parts.append("\n".join([f"{title}:", *lines]))
    return "\n\n".join(parts)


def attribute(of: Attribute, *, version: bool) -> str:
    """What there is to say of an attribute of an entity."""
    said = [sentence(of.description)]
    if version:
        said = said if of.description else ["Every write sets a new one."]
    elif of.on_write:
        said.append("Set by every write.")
    elif of.filled:
        said.append("Filled in by `create` where it is left out.")
    return " ".join(text for text in said if text)


def parameters(of: Sequence[Parameter], omittable: frozenset[str]) -> dict[str, str]:
    """What there is to say of a pattern's parameters, by their Python names."""
    said = {}
    for parameter in of:
        text = sentence(parameter.description)
        if parameter.name in omittable:
            text = f"{text} Left out, it does not matter.".strip()
        elif parameter.optional:
            text = f"{text} None if there is none.".strip()
        if text:
            said[names.parameter(parameter.name)] = text
    return said


def parameter(name: str) -> str:
    """A parameter, or an attribute of an item that is one (`order.id`), as docstrings name it."""
    item, dot, attribute = name.partition(".")
    return describe.backticked(
        f"{names.parameter(item)}{dot}{names.attribute(attribute)}"
    )


def read_summary(plan: ReadPlan, entity: Entity) -> str:
    """The first words on a read, where its author wrote none."""
    if plan.description:
        return sentence(plan.description)
    if plan.action is Action.GET:
        return f"The {entity.name} with this key."
    if plan.one == "first":
        return f"The first {entity.name} that matches."
    if plan.one is not None:
        return f"The one {entity.name} that matches."
    return f"The {' and '.join(plan.entities)} items that match."


def routes(plan: ReadPlan) -> str:
    """Exactly what a read reads."""
    if len(plan.alternatives) == 1:
        return describe.describe_route(plan, plan.alternatives[0].route, parameter)
    lines = []
    for alternative in plan.alternatives:
        given = [
            parameter(p.name) for p in plan.parameters if p.name in alternative.given
        ]
        when = f"Given {' and '.join(given)}" if given else "Else"
        text = describe.describe_route(plan, alternative.route, parameter)
        lines.append(f"{when}: {text[:1].lower()}{text[1:]}")
    return "\n".join(lines)


def write_summary(plan: describe.WritePlan) -> str:
    """The first words on a write pattern, where its author wrote none."""
    if plan.description:
        return sentence(plan.description)
    match plan:
        case UpdatePlan(entity=entity):
            return f"Update one {entity}, and return it as it then is."
        case DeletePlan(entity=entity):
            return f"Delete one {entity}."
        case DeleteEachPlan(read=read):
            return f"Delete the {read.entities[0]} items that match."
        case MovePlan(entity=entity):
            return f"Put one {entity} under another key, and return it as it then is."
        case TransactPlan():
            return "Several actions, all or none."


def write(plan: describe.WritePlan) -> str:
    """Exactly what a write pattern writes."""
    return describe.describe_write(plan, parameter)


def repeated(plan: describe.WritePlan) -> str:
    """What an update says that cannot tell a repetition of itself from a first time."""
    if not isinstance(plan, UpdatePlan) or plan.read_first:
        return ""
    if not any(write.verb in {"add", "append"} for write in plan.writes):
        return ""
    return (
        "What it adds is added at least once: if a response is lost, the request is"
        " repeated."
    )


def _inline(text: str) -> str:
    return " ".join(line.strip() for line in lines_of(text))
