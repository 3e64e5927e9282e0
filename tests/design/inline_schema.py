"""Specs written inside tests, resolved."""

from dyngen.design.model import Attribute, Entity, Schema
from dyngen.design.resolve import resolve
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.source.yaml_reader import read
from dyngen.spec.reader import read_spec


def resolve_text(text: str) -> tuple[Schema | None, list[Diagnostic]]:
    """What a spec resolves to; its shape has to be right."""
    root, problems = read(text, "spec.yaml")
    assert root is not None, problems
    assert not problems
    spec, problems = read_spec(root, "spec.yaml")
    assert not problems
    assert spec is not None
    return resolve(spec)


def schema_of(text: str) -> Schema:
    """The schema of a spec that has nothing wrong."""
    schema, problems = resolve_text(text)
    assert not problems
    assert schema is not None
    return schema


def problems_of(text: str) -> list[Diagnostic]:
    """What is wrong with a spec."""
    _, problems = resolve_text(text)
    return sorted(problems, key=lambda d: d.sort_key)


def problem_of(text: str) -> Diagnostic:
    """The one thing that is wrong with a spec."""
    (problem,) = problems_of(text)
    return problem


def words(text: str, label: Label) -> str:
    """The words of the text that a label marks."""
    span = label.span
    assert span.line == span.end_line
    return text.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1]


def with_attributes(attributes: str, rest: str = "") -> str:
    """A spec of one table and one entity with these attributes beside its id."""
    return (
        "dyngen: 1\n"
        "service: things\n"
        f"{rest}"
        "tables: {Things: {partition_key: id}}\n"
        "entities:\n"
        "  Thing:\n"
        f"    attributes: {{id: string, {attributes}}}\n"
    )


def attribute_of(attributes: str, rest: str = "") -> Attribute:
    """The last attribute of such a spec."""
    return entity_of(with_attributes(attributes, rest)).attributes[-1]


def entity_of(text: str) -> Entity:
    """The first entity of a spec."""
    return schema_of(text).entities[0]


def with_keys(
    table: str, entity: str, *, top: str = "", name: str = "Thing", more: str = ""
) -> str:
    """A spec of one table and one entity, both as flow mappings."""
    return (
        "dyngen: 1\n"
        "service: things\n"
        f"{top}"
        f"tables:\n  Things: {table}\n"
        f"entities:\n  {name}: {entity}\n{more}"
    )
