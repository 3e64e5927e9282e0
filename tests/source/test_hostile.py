"""Input meant to exhaust or to mislead the reader: an answer comes, and soon."""

from __future__ import annotations

import pytest
from dyngen.source import schema
from dyngen.source.yaml_reader import read
from said import FILE, plain, read_says


def test_an_alias_bomb() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for level in range(1, 20):
        aliases = ", ".join([f"*a{level - 1}"] * 10)
        lines.append(f"a{level}: &a{level} [{aliases}]")
    said = read_says("\n".join(lines))
    assert "error[DG007]: aliases make this spec larger than 50,000 values" in said
    assert " --> spec.yaml:5:" in said


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 100_000,
        "a: " + "{b: " * 100_000,
        "- " * 100_000,
        "a: " + "[" * 60 + "]" * 60,
    ],
)
@pytest.mark.usefixtures("loader")
def test_deep_nesting(text: str) -> None:
    root, found = read(text, FILE)
    assert root is None
    assert found


def test_depth_through_aliases() -> None:
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 100)]
    assert "error[DG007]: more than 40 levels, one in another" in read_says(
        "\n".join(lines)
    )


@pytest.mark.parametrize(
    ("head", "step", "end"),
    [
        ("types: {T: ", "{type: list, of: ", "string"),
        ("access_patterns: {p: {get: E, where: ", "{not: ", "{a: eq}"),
        ("access_patterns: {p: {get: E, where: ", "{any: [", "{a: eq}"),
    ],
)
def test_the_deepest_spec_that_is_read_can_be_checked(
    head: str, step: str, end: str
) -> None:
    closing = "".join({"{": "}", "[": "]"}.get(c, "") for c in reversed(step))
    for depth in range(40, 0, -1):
        text = head + step * depth + end + closing * depth + "}" * head.count("{")
        root, found = read(text, FILE)
        if not found:
            break
    assert root is not None
    assert {each.code for each in schema.check(root)} == {"DG021"}


def test_huge_scalars() -> None:
    text = "x" * 3_000_000
    root, found = read(f"a: {text}\nb: '{text}'\n", FILE)
    assert found == []
    assert plain(root) == {"a": text, "b": text}


def test_a_huge_key() -> None:
    root, found = read(f"{'k' * 5000}: 1\n", FILE)
    assert root is None
    assert found[0].code == "DG002"


def test_a_huge_number() -> None:
    assert "DG010" in read_says(f"a: {'9' * 100_000}\n")


@pytest.mark.usefixtures("loader")
def test_many_faults() -> None:
    _, found = read("".join(f"k{n}: {{a}}-{{b}}\n" for n in range(200)), FILE)
    assert len(found) > 50
    _, found = read("".join(f"k{n}: #x\n" for n in range(500)), FILE)
    assert len(found) == 500


def test_control_characters_do_not_reach_the_terminal() -> None:
    said = read_says('"\\e[2J\\u202E\\n": 1\n"\\e[2J\\u202E\\n": 2\n')
    assert "`\\x1b[2J\\u202e\\n` is given twice" in said
    assert "\x1b" not in said
    assert "\u202e" not in said


@pytest.mark.parametrize(
    "value",
    [
        "!!python/object/apply:os.system ['touch pwned']",
        "!!python/name:os.system",
        "!!binary aGk=",
        "!<tag:yaml.org,2002:python/object/new:type> {}",
        "! x",
    ],
)
def test_tags_construct_nothing(value: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "DG008" in read_says(f"a: {value}\n")
    assert list(tmp_path.iterdir()) == []
