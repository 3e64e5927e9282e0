"""The structure of a spec, checked against `spec.schema.json`.

The schema is what editors complete by, and the one description of the spec's structure. Where it
offers alternatives, the one that the author meant is chosen first, by the kind of the value and by
the keys that tell alternatives apart (`get`, `query`, ...); what is reported is what is wrong with
that one.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from importlib import resources
from typing import TYPE_CHECKING, Any

from dyngen.diagnostics.model import Diagnostic
from dyngen.source import structure
from dyngen.source.alternatives import Alternatives
from dyngen.source.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


def text() -> str:
    """The JSON Schema, as `dyngen schema` prints it."""
    return resources.files("dyngen").joinpath("spec.schema.json").read_text("utf-8")


def check(root: Mapping) -> list[Diagnostic]:
    """What is wrong with the structure of a spec (DG020 to DG024), in order of place."""
    alternatives = Alternatives(_schema())
    found: list[structure.Finding] = []
    for fault in _validator().iter_errors(_plain(root)):
        found.extend(structure.explain(fault, root, alternatives))
    return sorted(structure.without_consequences(found), key=lambda each: each.sort_key)


@functools.cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(text())
    return schema


@functools.cache
def _validator() -> Validator:
    import jsonschema
    from jsonschema import validators

    alternatives = Alternatives(_schema())

    def any_of(
        validator: Any, branches: list[Any], value: object, schema: object
    ) -> Iterator[jsonschema.ValidationError]:
        chosen = alternatives.choose(branches, value)
        if chosen is None:
            yield jsonschema.ValidationError("no alternative fits")
        else:
            yield from validator.descend(value, branches[chosen], schema_path=chosen)

    extend: Any = validators.extend
    validator: Validator = extend(jsonschema.Draft7Validator, {"anyOf": any_of})(
        _schema()
    )
    return validator


def _plain(node: Node) -> Any:
    """The value without places, as the validator wants it."""
    match node:
        case Mapping():
            return {str(entry.key.value): _plain(entry.value) for entry in node.entries}
        case Sequence():
            return [_plain(item) for item in node.items]
        case Scalar():
            return node.value
