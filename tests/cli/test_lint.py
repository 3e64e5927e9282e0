"""`dyngen lint` and `dyngen explain CODE`: formats, choice of rules, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dyngen.cli import main

WARNED = """\
dyngen: 1
service: shop
tables:
  Orders:
    partition_key: customer
    sort_key: number
    indexes:
      ByTotal: {partition_key: customer, sort_key: total}
entities:
  Order:
    attributes: {customer: uuid, number: ulid, total: integer, at: timestamp}
access_patterns:
  orders: {query: Order, where: {customer: eq}}
"""
ADVISED = (
    WARNED.replace("      ByTotal: {partition_key: customer, sort_key: total}\n", "")
    .replace("    indexes:\n", "")
    .replace("sort_key: number", "sort_key: at")
)
BROKEN = WARNED.replace("customer: eq", "total: eq, custmer: eq")


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    return tmp_path / "shop.yaml"


def test_a_warning_exits_1(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec.write_text(WARNED)
    assert main(["lint", "--format", "concise", str(spec)]) == 1
    said = capsys.readouterr().out
    assert said == (
        f"{spec.as_posix()}:8:7: warning DG341 no access pattern reads the index "
        "`ByTotal`\n"
    )


def test_advice_exits_0(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec.write_text(ADVISED)
    assert main(["lint", str(spec)]) == 0
    assert "advice[DG312]" in capsys.readouterr().out


def test_errors_are_shown_with_what_rules_can_say_all_the_same(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_text(BROKEN.replace("total: integer", "total: float"))
    assert main(["lint", "--format", "concise", str(spec)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[2] for line in lines] == ["DG302", "DG111"]


def test_rules_are_selected_and_left_out(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_text(WARNED)
    for options, code in (
        (["--select", "DG34"], 1),
        (["--select", "DG35", "--select", "DG36"], 0),
        (["--ignore", "DG341"], 0),
        (["--select", "DG34", "--ignore", "DG3"], 0),
    ):
        assert main(["lint", *options, str(spec)]) == code
    capsys.readouterr()
    spec.write_text(BROKEN)
    assert main(["lint", "--select", "DG399", str(spec)]) == 1
    assert "error[DG111]" in capsys.readouterr().out


def test_a_code_of_no_rule_is_misuse(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_text(WARNED)
    assert main(["lint", "--select", "DG9", str(spec)]) == 2
    assert "there is no design rule DG9" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_formats_for_tools_are_whole_even_if_nothing_is_found(
    spec: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    spec.write_text(WARNED)
    assert main(["lint", "--format", form, "--ignore", "DG", str(spec)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found if form == "json" else found["runs"][0]["results"]) == []


def test_github(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec.write_text(WARNED)
    assert main(["lint", "--format", "github", str(spec)]) == 1
    assert capsys.readouterr().out.startswith("::warning file=")


# --- codes ----------------------------------------------------------------------------------------


def test_a_rule_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "dg341"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("# DG341: unused-index\n")
    assert "## When to ignore it" in said


def test_an_error_says_where_it_comes_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "DG201"]) == 0
    assert capsys.readouterr().out.startswith("DG201 is about plans and writes")


def test_an_unknown_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "DG398"]) == 2
    assert "there is no rule DG398" in capsys.readouterr().err
