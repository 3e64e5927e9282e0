"""Generated code takes few steps; times are measured by `make bench`, with the same package."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boto3
import pytest
from dyngen.cli import main

ROOT = Path(__file__).parents[2]
MOST = 4000
"""Python calls for a page of a hundred items; botocore alone would make more than ten thousand."""


@pytest.fixture
def canned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The canned items of the benchmarks; the package that is made for them can be imported."""
    spec = ROOT / "benchmarks" / "documents.yaml"
    assert main(["build", str(spec), "--out", str(tmp_path)]) == 0
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.syspath_prepend(tmp_path / "documents")
    return importlib.import_module("benchmarks.canned")


def calls(of: Callable[[], object]) -> int:
    """How many Python functions a call runs."""
    count = 0

    def profile(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(profile)
    try:
        of()
    finally:
        sys.setprofile(None)
    return count


def test_a_page_of_a_hundred_items_takes_few_steps(canned: Any) -> None:
    documents = importlib.import_module("documents")
    client = boto3.client(
        "dynamodb",
        region_name="eu-west-1",
        aws_access_key_id="testing",
        aws_secret_access_key="testing",
    )
    canned.answer(client)
    repository = documents.DocumentRepository(client, canned.TABLE)
    query = repository.documents_of_owner(owner_id=canned.OWNER)
    found = query.all()
    assert [
        {name: getattr(each, name) for name in canned.DOCUMENTS[0]} for each in found
    ] == canned.DOCUMENTS
    assert calls(query.all) <= MOST
