"""Names of the whole spec: the package, and what must not be called alike."""

from __future__ import annotations

import keyword
import sys
from collections.abc import Iterator, Mapping, Sequence

from dyngen.design.model import Attribute
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.spec import model as spec
from dyngen.types.model import Enum, List, Map, Object, Set, ValueType

_DEPENDENCIES = frozenset(
    {
        "aiobotocore",
        "aiohttp",
        "boto3",
        "botocore",
        "dateutil",
        "dyngen",
        "hypothesis",
        "jmespath",
        "moto",
        "mypy_boto3_dynamodb",
        "pytest",
        "s3transfer",
        "six",
        "types_boto3_dynamodb",
        "urllib3",
    }
)
"""Packages that a generated one, or its tests, or what these import, has to find."""

_BESIDE = frozenset({"tests", "cloudformation", "conftest"})
"""What lies beside the package in its output folder."""


def service_problems(service: spec.Name) -> Iterator[Diagnostic]:
    """DG161: a name that is no package's, or would hide another one."""
    name = service.text
    plain = name.casefold()
    if not (name.isascii() and name.isidentifier()):
        reason = "it is no Python identifier"
        remedy = "use letters, digits and `_`, as in `customer_orders`"
    elif keyword.iskeyword(name) or keyword.issoftkeyword(name):
        reason = "it is a word of Python"
        remedy = f"call it `{name}_service`"
    elif plain.startswith("_"):
        reason = "such names are private"
        remedy = "let it begin with a letter"
    elif plain in {module.casefold() for module in sys.stdlib_module_names}:
        reason = "it would hide the module of that name of Python's standard library"
        remedy = f"call it `{name}_service`"
    elif plain in _DEPENDENCIES:
        reason = "it would hide a package that the generated code imports"
        remedy = f"call it `{name}_service`"
    elif plain in _BESIDE:
        reason = "that name stands for something else in the output folder"
        remedy = f"call it `{name}_service`"
    else:
        return
    yield error(
        "DG161",
        f"the package cannot be called `{name}`",
        service.span,
        reason,
        help=[remedy],
    )


def clashing_types(
    named: Mapping[str, tuple[Span, ValueType]],
    entities: Sequence[tuple[spec.Name, Sequence[Attribute]]],
) -> Iterator[Diagnostic]:
    """DG108: two classes of one name: entities, and enums and objects, named or written inline."""
    taken: dict[str, tuple[Span, ValueType | None]] = {}
    clashing: set[str] = set()
    for name, _ in entities:
        taken[name.text] = (name.span, None)
    uses = [(span, of) for span, of in named.values()]
    uses += [(a.span, a.type) for _, attributes in entities for a in attributes]
    for span, used in uses:
        for of in _classes(used):
            first_span, first = taken.setdefault(of.name, (span, of))
            if first != of and of.name not in clashing:
                clashing.add(of.name)
                yield error(
                    "DG108",
                    f"two types would be called `{of.name}`",
                    span,
                    secondary=[Label(first_span, "the other one")],
                    help=[
                        "an enum or object written at an attribute is named after "
                        "entity and attribute; declare it under `types` to give it "
                        "another name"
                    ],
                )


def _classes(of: ValueType) -> Iterator[Enum | Object]:
    """The enums and objects in a type, each of which becomes a class."""
    match of:
        case Enum():
            yield of
        case Object(fields=fields):
            yield of
            for field in fields:
                yield from _classes(field.type)
        case List(of=inner) | Set(of=inner) | Map(of=inner):
            yield from _classes(inner)
