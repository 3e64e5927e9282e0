"""Whatever a spec looks like, reading and resolving it gives diagnostics, never an exception."""

import random
from pathlib import Path

import pytest
from dyngen.design.resolve import resolve, resolve_all
from dyngen.source.nodes import Mapping
from dyngen.source.yaml_reader import read
from dyngen.spec.reader import read_spec
from hypothesis import given, settings
from hypothesis import strategies as st

from .damaged_nodes import damaged

SPECS = sorted((Path(__file__).parents[2] / "specs").glob("*.yaml"))


def root_of(path: Path) -> Mapping:
    root, problems = read(path.read_text(encoding="utf-8"), path.name)
    assert root is not None
    assert not problems
    return root


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_spec_of_the_project_resolves(path: Path) -> None:
    spec, problems = read_spec(root_of(path), path.name)
    assert not problems
    assert spec is not None
    schema, problems = resolve(spec)
    assert not problems
    assert schema is not None
    assert [e.name for e in schema.entities] == [e.name.text for e in spec.entities]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SPECS), st.integers(0, 2**32))
def test_damaged_specs(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    root = damaged(root_of(path), chance)
    if not isinstance(root, Mapping):
        return
    spec, problems = read_spec(root, path.name)
    if spec is not None:
        resolve_all(spec)
    else:
        assert problems
