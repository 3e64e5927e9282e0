"""The templates of the project's own specs are clean under cfn-lint."""

from __future__ import annotations

from pathlib import Path

import pytest
from cfnlint import api
from dyngen.cloudformation.model import template
from dyngen.cloudformation.text import to_yaml
from dyngen.compile import compile_spec

SPECS = sorted((Path(__file__).parents[2] / "specs").glob("*.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_cfn_lint_has_nothing_to_say(path):
    design, found = compile_spec(path.read_text(encoding="utf-8"), path.name)
    assert design is not None, found
    text = to_yaml(template(design.schema), "# header")
    assert [str(match) for match in api.lint(text, regions=["us-east-1"])] == []
