"""The faults of published designs: each is refused, reported, or cannot be written down (docs/faults.md)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from dyngen.compile import Compilation, compile_all
from dyngen.design.explain import explain
from dyngen.rules.support.run import run_rules
from dyngen.rules.support.subject import Subject

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs").rglob("*.yaml"))

REPORTED = {
    "score-in-the-key": (
        """\
tables: {Scores: {partition_key: game_id, sort_key: score}}
entities: {Score: {attributes: {game_id: uuid, score: integer, player: uuid}}}
""",
        "DG311",
    ),
    "ranking-in-the-key": (
        """\
tables: {Players: {partition_key: game_id, sort_key: ranking}}
entities: {Player: {attributes: {game_id: uuid, ranking: integer, name: string}}}
access_patterns:
  move_up: {move: Player, where: {game_id: eq, ranking: eq}, set: {ranking: {param: to}}}
""",
        "DG310",
    ),
    "status-in-the-key": (
        """\
tables: {Tasks: {partition_key: owner, sort_key: [status, task_id]}}
entities:
  Task: {attributes: {owner: uuid, status: {type: [OPEN, DONE], default: OPEN}, task_id: ulid}}
""",
        "DG310",
    ),
    "few-index-partitions": (
        """\
tables:
  Users:
    partition_key: user_id
    indexes: {ByStatus: {partition_key: status_pk, sort_key: seen_at}}
entities:
  User:
    attributes: {user_id: uuid, status: [ACTIVE, INACTIVE], seen_at: timestamp}
    keys: {status_pk: "STATUS#{status}"}
access_patterns:
  users_by_status: {query: User, where: {status: eq}, order_by: seen_at}
""",
        "DG321",
    ),
    "scan-with-filter": (
        """\
tables: {Complaints: {partition_key: complaint_id}}
entities:
  Complaint: {attributes: {complaint_id: ulid, severity: [HIGH, LOW], state: [NEW, DONE]}}
access_patterns:
  by_severity: {scan: Complaint, filter: {where: {severity: eq, state: eq}, hit_rate: 0.5}}
""",
        "DG332",
    ),
    "version-as-text": (
        """\
tables: {Versions: {partition_key: document, sort_key: version}}
entities: {Version: {attributes: {document: uuid, version: string}}}
access_patterns:
  latest: {query: Version, where: {document: eq}, order_by: version desc, one: first}
""",
        "DG314",
    ),
}

REFUSED = {
    "followers-by-scan": (
        """\
tables: {Follows: {partition_key: follower, sort_key: followed}}
entities: {Follow: {attributes: {follower: uuid, followed: uuid}}}
access_patterns:
  followers: {scan: Follow, filter: {where: {followed: eq}, hit_rate: 0.01}}
""",
        "DG208",
    ),
    "bare-dates-of-two-entities": (
        """\
tables:
  Shop: {partition_key: PK, sort_key: SK, indexes: {GSI2: {partition_key: GSI2PK, sort_key: GSI2SK}}}
entities:
  Invoice:
    attributes: {customer: uuid, invoice: ulid, date: date}
    keys: {PK: "i#{invoice}", SK: "i#{invoice}", GSI2PK: "c#{customer}", GSI2SK: "{date}"}
  OrderItem:
    attributes: {customer: uuid, item: ulid, date: date}
    keys: {PK: "o#{item}", SK: "o#{item}", GSI2PK: "c#{customer}", GSI2SK: "{date}"}
access_patterns:
  invoices: {query: Invoice, where: {customer: eq, date: between}}
""",
        "DG201",
    ),
    "fares-and-flights-in-one-range": (
        """\
tables: {Flights: {partition_key: PK, sort_key: SK}}
entities:
  Fare:
    attributes: {origin: string, destination: string, departure: timestamp, class: string}
    keys: {PK: "{origin}", SK: "{destination}#{departure}#{class}"}
  Flight:
    attributes: {origin: string, destination: string, departure: timestamp, number: string}
    keys: {PK: "{origin}", SK: "{destination}#{departure}#{number}#0"}
access_patterns:
  flights_on_route: {query: Flight, where: {origin: eq, destination: eq}}
""",
        "DG201",
    ),
    "version-without-width": (
        """\
tables: {Versions: {partition_key: document, sort_key: SK}}
entities:
  Version: {attributes: {document: uuid, number: integer}, keys: {SK: "v{number}"}}
""",
        "DG172",
    ),
    "prefix-of-a-number": (
        """\
tables: {Versions: {partition_key: document, sort_key: SK}}
entities:
  Version:
    attributes: {document: uuid, number: {type: integer, min: 0, max: 9999}}
    keys: {SK: "v{number}"}
access_patterns:
  first: {query: Version, where: {document: eq, number: begins_with}}
""",
        "DG140",
    ),
}

IMPOSSIBLE = (
    "shards-written-and-not-read",
    "index-keys-forgotten-or-of-another-form",
    "unused-placeholders",
)


def compiled(body: str) -> Compilation:
    return compile_all(f"dyngen: 1\nservice: published\n{body}", "spec.yaml")


@pytest.mark.parametrize("name", REPORTED)
def test_reported(name: str) -> None:
    body, code = REPORTED[name]
    found = compiled(body)
    assert found.whole, found.diagnostics
    assert found.spec is not None
    assert found.design is not None
    said = run_rules(Subject(found.spec, found.design))
    assert code in {d.code for d in said}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    body, code = REFUSED[name]
    assert {d.code for d in compiled(body).diagnostics} == {code}


# --- what cannot be written down --------------------------------------------------------------------


def design_of(name: str) -> Any:
    path = ROOT / "specs" / "designs" / f"{name}.yaml"
    found = compile_all(path.read_text(encoding="utf-8"), path.name)
    assert found.whole
    return found.design


def test_shards_are_declared_once_and_all_of_them_are_read() -> None:
    design = design_of("access_log")
    [plan] = [p for p in design.reads if p.name == "requests_by_code"]
    [fan_out] = plan.alternatives[0].route.fan_outs
    [entity] = design.schema.entities
    [case] = entity.keys["GSI_1_PK"].cases
    [shard] = [p for p in case.template.pieces if type(p).__name__ == "Shard"]
    assert fan_out.values == tuple(range(shard.count))


def test_a_condition_is_made_of_the_template_that_writes_the_key() -> None:
    design = design_of("online_shop")
    [found] = explain(design, "invoices_of_customer_between")
    values = json.dumps(found["routes"][0]["request"]["ExpressionAttributeValues"])
    assert "i#{invoiced_at_from}" in values
    template = design.schema.entity("Invoice").keys["GSI2-SK"].cases[0].template
    assert template.pieces[0].text == "i#"
    # No item of an index lacks its keys: only `when`, or an absent input, takes one out.
    [stock] = [e for e in design.schema.entities if e.name == "Stock"]
    assert all(not case.when for case in stock.keys["GSI2-PK"].cases)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_name_and_value_that_a_request_declares_is_used(path: Path) -> None:
    found = compile_all(path.read_text(encoding="utf-8"), path.name)
    assert found.design is not None
    for explained in explain(found.design):
        for route in explained["routes"]:
            request = route.get("request", {})
            said = " ".join(v for k, v in request.items() if k.endswith("Expression"))
            used = set(re.findall(r"[#:]\w+", said))
            declared = {
                name
                for kind in ("Names", "Values")
                for name in request.get(f"ExpressionAttribute{kind}", {})
            }
            assert used == declared, explained["pattern"]


# --- the table --------------------------------------------------------------------------------------


def test_the_table_tells_the_same() -> None:
    text = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| `([a-z-]+)` \| (.+?) \|$", text, re.MULTILINE)
    verdicts = {name: verdict for _, name, verdict in rows}
    for name, (_, code) in REPORTED.items():
        assert verdicts.pop(name) == f"reported: [{code}](rules/{code}.md)"
    for name, (_, code) in REFUSED.items():
        assert verdicts.pop(name) == f"refused: {code}"
    for name in IMPOSSIBLE:
        assert verdicts.pop(name).startswith("cannot be expressed: ")
    assert not verdicts
