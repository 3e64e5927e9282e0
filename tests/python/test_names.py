"""What words become in Python."""

from __future__ import annotations

import keyword

import pytest
from dyngen.python import names
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("order_date", "order_date"),
        ("orderDate", "order_date"),
        ("order-date", "order_date"),
        ("OrderID", "order_id"),
        ("HTTPServer", "http_server"),
        ("status#order_date", "status_order_date"),
        ("GSI1PK", "gsi1_pk"),
        ("_v", "v"),
        ("__class__", "class"),
        ("größe", "größe"),
    ],
)
def test_snake_case(word: str, name: str) -> None:
    assert names.snake(word) == name


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("order_item", "OrderItem"),
        ("OrderItem", "OrderItem"),
        ("HTTPServer", "HTTPServer"),
        ("room-type", "RoomType"),
    ],
)
def test_pascal_case(word: str, name: str) -> None:
    assert names.pascal(word) == name


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("order", "orders"),
        ("category", "categories"),
        ("day", "days"),
        ("box", "boxes"),
        ("status", "statuses"),
        ("branch", "branches"),
        ("day_summary", "day_summaries"),
    ],
)
def test_plural(noun: str, several: str) -> None:
    assert names.plural(noun) == several


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("class", "class_"),
        ("None", "none"),
        ("str", "str_"),
        ("dt", "dt_"),
        ("stored", "stored_"),
        ("self", "self_"),
        ("type", "type"),
        ("match", "match"),
        ("date", "date"),
    ],
)
def test_keywords_and_names_that_code_needs_are_left_alone(
    word: str, name: str
) -> None:
    assert names.attribute(word) == name
    assert names.parameter(word) == name
    assert names.method(word) == name


def test_words_that_allow_no_name_make_none() -> None:
    assert not names.is_identifier(names.attribute("2fa"))
    assert not names.is_identifier(names.attribute("_"))
    assert not names.is_identifier(names.enum_member("2XL"))


@given(st.text(max_size=12))
def test_what_is_an_identifier_is_neither_keyword_nor_mangled(word: str) -> None:
    for made in (names.attribute, names.method, names.enum_member, names.class_name):
        name = made(word)
        if names.is_identifier(name):
            assert not keyword.iskeyword(name)
            assert not name.startswith("_")


def test_a_scope_hands_out_each_name_once() -> None:
    scope = names.Scope(["item"])

    assert [scope.claim("item"), scope.claim("item"), scope.claim("key")] == [
        "item_2",
        "item_3",
        "key",
    ]
