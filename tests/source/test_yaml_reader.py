from __future__ import annotations

from decimal import Decimal

import pytest
from dyngen.diagnostics.model import Span
from dyngen.source.nodes import Mapping, Sequence
from dyngen.source.yaml_reader import read
from said import FILE, expected, plain, read_says, value_of

pytestmark = pytest.mark.usefixtures("loader")


# --- values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("NO", "no", "yes", "on", "Off", "True", "FALSE", "y"),
        *("012", "0o14", "0x1F", "1_000", "+5", "1e3", ".5", "5.", ".inf", ".nan"),
        *("12:30", "190:20:30", "2026-07-01", "2026-07-01T00:00:00Z", "1.2.3"),
        *(
            "=",
            "null null",
            "none",
            "-x",
            "a#b",
            "ORDER#{id}",
            "a:b",
        ),
    ],
)
def test_what_looks_like_something_else_is_text(text: str) -> None:
    assert value_of(text) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("0", 0),
        ("-17", -17),
        ("99999999", 99999999),
        ("0.40", Decimal("0.40")),
        ("-1.5", Decimal("-1.5")),
    ],
)
def test_booleans_integers_and_decimals(text: str, value: object) -> None:
    found = value_of(text)
    assert found == value
    assert type(found) is type(value)
    assert str(found) == str(value)


@pytest.mark.parametrize("text", ["true", "17", "1.5", "null", "~", ""])
def test_in_quotes_everything_is_text(text: str) -> None:
    assert value_of(f'"{text}"') == text
    assert value_of(f"'{text}'") == text


def test_keys_are_text_as_written() -> None:
    root, found = read("1: a\ntrue: b\nnull: c\n1.50: d\n'': e\n", FILE)
    assert [entry.key.value for entry in root.entries] == ["1", "true", "null", "1.50"]
    assert [each.message for each in found] == ["a key must be text"]


# --- places ---------------------------------------------------------------------------------------


def test_places_count_characters() -> None:
    root, _ = read("日本: {é: 'x', 😀😀: yes}\nlist:\n  - a\n  - bc\n", FILE)
    first, second = root.entries
    inner = first.value
    assert isinstance(inner, Mapping)
    assert first.key.span == Span(FILE, 1, 1, 1, 3)
    assert inner.span == Span(FILE, 1, 5, 1, 22)
    assert inner.entries[0].value.span == Span(FILE, 1, 9, 1, 12)
    assert inner.entries[1].key.span == Span(FILE, 1, 14, 1, 16)
    assert inner.entries[1].value.span == Span(FILE, 1, 18, 1, 21)
    assert isinstance(second.value, Sequence)
    assert second.value.span == Span(FILE, 3, 3, 4, 7)
    assert second.value.items[1].span == Span(FILE, 4, 5, 4, 7)


def test_a_block_ends_with_its_last_value() -> None:
    root, _ = read("a:\n  b: 1\n  c: 2\n\n\n# a comment\nd: 3\n", FILE)
    assert root.entries[0].value.span == Span(FILE, 2, 3, 3, 7)


def test_carriage_returns_before_line_feeds_change_nothing() -> None:
    root, found = read("a: 1\r\nb: x\r\n", FILE)
    assert found == []
    assert plain(root) == {"a": 1, "b": "x"}
    assert root.entries[1].value.span == Span(FILE, 2, 4, 2, 5)


def test_an_alias_stands_where_it_is_used() -> None:
    root, found = read("a: &x {k: [1, two]}\nb: *x\n", FILE)
    assert found == []
    assert plain(root) == {"a": {"k": [1, "two"]}, "b": {"k": [1, "two"]}}
    alias = root.entries[1].value
    assert isinstance(alias, Mapping)
    use = Span(FILE, 2, 4, 2, 6)
    assert alias.span == use
    assert alias.entries[0].key.span == use
    assert alias.entries[0].value.items[1].span == use


# --- what is refused ------------------------------------------------------------------------------


def test_a_key_given_twice_names_both_places() -> None:
    assert read_says("a: 1\nb: 2\na: 3\nc: {x: 1, x: 2}\n") == expected("""
        error[DG004]: `a` is given twice
         --> spec.yaml:3:1
          |
        3 | a: 3
          | ^
          |
         ::: spec.yaml:1:1
        1 | a: 1
          | - first given here
          = help: keep one of them

        error[DG004]: `x` is given twice
         --> spec.yaml:4:11
          |
        4 | c: {x: 1, x: 2}
          |           ^
          |     - first given here
          = help: keep one of them

        Found 2 errors.
        """)


def test_there_is_no_null() -> None:
    text = "a: null\nb:\nc: [x, ~]\nd: # to do\ne: {f}\n"
    assert read_says(text) == expected("""
        error[DG005]: `a` has no value
         --> spec.yaml:1:4
          |
        1 | a: null
          |    ^^^^ there is no null in a spec
          = help: leave it out; if it is text, quote it: `"null"`

        error[DG005]: `b` has no value
         --> spec.yaml:2:1
          |
        2 | b:
          | ^
          = help: write a value behind it, or leave it out

        error[DG005]: an item without a value
         --> spec.yaml:3:8
          |
        3 | c: [x, ~]
          |        ^ there is no null in a spec
          = help: leave it out; if it is text, quote it: `"~"`

        error[DG005]: `d` has no value
         --> spec.yaml:4:1
          |
        4 | d: # to do
          | ^
          = help: write a value behind it, or leave it out

        error[DG003]: the text of `e` must be quoted
         --> spec.yaml:5:4
          |
        5 | e: {f}
          |    ^^^ `{` begins a mapping
          = help: quote it: `e: "{f}"`

        Found 5 errors.
        """)


def test_anchors_tags_merge_keys_and_strange_keys() -> None:
    text = (
        "a: &x {b: 1}\n"
        "c: &x 2\n"
        "d: *y\n"
        "e: &z [*z]\n"
        "<<: *x\n"
        "f: !!python/object/apply:os.system ['true']\n"
        "g: !none\n"
        "&k h: 1\n"
        "[i]: 1\n"
        "j: 123456789012345678901234567890123456789\n"
    )
    assert read_says(text) == expected("""
        error[DG006]: the anchor `&x` is given twice
         --> spec.yaml:2:4
          |
        2 | c: &x 2
          |    ^^
          |
         ::: spec.yaml:1:4
        1 | a: &x {b: 1}
          |    -- first given here
          = help: give one of them another name

        error[DG006]: no anchor `&y` stands above
         --> spec.yaml:3:4
          |
        3 | d: *y
          |    ^^
          = help: if it is text, quote it: `"*y"`

        error[DG006]: `*z` stands inside the value that it stands for
         --> spec.yaml:4:8
          |
        4 | e: &z [*z]
          |        ^^
          |    -- the value begins here
          = help: write the inner value out

        error[DG006]: merge keys are not part of the language
         --> spec.yaml:5:1
          |
        5 | <<: *x
          | ^^
          = help: write the entries out; an alias stands for a whole value

        error[DG008]: tags are not part of the language
         --> spec.yaml:6:4
          |
        6 | f: !!python/object/apply:os.system ['true']
          |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          = help: take it out; text that begins with `!` must be quoted

        error[DG008]: tags are not part of the language
         --> spec.yaml:7:4
          |
        7 | g: !none
          |    ^^^^^
          = help: take it out; text that begins with `!` must be quoted

        error[DG006]: an anchor on a key
         --> spec.yaml:8:1
          |
        8 | &k h: 1
          | ^^^^
          = help: take it off

        error[DG009]: a key must be text
         --> spec.yaml:9:1
          |
        9 | [i]: 1
          | ^
          = help: write `key: value`

        error[DG010]: a number of more than 38 digits
          --> spec.yaml:10:4
           |
        10 | j: 123456789012345678901234567890123456789
           |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DynamoDB keeps no more
           = help: shorten it, or quote it if it is text

        Found 9 errors.
        """)


def test_a_misspelt_alias() -> None:
    assert "= help: did you mean `account`?" in read_says("a: &account x\nb: *acount\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file holds no spec"),
        ("# nothing yet\n", "the file holds no spec"),
        ("---\n...\n", "the file holds no spec"),
        ("~\n", "the file holds no spec"),
        ("orders\n", "a spec is a mapping"),
        ("- dyngen: 1\n", "a spec is a mapping"),
        ("{a}\n", "`a` has no value"),
        ("a: 1\n---\nb: 2\n", "a second document begins here"),
    ],
)
def test_one_document_that_is_a_mapping(text: str, message: str) -> None:
    said = read_says(text)
    assert said.startswith(
        f"error[DG00{'5' if 'value' in message else '9'}]: {message}\n"
    )
    assert said.endswith("Found 1 error.\n")


def test_what_could_be_read_comes_with_the_diagnostics() -> None:
    root, found = read("a: 1\na: 2\nb: {c: {d}-{e}}\nf:\ng: [1, ~]\n", FILE)
    assert plain(root) == {"a": 1, "b": {"c": "{d}-{e}"}, "g": [1]}
    assert [each.code for each in found] == ["DG003", "DG004", "DG005", "DG005"]
