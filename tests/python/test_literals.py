"""Whatever a spec holds, its source reads as the value again."""

from __future__ import annotations

import ast
import datetime as dt
import io
import tokenize
from decimal import Decimal

import black
import pytest
from dyngen.python import literals
from hypothesis import example, given
from hypothesis import strategies as st

HOSTILE = [
    '"',
    "'",
    "\"'",
    "\\",
    '\\"',
    '"""',
    "'''",
    '\\"""',
    "{{ 7 * 7 }}",
    "{% raw %}",
    "{}",
    "{",
    "a\nb",
    "a\r\nb",
    "\r",
    "\0",
    "\x1b[31m",
    "\x85",
    "\u2028",
    "\u202e",
    "\ud800",
    "\U0010ffff",
    '"+print()+"',
    "# type: ignore",
    "\\N{BULLET}",
    'end with quote"',
    "end with backslash\\",
    "\tindent",
]

any_text = st.text(max_size=30) | st.sampled_from(HOSTILE)


@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_text_is_one_literal(value: str) -> None:
    check_text(value)


@given(st.text())
def test_any_text_is_one_literal(value: str) -> None:
    check_text(value)


def check_text(value: str) -> None:
    source = literals.text(value)

    assert ast.literal_eval(source) == value
    assert source.isprintable()
    assert one_line(source)
    assert black.format_str(f"x = {source}\n", mode=black.Mode()) == f"x = {source}\n"


@given(st.lists(any_text, max_size=4), st.lists(any_text, max_size=4))
def test_interpolated_text_keeps_every_character(
    before: list[str], after: list[str]
) -> None:
    pieces = [*before, literals.Expression("value"), *after]

    source = literals.interpolated(pieces)

    assert eval(source, {"value": "<v>"}) == f"{''.join(before)}<v>{''.join(after)}"
    assert one_line(source)


@given(st.lists(any_text, max_size=4))
def test_text_alone_is_no_format_string(pieces: list[str]) -> None:
    assert ast.literal_eval(literals.interpolated(pieces)) == "".join(pieces)


@pytest.mark.parametrize("body", HOSTILE)
@pytest.mark.parametrize("indent", [0, 4, 8])
def test_hostile_text_is_one_docstring(body: str, indent: int) -> None:
    check_docstring(body, indent)


@given(st.text(max_size=300), st.sampled_from([0, 4, 8]))
@example('" "" """', 4)
@example("a" * 80, 4)
@example("word " * 17, 8)
def test_any_text_is_one_docstring(body: str, indent: int) -> None:
    check_docstring(body, indent)


def check_docstring(body: str, indent: int) -> None:
    source = literals.docstring(body, indent)
    header = "".join(f"{' ' * level}class C:\n" for level in range(0, indent, 4))
    module = f"{header}{' ' * indent}{source}\n{' ' * indent}x = 1\n"

    tree = ast.parse(module)

    innermost: ast.AST = tree
    while isinstance(inner := innermost.body[0], ast.ClassDef):  # type: ignore[attr-defined]
        innermost = inner
    assert len(innermost.body) == 2  # type: ignore[attr-defined]
    said = ast.get_docstring(innermost) or ""  # type: ignore[arg-type]
    assert words(said) == words("\n".join(literals.lines_of(body)))
    formatted = black.format_str(module, mode=black.Mode())
    assert black.format_str(formatted, mode=black.Mode()) == formatted


def words(text: str) -> list[str]:
    return text.split()


@given(any_text)
def test_a_comment_is_one_line(body: str) -> None:
    source = literals.comment(body)

    assert one_line(source)
    assert source.startswith("# ")
    [*tokens] = tokenize.generate_tokens(io.StringIO(f"{source}\n").readline)
    assert [t.type for t in tokens[:1]] == [tokenize.COMMENT]


def one_line(source: str) -> bool:
    return len(source.splitlines()) == 1


@pytest.mark.parametrize(
    "value",
    [
        True,
        -1,
        0.1,
        Decimal("-1.50"),
        b"\0'\"",
        "text",
        dt.date(2026, 2, 28),
        dt.datetime(2026, 2, 28, 1, 2, 3, 4, tzinfo=dt.UTC),
        dt.datetime(2026, 2, 28, tzinfo=dt.timezone(dt.timedelta(hours=2))),
    ],
)
def test_values(value: object) -> None:
    source = literals.value(value)

    found = eval(source, {"dt": dt, "Decimal": Decimal})
    assert found == value
    assert type(found) is type(value)


def test_patterns_are_raw_where_they_can_be() -> None:
    assert literals.pattern(r"a\.b") == r'r"a\.b"'
    assert literals.pattern('"\\.') == "'\"\\\\.'"
    for source in (r"a\.b", '"\\.', "\\", "\n", "a\\\\", 'a"b'):
        assert ast.literal_eval(literals.pattern(source)) == source
