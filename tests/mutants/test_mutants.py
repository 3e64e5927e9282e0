"""A sample of the mutants of every committed package is killed; `make mutants` tries all of all specs.

The sample is always the same: so many of each spec, each of another kind, and of the next spec those
kinds that come next.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from .edits import Mutant, Package, applied
from .kind import Kind
from .kinds import KINDS
from .run import Fate, build, judge

ROOT = Path(__file__).resolve().parents[2]
SPECS = sorted(ROOT.glob("specs/**/*.yaml"))
COMMITTED = [
    spec for spec in SPECS if (ROOT / "generated_examples" / spec.stem).is_dir()
]
UNIQUE = ROOT / "tests" / "python" / "library.yaml"
MANY = ("access_log", "locks", "pet_documents", "recurring_payments", "review_queue")
MORE = ("battle_royale", "group_users", "legacy_parcels", "orders_native")
OF_EACH = 1
ONCE_SURVIVED = (
    ("github", "key condition dropped", "repo_repository.py"),
    ("github", "partition of another argument", "app_installation_repository.py"),
    ("orders_native", "stream skipped", "order_repository.py"),
    ("review_queue", "escaping skipped", "scalars.py"),
    ("review_queue", "stale key", "submission_repository.py"),
    ("review_queue", "stream skipped", "submission_repository.py"),
)
"""The spec, the kind of fault, and the module with it."""


@cache
def package(spec: Path) -> Package:
    return build(spec)


@cache
def of(name: str) -> Package:
    return package(next(spec for spec in SPECS if spec.stem == name))


def sample(number: int) -> Iterator[tuple[Kind, Mutant]]:
    """One mutant each of the kinds that the spec with this number has, beginning at another."""
    first = number * OF_EACH % len(KINDS)
    for turn, kind in enumerate((*KINDS[first:], *KINDS[:first])):
        found = list(kind.mutants(package(COMMITTED[number])))
        if found:
            yield kind, found[(number + turn) % len(found)]


@pytest.mark.parametrize("name", [*MANY, "library"])
def test_every_mutant_is_another_program(name: str) -> None:
    found = package(UNIQUE) if name == "library" else of(name)
    for kind in KINDS:
        for mutant in kind.mutants(found):
            for path, text in applied(mutant, found.files).items():
                before = found.files[path]
                if path.endswith(".py"):
                    assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(before))
                else:
                    assert text != before


def test_every_kind_finds_something_to_break() -> None:
    found = [package(UNIQUE), *map(of, (*MANY, *MORE))]
    nowhere = [
        kind.name
        for kind in KINDS
        if not any(any(kind.mutants(each)) for each in found)
    ]
    assert nowhere == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", range(len(COMMITTED)), ids=lambda n: COMMITTED[n].stem
)
def test_a_sample_of_the_mutants_is_killed(number: int) -> None:
    chosen = list(islice(sample(number), OF_EACH))
    assert len(chosen) == OF_EACH

    verdicts = list(judge(package(COMMITTED[number]), chosen, jobs=1))

    assert [each for each in verdicts if each.fate is not Fate.KILLED] == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind", "module"), ONCE_SURVIVED)
def test_what_once_survived_is_killed(name: str, kind: str, module: str) -> None:
    (broken,) = (each for each in KINDS if each.name == kind)
    chosen = [
        (broken, mutant)
        for mutant in broken.mutants(of(name))
        if all(Path(edit.path).name == module for edit in mutant)
    ]
    assert chosen

    verdicts = list(judge(of(name), chosen[-3:], jobs=1))

    assert [each for each in verdicts if each.fate is not Fate.KILLED] == []
