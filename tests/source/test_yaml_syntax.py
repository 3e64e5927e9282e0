from __future__ import annotations

import pytest
from said import expected, read_says

pytestmark = pytest.mark.usefixtures("loader")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "a: {type: string\nb: 1\n",
            """
            error[DG002]: `{` is never closed
             --> spec.yaml:1:4
              |
            1 | a: {type: string
              |    ^ its `}` is missing
              |
             ::: spec.yaml:2:1
            2 | b: 1
              | - this cannot be part of it
              = help: write the `}`; text that holds any of `{ } [ ] ,` must be quoted
            """,
        ),
        (
            "a: [x y, {z: 1}, 2] ]\n",
            """
            error[DG002]: more text where the value has ended
             --> spec.yaml:1:21
              |
            1 | a: [x y, {z: 1}, 2] ]
              |                     ^ not part of the value
              = help: put the whole text between double quotes
            """,
        ),
        (
            "a: [x, {b: 1 c: 2}]\n",
            """
            error[DG002]: `,` or `}` is missing
             --> spec.yaml:1:15
              |
            1 | a: [x, {b: 1 c: 2}]
              |               ^ expected before this
              |        - this `{` is still open
              = help: write it; text that holds any of `{ } [ ] ,` must be quoted
            """,
        ),
        (
            "a: [x, , {b: 1}]\n",
            """
            error[DG002]: a value is missing
             --> spec.yaml:1:8
              |
            1 | a: [x, , {b: 1}]
              |        ^ expected before this
              = help: write the value, or close what is open; text that holds any of `{ } [ ] ,` must be quoted
            """,
        ),
        (
            'a: "x\nb: c\n',
            """
            error[DG002]: a quotation is never closed
             --> spec.yaml:1:4
              |
            1 | a: "x
              |    ^ it begins here
              = help: end it with the same quotation mark
            """,
        ),
        (
            "tables:\n  Orders: 1\n Users: 2\n",
            """
            error[DG002]: a line whose indentation fits nothing above it
             --> spec.yaml:3:2
              |
            3 |  Users: 2
              |  ^ indented by 1
              |
             ::: spec.yaml:1:1
            1 | tables:
              | - the block that it would go on with begins here
              = help: indent the entries of one mapping alike
            """,
        ),
        (
            "tables\n  Orders: 1\n",
            """
            error[DG002]: a `:` where no key can stand
             --> spec.yaml:2:9
              |
            2 |   Orders: 1
              |         ^
              = help: quote text that holds a `:`; otherwise the line above lacks its `:`, or this line is
                      indented wrongly
            """,
        ),
        (
            "a: 1\nb\nc: 2\n",
            """
            error[DG002]: a key without a `:` behind it
             --> spec.yaml:2:1
              |
            2 | b
              | ^
              = help: write `key: value`, with a space after the `:`
            """,
        ),
        (
            "- a\nb: 1\n",
            """
            error[DG002]: keys and list items are mixed
             --> spec.yaml:2:1
              |
            2 | b: 1
              | ^
              |
             ::: spec.yaml:1:1
            1 | - a
              | - the block begins here
              = help: a block is either a mapping (`key: value`) or a list (`- item`)
            """,
        ),
        (
            "a: - b\n",
            """
            error[DG002]: a list item where none can stand
             --> spec.yaml:1:4
              |
            1 | a: - b
              |    ^
              = help: put the list on lines of its own, each item behind a `-`
            """,
        ),
        (
            "@a: 1\n",
            """
            error[DG002]: text cannot begin with `@`
             --> spec.yaml:1:1
              |
            1 | @a: 1
              | ^
              = help: put the text between double quotes
            """,
        ),
        (
            "a: 'x' y\n",
            """
            error[DG002]: more text where the value has ended
             --> spec.yaml:1:8
              |
            1 | a: 'x' y
              |        ^ not part of the value
              = help: put the whole text between double quotes
            """,
        ),
    ],
)
def test_syntax_errors(text: str, said: str) -> None:
    assert read_says(text) == expected(said) + "\nFound 1 error.\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &\n", "error[DG002]: a `&` without a name behind it"),
        ("a: *\n", "error[DG002]: a `*` without the name of an anchor behind it"),
        ("%a: 1\n", "error[DG002]: a line that begins with `%`"),
        ("a: !<x\n", "error[DG008]: tags are not part of the language"),
    ],
)
def test_single_marks(text: str, said: str) -> None:
    assert read_says(text).startswith(f"{said}\n")


def test_an_unknown_escape() -> None:
    said = read_says('a: "C:\\dir\\q"\n')
    assert said.startswith(
        "error[DG002]: an escape that YAML does not know\n --> spec.yaml:1:"
    )
    assert "= help: write a backslash inside double quotes as `\\\\`" in said


def test_what_stands_before_a_syntax_error_is_told_too() -> None:
    said = read_says("a: 1\na: 2\nb: {c}-{d}\ne: [1\n")
    assert [line[:12] for line in said.splitlines() if line.startswith("error")] == [
        "error[DG004]",
        "error[DG003]",
        "error[DG002]",
    ]
