"""The table of `dyngen prove`, and a suite that runs for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from dyngen.cli import main, prove
from dyngen.cli.measure import Measured
from dyngen.compile import compile_spec

ROOT = Path(__file__).parents[2]
ORDERS = """\
dyngen: 1
service: proven
tables:
  Orders: {partition_key: customer_id, sort_key: order_id}
entities:
  Order:
    attributes: {customer_id: string, order_id: string, total: integer}
access_patterns:
  order: {get: Order, where: {customer_id: eq, order_id: eq}}
  orders: {query: Order, where: {customer_id: eq}}
  big: {query: Order, where: {customer_id: eq}, filter: {where: {total: {gt: 5}}, at_most: 50}}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "proven.yaml"
    path.write_text(ORDERS)
    return path


def test_the_table():
    design, _ = compile_spec(ORDERS, "x.yaml")
    assert design is not None
    reads = [
        Measured("TestOrders", "Orders", 3, 3, 0.5, 6000, 330.0),
        Measured("TestOrder", "Orders", 1, 1, 0.5, 6000, 330.0),
        Measured("TestOrder", "Orders", 1, 1, 0.5, 6000, 330.0),
        Measured("TestOther", "Orders", 1, 1, 0.5, 6000, 330.0),
    ]
    assert list(prove.table(design, reads)) == [
        "pattern  reads   items read  returned  read units  filter: items  filter: units",
        "order    Orders           1         1         0.5           6000            330",
        "orders   Orders           3         3         0.5           6000            330",
    ]


@pytest.mark.slow
def test_a_suite_is_run_and_measured(spec, capsys, monkeypatch):
    monkeypatch.chdir(spec.parent)
    before = sorted(spec.parent.rglob("*"))
    assert main(["prove", str(spec)]) == 0
    out = capsys.readouterr().out
    rows = [line.split()[:4] for line in out.splitlines()[-3:]]
    assert [row[0] for row in rows] == ["order", "orders", "big"]
    assert rows[0] == ["order", "Orders", "1", "1"]
    assert rows[1][2] == rows[1][3]
    assert int(rows[2][2]) > int(rows[2][3])
    assert sorted(spec.parent.rglob("*")) == before


@pytest.mark.slow
def test_a_suite_that_fails_is_no_proof(spec, capsys, monkeypatch):
    real = prove.render

    def spoilt(design, path):
        files = real(design, path)
        return {**files, "tests/test_never.py": "def test(): assert False\n"}

    monkeypatch.setattr(prove, "render", spoilt)
    assert main(["prove", str(spec)]) == 1
    said = capsys.readouterr()
    assert "the proof does not hold" in said.err
    assert "items read" not in said.out


def test_what_is_missing_is_named(spec, capsys, monkeypatch):
    monkeypatch.setattr(prove, "find_spec", lambda name: None)
    assert main(["prove", str(spec)]) == 2
    assert capsys.readouterr().err == (
        "dyngen: the suite needs pytest, boto3, moto, hypothesis; "
        "install it with `pip install 'dyngen[prove]'`\n"
    )
