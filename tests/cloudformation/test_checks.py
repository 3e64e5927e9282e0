"""What AWS would refuse is refused here, with its place."""

from __future__ import annotations

import pytest
from dyngen.cloudformation.checks import check
from handmade_schemas import everything, schema, settings, table

SCALED = {"read": 5, "write": 5, "autoscaling": {"min": 5, "max": 4, "target": 70}}


def findings(*tables):
    found = check(schema(*tables))
    return [(d.code, d.primary.span.line) for d in found]


def test_what_is_right_is_let_through():
    assert check(everything()) == []


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(
            lambda: findings(table("a-b", line=3), table("a.b", line=4)),
            [("DG280", 4), ("DG280", 4)],
            id="two tables, one logical name (as resource and as output)",
        ),
        pytest.param(
            lambda: findings(table("TableNamePrefix", line=3)),
            [("DG280", 3)],
            id="the name of the parameter",
        ),
        pytest.param(
            lambda: findings(table("a", line=3), table("aReadScalingTarget", line=4)),
            [("DG280", 4)],
            id="the name of a scaling target",
        ),
        pytest.param(
            lambda: findings(table("a", line=3), table("aStream", line=4)),
            [("DG280", 4)],
            id="the name of an output",
        ),
        pytest.param(
            lambda: findings(table("x" * 253, line=3)), [("DG281", 3)], id="too long"
        ),
        pytest.param(
            lambda: findings(table("t", settings=settings(9, billing=SCALED))),
            [("DG282", 9)],
            id="autoscaling between nothing",
        ),
        pytest.param(
            lambda: findings(
                table(
                    "t",
                    settings=settings(9, tags={str(n): "v" for n in range(51)}),
                )
            ),
            [("DG283", 9)],
            id="51 tags",
        ),
        pytest.param(
            lambda: findings(
                table("t", settings=settings(9, tags={"aws:x": "v", "k": "v" * 257}))
            ),
            [("DG283", 9), ("DG283", 9)],
            id="tags that AWS refuses",
        ),
        pytest.param(
            lambda: findings(
                table(
                    "t",
                    settings=settings(
                        9, cloudformation={"TableName": "x", "ResourcePolicy": {}}
                    ),
                )
            ),
            [("DG284", 9)],
            id="a property that dyngen writes",
        ),
    ],
)
def test_refused(found, expected):
    assert found() == expected
