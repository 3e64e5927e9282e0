"""From nodes to the spec as written."""

from __future__ import annotations

from dyngen.diagnostics.model import Diagnostic
from dyngen.source.nodes import Mapping, Node, Scalar
from dyngen.spec.entities import read_entity
from dyngen.spec.estimates import read_rates, read_sizes
from dyngen.spec.model import Spec
from dyngen.spec.nodes import Reading, name_of
from dyngen.spec.patterns import read_pattern
from dyngen.spec.tables import read_table
from dyngen.spec.types import read_type

VERSION = 1
"""The version of the spec language."""


def read_spec(root: Mapping, file: str) -> tuple[Spec | None, list[Diagnostic]]:
    """The spec that the nodes of a file say, and what is wrong with their shape (DG04x).

    The JSON Schema has been checked before; whatever it let pass is reported here, and the rest is
    read. None: there is no service to speak of, or another version of the language is meant.
    """
    reading = Reading(_entity_names(root))
    fields = {str(e.key.value): e.value for e in root.entries}
    service = reading.name(fields.get("service"))
    version = fields.get("dyngen")
    match version:
        case Scalar(value=bool()):
            known = False
        case Scalar(value=value):
            known = value == VERSION
        case _:
            known = False
    if not known:
        reading.report(
            "DG047",
            "this is not version 1 of the spec language",
            root.span if version is None else version.span,
            f"begin the file with `dyngen: {VERSION}`",
        )
    if service is None and "service" not in fields:
        reading.expected(root, "`service`, the name of the package")
    if service is None or not known:
        return None, reading.found
    types = (
        (name_of(entry), read_type(reading, entry.value))
        for entry in reading.entries(fields.get("types"))
    )
    patterns = (
        read_pattern(reading, entry)
        for entry in reading.entries(fields.get("access_patterns"))
    )
    spec = Spec(
        file=file,
        service=service,
        span=root.span,
        description=reading.text(fields.get("description")),
        tenant=reading.name(fields.get("tenant")),
        types=tuple((name, use) for name, use in types if use is not None),
        tables=tuple(
            read_table(reading, entry)
            for entry in reading.entries(fields.get("tables"))
        ),
        entities=tuple(
            read_entity(reading, entry)
            for entry in reading.entries(fields.get("entities"))
        ),
        access_patterns=tuple(pattern for pattern in patterns if pattern is not None),
        camel_case=reading.text(fields.get("names")) == "camelCase",
        client=reading.text(reading.fields(fields.get("output")).get("client"))
        or "sync",
        ignores=reading.ignores(fields.get("lint")),
        sizes=tuple(read_sizes(reading, fields.get("sizes"))),
        rates=tuple(read_rates(reading, fields.get("rates"))),
    )
    return spec, reading.found


def _entity_names(root: Mapping) -> frozenset[str]:
    node: Node | None = root.get("entities")
    entries = node.entries if isinstance(node, Mapping) else ()
    return frozenset(str(entry.key.value) for entry in entries)
