from __future__ import annotations

import pytest
from dyngen.source.yaml_reader import read
from said import FILE, expected, plain, read_says


def test_tabs_do_not_indent() -> None:
    assert read_says("a:\n\tb: 1\n  \tc: 2\n") == expected("""
        error[DG001]: a tab in the indentation
         --> spec.yaml:2:1
          |
        2 |     b: 1
          | ^^^^ YAML indents by spaces
          = help: use spaces

        error[DG001]: a tab in the indentation
         --> spec.yaml:3:3
          |
        3 |     c: 2
          |   ^^ YAML indents by spaces
          = help: use spaces

        Found 2 errors.
        """)


@pytest.mark.parametrize(
    ("character", "message"),
    [
        ("\x85", "the line end U+0085 in the text"),
        ("\u2028", "the line separator U+2028 in the text"),
        ("\u2029", "the paragraph separator U+2029 in the text"),
        ("\r", "a carriage return without a line feed in the text"),
        ("\x00", "the character U+0000 cannot stand in YAML"),
        ("\x1b", "the character U+001B cannot stand in YAML"),
        ("\x7f", "the character U+007F cannot stand in YAML"),
        ("\x9b", "the character U+009B cannot stand in YAML"),
        ("\ufeff", "the character U+FEFF cannot stand in YAML"),
        ("\uffff", "the character U+FFFF cannot stand in YAML"),
        ("\ud800", "half a character (U+D800)"),
    ],
)
def test_characters_that_no_spec_holds(character: str, message: str) -> None:
    root, (diagnostic,) = read(f"a: 1\nb: é{character}c\n", FILE)
    assert root is None
    assert diagnostic.code == "DG001"
    assert diagnostic.message == message
    assert diagnostic.help
    span = diagnostic.primary.span
    assert (span.line, span.column, span.end_column) == (2, 5, 6)


def test_a_byte_order_mark() -> None:
    assert read_says("\ufeffa: 1\n").startswith(
        "error[DG001]: the file begins with a byte order mark\n --> spec.yaml:1:1\n"
    )


def test_the_same_characters_as_escapes() -> None:
    root, found = read('a: "\\N\\L\\P\\0\\e\\t\\uFEFF"\n', FILE)
    assert found == []
    assert plain(root) == {"a": "\x85\u2028\u2029\0\x1b\t\ufeff"}


def test_other_characters_are_fine() -> None:
    text = "a: 日本語 😀 \xa0 \u202e é\nb: x\ty # a\ttab\n"
    root, found = read(text, FILE)
    assert found == []
    assert plain(root)["a"] == "日本語 😀 \xa0 \u202e é"


def test_of_a_binary_file_the_first_ten() -> None:
    _, found = read("\x00\x01" * 100_000, FILE)
    assert len(found) == 10
