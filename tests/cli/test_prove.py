"""`dyngen prove`: a suite that runs, figures that add up, and what is said of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dyngen.cli import main, prove
from dyngen.compile import compile_spec
from dyngen.design.plans import Design
from dyngen.prove.measure import Measured, Reading, Results
from dyngen.prove.population import population
from dyngen.prove.report import Report, markdown, text
from dyngen.prove.writes import writes

ORDERS = """\
dyngen: 1
service: proven
tables:
  Orders:
    partition_key: customer_id
    sort_key: order_id
    indexes: {Totals: {partition_key: customer_id, sort_key: total, projection: keys_only}}
entities:
  Order:
    attributes: {customer_id: string, order_id: string, total: integer, note: string}
access_patterns:
  order: {get: Order, where: {customer_id: eq, order_id: eq}}
  orders: {query: Order, where: {customer_id: eq}}
  big: {query: Order, where: {customer_id: eq}, filter: {where: {total: {lt: 36}}, at_most: 50}}
  set_note: {update: Order, where: {customer_id: eq, order_id: eq}, set: [note]}
sizes: {Order: {bytes: 2000, per_partition: 20}}
"""


@pytest.fixture(autouse=True)
def moto(monkeypatch):
    monkeypatch.delenv("DYNGEN_ENDPOINT_URL", raising=False)


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "proven.yaml"
    path.write_text(ORDERS)
    return path


@pytest.fixture(scope="module")
def design() -> Design:
    found, _ = compile_spec(ORDERS, "x.yaml")
    assert found is not None
    return found


def report(design: Design, *, reported: bool) -> Report:
    results = Results(
        engine="moto",
        reported=reported,
        loaded={"Order": 6000},
        reads=(
            Measured(
                "orders", "Orders", 1, Reading(3, 0.5), 3, Reading(6000, 330.0),
                Reading(6000, 330.0),
            ),
            Measured("all", "Orders", 4, Reading(6000, 330.0), 6000, None, Reading(6000, 330.0)),
        ),
        missing=("odd",),
    )  # fmt: skip
    return Report(design, results, tuple(writes(design)))


def test_the_tables(design):
    assert text(report(design, reported=True)) == (
        "pattern  reads   requests  items read  returned  read units  "
        "by filter: items  units  by scan: items  units\n"
        "orders   Orders         1           3         3         0.5  "
        "           6,000    330           6,000    330\n"
        "all      Orders         4       6,000     6,000         330  "
        "               –      –           6,000    330\n"
        "\n"
        "Measured on moto with 6,000 Order (2000 bytes).\n"
        "Read units are those that the engine reported.\n"
        "By filter: the partition that the pattern reads, whole. By scan: the table, whole.\n"
        "Not measured, as no item was found for them: odd.\n"
        "\n"
        "write         table units  index units  write units  amplification\n"
        "Order.create            2          1–2          3–4             ×2\n"
        "Order.put               2          0–4          2–6             ×3\n"
        "Order.update            2          0–4          2–6             ×3\n"
        "Order.delete            2          1–2          3–4             ×2\n"
        "set_note                2            0            2             ×1\n"
        "\n"
        "Write units are computed from the sizes of items and entries."
    )


def test_in_markdown(design):
    lines = markdown(report(design, reported=False)).splitlines()
    assert lines[1] == "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    assert (
        lines[2] == "| orders | Orders | 1 | 3 | 3 | 0.5 | 6,000 | 330 | 6,000 | 330 |"
    )
    assert any(line.startswith("Read units are computed") for line in lines)


@pytest.mark.slow
def test_a_suite_is_run_and_its_reads_are_measured(spec, capsys, monkeypatch):
    monkeypatch.chdir(spec.parent)
    before = sorted(spec.parent.rglob("*"))
    assert main(["prove", str(spec), "--items", "60", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["engine"] == "moto"
    assert found["read_units"] == "computed"
    assert found["items"] == {"Order": 60}
    order, orders, big = found["reads"]
    one, partition, table = (
        {"items": items, "units": units}
        for items, units in ((1, 0.5), (20, 5.0), (60, 15.0))
    )
    assert (order["read"], order["returned"], order["requests"]) == (one, 1, 1)
    assert (orders["read"], orders["returned"]) == (partition, 20)
    assert big["read"] == partition
    assert big["returned"] == 15
    for each in found["reads"]:
        assert (each["filtered"], each["scanned"]) == (partition, table)
    assert sorted(spec.parent.rglob("*")) == before


SNAPSHOT = """\
dyngen: 1
service: together
tables: {Users: {partition_key: user_id}, Carts: {partition_key: user_id, sort_key: cart_id}}
entities:
  User: {table: Users, attributes: {user_id: string, name: string}}
  Cart: {table: Carts, attributes: {user_id: string, cart_id: string, note: string}}
access_patterns:
  user_with_cart:
    transact:
      - {get: User, where: {user_id: eq}}
      - {get: Cart, where: {user_id: eq, cart_id: eq}}
sizes: {User: {bytes: 5000}, Cart: {bytes: 1000, per_partition: 20}}
"""


@pytest.mark.slow
def test_a_transaction_that_reads_is_measured(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "together.yaml").write_text(SNAPSHOT)
    assert main(["prove", "together.yaml", "--items", "40", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["reads"]
    # 5,000 bytes are two units of 4 KB, 1,000 one; a transaction reads each twice
    assert (row["read"], row["returned"]) == ({"items": 2, "units": 6.0}, 2)
    assert row["requests"] == 1
    assert row["filtered"] == {"items": 1 + 20, "units": 1.0 + 2.5}
    assert row["scanned"]["items"] == 80


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


def test_an_engine_is_moto_or_a_url(spec, capsys):
    assert main(["prove", str(spec), "--engine", "dynoxide"]) == 2
    assert "the URL of an engine" in capsys.readouterr().err


NARROW = """\
dyngen: 1
service: narrow
tables: {Copies: {partition_key: pk, sort_key: sk}}
entities:
  Copy:
    attributes: {isbn: {type: string, max_length: 4}, number: {type: integer, min: 1, max: 399}}
    keys: {pk: "B#{isbn}", sk: "C#{number}"}
access_patterns:
  copies: {query: Copy, where: {isbn: eq}}
"""


def test_keys_stay_within_their_types():
    found, _ = compile_spec(NARROW, "x.yaml")
    assert found is not None
    [entity] = found.schema.entities
    items = list(population(found, entity, 1000))
    assert all(1 <= item.values["number"] <= 399 for item in items)
    assert (
        len({repr(item.stored["pk"]) + repr(item.stored["sk"]) for item in items})
        == 1000
    )
