"""Text that YAML takes for something else: found, and the replacement told exactly."""

from __future__ import annotations

import re

import pytest
from dyngen.diagnostics.model import Diagnostic
from dyngen.source.yaml_reader import read
from said import FILE, expected, plain, read_says

pytestmark = pytest.mark.usefixtures("loader")


def replaced(line: str, diagnostic: Diagnostic) -> str:
    """The line with the place that is marked exchanged for the text that is proposed."""
    match = re.fullmatch(r"quote it: `(?:.*?: )?(\".*\")`", diagnostic.help[0])
    assert match is not None
    span = diagnostic.primary.span
    return line[: span.column - 1] + match[1] + line[span.end_column - 1 :]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("sk: #META", "#META"),
        ("sk: #META#{id} # the item itself", "#META#{id}"),
        ("sk: {a}", "{a}"),
        ("sk: {a}#{b}", "{a}#{b}"),
        ("sk: {a}-{b}", "{a}-{b}"),
        ("sk: {a}{b}", "{a}{b}"),
        ("sk: {a}/{b}  # two parts", "{a}/{b}"),
        ("sk: {a}#X", "{a}#X"),
        ("sk: {number:desc}", "{number:desc}"),
        ("sk: {at:%Y-%m}#{n}", "{at:%Y-%m}#{n}"),
        ("sk: {a|none}", "{a|none}"),
        ("sk: %{a}", "%{a}"),
        ("sk: @{a}", "@{a}"),
        ("sk: `{a}`", "`{a}`"),
        ("sk: X: {a}", "X: {a}"),
        ("sk: &anchor {a}#{b}", "{a}#{b}"),
        ('"sk": {a}-{b}', "{a}-{b}"),
        ('sk: %\\"', '%\\"'),
    ],
)
def test_the_proposed_text_can_be_pasted(line: str, text: str) -> None:
    _, (diagnostic,) = read(f"a: 1\n{line}\nb: 2\n", FILE)
    assert diagnostic.code == "DG003"
    assert diagnostic.message == "the text of `sk` must be quoted"
    assert diagnostic.primary.span.line == 2
    root, found = read(f"a: 1\n{replaced(line, diagnostic)}\nb: 2\n", FILE)
    assert found == []
    assert plain(root) == {"a": 1, "sk": text, "b": 2}


@pytest.mark.parametrize(
    "line",
    [
        "keys: {pk: {a}#{b}, sk: #META}",
        "keys: {pk: A#{a}, sk: {b}}",
        "keys: {pk: {a}-{b}, sk: X#{b}#{c}}",
        "keys: {pk: {a}#{b}, sk: {c}#{d}}",
        "keys: {pk: #A, sk: #B}",
        "keys: {pk: A, sk: {value: {a}#{b}, when: {c: present}}}",
        'keys: {pk: "{x: y}", sk: {b}/{c}}',
    ],
)
def test_inside_braces_every_fault_of_a_line_is_told(line: str) -> None:
    root, found = read(f"{line}\nb: 2\n", FILE)
    assert {each.code for each in found} == {"DG003"}
    for diagnostic in sorted(found, key=lambda each: each.sort_key, reverse=True):
        line = replaced(line, diagnostic)
    again, none = read(f"{line}\nb: 2\n", FILE)
    assert none == []
    assert plain(again) == plain(root)


def test_braces_over_several_lines() -> None:
    text = "keys: {\n  pk: #A, sk: {a}#{b},\n  gsi: #C\n}\nx: {y}\n"
    root, found = read(text, FILE)
    assert plain(root) == {
        "keys": {"pk": "#A", "sk": "{a}#{b}", "gsi": "#C"},
        "x": "{y}",
    }
    assert len(found) == 4


def test_all_faults_of_a_file_and_what_lies_behind_them() -> None:
    text = (
        "entities:\n"
        "  Repo:\n"
        "    keys: {pk: REPO#{owner}, sk: #META}\n"
        "    keys: 1\n"
        "  Issue:\n"
        "    keys:\n"
        "      pk: {owner}#{name}\n"
        "      sk: #ISSUE#{n}    # n is padded\n"
    )
    assert read_says(text) == expected("""
        error[DG003]: the text of `pk` must be quoted
         --> spec.yaml:3:16
          |
        3 |     keys: {pk: REPO#{owner}, sk: #META}
          |                ^^^^^^^^^^^^ `{` cannot stand in text inside braces
          = help: quote it: `pk: "REPO#{owner}"`

        error[DG003]: the text of `sk` must be quoted
         --> spec.yaml:3:34
          |
        3 |     keys: {pk: REPO#{owner}, sk: #META}
          |                                  ^^^^^ `#` after a space begins a comment
          = help: quote it: `sk: "#META"`

        error[DG004]: `keys` is given twice
         --> spec.yaml:4:5
          |
        4 |     keys: 1
          |     ^^^^
          |
         ::: spec.yaml:3:5
        3 |     keys: {pk: REPO#{owner}, sk: #META}
          |     ---- first given here
          = help: keep one of them

        error[DG003]: the text of `pk` must be quoted
         --> spec.yaml:7:11
          |
        7 |       pk: {owner}#{name}
          |           ^^^^^^^^^^^^^^ `{` begins a mapping
          = help: quote it: `pk: "{owner}#{name}"`

        error[DG003]: the text of `sk` must be quoted
         --> spec.yaml:8:11
          |
        8 |       sk: #ISSUE#{n}    # n is padded
          |           ^^^^^^^^^^ `#` after a space begins a comment
          = help: quote it: `sk: "#ISSUE#{n}"`

        Found 5 errors.
        """)


def test_places_behind_a_repair_are_the_author_s() -> None:
    text = "keys: {pk: {a}#{b}, sk: X, sk: Y}\n"
    _, found = read(text, FILE)
    second = next(each for each in found if each.code == "DG004")
    assert second.primary.span.column == text.rindex("sk") + 1
    assert second.secondary[0].span.column == text.index("sk") + 1


@pytest.mark.parametrize(
    "text",
    [
        "a: {type: string, optional: true}\n",
        "a: {b: {c: d}}  # {e}-{f}\n",
        "a: x  # sk: {a}-{b}\n",
        "a: &k X#{b}\nc: *k\n",
        "keys:   #no space\n  pk: X\n",
        "a: http://x/{y}\n",
        "a: it's {b}\n",
    ],
)
def test_good_yaml_is_left_alone(text: str) -> None:
    assert read_says(text) == ""


def test_a_brace_that_is_never_closed_is_not_text() -> None:
    assert "DG003" not in read_says("a: {type: string\nb: 1\n")
    assert "DG003" not in read_says("a: [x, y\nb: 1\n")
