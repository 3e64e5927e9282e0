"""A sample of the mutants is killed; `python -m tests.mutants SPEC...` tries all."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from .edits import Package, applied
from .run import KINDS, Fate, build, judge, passes

SPECS = Path(__file__).resolve().parents[2] / "specs"
EVERY_TYPE = Path(__file__).resolve().parents[1] / "suite" / "kitchen_sink.yaml"
SAMPLE = (
    "delimiter dropped",
    "filter for a key condition",
    "items dropped on the client",
    "escaping skipped",
)


@cache
def package(name: str) -> Package:
    return build(SPECS / f"{name}.yaml")


@pytest.mark.parametrize("name", ["customer_orders", "pet_documents", "legacy_parcels"])
def test_every_mutant_is_still_python_and_another_program(name: str) -> None:
    found = package(name)
    for kind in KINDS:
        for mutant in kind.mutants(found):
            for path, source in applied(mutant, found.files).items():
                assert ast.dump(ast.parse(source)) != ast.dump(
                    ast.parse(found.files[path])
                )


def test_every_kind_finds_something_to_break() -> None:
    found = [
        package(name) for name in ("customer_orders", "pet_documents", "group_users")
    ]
    found.append(package("legacy_parcels"))
    for kind in KINDS:
        assert any(list(kind.mutants(each)) for each in found), kind.name


@pytest.mark.slow
def test_a_sample_of_the_mutants_is_killed() -> None:
    kinds = [kind for kind in KINDS if kind.name in SAMPLE]
    verdicts = list(judge(package("pet_documents"), kinds, most=1))

    assert len(verdicts) == len(SAMPLE)
    assert [each for each in verdicts if each.fate is not Fate.KILLED] == []


@pytest.mark.slow
def test_a_suite_of_every_type_passes_on_the_package_as_it_is() -> None:
    assert passes(build(EVERY_TYPE))
