from __future__ import annotations

import pytest
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Span
from dyngen.diagnostics.suggest import did_you_mean, listed, nearest


@pytest.mark.parametrize(
    ("word", "candidates", "found"),
    [
        ("custmer_id", ["order_id", "customer_id"], "customer_id"),
        ("customerId", ["customer_id"], "customer_id"),
        ("Customer-ID", ["other", "customer_id"], "customer_id"),
        ("stauts", ["state", "status"], "status"),
        ("oder", ["Order"], "Order"),
        ("ORDER", ["Order", "Orders"], "Order"),
        ("between", ["lt", "gte"], None),
        ("x", ["y"], None),
        ("", ["a"], None),
        ("order", [], None),
    ],
)
def test_nearest(word: str, candidates: list[str], found: str | None) -> None:
    assert nearest(word, candidates) == found


def test_of_equals_the_first() -> None:
    assert nearest("ab", ["abx", "aby"]) == nearest("ab", iter(["abx", "aby"])) == "abx"


def test_many_candidates() -> None:
    assert (
        nearest("pattern_4999x", (f"pattern_{n}" for n in range(5000)))
        == "pattern_4999"
    )


def test_did_you_mean_is_a_remedy_or_nothing() -> None:
    assert did_you_mean("stauts", ["status"]) == "did you mean `status`?"
    assert did_you_mean("stauts", ["total"]) is None
    span = Span("a", 1, 1, 1, 2)
    found = error("DG100", "x", span, help=[did_you_mean("a", []), "or so"])
    assert found.help == ("or so",)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "`a`"),
        (["a", "b"], "`a` or `b`"),
        (["a", "b", "c"], "`a`, `b` or `c`"),
        (["a", "b", "c", "d", "e"], "`a`, `b`, `c` or 2 others"),
    ],
)
def test_listed(names: list[str], text: str) -> None:
    assert listed(names, limit=4) == text
