"""What the JSON Schema validator finds, in words that say what was expected and what to write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.diagnostics.suggest import did_you_mean, listed, nearest
from dyngen.source.alternatives import Alternatives, JsonSchema, flow, kind_of, words
from dyngen.source.nodes import Entry, Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from jsonschema import ValidationError

_KINDS = {
    "boolean": "a boolean",
    "integer": "a whole number",
    "number": "a decimal number",
    "string": "text",
    "array": "a list",
    "object": "a mapping",
}
_MEMBER = "member"  # the definition of a transaction's actions
_LOOSE_NUMBER = re.compile(r"[+-]?[0-9_]*\.?[0-9_]+")
_LOOSE_TRUE = frozenset({"yes", "on", "y", "true"})
_LOOSE_FALSE = frozenset({"no", "off", "n", "false"})


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic about the mapping at `path`, and what it tells about other findings there."""

    diagnostic: Diagnostic
    path: tuple[str | int, ...] = ()
    missing: frozenset[str] = frozenset()  # keys, any of which is wanted
    guess: str | None = None  # the key that an unknown one was meant to be


@dataclass(frozen=True, slots=True)
class _Place:
    """The node that a fault is about."""

    node: Node
    owner: Scalar | None  # the nearest key above
    index: int | None  # its number, if it is an item of a list

    @property
    def subject(self) -> str:
        if self.owner is None:
            return "the spec"
        name = f"`{self.owner.value}`"
        return name if self.index is None else f"item {self.index + 1} of {name}"

    @property
    def span(self) -> Span:
        """Where to tell that something is missing: at the name of the mapping."""
        if self.owner is not None and self.index is None:
            return self.owner.span
        if isinstance(self.node, Mapping) and self.node.entries:
            return self.node.entries[0].key.span
        return self.node.span

    @property
    def complete(self) -> bool:
        """Whether what seems to be missing was not written."""
        return not isinstance(self.node, Mapping) or self.node.complete

    def entry(self, key: str) -> Entry:
        """The entry of a mapping."""
        assert isinstance(self.node, Mapping)
        return next(entry for entry in self.node.entries if entry.key.value == key)


def without_consequences(findings: Iterable[Finding]) -> list[Diagnostic]:
    """The diagnostics; of a key that is missing because it is misspelt, only the latter."""
    found = list(findings)
    guesses = {(each.path, each.guess) for each in found}
    return list(
        dict.fromkeys(
            each.diagnostic
            for each in found
            if not any((each.path, key) in guesses for key in each.missing)
        )
    )


def explain(
    fault: ValidationError, root: Mapping, alternatives: Alternatives
) -> Iterator[Finding]:
    """The findings that a validator's complaint stands for (DG020 to DG024)."""
    path = tuple(fault.absolute_path)
    place = _place(root, path)
    for finding in _findings(fault, place, alternatives, path):
        if place.complete or not finding.missing:
            yield finding


def _findings(
    fault: ValidationError,
    place: _Place,
    alternatives: Alternatives,
    path: tuple[str | int, ...],
) -> Iterator[Finding]:
    schema: Any = fault.schema
    if _about_a_name(fault):
        yield Finding(_name(fault, place, alternatives.expected(schema)))
        return
    match fault.validator:
        case "additionalProperties":
            for key in alternatives.unknown(schema, _mapping(fault)):
                yield _unknown_key(key, place, schema, alternatives, path)
        case "required":
            yield _missing(fault, place, schema, alternatives, path)
        case "oneOf":
            yield _one_of(fault, place, schema, alternatives, path)
        case "anyOf":
            yield _no_alternative(fault, place, schema, alternatives, path)
        case "uniqueItems":
            for repeated in _repeated(place):
                yield Finding(repeated)
        case "enum":
            expected = alternatives.expected(schema)
            yield Finding(_not_allowed(fault, place, expected, schema["enum"]))
        case "type":
            expected = alternatives.expected(schema)
            wanted: Any = fault.validator_value
            kinds = {wanted} if isinstance(wanted, str) else set(wanted)
            yield Finding(_wrong_kind(fault, place, expected, kinds))
        case "maxProperties" if fault.validator_value == 1:
            yield Finding(_more_than_one(fault, place, path))
        case _:
            yield Finding(_out_of_bounds(fault, place, alternatives.expected(schema)))


def _place(root: Mapping, path: tuple[str | int, ...]) -> _Place:
    node: Node = root
    owner: Scalar | None = None
    index: int | None = None
    for step in path:
        if isinstance(node, Mapping):
            entry = _Place(node, owner, index).entry(str(step))
            node, owner, index = entry.value, entry.key, None
        elif isinstance(node, Sequence):
            index = int(step)
            node = node.items[index]
    return _Place(node, owner, index)


def _mapping(fault: ValidationError) -> dict[str, object]:
    value: Any = fault.instance
    return dict(value)


def _about_a_name(fault: ValidationError) -> bool:
    """Whether the fault is about a key's name (`propertyNames`), which has no path of its own."""
    steps = list(fault.absolute_schema_path)
    return len(steps) > 1 and steps[-2] == "propertyNames"


def _name(fault: ValidationError, place: _Place, expected: str) -> Diagnostic:
    name = str(fault.instance)
    return error(
        "DG023",
        f"`{name}` cannot be a name here",
        place.entry(name).key.span,
        help=[f"a name here is {expected.removeprefix('a name of ')}"],
    )


def _unknown_key(
    key: str,
    place: _Place,
    schema: JsonSchema,
    alternatives: Alternatives,
    path: tuple[str | int, ...],
) -> Finding:
    entry = place.entry(key)
    inside = "" if place.owner is None else f" in {place.subject}"
    siblings = alternatives.siblings(schema)
    verbs = [alternatives.verb(each) for each in siblings]
    if key in verbs:
        verb = alternatives.verb(schema)
        return Finding(
            error(
                "DG024",
                f"`{verb}` and `{key}` exclude one another",
                entry.key.span,
                secondary=[Label(place.entry(verb).key.span, "already given here")],
                help=["make two patterns of it"],
            )
        )
    known: list[str] = list(schema["properties"])
    guess = nearest(key, known)
    elsewhere = [
        alternatives.verb(each) for each in siblings if key in each["properties"]
    ]
    if elsewhere:
        remedy = f"`{key}` belongs to {listed(elsewhere, 'and')}"
    else:
        remedy = (
            did_you_mean(key, known) or f"known here: {listed(known, 'and', limit=30)}"
        )
    message = f"unknown key `{key}`{inside}"
    return Finding(
        error("DG020", message, entry.key.span, help=[remedy]),
        path,
        guess=None if elsewhere else guess,
    )


def _missing(
    fault: ValidationError,
    place: _Place,
    schema: JsonSchema,
    alternatives: Alternatives,
    path: tuple[str | int, ...],
) -> Finding:
    """A key that must be there; the validator complains about each missing one separately."""
    required: Any = fault.validator_value
    key = next(each for each in required if repr(each) in fault.message)
    example = alternatives.example(schema["properties"][key])
    return Finding(
        error(
            "DG021",
            f"{place.subject} lacks `{key}`",
            place.span,
            help=[f"add it, for example `{key}: {example}`"],
        ),
        path,
        missing=frozenset([key]),
    )


def _one_of(
    fault: ValidationError,
    place: _Place,
    schema: JsonSchema,
    alternatives: Alternatives,
    path: tuple[str | int, ...],
) -> Finding:
    """Exactly one of several keys is wanted."""
    branches: Any = fault.validator_value
    keys = [key for branch in branches for key in branch["required"]]
    given = [key for key in _mapping(fault) if key in keys]
    if not given:
        example = alternatives.example(schema["properties"][keys[0]])
        return _needs_one(keys, example, place, path)
    first, second = given[:2]
    return Finding(
        error(
            "DG024",
            f"`{first}` and `{second}` exclude one another",
            place.entry(second).key.span,
            secondary=[Label(place.entry(first).key.span, "already given here")],
            help=["keep one of them"],
        )
    )


def _needs_one(
    keys: list[str], example: str, place: _Place, path: tuple[str | int, ...]
) -> Finding:
    return Finding(
        error(
            "DG021",
            f"{place.subject} needs one of {listed(keys, 'and')}",
            place.span,
            help=[f"add one, for example `{keys[0]}: {example}`"],
        ),
        path,
        missing=frozenset(keys),
    )


def _no_alternative(
    fault: ValidationError,
    place: _Place,
    schema: JsonSchema,
    alternatives: Alternatives,
    path: tuple[str | int, ...],
) -> Finding:
    branches: Any = fault.validator_value
    fitting = alternatives.fitting(branches, fault.instance)
    if isinstance(place.node, Mapping) and fitting:
        verbs = [alternatives.verb(branches[n]) for n in fitting]
        first = alternatives.resolve(branches[fitting[0]])
        example = alternatives.example(first["properties"][verbs[0]])
        needed = _needs_one(verbs, example, place, path)
        within = {*alternatives.verbs(_MEMBER)} - {*verbs}
        stray = next((key for key in _mapping(fault) if key in within), None)
        if stray is None:
            return needed
        remedy = f"`{stray}` is an action inside `transact`: `{{transact: [{{{stray}: ...}}]}}`"
        return replace(needed, diagnostic=replace(needed.diagnostic, help=(remedy,)))
    expected = alternatives.expected(schema)
    if fitting:
        allowed = alternatives.allowed(branches)
        return Finding(_not_allowed(fault, place, expected, allowed))
    kinds = set().union(*(alternatives.kinds(branch) for branch in branches))
    return Finding(_wrong_kind(fault, place, expected, kinds))


def _repeated(place: _Place) -> Iterator[Diagnostic]:
    assert isinstance(place.node, Sequence)
    first: dict[object, Span] = {}
    for item in place.node.items:
        if not isinstance(item, Scalar):
            continue
        if item.value in first:
            yield error(
                "DG024",
                f"`{item.value}` stands twice in {place.subject}",
                item.span,
                secondary=[Label(first[item.value], "first given here")],
                help=["keep one of them"],
            )
        first.setdefault(item.value, item.span)


def _not_allowed(
    fault: ValidationError, place: _Place, expected: str, allowed: list[object]
) -> Diagnostic:
    """A value of the right kind that is not one of those enumerated."""
    value = next(words([fault.instance]))
    kinds = {kind_of(each) for each in allowed}
    if not isinstance(fault.instance, str) and value not in allowed:
        kinds.discard("string")  # no quotes would help
    return error(
        "DG023",
        f"{place.subject} must be {expected}",
        place.node.span,
        help=[did_you_mean(value, words(allowed)), *_remedies(place.node, kinds)],
    )


def _wrong_kind(
    fault: ValidationError, place: _Place, expected: str, kinds: set[str]
) -> Diagnostic:
    return error(
        "DG022",
        f"{place.subject} must be {expected}",
        place.node.span,
        f"this is {_KINDS[kind_of(fault.instance)]}",
        help=_remedies(place.node, kinds),
    )


def _out_of_bounds(fault: ValidationError, place: _Place, expected: str) -> Diagnostic:
    value = fault.instance
    label = ""
    if isinstance(value, list | dict | str):
        label = "this is empty" if not value else ""
    return error("DG023", f"{place.subject} must be {expected}", place.node.span, label)


def _more_than_one(
    fault: ValidationError, place: _Place, path: tuple[str | int, ...]
) -> Diagnostic:
    """A mapping of one entry that has more."""
    given = _mapping(fault)
    first, second = list(given)[:2]
    if path[-1] == "size":
        what = "comparison"
        each = [{str(path[-2]): {"size": {word: given[word]}}} for word in given]
        remedy = f"have both hold: `{flow({'all': each})[1:-1]}`"
    else:
        what = "entry"
        remedy = "keep one of them" + (
            "" if place.index is None else ", or make each an item of the list"
        )
    return error(
        "DG023",
        f"{place.subject} takes one {what}, and this has {len(given)}",
        place.entry(second).key.span,
        secondary=[Label(place.entry(first).key.span, "the first one")],
        help=[remedy],
    )


def _remedies(node: Node, kinds: set[str]) -> Iterator[str]:
    """What to write instead of a scalar that is not of the kinds wanted."""
    if not isinstance(node, Scalar):
        return
    value = node.value
    if not isinstance(value, str):
        if "string" in kinds and kind_of(value) not in kinds:
            yield f'quote it: `"{next(words([value]))}"`'
        elif kinds == {"array"}:
            yield f"write a list: `[{next(words([value]))}]`"
        return
    if "boolean" in kinds and value.lower() in _LOOSE_TRUE | _LOOSE_FALSE:
        yield f"write `{'true' if value.lower() in _LOOSE_TRUE else 'false'}`"
    elif kinds & {"integer", "number"} and _LOOSE_NUMBER.fullmatch(value):
        plain = _plain_number(value)
        quoted = plain == value
        yield f"write `{plain}`, without quotes" if quoted else f"write `{plain}`"
    elif kinds == {"array"}:
        yield f"write a list: `[{value}]`"


def _plain_number(text: str) -> str:
    """A number as a spec writes it: no `+`, no `_`, no leading zeros, a digit before the point."""
    sign = "-" if text.startswith("-") else ""
    whole, point, places = text.lstrip("+-").replace("_", "").partition(".")
    return f"{sign}{whole.lstrip('0') or '0'}{point}{places}"
