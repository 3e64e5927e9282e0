"""One pet's documents among 6,000: three are read, where a filter reads them all.

The scale is the published one: 1,000 owners, each with two pets, each with three documents of about
450 bytes, all of one tenant and so in one partition.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from dyngen.compile import compile_spec
from dyngen.design.plans import Design
from dyngen.prove.measure import Reading, Results, measure
from dyngen.prove.stock import stock
from dyngen.render.project import render
from dyngen.runtime.capacity import item_size

SPEC = Path(__file__).parents[2] / "specs" / "pet_documents.yaml"
ITEMS = 6000


@pytest.fixture(scope="module")
def design() -> Design:
    found, _ = compile_spec(SPEC.read_text(encoding="utf-8"), SPEC.name)
    assert found is not None
    return replace(
        found, reads=tuple(r for r in found.reads if r.name == "documents_of_pet")
    )


@pytest.fixture
def importable(
    design: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Design]:
    """The design; its package and suite can be imported, for this test."""
    for path, text in render(design, "specs/pet_documents.yaml").items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "tests"))
    for name in [n for n in sys.modules if n.startswith("pet_documents")]:
        monkeypatch.delitem(sys.modules, name)
    before = set(sys.modules)
    yield design
    for name in set(sys.modules) - before:
        if name.startswith("pet_documents"):
            del sys.modules[name]


def assert_three_of_all(results: Results) -> None:
    [found] = results.reads
    assert found.requests == 1
    assert found.read == Reading(3, 0.5)
    assert found.returned == 3
    for other in (found.filtered, found.scanned):
        assert other is not None
        assert other.items == ITEMS
        assert 320 <= other.units <= 335


def test_the_scale(design: Design) -> None:
    items = stock(design, ITEMS).items
    assert len(items) == ITEMS
    assert len({item.values["owner"] for item in items}) == 1000
    assert len({item.values["pet"] for item in items}) == 2000
    assert {item_size(item.stored) for item in items} == {450}


def test_on_moto(importable: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DYNGEN_ENDPOINT_URL", raising=False)
    results = measure(importable, ITEMS, lambda done, total: None)
    assert not results.reported
    assert_three_of_all(results)


def test_on_dynoxide(
    dynoxide: str, importable: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNGEN_ENDPOINT_URL", dynoxide)
    results = measure(importable, ITEMS, lambda done, total: None)
    assert results.reported
    assert_three_of_all(results)
