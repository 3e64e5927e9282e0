from __future__ import annotations

import re
import textwrap

import pytest
from dyngen.diagnostics.build import advice, error, warning
from dyngen.diagnostics.model import Label, Span
from dyngen.diagnostics.text import render

SPEC = """\
tables:
  Orders:
    sort_key: [status, order_date]
entities: {}
access_patterns:
  ship:
    update: Order
    set: {status: SHIPPED}
"""


def at(line: int, column: int, end: int, file: str = "shop.yaml") -> Span:
    return Span(file, line, column, line, end)


def expected(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


def test_nothing_to_say() -> None:
    assert render([], {}) == ""


def test_everything_a_diagnostic_can_have() -> None:
    found = error(
        "DG204",
        "this update cannot compute the key `status#order_date`",
        at(8, 11, 17),
        "one of its inputs; `order_date`, the other, is not known here",
        secondary=[Label(at(3, 24, 34), "needed by this index"), Label(at(2, 3, 9))],
        help=[
            "pass it in and have it checked (`guard: {order_date: eq}`), read the item first "
            "(`read_first: true`), or keep the attributes apart (`strategy: multi_attribute`)",
            "or else do nothing",
        ],
    )
    assert render([found], {"shop.yaml": SPEC}) == expected("""
        error[DG204]: this update cannot compute the key `status#order_date`
         --> shop.yaml:8:11
          |
        8 |     set: {status: SHIPPED}
          |           ^^^^^^ one of its inputs; `order_date`, the other, is not known here
          |
         ::: shop.yaml:3:24
        3 |     sort_key: [status, order_date]
          |                        ---------- needed by this index
         ::: shop.yaml:2:3
        2 |   Orders:
          |   ------
          = help: pass it in and have it checked (`guard: {order_date: eq}`), read the item first
                  (`read_first: true`), or keep the attributes apart (`strategy: multi_attribute`)
          = help: or else do nothing

        Found 1 error.
        """)


def test_line_numbers_share_a_margin() -> None:
    text = "\n" * 99 + "hundred: 1\n"
    found = error(
        "DG100", "x", at(2, 1, 2), secondary=[Label(at(100, 1, 8), "here")], help=["y"]
    )
    assert render([found], {"shop.yaml": text}) == expected("""
        error[DG100]: x
           --> shop.yaml:2:1
            |
          2 |
            | ^
            |
           ::: shop.yaml:100:1
        100 | hundred: 1
            | ------- here
            = help: y

        Found 1 error.
        """)


def test_several_places_on_one_line() -> None:
    found = error(
        "DG004",
        "twice",
        at(1, 7, 8),
        "again",
        secondary=[Label(at(1, 4, 5), "first"), Label(at(2, 1, 2), "third")],
    )
    assert render([found], {"shop.yaml": "a: b, c\nd\n"}) == expected("""
        error[DG004]: twice
         --> shop.yaml:1:7
          |
        1 | a: b, c
          |       ^ again
          |    - first
          |
         ::: shop.yaml:2:1
        2 | d
          | - third

        Found 1 error.
        """)


def test_order_is_by_place_and_the_summary_counts() -> None:
    found = [
        advice("DG300", "fourth", at(2, 1, 2)),
        warning("DG310", "third", at(1, 3, 4)),
        error("DG200", "second", at(1, 1, 2)),
        error("DG100", "first", at(1, 1, 2)),
        error("DG100", "other file", at(9, 9, 9, "a.yaml")),
    ]
    said = render(found, {"shop.yaml": "a: b\nc: d\n"})
    assert [line for line in said.splitlines() if "[DG" in line] == [
        "error[DG100]: other file",
        "error[DG100]: first",
        "error[DG200]: second",
        "warning[DG310]: third",
        "advice[DG300]: fourth",
    ]
    assert said.endswith("\n\nFound 3 errors, 1 warning and 1 piece of advice.\n")
    assert render(reversed(found), {"shop.yaml": "a: b\nc: d\n"}) == said
    assert render(found[:2], {}).endswith("Found 1 warning and 1 piece of advice.\n")
    assert render(found[:1] * 2, {}).endswith("Found 2 pieces of advice.\n")


def test_without_its_source_a_place_is_still_told() -> None:
    found = error(
        "DG100", "x", at(7, 2, 3), "here", secondary=[Label(at(99, 1, 2), "there")]
    )
    assert render([found], {"shop.yaml": "a\n"}) == expected("""
        error[DG100]: x
          --> shop.yaml:7:2
           | here
           |
          ::: shop.yaml:99:1
           | there

        Found 1 error.
        """)


@pytest.mark.parametrize(
    ("line", "span", "shown", "mark"),
    [
        ("\tkey:\tvalue", at(1, 7, 12), "    key:    value", "            ^^^^^"),
        ("a\tb", at(1, 2, 3), "a   b", " ^^^"),
        ("日本: wert", at(1, 5, 9), "日本: wert", "      ^^^^"),
        ("日本: wert", at(1, 2, 3), "日本: wert", "  ^^"),
        ("e\u0301: x", at(1, 5, 6), "e\u0301: x", "   ^"),
        ("😀: x", at(1, 4, 5), "😀: x", "    ^"),
        ("a: b", at(1, 5, 5), "a: b", "    ^"),
        ("a: b", at(1, 40, 50), "a: b", "    ^"),
        ("a: b", at(1, 4, 99), "a: b", "   ^"),
        ("a: \x1b[2J\u202eb", at(1, 9, 10), "a: \ufffd[2J\ufffdb", "        ^"),
        ("a: b\r", at(1, 4, 5), "a: b", "   ^"),
        ("a: |", Span("shop.yaml", 1, 4, 5, 1), "a: |", "   ^"),
        ("a: {b: c,", Span("shop.yaml", 1, 4, 2, 3), "a: {b: c,", "   ^^^^^^"),
        ("", at(1, 1, 2), "", "^"),
    ],
)
def test_the_mark_stands_under_its_text(
    line: str, span: Span, shown: str, mark: str
) -> None:
    said = render([error("DG100", "x", span)], {"shop.yaml": line + "\nnext\n"})
    lines = said.splitlines()
    assert lines[3] == f"1 | {shown}".rstrip()
    assert lines[4] == f"  | {mark}"


@pytest.mark.parametrize("position", [1, 200, 1_000, 100_000])
def test_of_a_long_line_the_part_around_the_mark(position: int) -> None:
    line = "x" * (position - 1) + "HERE" + "y" * (100_000 - position + 1)
    found = error("DG100", "x", at(1, position, position + 4))
    lines = render([found], {"shop.yaml": line}).splitlines()
    assert max(map(len, lines)) < 120
    start = lines[4].index("^")
    assert lines[4].count("^") == 4
    assert lines[3][start : start + 4] == "HERE"


def test_a_long_mark_ends_with_the_part_shown() -> None:
    found = error("DG100", "x", at(1, 4, 5_000), "long")
    lines = render([found], {"shop.yaml": "a: " + "x" * 5_000}).splitlines()
    assert lines[3].endswith("x…")
    assert lines[4].endswith("^ long")
    assert max(map(len, lines)) < 130


def test_what_is_to_be_copied_is_not_broken() -> None:
    long = "`a: {" + "b: c, " * 20 + "}`"
    found = error("DG100", "x", at(1, 1, 2), help=[f"either write {long} or leave it"])
    help_lines = render([found], {}).splitlines()[2:5]
    assert help_lines == [
        "  = help: either write",
        f"          {long}",
        "          or leave it",
    ]


def test_a_definition_to_paste_keeps_its_lines() -> None:
    found = error(
        "DG200",
        "x",
        at(1, 1, 2),
        help=["add this index:\n  ByEmail:\n    partition_key: email\n"],
    )
    assert render([found], {}).splitlines()[2:] == [
        "  = help: add this index:",
        "            ByEmail:",
        "              partition_key: email",
        "",
        "Found 1 error.",
    ]


def test_nothing_steers_the_terminal() -> None:
    evil = "\x1b[31m\r\n\u202e\u2028\x9b"
    found = error(
        "DG100",
        evil,
        at(1, 1, 2, f"a{evil}.yaml"),
        evil,
        secondary=[Label(at(1, 2, 3, f"a{evil}.yaml"), evil)],
        help=[evil, f"x\n{evil}"],
    )
    said = render([found], {f"a{evil}.yaml": f"{evil}\n"})
    assert not set("\x1b\r\u202e\u2028\x9b") & set(said)


def test_colours() -> None:
    found = [
        error("DG204", "wrong", at(1, 1, 2), "here", secondary=[Label(at(1, 3, 4))]),
        warning("DG310", "odd", at(1, 3, 4)),
        advice("DG311", "better", at(1, 4, 5), help=["so"]),
    ]
    sources = {"shop.yaml": "a: b\n"}
    said = render(found, sources, color=True)
    assert "\x1b[1;31merror[DG204]\x1b[0m\x1b[1m: wrong\x1b[0m\n" in said
    assert "\x1b[1;31m^ here\x1b[0m\n" in said
    assert "\x1b[1;33mwarning[DG310]\x1b[0m" in said
    assert "\x1b[1;36madvice[DG311]\x1b[0m" in said
    assert "\x1b[1mhelp\x1b[0m: so" in said
    plain = render(found, sources)
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", said) == plain
