"""What AWS would refuse is refused here, with its place."""

from __future__ import annotations

import pytest
from dyngen.cloudformation.checks import check
from dyngen.design.model import Attribute, Projection
from dyngen.types.model import Integer, Stored, String, Timestamp
from handmade_schemas import EXPIRES, everything, index, key, schema, settings, span, table

SCALED = {"read": 5, "write": 5, "autoscaling": {"min": 5, "max": 4, "target": 70}}
PROVISIONED = {"read": 5, "write": 5}
NAMES = tuple(f"a{number}" for number in range(20))


def findings(*tables, attributes=()):
    found = check(schema(*tables, attributes=attributes))
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
            lambda: findings(table("x" * 250, line=3)), [("DG281", 3)], id="too long"
        ),
        pytest.param(
            lambda: findings(table("t", index("i", "a b c d e", "f", line=7))),
            [("DG282", 7)],
            id="five HASH parts",
        ),
        pytest.param(
            lambda: findings(table("t", index("i", "a", "b c d e f", line=7))),
            [("DG282", 7)],
            id="five RANGE parts",
        ),
        pytest.param(
            lambda: findings(table("t", key=key("a", "b c"), line=7)),
            [("DG282", 7)],
            id="two RANGE parts of a table",
        ),
        pytest.param(
            lambda: findings(table("t", index("i", "a", "a", line=7))),
            [("DG283", 7)],
            id="an attribute twice",
        ),
        pytest.param(
            lambda: findings(table("t", index("i", "é" * 128, "b", line=7))),
            [("DG283", 7)],
            id="a name of 256 bytes",
        ),
        pytest.param(
            lambda: findings(table("t", index("i", "other", local=True, line=7))),
            [("DG284", 7)],
            id="a local index with another partition key",
        ),
        pytest.param(
            lambda: findings(
                table("t", index("i", local=True, line=7), key=key("customer_id", None))
            ),
            [("DG284", 7)],
            id="a local index of a table without sort key",
        ),
        pytest.param(
            lambda: findings(
                table("t", *(index(f"i{n}", line=100 + n) for n in range(21)))
            ),
            [("DG285", 120)],
            id="21 global indexes",
        ),
        pytest.param(
            lambda: findings(
                table(
                    "t", *(index(f"i{n}", local=True, line=100 + n) for n in range(6))
                )
            ),
            [("DG285", 105)],
            id="6 local indexes",
        ),
        pytest.param(
            lambda: findings(
                table("t", index("i", line=7), index("i", local=True, line=8))
            ),
            [("DG285", 8)],
            id="two indexes of one name",
        ),
        pytest.param(
            lambda: findings(
                table("t", index("i", projection=Projection.INCLUDE, line=7))
            ),
            [("DG286", 7)],
            id="a list without attributes",
        ),
        pytest.param(
            lambda: findings(
                table(
                    "t",
                    index(
                        "i",
                        projection=Projection.INCLUDE,
                        included=(*NAMES, "one_more"),
                        line=7,
                    ),
                )
            ),
            [("DG286", 7)],
            id="21 attributes",
        ),
        pytest.param(
            lambda: findings(
                table(
                    "t",
                    *(
                        index(f"i{n}", projection=Projection.INCLUDE, included=NAMES)
                        for n in range(6)
                    ),
                    line=7,
                )
            ),
            [("DG286", 7)],
            id="120 attributes in all",
        ),
        pytest.param(
            lambda: findings(
                table("t", index("i", settings=settings(9, billing=PROVISIONED)))
            ),
            [("DG287", 9)],
            id="throughput of an index of an on-demand table",
        ),
        pytest.param(
            lambda: findings(
                table(
                    "t",
                    index("i", local=True, settings=settings(9, billing=PROVISIONED)),
                    settings=settings(billing=PROVISIONED),
                )
            ),
            [("DG287", 9)],
            id="throughput of a local index",
        ),
        pytest.param(
            lambda: findings(table("t", settings=settings(9, billing=SCALED))),
            [("DG287", 9)],
            id="autoscaling between nothing",
        ),
        pytest.param(
            lambda: findings(table("t", settings=settings(9, ttl="expires_at"))),
            [("DG288", 9)],
            id="TTL of an attribute that no entity has",
        ),
        pytest.param(
            lambda: findings(
                table(
                    "t",
                    settings=settings(9, tags={str(n): "v" for n in range(51)}),
                )
            ),
            [("DG289", 9)],
            id="51 tags",
        ),
        pytest.param(
            lambda: findings(
                table("t", settings=settings(9, tags={"aws:x": "v", "k": "v" * 257}))
            ),
            [("DG289", 9), ("DG289", 9)],
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
            [("DG290", 9)],
            id="a property that dyngen writes",
        ),
    ],
)
def test_refused(found, expected):
    assert found() == expected


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (String(), ["DG288"]),
        (Timestamp(), ["DG288"]),
        (Timestamp(stored=Stored.EPOCH_MILLISECONDS), ["DG288"]),
        (Timestamp(stored=Stored.EPOCH_SECONDS), []),
        (Integer(), []),
    ],
)
def test_ttl_counts_epoch_seconds(of, expected):
    attribute = Attribute("expires_at", "exp", of, span(22))
    found = findings(
        table("t", settings=settings(9, ttl="expires_at")), attributes=(attribute,)
    )
    assert [code for code, _ in found] == expected


def test_ttl_may_name_the_attribute_as_the_spec_does():
    assert EXPIRES.name != EXPIRES.stored
    of = table("t", settings=settings(ttl="expires_at"))
    assert findings(of, attributes=(EXPIRES,)) == []
