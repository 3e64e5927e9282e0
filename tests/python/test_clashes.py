"""Names that words of a spec can't have, with both places."""

from __future__ import annotations

import pytest
from dyngen.compile import compile_all
from dyngen.python.clashes import check
from dyngen.python.names import class_name

SPEC = """\
dyngen: 1
service: shop
types:
  Size: [S, M, L]
tables:
  Shop: {{partition_key: pk, sort_key: sk}}
entities:
  Order:
    attributes: {{pk: string, sk: string, size: Size{attributes}}}
{entities}
access_patterns:
  orders: {{query: Order, where: {{pk: eq}}}}
{patterns}
"""


def findings(
    attributes: str = "", entities: str = "", patterns: str = "", **words: str
) -> list[tuple[str, str, int, list[int]]]:
    text = SPEC.format(attributes=attributes, entities=entities, patterns=patterns)
    for old, new in words.items():
        text = text.replace(old, new)
    compiled = compile_all(text, "shop.yaml")
    assert compiled.spec is not None
    assert compiled.design is not None
    return [
        (
            found.code,
            found.message,
            found.primary.span.line,
            [label.span.line for label in found.secondary],
        )
        for found in check(compiled.spec, compiled.design)
    ]


def test_a_spec_without_clashes() -> None:
    assert findings() == []


def test_attributes_that_become_one() -> None:
    [(code, message, _, places)] = findings(
        attributes=", first-name: string, firstName: string"
    )

    assert code == "DG181"
    assert message == "`first-name` and `firstName` both become `first_name` in Python"
    assert len(places) == 1


def test_a_word_without_a_name() -> None:
    [(code, message, _, _)] = findings(attributes=", __: string")

    assert (code, message) == ("DG180", "no Python name can be made of `__`")


def test_values_of_an_enum() -> None:
    found = findings(attributes=", kind: [a-b, a_b]")

    assert [(code, message) for code, message, *_ in found] == [
        ("DG181", "`a-b` and `a_b` both become `A_B` in Python")
    ]


@pytest.mark.parametrize(
    "word",
    [
        "Query",
        "ItemExists",
        "Mapping",
        "Decimal",
        "Call",
        "Kind",
        "Environment",
        "None",
    ],
)
def test_classes_stand_beside_what_the_package_or_its_suite_needs(word: str) -> None:
    assert class_name(word) == f"{word}_"
    assert findings(Order=f'"{word}"') == []


def test_an_entity_called_like_the_service_goes_before_it() -> None:
    other = "  ShopService: {attributes: {pk: string, sk: string, x: string}}"

    assert findings(Order="Shop") == []
    [(code, message, _, _)] = findings(Order="Shop", entities=other)
    assert code == "DG181"
    assert "ShopService" in message


def test_patterns_called_like_operations_or_like_each_other() -> None:
    found = findings(patterns="""\
  get: {query: Order, where: {pk: eq}}
  Orders: {query: Order, where: {pk: eq}}
""")

    assert [(code, line, places) for code, _, line, places in found] == [
        ("DG182", 13, []),
        ("DG181", 14, [12]),
    ]


def test_parameters_that_become_one() -> None:
    found = findings(patterns="""\
  some: {query: Order, where: {pk: {eq: {param: a_b}}, sk: {gte: {param: aB}}}}
""")

    assert [(code, line) for code, _, line, _ in found] == [("DG181", 13)]
